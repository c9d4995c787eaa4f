"""Signs that say how numbers stand to each other, or where one ends, and what becomes of them. Called by laws.py."""
