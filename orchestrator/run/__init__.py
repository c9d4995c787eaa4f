"""What the commands do: the main job (loop, journal, report), apply, verify and analyze."""
