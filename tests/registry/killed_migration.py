"""Migrates copies of an old registry and dies with SIGKILL at a step of each. Started by a test as
`killed_migration.py MOMENT URL [MOMENT URL…]`: the process for a copy dies just before its so manieth statement that
writes, or commit, or at the last just after the commit. At moment 0 none dies, and every step is printed.

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
        if step == moment or not moment:
            os.write(said, what[:70].replace("\n", " ").encode() + b"\n")
        if step == moment:
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
    for at, where in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        child = os.fork()
        if child == 0:
            migrate_and_die(where, int(at), 1)
            os._exit(0)
        os.waitpid(child, 0)
