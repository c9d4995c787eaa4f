"""The engine's multiplexed stream as plain bytes, on a real socket pair."""

import socket
import struct
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from orchestrator.core.errors import GuestProtocolError
from orchestrator.sandbox.containers.stream import AttachStream


@pytest.fixture
def ends() -> Iterator[tuple[AttachStream, socket.socket]]:
    here, there = socket.socketpair()
    stream = AttachStream(here)
    yield stream, there
    stream.close()
    there.close()


def soon() -> float:
    return time.monotonic() + 60


def frame(kind: int, content: bytes) -> bytes:
    return struct.pack(">BxxxI", kind, len(content)) + content


def test_only_standard_output_counts(ends: tuple[AttachStream, socket.socket]) -> None:
    """Frames are joined, other streams and empty frames dropped, and the end is the end."""
    stream, there = ends
    there.sendall(frame(1, b"ab") + frame(2, b"noise" * 1000) + frame(1, b"") + frame(7, b"x") + frame(1, b"cd"))
    there.shutdown(socket.SHUT_WR)
    got = [stream.receive(10, soon()) for _ in range(3)]
    assert got == [b"ab", b"cd", b""]


def test_no_more_is_given_than_was_asked(ends: tuple[AttachStream, socket.socket]) -> None:
    """A big frame is handed out in the wanted pieces."""
    stream, there = ends
    there.sendall(frame(1, b"abcdef"))
    assert [stream.receive(4, soon()), stream.receive(4, soon())] == [b"abcd", b"ef"]


def test_a_cut_off_header_is_the_end(ends: tuple[AttachStream, socket.socket]) -> None:
    """Half a header followed by nothing gives no bytes."""
    stream, there = ends
    there.sendall(b"\x01\0\0")
    there.close()
    assert stream.receive(1, soon()) == b""


def test_waiting_ends_at_the_deadline(ends: tuple[AttachStream, socket.socket]) -> None:
    """Neither silence nor a peer that does not read can hold the host."""
    stream, _ = ends
    with pytest.raises(TimeoutError):
        stream.receive(1, time.monotonic() + 0.02)
    with pytest.raises(TimeoutError):
        stream.send(b"x" * 2**24, time.monotonic() + 0.1)
    with pytest.raises(TimeoutError):
        stream.receive(1, time.monotonic() - 1)


def test_sending_to_nobody_is_broken_machinery(ends: tuple[AttachStream, socket.socket]) -> None:
    """A guest that went away before it had its job is a protocol error."""
    stream, there = ends
    there.close()
    with pytest.raises(GuestProtocolError):
        stream.send(b"x" * 2**20, soon())


def test_silence_is_told_from_words_and_from_the_end(ends: tuple[AttachStream, socket.socket]) -> None:
    """An idle guest says nothing; whatever can be read, even the end, means that it is not idle."""
    stream, there = ends
    assert stream.silent()
    there.sendall(b"x")
    assert not stream.silent()
    here, gone = socket.socketpair()
    gone.close()
    other = AttachStream(here)
    assert not other.silent()
    other.close()
    assert not other.silent()


def test_who_waits_sees_the_end_when_another_thread_breaks_off(ends: tuple[AttachStream, socket.socket]) -> None:
    """A container that is destroyed while it has a job: the other side keeps its end open, and nothing more comes."""
    stream, there = ends

    def wait() -> None:
        with suppress(GuestProtocolError):
            assert stream.receive(10, soon()) == b""

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    waiting.join(0.3)
    assert waiting.is_alive(), "nothing was sent, so it waits"
    stream.break_off()
    waiting.join(5)
    assert not waiting.is_alive()
    assert there.recv(1) == b"", "the guest sees the end, too"
    stream.break_off()


class SlowToWake(socket.socket):
    """Its reader comes back a moment after it was woken, as on a busy machine."""

    back = False
    back_at_close: bool | None = None

    def recv(self, *arguments: int) -> bytes:
        try:
            return super().recv(*arguments)
        finally:
            time.sleep(0.2)
            self.back = True

    def close(self) -> None:
        self.back_at_close = self.back if self.back_at_close is None else self.back_at_close
        super().close()


def test_a_descriptor_is_given_back_when_nobody_waits_on_it_any_more() -> None:
    """Its number may be another connection's at once, and who is still in the call would wait on that one."""
    here, there = socket.socketpair()
    slow = SlowToWake(fileno=here.detach())
    stream = AttachStream(slow)
    with there, ThreadPoolExecutor(1) as pool:
        waits = pool.submit(stream.receive, 1, soon())
        time.sleep(0.1)
        stream.break_off()
        assert waits.result(5) == b""
    assert slow.back_at_close
