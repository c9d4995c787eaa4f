"""Tables and queries of PostgreSQL and SQLite as data, and new tables as results. Called by `data.sources`, `targets`.

This and `orchestrator.registry` are the only packages that import SQLAlchemy.
"""
