"""The Launcher over a broker: this process needs no rights on the engine. Made by access.py, used by DockerSandbox."""

import os
import socket
import threading
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

from pydantic import ValidationError

from orchestrator.core.errors import CleanroomError, EngineUnavailable, PostureError
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.sandbox.broker import address
from orchestrator.sandbox.broker.messages import (
    END,
    LARGEST,
    AboutRequest,
    BrokerAnswer,
    BrokerRequest,
    LaunchRequest,
    ProveRequest,
)
from orchestrator.sandbox.broker.server import user_of
from orchestrator.sandbox.containers.launcher import START_S, Launched
from orchestrator.sandbox.posture.posture import Posture

_KNOCK_S = 5.0
_ADVICE = "See whether `cleanroom broker` runs, or set CLEANROOM_BROKER=off to use the engine yourself."


class BrokerLauncher:
    """Containers of the broker at this socket: one connection for each. Safe for threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._leases: dict[str, socket.socket] = {}

    def image(self, recipe: str) -> str:
        """The id of the image of its containers. Raises ImageMissing where the broker is of another version."""
        return self._ask(AboutRequest(recipe=recipe)).image

    def prove(self, policy: Policy) -> None:
        """Raises PostureError where the observed posture is not as it must be."""
        self._ask(ProveRequest(container=policy.container, limits=policy.limits, strict=policy.strict))

    def launch(self, posture: Posture, run_id: str, hash_seed: int, *, inspect: bool) -> Launched:
        limits = {f.name: getattr(posture, f.name) for f in fields(posture) if f.name in ContainerPolicy.model_fields}
        request = LaunchRequest(
            container=ContainerPolicy.model_validate(limits),
            environment=posture.environment,
            run_id=run_id,
            hash_seed=hash_seed,
            inspect=inspect,
        )
        lease = self._connect()
        try:
            identity, stream = self._leased(lease, request)
        except BaseException:
            lease.close()
            raise
        with self._lock:
            self._leases[identity] = lease
        return Launched(identity, stream)

    def remove(self, identity: str) -> None:
        with self._lock:
            lease = self._leases.pop(identity, None)
        if lease is None:
            return
        with lease:
            try:
                lease.send(END)
                lease.recv(LARGEST)
            except OSError as error:
                raise EngineUnavailable("the broker went away", advice=_ADVICE) from error

    def close(self) -> None:
        for identity in list(self._leases):
            with suppress(CleanroomError):
                self.remove(identity)

    def _leased(self, lease: socket.socket, request: LaunchRequest) -> tuple[str, socket.socket]:
        answer, descriptors = self._exchange(lease, request)
        if len(descriptors) != 1:
            raise EngineUnavailable("the broker handed over no stream", advice=_ADVICE)
        return answer.identity, socket.socket(fileno=descriptors[0])

    def _ask(self, request: AboutRequest | ProveRequest) -> BrokerAnswer:
        with self._connect() as connection:
            return self._exchange(connection, request)[0]

    def _connect(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            connection.settimeout(_KNOCK_S)
            connection.connect(str(self._path))
            self._trust(connection)
            connection.settimeout(START_S)
        except OSError as error:
            connection.close()
            raise EngineUnavailable(
                f"No broker answers at {self._path}: {(error.strerror or str(error)).lower()}.", advice=_ADVICE
            ) from error
        except BaseException:
            connection.close()
            raise
        return connection

    def _trust(self, connection: socket.socket) -> None:
        if user_of(connection) not in (0, os.geteuid()):
            raise PostureError(
                f"The broker at {self._path} is neither root's nor yours, and is not trusted.", advice=_ADVICE
            )

    def _exchange(self, connection: socket.socket, request: BrokerRequest) -> tuple[BrokerAnswer, list[int]]:
        try:
            with suppress(BrokenPipeError):  # it answered a user who has too many before he asked
                connection.send(request.model_dump_json().encode())
            data, descriptors = _received(connection)
            return BrokerAnswer.model_validate_json(data).checked(), descriptors
        except (OSError, ValidationError) as error:
            raise EngineUnavailable("the broker went away without an answer", advice=_ADVICE) from error


def _received(connection: socket.socket) -> tuple[bytes, list[int]]:
    """The answer. One that was given before the request was read comes after the news that the connection was reset."""
    try:
        data, descriptors, _, _ = socket.recv_fds(connection, LARGEST, 1)
    except ConnectionResetError:
        data, descriptors, _, _ = socket.recv_fds(connection, LARGEST, 1)
    return data, descriptors


def running_broker() -> BrokerLauncher | None:
    """The broker that the environment names, or the machine's where one runs; None where there is none.

    Raises EngineUnavailable where the one that was named does not answer.
    """
    if address.switched_off():
        return None
    given = address.named()
    launcher = BrokerLauncher(given or address.DEFAULT)
    try:
        launcher._connect().close()  # noqa: SLF001 - our own class
    except EngineUnavailable:
        if given is not None:
            raise
        return None
    return launcher
