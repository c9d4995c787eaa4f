"""Where the base image comes from: a registry that answers, else Debian's packages, else a clear message."""

import contextlib
import gzip
import hashlib
import io
import json
import tarfile
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO

import docker
import pytest
from docker.errors import ImageNotFound

from orchestrator.core.errors import SetupError
from orchestrator.sandbox.provision import base_image
from orchestrator.sandbox.provision.base_image import PINNED, ensure_base
from orchestrator.sandbox.provision.engine_client import connect, engine_errors
from orchestrator.sandbox.provision.machine import ThisMachine
from orchestrator.sandbox.provision.recipe import base_tag
from orchestrator.sandbox.provision.setup import ensure_ready

pytestmark = pytest.mark.docker
NOWHERE = "127.0.0.1:1/debian@sha256:" + "0" * 64


@pytest.fixture
def client() -> Iterator[docker.DockerClient]:
    ensure_ready(lambda _: None)
    with contextlib.closing(connect(300)) as client:
        yield client


class Poor(ThisMachine):
    """A machine without mmdebstrap and without root."""

    def is_root(self) -> bool:
        return False

    def find(self, program: str) -> str | None:
        return None


class Failing(ThisMachine):
    """A machine whose mmdebstrap reaches no mirror."""

    def find(self, program: str) -> str | None:
        return f"/usr/bin/{program}"

    def run(self, command: Sequence[str], log: IO[bytes], environment: object = None) -> int:
        Path(command[-1]).write_bytes(b"half a tar")
        log.write(b"I: starting\nE: apt-get update failed\n")
        return 1


def test_the_pinned_base_is_named_by_digest() -> None:
    """The default is an immutable name."""
    assert PINNED.startswith("debian@sha256:")
    assert len(PINNED.rpartition(":")[2]) == 64


def test_an_existing_base_is_kept(client: docker.DockerClient) -> None:
    """With the base there, neither registry nor packages are asked."""
    said: list[str] = []
    assert ensure_base(client, said.append, machine=Poor()) == base_tag()
    assert said == []


def test_when_neither_way_works_both_reasons_are_given(
    client: docker.DockerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One message says that no registry answers and that mmdebstrap is missing; nothing changes."""
    monkeypatch.setenv("CLEANROOM_BASE_IMAGE", NOWHERE)
    before = client.images.get(base_tag()).id
    said: list[str] = []
    with pytest.raises(SetupError, match=r"mmdebstrap is missing\. No registry gives") as caught:
        ensure_base(client, said.append, machine=Poor(), fresh=True)
    assert "Install mmdebstrap" in caught.value.advice
    assert "making it from Debian's packages instead" in said[-1]
    assert client.images.get(base_tag()).id == before


def test_a_forced_registry_does_not_fall_back(client: docker.DockerClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--base registry` ends with the registry's answer."""
    monkeypatch.setenv("CLEANROOM_BASE_IMAGE", NOWHERE)
    with pytest.raises(SetupError, match="No registry gives the base image"):
        ensure_base(client, lambda _: None, "registry", Failing(), fresh=True)


def test_a_base_without_digest_is_refused(client: docker.DockerClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tag can move, so it is no name for a base."""
    monkeypatch.setenv("CLEANROOM_BASE_IMAGE", "debian:bookworm-slim")
    with pytest.raises(SetupError, match="not named by its digest"):
        ensure_base(client, lambda _: None, "registry", fresh=True)


def test_a_failed_mmdebstrap_leaves_nothing(
    client: docker.DockerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its error line is told, the half-written archive is gone, the image is untouched."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(SetupError, match=r"Making the base image failed: E: apt-get update failed\."):
        ensure_base(client, lambda _: None, "packages", Failing(), fresh=True)
    assert list((tmp_path / "cleanroom").iterdir()) == []


class Registry:
    """A registry with one image, as small as the engine puts up with."""

    def __init__(self, client: docker.DockerClient, image: str) -> None:
        with (
            engine_errors("Saving"),
            tarfile.open(fileobj=io.BytesIO(b"".join(client.images.get(image).save()))) as tar,
        ):
            listed = json.load(self._open(tar, "manifest.json"))[0]
            config = self._open(tar, listed["Config"]).read()
            layers = [gzip.compress(self._open(tar, name).read(), 1) for name in listed["Layers"]]
        kind = "application/vnd.docker"
        manifest_type = f"{kind}.distribution.manifest.v2+json"
        manifest = {
            "schemaVersion": 2,
            "mediaType": manifest_type,
            "config": self._entry(config, f"{kind}.container.image.v1+json"),
            "layers": [self._entry(layer, f"{kind}.image.rootfs.diff.tar.gzip") for layer in layers],
        }
        self.manifest = json.dumps(manifest).encode()
        self.blobs = {self._digest(blob): blob for blob in (config, *layers, self.manifest)}
        registry = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                blob = b"{}" if self.path == "/v2/" else registry.blobs.get(self.path.rpartition("/")[2])
                self.send_response(200 if blob is not None else 404)
                is_manifest = "/manifests/" in self.path
                self.send_header("Content-Type", manifest_type if is_manifest else "application/octet-stream")
                self.send_header("Content-Length", str(len(blob or b"")))
                if is_manifest:
                    self.send_header("Docker-Content-Digest", registry.digest)
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(blob or b"")

            do_HEAD = do_GET  # noqa: N815 - the library's name

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def digest(self) -> str:
        return self._digest(self.manifest)

    @property
    def reference(self) -> str:
        return f"127.0.0.1:{self.server.server_port}/debian@{self.digest}"

    def _entry(self, blob: bytes, media_type: str) -> dict[str, object]:
        return {"mediaType": media_type, "size": len(blob), "digest": self._digest(blob)}

    @staticmethod
    def _digest(blob: bytes) -> str:
        return f"sha256:{hashlib.sha256(blob).hexdigest()}"

    @staticmethod
    def _open(tar: tarfile.TarFile, name: str) -> IO[bytes]:
        found = tar.extractfile(name)
        assert found is not None
        return found


@pytest.fixture
def registry(client: docker.DockerClient) -> Iterator[Registry]:
    registry = Registry(client, base_tag())
    yield registry
    registry.server.shutdown()
    registry.server.server_close()


@pytest.mark.slow
def test_a_registry_that_answers_gives_the_base(client: docker.DockerClient, registry: Registry) -> None:
    """The image is pulled by its digest, the packages are installed in it, and the result says where it came from."""
    tag = "cleanroom-base:test-of-the-registry-way"
    said: list[str] = []
    try:
        try:
            base_image._from_registry(client, registry.reference, tag, said.append)
        except SetupError as error:
            if "apt-get" in error.message or "resolve" in error.message:
                pytest.skip(f"no Debian mirror can be reached from a build: {error.message[:200]}")
            raise
        made = client.images.get(tag)
        assert made.labels[base_image.ORIGIN_LABEL] == registry.reference
        assert said[1] == "pulling the base image"
    finally:
        for name in (tag, registry.reference):
            with contextlib.suppress(ImageNotFound):
                client.images.remove(name, force=True)
