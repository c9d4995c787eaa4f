"""Trusted code on hostile bytes, in a process that is thrown away."""
