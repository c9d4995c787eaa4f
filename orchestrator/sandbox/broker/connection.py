"""One client's connection: its one request, and its container until the connection ends. Called by server.py.

Everything that a client sends is hostile: it is one packet of bounded size, read by a schema, within a time.
"""

import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass

from pydantic import ValidationError

from orchestrator.core.errors import CleanroomError, ImageMissing, SandboxError
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.sandbox.broker import relay
from orchestrator.sandbox.broker.bounds import check_within
from orchestrator.sandbox.broker.messages import (
    LARGEST,
    REQUEST,
    AboutRequest,
    BrokerAnswer,
    BrokerRequest,
    LaunchRequest,
    ProveRequest,
)
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.launcher import DirectLauncher, Launched, lifetime_s
from orchestrator.sandbox.containers.stream import AttachStream, channel_of
from orchestrator.sandbox.posture.posture import Posture
from orchestrator.sandbox.posture.proof.prove import prove, require

_REQUEST_S = 10.0  # a client that has not asked by then is sent away


@dataclass(frozen=True)
class Offer:
    """What the broker makes containers of and within, and the engine that it has rights on."""

    engine: Engine
    image: str
    recipe: str  # the tag of the image
    policy: ContainerPolicy


def answer(client: socket.socket, offer: Offer) -> None:
    """Serve the connection until it ends; the caller closes it. Raises OSError where the client is gone."""
    try:
        client.settimeout(_REQUEST_S)
        request = _read(client)
        if isinstance(request, LaunchRequest):
            _lease(client, request, offer)
        elif isinstance(request, AboutRequest):
            _same_version(request, offer)
            _say(client, BrokerAnswer(image=offer.image))
        else:
            _prove(request, offer)
            _say(client, BrokerAnswer())
    except CleanroomError as error:
        _say(client, BrokerAnswer.of_error(error))


def _read(client: socket.socket) -> BrokerRequest:
    data = client.recv(LARGEST)  # what is longer is cut, and then no JSON any more
    try:
        return REQUEST.validate_json(data)
    except ValidationError:
        raise SandboxError("the broker cannot read the request", advice="Use the same version on both sides.") from None


def _same_version(request: AboutRequest, offer: Offer) -> None:
    if request.recipe != offer.recipe:
        raise ImageMissing(
            "The broker runs the sandbox image of another version of cleanroom.",
            advice="Start the broker with the same version, or set CLEANROOM_BROKER=off to use the engine yourself.",
        )


def _prove(request: ProveRequest, offer: Offer) -> None:
    check_within(request.container, offer.policy)
    proof = prove(offer.engine, Policy(container=request.container, limits=request.limits), offer.image)
    require(proof if request.strict else proof._replace(missing=()))


def _lease(client: socket.socket, request: LaunchRequest, offer: Offer) -> None:
    """Make the container, hand its streams over, and remove it when the client has done, is gone, or time is up."""
    check_within(request.container, offer.policy)
    posture = Posture.of(request.container, offer.image, request.environment)
    launcher = DirectLauncher(offer.engine)
    launched = launcher.launch(posture, request.run_id, request.hash_seed, inspect=request.inspect)
    said = b""
    try:
        _hand_over(client, launched)
        client.settimeout(lifetime_s(posture))
        with suppress(TimeoutError):
            said = client.recv(LARGEST)
    finally:
        launcher.remove(launched.identity)
    if said:
        _say(client, BrokerAnswer(identity=launched.identity))


def _hand_over(client: socket.socket, launched: Launched) -> None:
    """The client gets the stream itself; one under TLS, which cannot leave this process, is passed on to it."""
    channel = channel_of(launched.handle)
    if isinstance(channel, ssl.SSLSocket):
        theirs = relay.start(AttachStream(launched.handle), channel)
        close = theirs.close
    else:
        theirs, close = channel, AttachStream(launched.handle).close
    try:
        words = BrokerAnswer(identity=launched.identity).model_dump_json().encode()
        socket.send_fds(client, [words], [theirs.fileno()])
    finally:
        close()  # only the client holds it from here on, so that the guest sees the end of its input when he is gone


def _say(client: socket.socket, words: BrokerAnswer) -> None:
    client.settimeout(_REQUEST_S)
    client.send(words.model_dump_json().encode())
