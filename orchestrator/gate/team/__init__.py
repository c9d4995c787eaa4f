"""A team's own acceptance checks (`--checks`), run in a process of their own."""
