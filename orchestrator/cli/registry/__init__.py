"""`cleanroom registry`, `review` and `keys`: promoted functions, whose word counts for them, and what is held."""
