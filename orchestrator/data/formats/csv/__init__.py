"""Files of separated values: their dialect, and how they are read and written."""
