"""The way to the host cannot be opened by a candidate while a job runs, wherever the kernel leaves /proc/1/fd open."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest

SANDBOX_IMAGE = str(Path(__file__).parents[3] / "sandbox_image")


@pytest.fixture
def host_channel(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(SANDBOX_IMAGE)
    import host_channel as module

    yield module
    del sys.modules["host_channel"]


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    yield reader, writer
    for fd in (reader, writer):
        with suppress(OSError):
            os.close(fd)


def reachable(reader: int) -> bool:
    """Whether anything that /proc/self/fd lists leads to the pipe's other end: what a candidate would try on PID 1."""
    table = Path("/proc/self/fd")
    pipe = (table / str(reader)).readlink()
    for one in table.iterdir():
        with suppress(OSError):
            if one.readlink() == pipe and one.name != str(reader):
                return True
    return False


def test_it_is_out_of_reach_during_a_job(host_channel: ModuleType, pipe: tuple[int, int]) -> None:
    """This process is dumpable, as all are under gVisor: the descriptor is in no table, then it works again."""
    reader, writer = pipe
    assert reachable(reader)
    way = host_channel.HostChannel(writer)
    for _ in range(2):
        way.hide()
        assert not reachable(reader)
        found = way.get()
        assert reachable(reader)
        os.write(found, b"reply")
        assert os.read(reader, 9) == b"reply"
    for end in way._ends:
        end.close()


def test_nothing_is_done_where_the_kernel_closes_it(
    host_channel: ModuleType, pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Linux the folder belongs to root once the process is not dumpable."""
    monkeypatch.setattr(os, "stat", lambda _: os.stat_result([0o040500, 0, 0, 0, os.geteuid() + 1, *[0] * 5]))
    way = host_channel.HostChannel(pipe[1])
    way.hide()
    assert way.get() == pipe[1]
    assert reachable(pipe[0])


def test_a_guest_that_cannot_hide_it_is_not_ready(
    host_channel: ModuleType, pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither closed nor hidden is broken machinery, not a sandbox with a hole."""

    def refused() -> None:
        raise PermissionError

    monkeypatch.setattr(host_channel.socket, "socketpair", refused)
    with pytest.raises(PermissionError):
        host_channel.HostChannel(pipe[1])
