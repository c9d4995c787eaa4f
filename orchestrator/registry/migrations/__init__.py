"""How the tables of older releases become those of this one. Alembic is imported only where there is work to do."""
