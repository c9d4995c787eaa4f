"""Runs the migrations that a database lacks, in one transaction of the caller's. Called by `database`.

A process that is killed leaves the tables as they were before: both SQLite and PostgreSQL take back what was not
committed, changes of tables included.
"""

from pathlib import Path

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.runtime.migration import MigrationStep
from alembic.script import Script, ScriptDirectory
from sqlalchemy import Connection, inspect, text

from orchestrator.registry.registry_tables import REVISIONS
from orchestrator.registry.triggers import protect, unprotect

FOLDER = Path(__file__).parent


def migrate(connection: Connection, target: str = REVISIONS[-1], folder: Path = FOLDER) -> None:
    """Bring the tables to the revision. The connection holds the lock and is in a transaction."""
    scripts = ScriptDirectory(str(folder))
    context = MigrationContext.configure(connection)
    current = context.get_current_revision()
    if current is None and inspect(connection).has_table("schema_version"):
        context.stamp(scripts, current := REVISIONS[0])
    missing = list(scripts.iterate_revisions(target, current or "base"))
    for script in reversed(missing):
        unprotect(connection)
        _run(connection, scripts, script)
        connection.execute(text("UPDATE schema_version SET version = :count"), {"count": int(script.revision)})
        protect(connection)


def _run(connection: Connection, scripts: ScriptDirectory, script: Script) -> None:
    step = MigrationStep.upgrade_from_script(scripts.revision_map, script)
    context = MigrationContext.configure(connection, opts={"fn": lambda *_: [step]})
    with Operations.context(context):
        context.run_migrations()
