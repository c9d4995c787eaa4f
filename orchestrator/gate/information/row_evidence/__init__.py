"""What the other columns of a row say of a changed cell. For the check on information."""
