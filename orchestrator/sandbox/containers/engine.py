"""The thin edge to the container engine: the only calls that sandboxes need, with every foreign error mapped.

Called by launcher.py, reaper.py and docker_sandbox.py. The Docker SDK is imported when an Engine is made, not before.
"""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from orchestrator.core.errors import EngineUnavailable, ImageMissing, PostureError, SandboxError

_SETUP = "Run `cleanroom setup`."
_DOCTOR = "Run `cleanroom doctor` to see the state of the engine."
_RUNTIME = "`cleanroom doctor` shows the runtimes that there are; `cleanroom setup --runtime runsc` brings gVisor."
_NO_RUNTIME = re.compile(r"unknown (or invalid )?runtime", re.IGNORECASE)
_BROKEN_RUNTIME = re.compile(r"log\.json: no such file or directory\):")  # it ended before it could write its log
_NO_CODE = re.compile(r": unknown$")  # how containerd says "no error code", after every failure of a runtime


class Engine:
    """A connection to the engine that DOCKER_HOST or the current context names. Safe to use from several threads."""

    def __init__(self) -> None:
        from orchestrator.sandbox.provision.engine_client import connect

        self._client = connect()
        self._api: Any = self._client.api  # partly without types
        self._doubtful: set[str] = set()  # names and ids of containers that may be there, and that nobody wants

    def create(self, config: dict[str, Any]) -> str:
        """A container from a create request's body; its id. A warning means that a limit was dropped: PostureError."""
        name = f"cleanroom-{secrets.token_hex(8)}"
        self._doubtful.add(name)
        try:
            with _mapped("creating a container"):
                answer = self._api.create_container_from_config(config, name)
        except SandboxError:
            with suppress(SandboxError):  # only its answer may have been lost
                self.remove(name)
            self._doubtful.add(name)  # it may be made only now
            raise
        self._doubtful.discard(name)
        identity = str(answer["Id"])
        if answer.get("Warnings"):
            self.remove(identity)
            raise PostureError(
                f"the engine did not accept every limit: {answer['Warnings'][0]}",
                advice="Run `cleanroom doctor`; sandboxes are not started with a limit missing.",
            )
        return identity

    def attach(self, identity: str) -> Any:
        """The SDK's handle on standard input and output, multiplexed; to be called before the container is started."""
        with _mapped("attaching to a container"):
            return self._api.attach_socket(identity, {"stdin": 1, "stdout": 1, "stderr": 0, "stream": 1})

    def start(self, identity: str) -> None:
        with _mapped("starting a container"):
            self._api.start(identity)

    def inspect(self, identity: str) -> dict[str, Any]:
        with _mapped("inspecting a container"):
            found: dict[str, Any] = self._api.inspect_container(identity)
        return found

    def remove(self, identity: str) -> None:
        """Kill and remove; returns when it is gone. Being gone already, or just now going, is no error.

        Raises SandboxError; it is then tried once more when the engine is closed.
        """
        from docker.errors import APIError, NotFound

        self._doubtful.add(identity)
        with _mapped("removing a container"):
            try:
                self._api.remove_container(identity, force=True, v=True)
            except NotFound:
                pass
            except APIError as error:
                if error.status_code != 409:
                    raise
                with suppress(NotFound):
                    self._api.wait(identity, timeout=30, condition="removed")
        self._doubtful.discard(identity)

    def labelled(self, label: str) -> list[tuple[str, dict[str, str]]]:
        """Id and labels of all containers that carry the label, running or not."""
        with _mapped("listing containers"):
            found = self._api.containers(all=True, filters={"label": label})
        return [(str(one["Id"]), dict(one.get("Labels") or {})) for one in found]

    def capacity(self) -> tuple[int, int]:
        """Processors and bytes of memory of the machine on which containers run."""
        with _mapped("asking for the size of the machine"):
            found = self._api.info()
        return int(found["NCPU"]), int(found["MemTotal"])

    def close(self) -> None:
        """Remove what was asked for and never answered or not removed, and let go of the engine. Idempotent."""
        for identity in tuple(self._doubtful):
            with suppress(SandboxError):
                self.remove(identity)
        self._doubtful.clear()
        self._client.close()


@contextmanager
def _mapped(doing: str) -> Iterator[None]:
    try:
        yield
    except SandboxError:
        raise
    except Exception as error:
        mapped = map_error(doing, error)
        if mapped is None:
            raise
        raise mapped from error


def map_error(doing: str, error: Exception) -> SandboxError | None:
    """Our error for one of the SDK's or of the libraries under it; None when it is none of theirs."""
    from docker.errors import APIError, NotFound

    library = type(error).__module__.partition(".")[0]
    if library != "docker":
        if library not in ("requests", "urllib3") and not isinstance(error, OSError):
            return None
        return EngineUnavailable(f"the container engine stopped answering while {doing}", advice=_DOCTOR)
    text = _sentence(error)
    if isinstance(error, NotFound) and "image" in text.lower():
        return ImageMissing("the sandbox image is not there", advice=_SETUP)
    if isinstance(error, APIError) and _NO_RUNTIME.search(text):
        return PostureError(f"the engine does not know the wanted runtime: {text}", advice=_RUNTIME)
    if isinstance(error, APIError) and _BROKEN_RUNTIME.search(text):
        return PostureError(f"the engine cannot run the wanted runtime's program: {text}", advice=_RUNTIME)
    return SandboxError(f"{doing} failed: {text}", advice=_DOCTOR)


def _sentence(error: Exception) -> str:
    text = str(getattr(error, "explanation", None) or error).strip()
    return _NO_CODE.sub("", " ".join(text.split()))[:300] or type(error).__name__
