"""The built-in rules, one module each, in the order of `catalogue`."""
