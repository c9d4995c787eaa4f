"""Who says that a function passed: envelopes, statements, keys, and whose signature counts."""
