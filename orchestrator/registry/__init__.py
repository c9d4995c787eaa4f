"""The append-only store of promoted functions, and what is exported from it. The only package that uses SQL."""
