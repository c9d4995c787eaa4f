"""One object of a store: what it is, its bytes, and writing it whole. The only module that imports obstore.

Credentials, region and endpoint come from the environment, as obstore reads it (AWS_*, GOOGLE_*, AZURE_*); an endpoint
there that starts with http:// is taken at its word. What the library says of a failure is never shown: it quotes
addresses with their signatures.
"""

import os
import re
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit, urlunsplit

from orchestrator.core.errors import CleanroomError, DataError, OutputError
from orchestrator.data.data_address import DataAddress
from orchestrator.data.objects.web_redirects import redirected
from orchestrator.data.spool import RoomMeter, Spool, disk_mapped

_PART = 8 * 2**20
_CHUNK = 1024  # of a download, at least; more where more has come
_PARTS = 9_000  # of an upload: stores take 10,000
_AT_ONCE = 4
_RETRIES = 4
_SILENT_S = 300.0  # without a byte, the connection is broken
_LEAST = 2**20  # bytes that have to come in that time
_LONGEST = timedelta(days=7)  # one answer, however much it is
_ENDPOINTS = {
    "s3": ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"),
    "gs": ("GOOGLE_BASE_URL",),
    "az": ("AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT"),
}
_VARIABLES = {"s3": "AWS_*", "gs": "GOOGLE_*", "az": "AZURE_*"}


class ObjectVersion(NamedTuple):
    """What tells one content of an object from another."""

    etag: str
    bytes: int
    modified: str


def version_of(address: DataAddress) -> ObjectVersion:
    """What the store says of the object now. Raises DataError."""
    with _mapped(address, DataError):
        store, key = _opened(address, DataError)
        if address.kind == "web":  # a signed address may be good for GET alone; the body is not waited for
            return _version(_obstore().get(store, key).meta)
        return _version(_obstore().head(store, key))


def download(address: DataAddress, path: Path, spool: Spool) -> ObjectVersion:
    """Write the object's bytes to the file; which version they are. Raises DataError."""
    with _mapped(address, DataError):
        store, key = _opened(address, DataError)
        answer = _obstore().get(store, key)
        version = _version(answer.meta)
    spool.check_room(version.bytes, address.shown, DataError)
    meter, count = RoomMeter(spool, address.shown, DataError), 0
    with disk_mapped(address.shown, DataError), path.open("xb") as file:
        for part in _parts(answer, address):
            meter.add(len(part))
            count += file.write(part)
    if count != version.bytes:
        raise DataError(
            f"{address.shown} ended after {count:,} of {version.bytes:,} bytes.",
            advice="Try again; the connection broke.",
        )
    return version


def check_store(address: DataAddress) -> None:
    """Raise OutputError where the bucket is not there, or the store cannot be used.

    Who may not list the bucket may be allowed to write to it.
    """
    with _mapped(address, OutputError):
        store, key = _opened(address, OutputError)
        try:
            next(_obstore().list(store, prefix=key, chunk_size=1), None)
        except Exception as failed:
            status = _status(str(failed))
            if status == "404":
                raise FileNotFoundError from None
            if status not in ("401", "403"):
                raise


