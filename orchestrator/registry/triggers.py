"""Makes tables append-only by triggers. Called when the tables are made and around every migration.

A migration on SQLite that copies a table loses its triggers without a word, and one that fills a new column must be
allowed to update. So all of them are dropped before a migration and made again after it, in the same transaction.

`INSERT OR REPLACE` of SQLite removes rows without asking the trigger for DELETE, so it has one of its own.
"""

from sqlalchemy import Connection, inspect
from sqlalchemy.engine.reflection import Inspector

from orchestrator.registry.registry_tables import APPEND_ONLY

_REFUSAL = "the registry is append-only"
_EVENTS = "BEFORE UPDATE OR DELETE OR TRUNCATE"
_POSTGRESQL_FUNCTION = f"""
CREATE OR REPLACE FUNCTION cleanroom_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '{_REFUSAL}' USING ERRCODE = 'restrict_violation'; END $$
"""


def protect(connection: Connection) -> None:
    """Make the triggers of all append-only tables that are there."""
    inspector = inspect(connection)
    postgresql = connection.dialect.name == "postgresql"
    if postgresql:
        connection.exec_driver_sql(_POSTGRESQL_FUNCTION)
    for table in _there(inspector):
        for statement in _postgresql(table) if postgresql else _sqlite(table, inspector):
            connection.exec_driver_sql(statement)


def unprotect(connection: Connection) -> None:
    """Drop the triggers, for as long as the transaction of a migration lasts."""
    postgresql = connection.dialect.name == "postgresql"
    for table in _there(inspect(connection)):
        names = (f"{table}_append_only",) if postgresql else (f"{table}_no_{verb}" for verb in _VERBS)
        for name in names:
            connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {name}" + (f" ON {table}" if postgresql else ""))


_VERBS = ("update", "delete", "replace")


def _there(inspector: Inspector) -> list[str]:
    names = set(inspector.get_table_names())
    return [table for table in APPEND_ONLY if table in names]


def _postgresql(table: str) -> tuple[str, ...]:
    name = f"{table}_append_only"
    return (
        f"DROP TRIGGER IF EXISTS {name} ON {table}",
        f"CREATE TRIGGER {name} {_EVENTS} ON {table} FOR EACH STATEMENT EXECUTE FUNCTION cleanroom_append_only()",
    )


def _sqlite(table: str, inspector: Inspector) -> tuple[str, ...]:
    same = f"EXISTS (SELECT 1 FROM {table} WHERE {_same_key(table, inspector)})"  # noqa: S608 - our own names
    refuse = f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
    return (
        f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} {refuse}",
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {refuse}",
        f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} WHEN {same} {refuse}",
    )


def _same_key(table: str, inspector: Inspector) -> str:
    """The condition that a row has the primary key, or another unique key, of the new one."""
    keys = [inspector.get_pk_constraint(table)["constrained_columns"]]
    keys += [unique["column_names"] for unique in inspector.get_unique_constraints(table)]
    return " OR ".join("(" + " AND ".join(f"{column} = NEW.{column}" for column in key) + ")" for key in keys)
