"""Cells that change just as a witness shows of another one, though they are written otherwise."""
