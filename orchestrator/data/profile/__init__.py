"""What a table holds, in figures: patterns, quality, and counts for the evidence."""
