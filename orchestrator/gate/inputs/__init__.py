"""What a candidate is run on: sample rows, edge cases, and the plan of both containers."""
