"""Where one request ends and the next begins, and how much of one client is read while others wait."""

import re
import threading
import time
from collections.abc import Iterator
from itertools import pairwise

import pytest

from orchestrator import http_connections
from tests.service.conftest import LiveService, all_of, listening

_CHUNKED = b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
_CHUNKED += b"Transfer-Encoding: chunked\r\n"
_ANOTHER = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveService]:
    with listening(tmp_path_factory.mktemp("live")) as service:
        yield service


def statuses(live: LiveService, sent: bytes) -> list[bytes]:
    """Of all answers that come before the service hangs up."""
    with live.connect() as connection:
        connection.sendall(sent)
        return re.findall(rb"HTTP/1\.1 (\d+)", all_of(connection))


@pytest.mark.parametrize("length", [b"Content-Length: 4\r\n", b"content-length: 0\r\n"])
def test_a_request_with_two_lengths_hides_no_other(live: LiveService, length: bytes) -> None:
    """A server before this one may believe the other length, and the rest would be a request that it never saw."""
    assert statuses(live, _CHUNKED + b"\r\n0\r\n\r\n" + _ANOTHER) == [b"422", b"200"]
    assert statuses(live, _CHUNKED + length + b"\r\n0\r\n\r\n" + _ANOTHER) == [b"400"]
    assert statuses(live, _CHUNKED.replace(b"Transfer", length + b"Transfer") + b"\r\n0\r\n\r\n" + _ANOTHER) == [b"400"]


def test_many_small_chunks_of_one_client_do_not_keep_others_waiting(
    live: LiveService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One connection without a token that sent a byte a chunk was read for seconds, and nobody else was answered."""
    monkeypatch.setattr(http_connections, "_HEAD_S", 60.0)
    turns: list[float] = []  # processor time of the service's thread, which no other program makes longer
    counting = threading.Event()
    loop = live.server.servers[0].get_loop()

    def tick() -> None:
        turns.append(time.thread_time())
        if not counting.is_set():
            loop.call_later(0.001, tick)

    with live.connect() as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        assert connection.recv(12) == b"HTTP/1.1 200"
        loop.call_soon_threadsafe(tick)
        connection.sendall(b"1\r\nx\r\n" * 300_000 + b"0\r\n\r\n" + _ANOTHER)
        assert all_of(connection).count(b"HTTP/1.1 200") == 1, "and nothing of it was lost"
    counting.set()
    gaps = [after - before for before, after in pairwise(turns)]
    assert sum(gaps) > 1, "that much there was to read"
    assert max(gaps) < 0.3
