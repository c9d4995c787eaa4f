"""Migrates copies of an old registry and dies with SIGKILL, each time one step later. Started by a test as
`killed_migration.py URL…`, one URL for each copy; the n-th process dies just before its n-th statement that writes, or
commit, or at the last just after the commit.

Prints a line for each: the statement before which it died, or "done" where there was none left.
"""

import os
import signal
import sys
from typing import Any

import alembic.migration  # noqa: F401 - imported once, so that a death costs a fork
import psycopg  # noqa: F401 - the same
from sqlalchemy import Engine, event
from sqlalchemy.engine.default import DefaultDialect

from orchestrator.registry.database import migrate_database
from orchestrator.registry.location import database_url

_READS = ("SELECT", "PRAGMA", "SHOW", "SET ", "BEGIN")


def migrate_and_die(url: str, moment: int, said: int) -> None:
    """Migrate; the process ends before its `moment`-th step."""
    step = 0

    def tick(what: str) -> None:
        nonlocal step
        step += 1
        if step == moment:
            os.write(said, what[:70].replace("\n", " ").encode() + b"\n")
            os.kill(os.getpid(), signal.SIGKILL)

    def on_execute(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if not statement.lstrip().upper().startswith(_READS):
            tick(statement.strip())

    event.listen(Engine, "before_cursor_execute", on_execute)
    commit: Any = DefaultDialect.do_commit

    def do_commit(self: DefaultDialect, connection: Any) -> None:
        if step:
            tick("before COMMIT")
        commit(self, connection)
        if step:
            tick("after COMMIT")

    DefaultDialect.do_commit = do_commit  # type: ignore[method-assign]
    migrate_database(database_url(url))
    os.write(said, b"done\n")


if __name__ == "__main__":
    for number, where in enumerate(sys.argv[1:], 1):
        child = os.fork()
        if child == 0:
            migrate_and_die(where, number, 1)
            os._exit(0)
        os.waitpid(child, 0)
