"""Parquet: described and bounded in a confined process before it is read."""
