"""A model server that answers from a script, over real HTTP: OpenAI's /v1/chat/completions.

    with ScriptedServer([text(XML), status(429, retry_after=1), text("garbage")]) as server:
        LiteLLMChat("scripted", api_base=server.base_url, api_key="any")

Each request takes the next entry of the script; an exhausted script answers 400. `requests` keeps what was asked.
A callable entry gets the request's JSON and returns the entry to use. A request for a stream gets the same answer as
server-sent events, a few characters each.
"""

import json
import socket
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple, Self


class Answer(NamedTuple):
    """One entry of the script. `cut` bytes of the body are sent, then the connection ends; -1: nothing at all."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = {}
    delay_s: float = 0.0
    cut: int | None = None
    close: bool = False  # without Content-Length: the end of the connection is the end of the body
    drip: bytes = b""  # sent after the body again and again, for ever


class Request(NamedTuple):
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    json: dict[str, Any]

    @property
    def text(self) -> str:
        """All messages' texts."""
        return "\n".join(str(m["content"]) for m in self.json["messages"])


Entry = str | Answer | Callable[[dict[str, Any]], "str | Answer"]


def text(content: str | None, *, finish: str = "stop", prompt_tokens: int = 100, completion_tokens: int = 50) -> Answer:
    """A plain answer."""
    return _completion({"role": "assistant", "content": content}, finish, prompt_tokens, completion_tokens)


