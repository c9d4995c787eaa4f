"""Decodes the bytes that a sandbox sent back into checked tables and records."""
