"""Looks at every HTTP request to a model before it leaves: where to, and with which keys. Called by `litellm_chat`.

LiteLLM sends OPENAI_API_KEY to dozens of other providers when their own variable is not set. Here a key of the
environment leaves for its provider's hosts only, whatever the library makes of it; and for no host that the policy's
`model.egress` leaves out. Redirects are not followed: they lead to an address that nobody named. What comes back is
read up to MAX_BYTES, as it comes and unpacked: an answer without an end would fill the memory. It is unpacked
here, once and a little at a time: the client unpacks as often as it is told to, and a kilobyte that was packed twice
holds gigabytes.
"""

import functools
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any
from urllib.parse import urlsplit

from orchestrator.core.errors import UsageError
from orchestrator.propose.llm.answer_parts import may_hold_parts, with_joined_parts
from orchestrator.propose.llm.key_hosts import OWNERS, may_have_key

MAX_BYTES = 32_000_000  # of one answer, far more than is read of it
_PACKINGS = ("gzip", "deflate")  # what servers are asked for
_REFUSED_PACKINGS = ("br", "zstd")
_UNPACKED_AT_ONCE = 2**16  # bytes
_SHORTEST_KEY = 8  # shorter values ("none", "ollama") are no secrets, and may be a part of any request


class Egress:
    """What may leave for one model. `refusal` says what did not, and why; `flaw`, what the answer did that ended it."""

    def __init__(self, model: str, hosts: Sequence[str] | None, named_key: str | None) -> None:
        self._model = model
        self._hosts = hosts
        self._named_key = named_key
        self.refusal = ""
        self.flaw = ""

    def check_address(self, address: str) -> None:
        """Raise UsageError where the policy has no such host."""
        if not self._is_allowed(address):
            raise UsageError(
                f"The policy does not let {self._model} be asked at {_host(address)}.",
                advice="`model.egress` in the policy lists the hosts that may be asked.",
            )

    def allows(self, address: str, headers: Mapping[str, str]) -> bool:
        """Whether the request may leave; if not, `refusal` is set."""
        if not self._is_allowed(address):
            self.refusal = f"the policy's model.egress has no {_host(address)}"
            return False
        variable = next(self._foreign_keys(address, headers), None)
        if variable is not None:
            self.refusal = f"it would send the key in {variable} to {_host(address)}, to which that does not belong"
            return False
        return True

    def bounded(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """The pieces of a body, as long as it is not too large."""
        length = 0
        for piece in pieces:
            length += len(piece)
            if length > MAX_BYTES:
                self.flaw = f"sent more than {MAX_BYTES / 1e6:g} MB in one answer"
                raise ValueError(self.flaw)
            yield piece

    def packing(self, named: Sequence[str]) -> str:
        """How the body is packed, by what its head names; words that name no packing are passed over, as clients do.

        Raises ValueError where it is packed in another way than was asked for, or more than once.
        """
        packings = [name for each in named if (name := each.strip().lower()) in (*_PACKINGS, *_REFUSED_PACKINGS)]
        if len(packings) > 1:
            self.flaw = "packed its answer more than once"
        elif packings and packings[0] not in _PACKINGS:
            self.flaw = f"packed its answer as {packings[0]}, for which it was not asked"
        if self.flaw:
            raise ValueError(self.flaw)
        return packings[0] if packings else "identity"

    def _is_allowed(self, address: str) -> bool:
        parts = urlsplit(address)
        host = (parts.hostname or "").rstrip(".").lower()
        places = {host, f"{host}:{parts.port or (443 if parts.scheme == 'https' else 80)}"}
        return self._hosts is None or any(
            any(place.endswith(allowed[1:]) for place in places) if allowed.startswith("*.") else allowed in places
            for allowed in (each.lower() for each in self._hosts)
        )

    def _foreign_keys(self, address: str, headers: Mapping[str, str]) -> Iterator[str]:
        """The variables whose keys are in the request and do not belong to its host."""
        sent = "\n".join([address, *headers.values()])
        for variable in OWNERS:
            key = os.environ.get(variable, "")
            named = key == self._named_key  # the caller says where it goes
            if len(key) >= _SHORTEST_KEY and not named and key in sent and not may_have_key(variable, address):
                yield variable


asked: ContextVar[Egress | None] = ContextVar("asked", default=None)
"""The egress of the model that this thread asks; None for all other requests of this process, which are let through."""


@functools.cache
def watch_requests() -> None:
    """Have every client below LiteLLM ask `asked` before it sends: they are httpx, and take no option for it."""
    import httpx

    httpx.Client.send = _bounded(_watched(httpx.Client.send))  # type: ignore[method-assign]
    httpx.AsyncClient.send = _watched(httpx.AsyncClient.send)  # type: ignore[method-assign]
    follow = httpx.Client._build_redirect_request  # noqa: SLF001 - no client that LiteLLM makes can be given an option

    def build(self: Any, request: Any, response: Any) -> Any:
        if asked.get() is not None:
            raise httpx.TooManyRedirects("the server redirects to another address", request=request)
        return follow(self, request, response)

    httpx.Client._build_redirect_request = build  # type: ignore[method-assign] # noqa: SLF001


def _watched(send: Callable[..., Any]) -> Callable[..., Any]:
    import httpx

    @functools.wraps(send)
    def watched(self: Any, request: Any, **options: Any) -> Any:
        egress = asked.get()
        if egress is not None and not egress.allows(str(request.url), request.headers):
            raise httpx.UnsupportedProtocol(egress.refusal, request=request)  # the kind that no client tries again
        return send(self, request, **options)

    return watched


def _bounded(send: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(send)
    def bounded(self: Any, request: Any, *, stream: bool = False, **options: Any) -> Any:
        egress = asked.get()
        if egress is None:
            return send(self, request, stream=stream, **options)
        request.headers["Accept-Encoding"] = ", ".join(_PACKINGS)
        response = send(self, request, stream=True, **options)
        try:
            packing = egress.packing(response.headers.get_list("content-encoding", split_commas=True))
        except ValueError:
            response.close()
            raise
        response.headers["Content-Encoding"] = "identity"  # for the client: what it receives is unpacked
        packed, received = response.iter_raw, response.iter_bytes

        def raw(chunk_size: int | None = None) -> Iterator[bytes]:
            if packing == "identity":
                return packed(chunk_size)  # type: ignore[no-any-return]
            return _unpacked(egress.bounded(packed(chunk_size)), packing)

        def pieces(chunk_size: int | None = None) -> Iterator[bytes]:
            body = egress.bounded(received(chunk_size))
            if not may_hold_parts(response.headers.get("content-type", "")):
                return body
            return with_joined_parts(body, in_lines=stream)

        response.iter_raw, response.iter_bytes = raw, pieces
        if not stream:
            try:
                response.read()
            finally:
                response.close()
        return response

    return bounded


def _unpacked(pieces: Iterator[bytes], packing: str) -> Iterator[bytes]:
    """The body, a little at a time; what stands behind the end of what is packed is passed over."""
    import httpx

    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)  # with the head of either
    may_be_bare = packing == "deflate"  # some servers send it without its head
    try:
        for piece in pieces:
            left = piece
            while left and not unpacker.eof:
                try:
                    unpacked = unpacker.decompress(left, _UNPACKED_AT_ONCE)
                except zlib.error:
                    if not may_be_bare:
                        raise
                    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
                    continue
                finally:
                    may_be_bare = False
                left = unpacker.unconsumed_tail
                yield unpacked
        yield unpacker.flush()
    except zlib.error as error:
        raise httpx.DecodingError(str(error)) from error


def _host(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
