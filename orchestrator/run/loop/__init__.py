"""The main job: chunk after chunk, from proposal to promotion."""
