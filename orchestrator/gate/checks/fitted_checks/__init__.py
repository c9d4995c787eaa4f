"""The checks of fitted functions: what they learn of the whole data. Listed in `catalog` like all others."""
