"""A PostgreSQL behind something that stops passing on its answers and keeps the connection open."""

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from orchestrator.core.errors import CleanroomError, DataError, OutputError, OutputUnknown
from orchestrator.data.data_address import DataAddress, location
from orchestrator.data.databases import connection_defaults
from orchestrator.data.databases.silent_server import PatientConnection
from orchestrator.data.formats import Dataset
from orchestrator.data.sources import open_source
from orchestrator.data.targets import check_target, open_target
from tests.support.postgresql import PASSWORD, Server, postgresql

__all__ = ["postgresql"]


class Proxy:
    """Passes on what comes, until `stops` says of a piece, and of how many bytes came before it, that it sticks."""

    def __init__(self, server: Server, stops: Callable[[bytes, int], bool]) -> None:
        self._target, self._stops = str(server.folder / ".s.PGSQL.5432"), stops
        self._over = threading.Event()
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def url(self, database: str) -> str:
        return f"postgresql://owner:{PASSWORD}@127.0.0.1:{self.port}/{database}?sslmode=disable&gssencmode=disable"

    def close(self) -> None:
        self._over.set()
        for one in (self._listener, *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._target)
                self._open += [client, server]
                stuck = threading.Event()
                for one, other in ((client, server), (server, client)):
                    threading.Thread(target=self._pass_on, args=(one, other, stuck), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket, stuck: threading.Event) -> None:
        passed = 0
        with suppress(OSError):
            while data := one.recv(65536):
                if self._stops(data, passed):
                    stuck.set()
                if stuck.is_set() and one.family == socket.AF_UNIX:
                    self._over.wait()
                passed += len(data)
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)


def copy(source: Dataset, target: Path | DataAddress) -> None:
    with open_target(target, like=source, schema=source.schema) as writer:
        for batch in source.read():
            writer.write(batch.table)


@contextmanager
def proxied(server: Server, stops: Callable[[bytes, int], bool]) -> Iterator[str]:
    """The address of a new database behind such a proxy."""
    database = server.new_database().partition("?")[0].rpartition("/")[2]
    proxy = Proxy(server, stops)
    try:
        yield proxy.url(database)
    finally:
        proxy.close()


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PatientConnection, "silent_s", 1.0)


def test_rows_that_do_not_come_any_more_are_not_waited_for(postgresql: Server) -> None:
    """After the limit one sentence says so; it was never said."""
    began = time.monotonic()
    with (
        proxied(postgresql, lambda _piece, passed: passed > 300_000) as url,
        pytest.raises(DataError, match="does not answer any more") as caught,
    ):
        open_source(f"{url}&query=SELECT generate_series(1, 100000) AS n, repeat('x', 1000) AS text")
    assert time.monotonic() - began < 30
    assert "proxy" in caught.value.advice
    assert PASSWORD not in str(caught.value)


def test_a_server_at_work_is_waited_for(postgresql: Server) -> None:
    """Positive control: a query that is silent for longer, because the server works at it."""
    with proxied(postgresql, lambda _piece, _passed: False) as url:
        assert open_source(f"{url}&query=SELECT pg_sleep(3)::text AS n").rows == 1


def test_an_end_of_which_nobody_hears_is_not_known(postgresql: Server, tmp_path: Path) -> None:
    """The answer to COMMIT does not come: the table is there, and may as well not be."""
    (tmp_path / "in.csv").write_text("n\n1\n")
    source = open_source(tmp_path / "in.csv")
    with proxied(postgresql, lambda piece, _passed: b"COMMIT" in piece[:20]) as url:
        target = location(f"{url}&table=made")
        with pytest.raises(OutputUnknown, match="not known whether"):
            copy(source, target)


def read(url: str) -> None:
    open_source(f"{url}&table=t")


def check(url: str) -> None:
    check_target(location(f"{url}&table=t"))


@pytest.mark.parametrize(("use", "error"), [(read, DataError), (check, OutputError)])
def test_a_login_that_is_not_answered_is_no_wrong_address(
    postgresql: Server, monkeypatch: pytest.MonkeyPatch, use: Callable[[str], None], error: type[CleanroomError]
) -> None:
    """It was told to check the address, which is right."""
    monkeypatch.setitem(connection_defaults.CONNECTION_DEFAULTS, "connect_timeout", "2")
    with proxied(postgresql, lambda _piece, _passed: True) as url, pytest.raises(error) as caught:
        use(url)
    assert "cannot be reached." in caught.value.message
    assert "running" in caught.value.advice


def test_what_the_driver_logs_of_a_lost_connection_is_not_printed(capfd: pytest.CaptureFixture[str]) -> None:
    """Where nobody set up logging, Python prints warnings as they are."""
    driver = logging.getLogger("psycopg")
    root, kept = logging.getLogger(), logging.getLogger().handlers[:]
    root.handlers.clear()
    try:
        driver.warning("error ignored terminating <psycopg.Copy [BAD]>")
    finally:
        root.handlers[:] = kept
    assert "psycopg" not in capfd.readouterr().err
