"""Plain values, settings, errors and ports: the values that all other packages exchange. No I/O, no heavy library."""
