"""A broker on an engine of the test's choice, and a client's raw connection to it."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from orchestrator.core.jobs import GuestEnvironment
from orchestrator.core.policy import ContainerPolicy
from orchestrator.sandbox.broker import address
from orchestrator.sandbox.broker.connection import Offer
from orchestrator.sandbox.broker.messages import LARGEST, BrokerAnswer, LaunchRequest
from orchestrator.sandbox.broker.quota import Quota
from orchestrator.sandbox.broker.server import Broker
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.owner import RUN

RECIPE = "recipe:1"


@contextmanager
def serving(
    path: Path, engine: Engine, image: str, *, per_user: int = 8, most: int = 8, policy: ContainerPolicy | None = None
) -> Iterator[list[str]]:
    """A broker at this place; what it complained of."""
    complaints: list[str] = []
    with closing(address.listen(path)) as listener:
        offer = Offer(engine, image, RECIPE, policy or ContainerPolicy())
        broker = Broker(offer, Quota(per_user, most), complaints.append)
        thread = threading.Thread(target=broker.serve, args=(listener,))
        thread.start()
        try:
            yield complaints
        finally:
            broker.stop(listener)
            thread.join()
            broker.close()


def launch_request() -> LaunchRequest:
    """For a light container, as a client would ask."""
    return LaunchRequest(
        container=ContainerPolicy(),
        environment=GuestEnvironment.FIRST_LIGHT,
        run_id="broker",
        hash_seed=7,
        inspect=False,
    )


def connect(path: Path) -> socket.socket:
    client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    client.settimeout(30)
    client.connect(str(path))
    return client


def launched(client: socket.socket) -> tuple[str, socket.socket]:
    """The id of the container that was asked for, and its stream."""
    client.send(launch_request().model_dump_json().encode())
    data, descriptors, _, _ = socket.recv_fds(client, LARGEST, 1)
    return BrokerAnswer.model_validate_json(data).checked().identity, socket.socket(fileno=descriptors[0])


def asked(path: Path, request: bytes) -> BrokerAnswer:
    """What the broker answers on a connection of its own; that it is busy, perhaps before it was asked."""
    with connect(path) as client:
        with suppress(BrokenPipeError):
            client.send(request)
        with suppress(ConnectionResetError):
            return BrokerAnswer.model_validate_json(client.recv(LARGEST))
        return BrokerAnswer.model_validate_json(client.recv(LARGEST))


def until(condition: Callable[[], bool], seconds: float = 30.0) -> bool:
    """Whether it becomes true in time."""
    deadline = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def containers(engine: Engine, run_id: str = "broker") -> list[str]:
    return [identity for identity, labels in engine.labelled(RUN) if labels[RUN] == run_id]
