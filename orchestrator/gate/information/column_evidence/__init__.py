"""What the other cells of a column say of a changed cell. For the check on information."""
