"""Local object stores for tests: a server behind a door that can break, refuse and count requests. Loopback only.

`s3`: moto. `gs`: moto too, since Google's XML interface takes and answers for objects, whole and in parts, what S3
does; the door knows Google's login. `az`: Azurite (support.azure_server).
"""

import io
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

import boto3
import pytest
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

from tests.support.required import skipped_without

BUCKET = "bucket"
SECRET = "Schluessel-geheim"  # noqa: S105 - of a server that only this process can reach
AZURITE = (
    Path(__file__).resolve().parents[2]
    / ".venv"
    / "integrations"
    / "azurite"
    / "node_modules"
    / ".bin"
    / "azurite-blob"
)


class _Quiet(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: Any) -> None:  # noqa: A002 - its name there
        pass


class ObjectServer(ABC):
    """`status_of`: a status for a request that is not let through. `asked`: the requests, as method, path and query."""

    scheme: ClassVar[str]
    secret: ClassVar[str] = SECRET

    def __init__(self) -> None:
        self.status_of: Callable[[str, str, str], int | None] = lambda *_: None
        self.asked: list[tuple[str, str, str]] = []
        self.url = ""

    def __call__(self, environ: dict[str, Any], start: Any) -> Any:
        request = (environ["REQUEST_METHOD"], environ["PATH_INFO"], environ.get("QUERY_STRING", ""))
        self.asked.append(request)
        status = self.status_of(*request) or self.refused(environ)
        if status is not None:
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start(f"{status} refused", [("Content-Length", "0")])
            return [b""]
        return self.answer(environ, start)

    def at(self, key: str) -> str:
        return f"{self.scheme}://{BUCKET}/{key}"

    def refused(self, environ: Mapping[str, Any]) -> int | None:
        """A status for a request with wrong credentials."""
        return None

    @abstractmethod
    def answer(self, environ: dict[str, Any], start: Any) -> Any:
        """What the server behind the door says, by WSGI."""

    @abstractmethod
    def environment(self, *, secret: str) -> dict[str, str]:
        """What a user of the store has in the environment."""

    @abstractmethod
    def put(self, key: str, data: bytes) -> None: ...

    @abstractmethod
    def get(self, key: str) -> bytes | None:
        """The object's bytes; None where there is none."""

    @abstractmethod
    def delete(self, key: str) -> None: ...

    @abstractmethod
    def names(self) -> list[str]:
        """The objects that can be seen."""

    @abstractmethod
    def unfinished(self) -> list[Any]:
        """Uploads that were begun, and neither completed nor aborted, where a store keeps them."""

    @abstractmethod
    def is_part(self, method: str, query: str) -> bool:
        """Whether a request brings a part of an upload."""

    @abstractmethod
    def completes(self, method: str, query: str) -> bool:
        """Whether a request ends an upload in parts."""


class S3Server(ObjectServer):
    scheme = "s3"

    def __init__(self) -> None:
        super().__init__()
        self._inner = DomainDispatcherApplication(create_backend_app)
        self._lock = threading.Lock()

    def answer(self, environ: dict[str, Any], start: Any) -> Any:
        environ["wsgi.errors"] = io.StringIO()
        with self._lock:
            return self._inner(environ, start)

    def refused(self, environ: Mapping[str, Any]) -> int | None:
        login = environ.get("HTTP_AUTHORIZATION", "") + environ.get("QUERY_STRING", "")
        return None if re.search("Credential=key|AWSAccessKeyId=key", login) else 403

    def environment(self, *, secret: str) -> dict[str, str]:
        key = "key" if secret == SECRET else "another"
        own = {"AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret}
        return {"AWS_ENDPOINT_URL": self.url, "AWS_REGION": "us-east-1", **own}

    @property
    def client(self) -> Any:
        keys = {"aws_access_key_id": "key", "aws_secret_access_key": SECRET, "region_name": "us-east-1"}
        return boto3.client("s3", endpoint_url=self.url, **keys)

    def put(self, key: str, data: bytes) -> None:
        self.client.put_object(Bucket=BUCKET, Key=key, Body=data)

    def get(self, key: str) -> bytes | None:
        client = self.client
        with suppress(client.exceptions.NoSuchKey):
            return bytes(client.get_object(Bucket=BUCKET, Key=key)["Body"].read())
        return None

    def delete(self, key: str) -> None:
        self.client.delete_object(Bucket=BUCKET, Key=key)

    def names(self) -> list[str]:
        return [one["Key"] for one in self.client.list_objects_v2(Bucket=BUCKET).get("Contents", [])]

    def unfinished(self) -> list[Any]:
        return list(self.client.list_multipart_uploads(Bucket=BUCKET).get("Uploads", []))

    def is_part(self, method: str, query: str) -> bool:
        return method == "PUT" and "partNumber=" in query

    def completes(self, method: str, query: str) -> bool:
        return method == "POST" and "uploadId" in query


class GoogleServer(S3Server):
    """The tests' own client goes on speaking S3; everybody else has to bring Google's token."""

    scheme = "gs"

    def answer(self, environ: dict[str, Any], start: Any) -> Any:
        if environ["HTTP_AUTHORIZATION"].startswith("Bearer "):  # moto asks for a login of S3's form and believes it
            login = "Credential=key/20240101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"
            environ["HTTP_AUTHORIZATION"] = f"AWS4-HMAC-SHA256 {login}"
        return super().answer(environ, start)

    def refused(self, environ: Mapping[str, Any]) -> int | None:
        login = environ.get("HTTP_AUTHORIZATION", "")
        return None if login == f"Bearer {SECRET}" or "Credential=key" in login else 401

    def environment(self, *, secret: str) -> dict[str, str]:
        return {"GOOGLE_BASE_URL": self.url, "GOOGLE_BEARER_TOKEN": secret}


@contextmanager
def listening(server: ObjectServer) -> Iterator[None]:
    """Let the server answer on a port of loopback."""
    door = make_server("127.0.0.1", 0, server, threaded=True, request_handler=_Quiet)
    thread = threading.Thread(target=door.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    server.url = f"http://127.0.0.1:{door.port}"
    try:
        yield
    finally:
        door.shutdown()
        thread.join()
        door.server_close()


def _in_memory(server: S3Server) -> Iterator[S3Server]:
    with listening(server):
        server.client.create_bucket(Bucket=BUCKET)
        try:
            yield server
        finally:
            server.status_of = lambda *_: None
            for key in server.names():
                server.delete(key)
            server.client.delete_bucket(Bucket=BUCKET)


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    """An S3 server with an empty bucket; the environment says where it is and what its keys are."""
    for server in _in_memory(S3Server()):
        _told(server, monkeypatch)
        yield server


_missing = skipped_without("azurite", "Azurite is not installed: make test-integrations", there=AZURITE.exists())


@pytest.fixture(params=["s3", "gs", pytest.param("az", marks=_missing)])
def objects(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ObjectServer]:
    """A server of each kind with an empty bucket; the environment says where it is and what its keys are."""
    if request.param == "az":
        from tests.support.azure_server import azurite

        servers: Iterator[ObjectServer] = azurite(AZURITE)
    else:
        servers = _in_memory(S3Server() if request.param == "s3" else GoogleServer())
    for server in servers:
        _told(server, monkeypatch)
        yield server


def _told(server: ObjectServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in server.environment(secret=server.secret).items():
        monkeypatch.setenv(name, value)
