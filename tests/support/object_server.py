"""A local S3 server for tests: moto behind a door that can break, refuse and count requests. Loopback only."""

import contextlib
import io
import threading
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

BUCKET = "bucket"
SECRET = "Schluessel-geheim"  # noqa: S105 - of a server that only this process can reach


class _Quiet(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: Any) -> None:  # noqa: A002 - its name there
        pass


class ObjectServer:
    """`status_of`: a status for a request that is not let through. `asked`: the requests, as method, path and query."""

    def __init__(self) -> None:
        self.status_of: Callable[[str, str, str], int | None] = lambda *_: None
        self.asked: list[tuple[str, str, str]] = []
        self.url = ""
        self._inner = DomainDispatcherApplication(create_backend_app)
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start: Any) -> Any:
        request = (environ["REQUEST_METHOD"], environ["PATH_INFO"], environ.get("QUERY_STRING", ""))
        self.asked.append(request)
        status = self.status_of(*request)
        if status is not None:
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start(f"{status} refused", [("Content-Length", "0")])
            return [b""]
        environ["wsgi.errors"] = io.StringIO()
        with self._lock:
            return self._inner(environ, start)

    @property
    def client(self) -> Any:
        keys = {"aws_access_key_id": "key", "aws_secret_access_key": SECRET, "region_name": "us-east-1"}
        return boto3.client("s3", endpoint_url=self.url, **keys)

    def put(self, key: str, data: bytes) -> None:
        self.client.put_object(Bucket=BUCKET, Key=key, Body=data)

    def get(self, key: str) -> bytes | None:
        """The object's bytes; None where there is none."""
        client = self.client
        with contextlib.suppress(client.exceptions.NoSuchKey):
            return bytes(client.get_object(Bucket=BUCKET, Key=key)["Body"].read())
        return None

    def unfinished(self) -> list[Any]:
        """Uploads that were begun, and neither completed nor aborted."""
        return list(self.client.list_multipart_uploads(Bucket=BUCKET).get("Uploads", []))


@pytest.fixture
def objects(monkeypatch: pytest.MonkeyPatch) -> Iterator[ObjectServer]:
    """A server with an empty bucket; the environment says where it is and what its keys are."""
    server = ObjectServer()
    listening = make_server("127.0.0.1", 0, server, threaded=True, request_handler=_Quiet)
    thread = threading.Thread(target=listening.serve_forever, daemon=True)
    thread.start()
    server.url = f"http://127.0.0.1:{listening.port}"
    for name, value in {
        "AWS_ENDPOINT_URL": server.url,
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    server.client.create_bucket(Bucket=BUCKET)
    try:
        yield server
    finally:
        client = server.client
        server.status_of = lambda *_: None
        for one in client.list_objects_v2(Bucket=BUCKET).get("Contents", []):
            client.delete_object(Bucket=BUCKET, Key=one["Key"])
        client.delete_bucket(Bucket=BUCKET)
        listening.shutdown()
        thread.join()
        listening.server_close()