def upload(address: DataAddress, path: Path) -> None:
    """Write the object from a file: there whole or not at all, for an upload that fails is aborted.

    Raises OutputError.
    """
    part = max(_PART, -(-path.stat().st_size // _PARTS))
    with _mapped(address, OutputError):
        store, key = _opened(address, OutputError)
        _obstore().put(store, key, path, chunk_size=part, max_concurrency=_AT_ONCE)


def _parts(answer: Any, address: DataAddress) -> Iterator[Any]:
    """Raises DataError where hardly anything comes: a server could hold us for ever with a byte now and then."""
    since, came = time.monotonic(), 0
    with _mapped(address, DataError):
        for part in answer.stream(min_chunk_size=_CHUNK):
            came += len(part)
            if (now := time.monotonic()) - since > _SILENT_S:
                if came < _LEAST:
                    raise DataError(
                        f"{address.shown} comes too slowly: {came:,} bytes in {now - since:.0f} s.",
                        advice="Try again later, or download it to a file.",
                    )
                since, came = now, 0
            yield part


def _version(meta: Any) -> ObjectVersion:
    return ObjectVersion(meta["e_tag"] or "", meta["size"], str(meta["last_modified"]))


def _obstore() -> Any:
    import obstore

    return obstore


def _opened(address: DataAddress, error: type[CleanroomError]) -> tuple[Any, str]:
    """The store, and the key of the object in it."""
    try:
        from obstore.store import HTTPStore, from_url
    except ImportError as missing:
        raise error(
            f"Data at {address.scheme}:// need obstore, which is not installed.",
            advice="Install it: pip install 'cleanroom[objects]'",
        ) from missing
    endpoint = _endpoint(address, error)
    plain = endpoint.startswith("http://") or address.scheme == "http"
    silent = timedelta(seconds=_SILENT_S)
    client: Any = {"allow_http": plain, "connect_timeout": timedelta(seconds=10)}
    client |= {"read_timeout": silent, "timeout": _LONGEST}
    retry: Any = {"max_retries": _RETRIES, "retry_timeout": timedelta(seconds=60)}
    if address.kind == "web":
        return HTTPStore(_page(address, client), client_options=client, retry_config=retry), ""
    bucket, _, key = address.full.partition("://")[2].partition("/")
    more: Any = {"config": {"endpoint": endpoint}} if address.scheme == "s3" and endpoint else {}
    try:
        return from_url(f"{address.scheme}://{bucket}", client_options=client, retry_config=retry, **more), key
    except Exception as failed:
        if not type(failed).__module__.startswith("obstore"):
            raise
        what = "cannot be used: what the environment says of the account is missing, or cannot be read"
        raise error(f"{address.shown} {what}.", advice=_credentials(address)) from None  # it may quote a key


def _endpoint(address: DataAddress, error: type[CleanroomError]) -> str:
    """The endpoint that the environment names. What is no address makes the library panic, so it never gets it."""
    for name in _ENDPOINTS.get(address.scheme, ()):
        if given := os.environ.get(name):
            if not re.match(r"https?://[^/\s]", given):
                what = f"{address.shown} cannot be reached: {name} holds no address of a server"
                raise error(f"{what}.", advice="It has to begin with https:// or http://.")
            return given
    return ""


def _page(address: DataAddress, client: Any) -> str:
    """The address without user and password, which go into a header; behind its redirects where it has a secret."""
    parts = urlsplit(address.full)
    login, _, host = parts.netloc.rpartition("@")
    url: str = urlunsplit((parts.scheme, host, parts.path, parts.query, ""))
    headers = {"authorization": f"Basic {b64encode(unquote(login).encode()).decode()}"} if login else {}
    place, kept = redirected(url, headers) if address.secret else (url, headers)
    client["default_headers"] = dict(kept)
    return place


@contextmanager
def _mapped(address: DataAddress, error: type[CleanroomError]) -> Iterator[None]:
    """Raise `error` for what obstore raises."""
    try:
        yield
    except FileNotFoundError:
        what = f"{address.server_and_name[0]} to write to" if error is OutputError else address.shown
        raise error(f"There is no {what}.", advice="Check the address.") from None
    except CleanroomError:
        raise
    except Exception as failed:
        kind = type(failed)
        if not kind.__module__.startswith("obstore"):
            raise
        what, advice = _explained(address, kind.__name__, str(failed))
        raise error(f"{address.shown} {what}.", advice=advice) from None  # what it says quotes signed addresses


def _explained(address: DataAddress, kind: str, said: str) -> tuple[str, str]:
    if kind in ("PermissionDeniedError", "UnauthenticatedError") or "169.254.169.254" in said:
        return "is refused to these credentials", _credentials(address)
    if "Content-Length" in said:
        return "has no length, so that its end could not be told from a broken connection", "Download it to a file."
    if status := _status(said):
        return f"cannot be used: the server answers {status}", "Try again later; nothing was written."
    if "Connect" in said or "dns" in said:
        return "cannot be reached", "Check the address, and the endpoint and the network."
    return "cannot be used: the connection broke", "Try again; nothing was written."


def _credentials(address: DataAddress) -> str:
    named = _VARIABLES.get(address.scheme)
    where = f"in the environment ({named})" if named else "in the address"
    return f"Check the credentials {where}, or ask its owner for the right."


def _status(said: str) -> str:
    """The status of HTTP that the library's message tells; "" without one."""
    found = re.search(r"status code: (\d{3})", said)
    return found[1] if found else ""
