"""The main job: the loop over chunks, its steps and journal, apply, report."""
