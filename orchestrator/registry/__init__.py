"""The append-only store of promoted functions, and what is exported from it. The only room that speaks SQL."""
