"""JSON Lines and JSON documents: scanned as they stand, so that untouched values come back bit for bit."""
