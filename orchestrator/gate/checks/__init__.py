"""The checks, one module each, listed in `catalog`. Each takes observations and returns a result."""
