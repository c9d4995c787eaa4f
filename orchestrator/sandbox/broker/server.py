"""Accepts clients on a Unix socket: each in a thread, counted by the user whom the kernel names. Made by the CLI."""

import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress

from orchestrator.core.errors import CleanroomError, SandboxError
from orchestrator.sandbox.broker.connection import Offer, answer
from orchestrator.sandbox.broker.messages import BrokerAnswer
from orchestrator.sandbox.broker.quota import Quota

_CREDENTIALS = struct.Struct("3i")  # struct ucred: pid, uid, gid
_DRAIN_S = 30.0


class Broker:
    """Serves one listening socket until `stop`. `on_trouble` receives a line on what nobody else would learn of."""

    def __init__(self, offer: Offer, quota: Quota, on_trouble: Callable[[str], None]) -> None:
        self._offer = offer
        self._quota = quota
        self._on_trouble = on_trouble
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._clients: dict[socket.socket, threading.Thread] = {}

    def serve(self, listener: socket.socket) -> None:
        """Returns after `stop`."""
        while not self._stopping.is_set():
            try:
                client, _ = listener.accept()
            except OSError:
                if self._stopping.is_set():
                    return
                raise
            self._admit(client)

    def stop(self, listener: socket.socket) -> None:
        """Accept nobody any more. May be called by a signal handler."""
        self._stopping.set()
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End every connection, and wait until the containers are gone. Idempotent."""
        with self._lock:
            left = dict(self._clients)
        for client in left:
            with suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)
        for thread in left.values():
            thread.join(_DRAIN_S)

    def _admit(self, client: socket.socket) -> None:
        user = user_of(client)
        if why := self._quota.take(user):
            refusal = SandboxError(f"the broker is busy: {why}", advice="Try again when other work has ended.")
            with suppress(OSError), client:
                client.setblocking(False)
                client.send(BrokerAnswer.of_error(refusal).model_dump_json().encode())
            return
        thread = threading.Thread(target=self._serve_one, args=(client, user), name="broker-client", daemon=True)
        with self._lock:
            self._clients[client] = thread
        thread.start()

    def _serve_one(self, client: socket.socket, user: int) -> None:
        try:
            with client:
                answer(client, self._offer)
        except OSError:
            pass  # the client is gone
        except CleanroomError as error:
            self._on_trouble(error.message)
        finally:
            with self._lock:
                self._clients.pop(client, None)
            self._quota.give_back(user)


def user_of(peer: socket.socket) -> int:
    """The user id of the process at the other end, from the kernel."""
    found = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return int(_CREDENTIALS.unpack(found)[1])
