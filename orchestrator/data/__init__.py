"""Formats, chunks, profiles and frames: data as typed rows, read once, and hostile bytes turned into checked tables."""
