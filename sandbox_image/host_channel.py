"""Keeps the way to the host out of a candidate's reach. Called by guest.py.

PID 1 is not dumpable, so Linux closes /proc/1/fd to a child of the same user. gVisor (seen with the release of 2022-12)
leaves it open to all: a candidate could open the supervisor's output and answer the host in its place. So where the
kernel does not close it, the descriptor waits inside a socket while a job runs: in no table of descriptors, and a
socket cannot be opened through /proc.
"""

import os
import socket
import stat


class HostChannel:
    """The descriptor that leads to the host. To be made once this process is not dumpable. Raises OSError."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._ends = None if _closed_to_others() else socket.socketpair()

    def hide(self) -> None:
        """Call it before a job."""
        if self._ends is not None:
            socket.send_fds(self._ends[0], [b"-"], [self._fd])
            os.close(self._fd)

    def get(self) -> int:
        """The descriptor, after a job."""
        if self._ends is not None:
            _, found, _, _ = socket.recv_fds(self._ends[1], 1, 1)
            (self._fd,) = found
        return self._fd


def _closed_to_others() -> bool:
    found = os.stat("/proc/self/fd")
    return found.st_uid != os.geteuid() and not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
