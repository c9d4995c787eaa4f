"""What commands print: verdicts, questions, checks, differences, runs as they go on and afterwards."""
