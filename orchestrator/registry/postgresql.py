"""A registry in PostgreSQL: how connections are set up and how writers wait for each other. Called by `database`.

A writer holds one advisory lock of the database until its transaction ends, so that there is one chain of events. It
is no lock on a row or a table, because the role that promotes has no right to change any.
"""

from typing import Any

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.engine import URL
from sqlalchemy.pool import NullPool, QueuePool

from orchestrator.core.errors import RegistryError
from orchestrator.data.databases.connection_defaults import CONNECTION_DEFAULTS

_LOCK = 0x636C65616E  # "clean", for all registries of a database


def postgresql_engine(url: URL, *, kept: int) -> Engine:
    """An engine on the database; nothing is connected yet. Raises RegistryError where psycopg is not installed.

    `kept`: so many connections stay open between transactions; each is tried before it is used again.
    """
    options = {name: value for name, value in CONNECTION_DEFAULTS.items() if name not in url.query}
    pool: dict[str, Any] = {"poolclass": NullPool}
    if kept:
        pool = {"poolclass": QueuePool, "pool_size": kept, "max_overflow": -1, "pool_pre_ping": True}
    try:
        return create_engine(url, connect_args=options, hide_parameters=True, **pool)  # no error quotes a cell
    except ImportError as error:
        raise RegistryError(
            "A registry in PostgreSQL needs psycopg, which is not installed.",
            advice="Install it: pip install 'cleanroom[postgres]'",
        ) from error


def begin(connection: Connection, *, writing: bool, synced: bool, timeout_s: float) -> None:
    """Begin a transaction: one that writes waits for the lock, one that reads sees one moment of the registry.

    `synced`: it is on the server's disk when it ends; otherwise soon after.
    """
    if writing:  # every statement sees what was committed before it, above all before the lock was had
        lock = f"SET LOCAL lock_timeout = {round(timeout_s * 1000)}; SELECT pg_advisory_xact_lock({_LOCK})"
        lazily = "" if synced else "SET LOCAL synchronous_commit = off; "
        connection.exec_driver_sql(f"SET TRANSACTION ISOLATION LEVEL READ COMMITTED; {lazily}{lock}")
    else:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
