"""Azurite, Microsoft's own emulator of Azure Blob Storage, behind the door of `support.object_server`."""

import atexit
import base64
import functools
import hashlib
import hmac
import http.client
import re
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

from tests.support.object_server import BUCKET, ObjectServer, listening

ACCOUNT = "devstoreaccount1"
# The one that every Azurite has; it opens nothing else.
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
_HOP = {"connection", "keep-alive", "transfer-encoding"}  # headers of a connection, not of an answer


class AzureServer(ObjectServer):
    scheme = "az"
    secret: ClassVar[str] = KEY

    def __init__(self, port: int) -> None:
        super().__init__()
        self._port = port

    def answer(self, environ: dict[str, Any], start: Any) -> Any:
        """Hand the request on as it is: the address is no part of what its signature covers."""
        path = quote(environ["PATH_INFO"], encoding="latin-1") + (
            f"?{query}" if (query := environ.get("QUERY_STRING")) else ""
        )
        headers = {name[5:].replace("_", "-"): value for name, value in environ.items() if name.startswith("HTTP_")}
        for name in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            if environ.get(name):
                headers[name.replace("_", "-")] = environ[name]
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        status, found, data = self._ask(environ["REQUEST_METHOD"], path, headers, body)
        start(f"{status} -", [(name, value) for name, value in found if name.lower() not in _HOP])
        return [data]

    def environment(self, *, secret: str) -> dict[str, str]:
        own = {"AZURE_STORAGE_ACCOUNT_NAME": ACCOUNT, "AZURE_STORAGE_ACCOUNT_KEY": secret}
        return {"AZURE_STORAGE_ENDPOINT": f"{self.url}/{ACCOUNT}", **own}

    def put(self, key: str, data: bytes) -> None:
        assert self._signed("PUT", key, body=data, headers={"x-ms-blob-type": "BlockBlob"})[0] == 201

    def get(self, key: str) -> bytes | None:
        status, data = self._signed("GET", key)
        return data if status == 200 else None

    def delete(self, key: str) -> None:
        assert self._signed("DELETE", key)[0] == 202

    def names(self) -> list[str]:
        _, listed = self._signed("GET", query={"comp": "list", "restype": "container"})
        return re.findall("<Name>(.*?)</Name>", listed.decode())

    def unfinished(self) -> list[Any]:
        return []  # Azure keeps the parts where nobody sees them for a week, and has no call that gives them up

    def is_part(self, method: str, query: str) -> bool:
        return method == "PUT" and "comp=block&" in f"{query}&"

    def completes(self, method: str, query: str) -> bool:
        return method == "PUT" and "comp=blocklist" in query

    def container(self, method: str) -> None:
        assert self._signed(method, query={"restype": "container"})[0] in (201, 202)

    def _signed(
        self,
        method: str,
        key: str = "",
        *,
        query: dict[str, str] | None = None,
        body: bytes = b"",
        headers: Mapping[str, str] = {},
    ) -> tuple[int, bytes]:
        """A request of the account's owner, past the door."""
        path = f"/{ACCOUNT}/{BUCKET}" + (f"/{quote(key)}" if key else "")
        now = datetime.now(UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")
        own = {**headers, "x-ms-date": now, "x-ms-version": "2023-11-03"}
        named = "".join(f"{name}:{own[name]}\n" for name in sorted(own))
        asked = "".join(f"\n{name}:{value}" for name, value in sorted((query or {}).items()))
        length = str(len(body)) if body else ""
        text = f"{method}\n\n\n{length}\n\n\n\n\n\n\n\n\n{named}/{ACCOUNT}{path}{asked}"
        signature = base64.b64encode(hmac.new(base64.b64decode(KEY), text.encode(), hashlib.sha256).digest()).decode()
        own |= {"Authorization": f"SharedKey {ACCOUNT}:{signature}", "Content-Length": str(len(body))}
        wanted = "&".join(f"{name}={value}" for name, value in (query or {}).items())
        status, _, data = self._ask(method, f"{path}?{wanted}" if wanted else path, own, body)
        return status, data

    def _ask(
        self, method: str, path: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()


def azurite(program: Path) -> Iterator[ObjectServer]:
    """A server with an empty container; the program goes on for the next test."""
    server = AzureServer(_started(program))
    with listening(server):
        server.container("PUT")
        try:
            yield server
        finally:
            server.container("DELETE")


@functools.cache
def _started(program: Path) -> int:
    """The port of a program that ends with the tests. It keeps all in memory, and tells nobody."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    options = ["--blobHost", "127.0.0.1", "--blobPort", str(port), "--inMemoryPersistence", "--silent"]
    process = subprocess.Popen(
        [program, *options, "--disableTelemetry", "--skipApiVersionCheck"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    atexit.register(process.kill)
    for _ in range(600):
        with socket.socket() as trying:
            if trying.connect_ex(("127.0.0.1", port)) == 0:
                return port
        assert process.poll() is None, "Azurite ended at once"
        time.sleep(0.1)
    raise AssertionError("Azurite did not answer within a minute")
