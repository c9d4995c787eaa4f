"""Passes a container's streams on where its engine is spoken to over TLS. Called by connection.py.

A connection under TLS is no plain descriptor that could be handed to another process, so two threads copy its bytes.
"""

import socket
import ssl
import threading
from contextlib import suppress

from orchestrator.sandbox.containers.stream import AttachStream

_CHUNK = 2**18


def start(stream: AttachStream, channel: ssl.SSLSocket) -> socket.socket:
    """The other end of what is copied. When it is closed everywhere, so is the stream."""
    ours, theirs = socket.socketpair()
    channel.settimeout(None)
    ended = threading.Event()

    def copy(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(_CHUNK):
                target.sendall(data)
        if not ended.is_set():
            ended.set()
            for one in (ours, channel):  # wakes the other thread
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            return
        ours.close()
        stream.close()

    for source, target in ((ours, channel), (channel, ours)):
        threading.Thread(target=copy, args=(source, target), name="broker-relay", daemon=True).start()
    return theirs