def tool_call(arguments: Any, *, name: str = "cleaning_analysis") -> Answer:
    """An answer that calls the tool; arguments that are not text are sent as JSON."""
    raw = arguments if isinstance(arguments, str) else json.dumps(arguments)
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": raw}}
    return _completion({"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls", 100, 50)


def status(code: int, message: str = "scripted", *, retry_after: float | None = None, error_code: str = "") -> Answer:
    """A failure."""
    body = json.dumps({"error": {"message": message, "type": "scripted", "code": error_code or None}}).encode()
    return Answer(code, body, {} if retry_after is None else {"Retry-After": f"{retry_after:g}"})


def malformed(body: bytes = b'{"id": ') -> Answer:
    """A 200 whose body is not the protocol's."""
    return Answer(200, body)


def empty() -> Answer:
    """A 200 with an empty body."""
    return Answer(200, b"")


def no_choices() -> Answer:
    """A well-formed completion that holds no answer."""
    return Answer(
        200, json.dumps({"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": []}).encode()
    )


def slow(seconds: float, answer: str | Answer = "") -> Answer:
    """An answer that takes its time."""
    return _as_answer(answer)._replace(delay_s=seconds)


def cut(sent: int = 20, answer: str | Answer = "cut") -> Answer:
    """The connection ends in the middle of the body."""
    return _as_answer(answer)._replace(cut=sent)


def broken_off(sent: int, answer: str | Answer) -> Answer:
    """A stream that just stops: the connection ends in good order in the middle of the answer."""
    return _as_answer(answer)._replace(cut=sent, close=True)


def filtered() -> Answer:
    """A 200 whose answer a content filter took away."""
    return text("", finish="content_filter")


def uncounted(content: str) -> Answer:
    """A good answer from a server that counts no tokens."""
    answer = text(content)
    return answer._replace(body=json.dumps({k: v for k, v in json.loads(answer.body).items() if k != "usage"}).encode())


def dropped() -> Answer:
    """The connection ends without an answer."""
    return Answer(cut=-1)


def completion(message: dict[str, Any], *, finish: str = "stop") -> Answer:
    """An answer with any message."""
    return _completion(message, finish, 100, 50)


def events(*deltas: dict[str, Any], finish: str = "stop") -> Answer:
    """The deltas of a stream as they are, each in an event of its own; asked for in one piece, the same."""
    base = {"id": "chatcmpl-scripted", "created": 1_700_000_000, "model": "scripted", "object": "chat.completion.chunk"}
    told = [{**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    told.append({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    body = b"".join(b"data: " + json.dumps(one).encode() + b"\n\n" for one in told) + b"data: [DONE]\n\n"
    return Answer(200, body, {"Content-Type": "text/event-stream"})


def dripping(drip: bytes, kind: str) -> Answer:
    """A 200 that keeps its connection alive and never says anything."""
    return Answer(200, b"", {"Content-Type": kind}, close=True, drip=drip)


def _completion(message: dict[str, Any], finish: str, prompt_tokens: int, completion_tokens: int) -> Answer:
    usage = {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
    }
    body = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "scripted",
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": usage,
    }
    return Answer(200, json.dumps(body).encode())


def _events(body: bytes) -> bytes:
    """A whole completion as the events of a stream."""
    whole = json.loads(body)
    base = {**{k: whole[k] for k in ("id", "created", "model")}, "object": "chat.completion.chunk"}
    events: list[dict[str, Any]] = []

    def event(delta: dict[str, Any], finish: str | None = None) -> None:
        events.append({**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    for choice in whole["choices"]:
        message = choice["message"]
        event({"role": "assistant", "content": ""})
        content = message["content"] or ""
        for start in range(0, len(content), 40):
            event({"content": content[start : start + 40]})
        for call in message.get("tool_calls", ()):
            name, arguments = call["function"]["name"], call["function"]["arguments"]
            event({"tool_calls": [{**call, "index": 0, "function": {"name": name, "arguments": ""}}]})
            for start in range(0, len(arguments), 40):
                event({"tool_calls": [{"index": 0, "function": {"arguments": arguments[start : start + 40]}}]})
        event({}, choice["finish_reason"])
    if "usage" in whole:
        events.append({**base, "choices": [], "usage": whole["usage"]})
    return b"".join(b"data: " + json.dumps(one).encode() + b"\n\n" for one in events) + b"data: [DONE]\n\n"


def _as_anthropic(body: bytes) -> bytes:
    """A whole completion of text in the words of Anthropic's protocol; its usage is sent as it is scripted."""
    whole = json.loads(body)
    content = [{"type": "text", "text": whole["choices"][0]["message"]["content"]}]
    usage = {
        "input_tokens": whole["usage"].pop("prompt_tokens"),
        "output_tokens": whole["usage"].pop("completion_tokens"),
        **whole["usage"],
    }
    told = {"id": "msg_1", "type": "message", "role": "assistant", "model": whole["model"], "content": content}
    return json.dumps({**told, "stop_reason": "end_turn", "stop_sequence": None, "usage": usage}).encode()


def counting(answer: Answer, **usage: Any) -> Answer:
    """The answer with these entries in its usage."""
    whole = json.loads(answer.body)
    whole["usage"] |= usage
    return answer._replace(body=json.dumps(whole).encode())


def _as_answer(entry: str | Answer) -> Answer:
    return text(entry) if isinstance(entry, str) else entry


@dataclass
class ScriptedServer:
    """The server, in threads of this process; use it as a context manager."""

    script: Iterable[Entry] = ()
    repeat_last: bool = False
    requests: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._entries = list(self.script)
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def left(self) -> int:
        """Entries that were not asked for yet."""
        return len(self._entries)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def next_answer(self, request: Request) -> Answer:
        """Record the request and take the next entry."""
        with self._lock:
            self.requests.append(request)
            if not self._entries:
                return status(400, "the script is used up")
            keep = self.repeat_last and len(self._entries) == 1
            entry = self._entries[0] if keep else self._entries.pop(0)
        if not isinstance(entry, str | Answer):
            entry = entry(request.json)
        return _as_answer(entry)

    def wait(self, seconds: float) -> bool:
        """Sleep, but not beyond the end of the server; whether that came."""
        return self._stopping.wait(seconds)


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    owner: ScriptedServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is not worth a traceback on stderr."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it so
        """Silent."""

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", "0")))
        request = Request(self.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(raw))
        known = self.path in {"/v1/chat/completions", "/v1/messages"}
        answer = self.server.owner.next_answer(request) if known else status(404, f"no such path {self.path}")
        kind = "application/json"
        if request.json.get("stream") and answer.body.startswith(b'{"id": "') and answer.status == 200:
            answer, kind = answer._replace(body=_events(answer.body)), "text/event-stream"
        if self.path == "/v1/messages" and answer.status == 200:
            answer = answer._replace(body=_as_anthropic(answer.body))
        if answer.delay_s:
            self.server.owner.wait(answer.delay_s)
        if answer.cut != -1:
            self._send(answer, kind)
        if answer.cut is not None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)

    def _send(self, answer: Answer, kind: str) -> None:
        self.send_response(answer.status)
        for name, value in {"Content-Type": kind, **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Connection", "close")  # LiteLLM forgets clients without closing what they keep open
        if not answer.close:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body if answer.cut is None else answer.body[: answer.cut])
        self.wfile.flush()
        while answer.drip and not self.server.owner.wait(0.05):
            self.wfile.write(answer.drip)
            self.wfile.flush()
