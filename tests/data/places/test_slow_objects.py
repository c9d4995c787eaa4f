"""Servers that take their time: a long download is read to its end, and nobody is held for ever."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from orchestrator.core.errors import DataError
from orchestrator.data.objects import object_store
from orchestrator.data.sources import open_source

ROWS = 30
LINE = b"1," + b"x" * 2_000 + b"\n"


@contextmanager
def serving(pause_s: float, lines: int = ROWS, piece: bytes = LINE) -> Iterator[str]:
    """The address of a file that comes in pieces, with pauses; no more than `lines` of them come."""
    over = threading.Event()

    class Slow(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Silent."""

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(b"n,t\n") + ROWS * len(LINE)))
            self.send_header("Last-Modified", "Wed, 21 Oct 2015 07:28:00 GMT")
            self.end_headers()
            self.wfile.write(b"n,t\n")
            for _ in range(lines):
                over.wait(pause_s)
                self.wfile.write(piece)
            if lines < ROWS:
                over.wait(20)

    with ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/a.csv"
        finally:
            over.set()
            server.shutdown()
            thread.join()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A second stands for five minutes."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(object_store, "_SILENT_S", 1.0)
    monkeypatch.setattr(object_store, "_LEAST", 3 * len(LINE))
    monkeypatch.setattr(object_store, "_RETRIES", 0)


def test_a_download_may_take_long_as_long_as_something_comes() -> None:
    """After five minutes each was given up as a broken connection, so that no large object could be read at all."""
    with serving(0.1) as address:
        assert open_source(address).rows == ROWS


def test_a_server_that_goes_silent_is_given_up() -> None:
    """In the middle of the answer."""
    with serving(0.0, lines=3) as address, pytest.raises(DataError, match="connection broke"):
        open_source(address)


def test_a_server_that_drips_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then is no silence."""
    monkeypatch.setattr(object_store, "_CHUNK", 1)
    with (
        serving(0.05, piece=b"1") as address,
        pytest.raises(DataError, match=r"comes too slowly: .* bytes in") as caught,
    ):
        open_source(address)
    assert "Try again later" in caught.value.advice
