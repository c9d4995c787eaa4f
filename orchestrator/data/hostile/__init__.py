"""Bytes that a sandbox sent back, turned into checked tables and records."""
