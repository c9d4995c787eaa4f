"""`cleanroom diff`: what changed between two files, or between a run's input and output."""
