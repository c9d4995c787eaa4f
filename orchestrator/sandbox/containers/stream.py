"""A container's attached standard streams as plain bytes. Called by container.py.

Without a terminal the engine sends frames of 8 bytes (which stream, length) and content. Only standard output counts;
anything else is dropped. What the guest sends is bounded by whoever reads; here nothing is kept beyond one frame's
rest.
"""

import select
import socket
import ssl
import struct
import threading
import time
from contextlib import suppress
from typing import Any

from orchestrator.core.errors import GuestProtocolError

_HEADER = struct.Struct(">BxxxI")
_STDOUT = 1
_CHUNK = 2**18


class AttachStream:
    """Both directions of one container's attach connection. `handle` is what the engine's `attach` returned."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._channel = channel_of(handle)
        self._left = 0  # content bytes of the current frame still to come
        self._wanted = False
        self._in_use = threading.Lock()  # while a call waits for the descriptor, nobody gives it back

    def send(self, data: bytes, deadline: float) -> None:
        """Send all. Raises TimeoutError, GuestProtocolError when the other side is gone."""
        try:
            with self._in_use:
                self._channel.settimeout(_left(deadline))
                self._channel.sendall(data)
        except TimeoutError:
            raise
        except OSError as error:
            raise GuestProtocolError("the sandbox went away before it had its job") from error

    def receive(self, most: int, deadline: float) -> bytes:
        """Some bytes of standard output, b"" at the end. Raises TimeoutError."""
        while True:
            if not self._left:
                header = self._exactly(_HEADER.size, deadline)
                if not header:
                    return b""
                kind, self._left = _HEADER.unpack(header)
                self._wanted = kind == _STDOUT
                continue
            part = self._some(min(self._left, most if self._wanted else _CHUNK), deadline)
            self._left -= len(part)
            if self._wanted or not part:
                return part

    def silent(self) -> bool:
        """Whether nothing waits to be read, not even the end: so it is while an idle guest is alive."""
        if isinstance(self._channel, ssl.SSLSocket):  # nobody can peek into TLS: any byte on its way counts
            return not self._channel.pending() and not select.select([self._channel], [], [], 0)[0]
        try:
            self._channel.settimeout(0)
            self._channel.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def break_off(self) -> None:
        """Close the connection for everybody: another thread that waits for the guest sees the end at once. Idempotent.

        `close` alone gives back this process's descriptor; who waits on it already waits until the deadline. Who is
        woken looks at the number once more, so it is given back after that: it may be another connection's at once.
        """
        with suppress(OSError):
            socket.socket.shutdown(self._channel, socket.SHUT_RDWR)  # TLS has no say in it
        with self._in_use:
            self.close()

    def close(self) -> None:
        """The guest sees the end of its input, once nobody else holds the connection. Idempotent."""
        self._handle.close()
        self._channel.close()
        if isinstance(self._channel, ssl.SSLSocket):
            self._handle._response.close()  # noqa: SLF001 - the SDK hangs it there; it holds the connection open

    def _exactly(self, size: int, deadline: float) -> bytes:
        data = b""
        while len(data) < size:
            part = self._some(size - len(data), deadline)
            if not part:
                return b""
            data += part
        return data

    def _some(self, most: int, deadline: float) -> bytes:
        try:
            with self._in_use:
                self._channel.settimeout(_left(deadline))
                return self._channel.recv(min(most, _CHUNK))
        except TimeoutError:
            raise
        except OSError as error:
            raise GuestProtocolError("the connection to the sandbox broke") from error


def channel_of(handle: Any) -> socket.socket:
    """The socket of what the engine's `attach` returned: a plain one comes wrapped in a file."""
    channel: socket.socket = getattr(handle, "_sock", handle)
    return channel


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
