"""Units behind numbers, or in a column of their own, that are written as most are. Listed by catalogue.py."""
