"""Reads a model's replies, XML or structured, into plain values."""
