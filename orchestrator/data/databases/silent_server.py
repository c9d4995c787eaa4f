"""A connection to PostgreSQL that does not wait for ever. Used by `postgresql_rows`.

Where a proxy, a pooler or a stopped server keeps a connection open and sends nothing, TCP has no reason to end it. A
server that works at a long query is silent, too: so after some time it is asked by another connection whether it does.
"""

from collections.abc import Generator
from time import monotonic
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo
from sqlalchemy import Engine, event

from orchestrator.data.databases.sql_trouble import SILENT

_AT_WORK = (  # not one that waits for its client to read or to send: that is what got stuck
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE pid = %s AND state = 'active' AND wait_event_type IS DISTINCT FROM 'Client'"
)


class PatientConnection(psycopg.Connection[Any]):
    """Raises OperationalError where nothing came for `silent_s` seconds, and the server is not at work for it."""

    silent_s = 300.0  # as with objects

    def wait(self, gen: Any, *args: Any, **kwargs: Any) -> Any:
        return super().wait(self._bounded(gen), *args, **kwargs)

    def _bounded(self, gen: Any) -> Generator[Any, Any, Any]:
        """The same generator. Whoever waits sends a false value where nothing has come for a moment."""
        heard = monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready:
                    heard = monotonic()
                elif monotonic() - heard > self.silent_s:
                    if not self.is_at_work():
                        self.pgconn.finish()  # else the end of the transaction waits for an answer as well
                        raise psycopg.OperationalError(f"the server {SILENT}")
                    heard = monotonic()
                wanted = gen.send(ready)
        except StopIteration as done:
            return done.value

    def is_at_work(self) -> bool:
        """Whether the server says so of this connection."""
        info = self.info
        known = {**info.get_parameters(), "host": info.host, "port": str(info.port), "connect_timeout": "10"}
        if info.password:
            known["password"] = info.password
        try:
            with _Asking.connect(make_conninfo(**known)) as other:
                found = other.execute(_AT_WORK, (info.backend_pid,)).fetchone()
        except psycopg.Error:
            return False
        return bool(found and found[0])


class _Asking(PatientConnection):
    silent_s = 10.0

    def is_at_work(self) -> bool:
        return False


def have_patience(engine: Engine) -> None:
    """Have the engine make such connections."""

    @event.listens_for(engine, "do_connect")
    def connect(_dialect: Any, _record: Any, args: Any, options: Any) -> Any:
        return PatientConnection.connect(*args, **options)
