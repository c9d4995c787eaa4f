"""Judges parsers, which turn the bytes of a file into rows: their source, their calls, the laws."""
