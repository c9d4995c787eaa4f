"""An engine without containers: the calls that a sandbox makes, answered with the real guest as an ordinary process.

It stands where the Docker SDK's client does, so that the engine's adapter, the pool and everything above are the real
ones. It isolates nothing: for our own functions only.
"""

import os
import socket
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import requests
from docker.errors import NotFound

from orchestrator.data.assets import asset
from orchestrator.sandbox.posture.environments import PYTHON_FLAGS

_STDOUT = 1


@dataclass
class _Made:
    """A container: what was asked for, our end of its stream, its process and the thread that passes output on."""

    identity: str
    config: dict[str, Any]
    ours: socket.socket | None = None
    process: "subprocess.Popen[bytes] | None" = None
    thread: threading.Thread | None = None


class FakeEngine:
    """The SDK's client and its low-level API in one. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[str, _Made] = {}
        self._count = 0

    @property
    def api(self) -> "FakeEngine":
        return self

    def close(self) -> None:
        """Nothing to let go of: containers outlive a client."""

    def create_container_from_config(self, config: dict[str, Any], name: str) -> dict[str, Any]:
        with self._lock:
            self._count += 1
            identity = f"{self._count:064x}"
            self._made[identity] = self._made[name] = _Made(identity, config)
        return {"Id": identity, "Warnings": []}

    def attach_socket(self, identity: str, _: dict[str, int]) -> socket.socket:
        made = self._find(identity)
        made.ours, theirs = socket.socketpair()
        return theirs

    def start(self, identity: str) -> None:
        made = self._find(identity)
        assert made.ours is not None, "attached before it is started"
        environment = dict(one.split("=", 1) for one in made.config["Env"] if not one.startswith("LD_PRELOAD="))
        made.process = subprocess.Popen(
            [sys.executable, *PYTHON_FLAGS, str(asset("sandbox_image") / "guest.py")],
            stdin=made.ours.fileno(),
            stdout=subprocess.PIPE,
            env=environment | {"CLEANROOM_LAYERS": "filter=off,landlock=off"},
            start_new_session=True,
        )
        made.thread = threading.Thread(target=self._until_it_ends, args=(made,), daemon=True)
        made.thread.start()

    def inspect_container(self, identity: str) -> dict[str, Any]:
        config = self._find(identity).config
        return {"HostConfig": config["HostConfig"], "Config": config, "Image": config["Image"]}

    def remove_container(self, identity: str, *, force: bool, v: bool) -> None:
        made = self._find(identity)
        if made.process is not None:
            made.process.kill()
        if made.thread is not None:
            made.thread.join()
        self._forget(made)

    def containers(self, *, all: bool, filters: dict[str, str]) -> list[dict[str, Any]]:  # noqa: A002 - the SDK's name
        with self._lock:
            made = {one.identity: one.config["Labels"] for one in self._made.values()}
        return [{"Id": identity, "Labels": labels} for identity, labels in made.items() if filters["label"] in labels]

    def _until_it_ends(self, made: _Made) -> None:
        """Pass the guest's output on as the engine does, in frames with a header of 8 bytes; then remove it."""
        assert made.process is not None
        assert made.process.stdout is not None
        assert made.ours is not None
        with suppress(OSError):  # nobody listens any more
            while data := os.read(made.process.stdout.fileno(), 65536):
                made.ours.sendall(struct.pack(">BxxxI", _STDOUT, len(data)) + data)
        made.process.wait()
        if made.config["HostConfig"]["AutoRemove"]:
            self._forget(made)

    def _forget(self, made: _Made) -> None:
        with self._lock:
            self._made = {key: one for key, one in self._made.items() if one is not made}
        if made.ours is not None:
            made.ours.close()
        if made.process is not None and made.process.stdout is not None:
            made.process.stdout.close()

    def _find(self, identity: str) -> _Made:
        try:
            return self._made[identity]
        except KeyError:
            raise NotFound("404 Client Error", requests.Response(), f"No such container: {identity}") from None
