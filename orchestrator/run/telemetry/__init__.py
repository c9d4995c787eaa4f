"""What operations may know of runs: spans, log lines, lineage. Off unless somebody asks for it."""
