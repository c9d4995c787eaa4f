"""A run's journal: written step by step, listed, replayed and resumed."""
