"""Plain values, settings, errors and ports: the words every other room speaks. No I/O, no heavy library."""
