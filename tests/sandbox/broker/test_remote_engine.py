"""An engine over TLS: the real engine behind a front that asks for a client's certificate."""

import contextlib
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from orchestrator.core.errors import EngineUnavailable
from orchestrator.core.jobs import Ended
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.provision.engine_client import address
from tests.sandbox.sandbox_jobs import STRIP, make_job

pytestmark = pytest.mark.docker
EC = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2")


def make_certificates(folder: Path) -> None:
    """An authority, a server's certificate for 127.0.0.1 and a client's, under the names that Docker wants."""

    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    openssl("req", "-x509", *EC, "-subj", "/CN=ca", "-keyout", "ca-key.pem", "-out", "ca.pem")
    for prefix, extension in (("server-", "subjectAltName=IP:127.0.0.1"), ("", "extendedKeyUsage=clientAuth")):
        (folder / "extension").write_text(extension)
        openssl("req", *EC[:-2], "-subj", "/CN=x", "-keyout", f"{prefix}key.pem", "-out", "request")
        signer = ("-CA", "ca.pem", "-CAkey", "ca-key.pem", "-CAcreateserial", "-days", "2")
        openssl("x509", "-req", "-in", "request", *signer, "-extfile", "extension", "-out", f"{prefix}cert.pem")


def forward(one: socket.socket, other: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while part := one.recv(2**16):
            other.sendall(part)
    for end in (one, other):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def over_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, image: str) -> Iterator[Path]:
    """DOCKER_* name the TLS front of this machine's engine; the folder with the certificates."""
    if shutil.which("openssl") is None or not address().startswith("unix://"):
        pytest.skip("needs the openssl command and a local engine")
    engine = address().removeprefix("unix://")
    make_certificates(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(tmp_path / "ca.pem"))
    context.load_cert_chain(tmp_path / "server-cert.pem", tmp_path / "server-key.pem")
    context.verify_mode = ssl.CERT_REQUIRED
    listener = socket.create_server(("127.0.0.1", 0))
    connections: list[socket.socket] = []
    threads: list[threading.Thread] = []

    def start(work: Callable[..., None], *arguments: socket.socket) -> threading.Thread:
        threads.append(threading.Thread(target=work, args=arguments, daemon=True))
        threads[-1].start()
        return threads[-1]

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                start(handle, listener.accept()[0])

    def handle(plain: socket.socket) -> None:
        with contextlib.suppress(OSError), plain:
            front = context.wrap_socket(plain, server_side=True)
            with front, socket.socket(socket.AF_UNIX) as back:
                back.connect(engine)
                connections.extend((front, back))
                there = start(forward, front, back)
                forward(back, front)
                there.join()  # who still reads from what is closed may find another file under its number

    start(serve)
    monkeypatch.setenv("DOCKER_HOST", f"tcp://127.0.0.1:{listener.getsockname()[1]}")
    monkeypatch.setenv("DOCKER_TLS_VERIFY", "1")
    monkeypatch.setenv("DOCKER_CERT_PATH", str(tmp_path))
    yield tmp_path
    for end in (listener, *connections):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
    for thread in threads:
        thread.join(60)
    listener.close()


def test_sandboxes_work_over_tls(over_tls: Path, image: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs run as on a local engine, pooled containers included, whatever bundle other programs are told to trust."""
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(over_tls / "cert.pem"))
    with DockerSandbox(Policy(container=ContainerPolicy(pool_size=1)), image, run_id="test-tls") as sandbox:
        for _ in range(3):
            assert sandbox.run(make_job(STRIP)).children[0].ended is Ended.OK
        with sandbox.session() as session:
            assert session.run(make_job(STRIP)).children[0].ended is Ended.OK
            assert session.run(make_job(STRIP)).children[0].ended is Ended.OK


def test_a_stranger_is_not_trusted(over_tls: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """An engine whose certificate another authority signed is no engine."""
    other = tmp_path_factory.mktemp("other")
    make_certificates(other)
    shutil.copy(other / "ca.pem", over_tls / "ca.pem")
    with pytest.raises(EngineUnavailable, match="certificate"):
        Engine()
