"""HTTP/1.1 for clients that are slow, or that speak no HTTP at all. Used in place of uvicorn's own by all that listens.

A client that does not get its request's head done is hung up on, and so is one that does not take its answer: each of
them would hold a connection for ever, and anybody may connect, also without a token. For the same reason what one
client has sent is not read to its end while the others wait: it may be hundreds of thousands of small chunks.
"""

import asyncio
import resource
import sys
from collections.abc import Mapping
from http import HTTPStatus

import h11
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol

_HEAD_S = 15.0  # for the head of a request, and for the first one of a connection
_TAKE_S = 60.0  # for taking what waits to be sent, which is some 64 KiB
_CONNECTIONS = 2000
_FILES_OF_ONE = 2  # the socket, and what its request has open: uploads, or what is sent
_TOLD_WHY = 100  # so many of those that are too many have an answer; it takes a while
_OTHER_FILES = 200  # theirs, and those of the process itself
_HEAD_BYTES = 16 * 1024  # of a head, where the server names no number
_IN_A_TURN = 100  # heads, chunks and ends that are read of one client before the others have their turn
_LENGTHS = frozenset({b"content-length", b"transfer-encoding"})


def make_room() -> None:
    """Have the system let this process open the files that so many connections take, as far as it lets itself be told.

    1,024 are usual, of which anybody who opens connections and sends nothing could leave none for uploads and database.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OTHER_FILES + _FILES_OF_ONE * _CONNECTIONS
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _most_connections() -> int:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return _CONNECTIONS
    return max(1, min(_CONNECTIONS, (soft - _OTHER_FILES) // _FILES_OF_ONE))


class _Turns(h11.Connection):
    """Reads what a client sent, so much of it at a time. `left`: of this turn; `more`: not all was looked at."""

    left, more = 0, False

    def next_event(self) -> "type[h11.NEED_DATA | h11.PAUSED] | h11.Event":
        """As h11 has it. Raises RemoteProtocolError also for a request that says in both ways where its body ends.

        A server before this one could believe the other one, and take a part of somebody's body for a request.
        """
        if not self.left:
            self.more = True
            return h11.NEED_DATA
        self.left -= 1
        event = super().next_event()
        if isinstance(event, h11.Request) and {name for name, _ in event.headers} >= _LENGTHS:
            raise h11.RemoteProtocolError("both Content-Length and Transfer-Encoding")
        return event


class _HeldFlow(FlowControl):
    """Takes nothing from the client while what it has sent waits for its turn, whoever asks for more."""

    held = False

    def resume_reading(self) -> None:
        if self.held:
            self.read_paused = False
        else:
            super().resume_reading()


class TimedH11Protocol(H11Protocol):
    """One connection. What comes before any route is refused as `refusal` says."""

    conn: _Turns
    flow: _HeldFlow

    _head_timer: asyncio.TimerHandle | None = None
    _take_timer: asyncio.TimerHandle | None = None
    _refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.conn = _Turns(h11.SERVER, self.config.h11_max_incomplete_event_size or _HEAD_BYTES)
        self.flow = _HeldFlow(transport)
        too_many = len(self.connections) - _most_connections()
        if too_many > _TOLD_WHY:
            self._refused = True
            transport.abort()
            return
        if too_many > 0:
            self._refuse(503)
            return
        self._head_timer = self.loop.call_later(_HEAD_S, self._too_slow)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self._head_timer is None:
            self._head_timer = self.loop.call_later(_HEAD_S, self._too_slow)
        super().data_received(data)

    def handle_events(self) -> None:
        self.conn.left, self.conn.more = _IN_A_TURN, False
        super().handle_events()
        if self.cycle is not None and not self.cycle.response_complete:
            self._no_head_timer()
        if self.conn.more and not self.flow.held:
            self.flow.held = True
            self.transport.pause_reading()
            self.loop.call_soon(self._next_turn)

    def _next_turn(self) -> None:
        self.flow.held = False
        if self._refused or self.transport.is_closing():
            return
        self.handle_events()
        if not (self.flow.held or self.flow.read_paused or self.transport.is_closing()):
            self.transport.resume_reading()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._take_timer = self.loop.call_later(_TAKE_S, self.transport.abort)

    def resume_writing(self) -> None:
        self._no_take_timer()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._no_head_timer()
        self._no_take_timer()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - what uvicorn would say
        error = sys.exception()  # uvicorn calls this while it handles what h11 has raised
        self._refuse(431 if isinstance(error, h11.RemoteProtocolError) and error.error_status_hint == 431 else 400)

    def refusal(self, status: int) -> tuple[Mapping[str, str], bytes]:
        """The headers and the body of an answer with this status."""
        return {"Content-Type": "text/plain; charset=utf-8"}, HTTPStatus(status).phrase.encode()

    def _too_slow(self) -> None:
        self._head_timer = None
        if (self.cycle is None or self.cycle.response_complete) and not self.transport.is_closing():
            self.transport.close()

    def _refuse(self, status: int) -> None:
        """Answer, unless an answer has begun already, and take no more.

        What the client still sends is thrown away for a while: closed with it unread, the connection would be reset,
        and the client would never see the answer.
        """
        self._no_head_timer()
        if self.conn.our_state not in {h11.IDLE, h11.SEND_RESPONSE}:
            self.transport.close()
            return
        self._refused = True
        headers, body = self.refusal(status)
        told = {**headers, "Content-Length": str(len(body)), "Connection": "close"}
        lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *(f"{name}: {told[name]}" for name in told)]
        self.transport.write("\r\n".join([*lines, "", ""]).encode() + body)
        self.transport.write_eof()
        self._head_timer = self.loop.call_later(_HEAD_S, self.transport.abort)

    def _no_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _no_take_timer(self) -> None:
        if self._take_timer is not None:
            self._take_timer.cancel()
            self._take_timer = None
