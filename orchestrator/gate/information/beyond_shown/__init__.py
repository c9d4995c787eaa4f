"""What one witness shows of a value, and what the same rule makes of others. For otherwise_than_shown.py."""
