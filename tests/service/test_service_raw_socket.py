"""What comes over the socket as it is, past every client library: the documented answer, or none; never a trace."""

import json
import logging
import re
import resource
import select
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from orchestrator import http_connections
from orchestrator.registry.queue.service_job import JobKind, NewJob
from orchestrator.service import authorization, gatekeeper
from orchestrator.service.service_settings import MIB
from tests.service.conftest import CSV, SOURCE, LiveService, all_of, listening, until

_LEAKS = re.compile(
    rb"Traceback|File \"|/tmp/|\.py:\d|sqlite|SELECT |pydantic|starlette|uvicorn|h11|Exception", re.IGNORECASE
)
_HOST = b"Host: localhost\r\n"
_LARGE = 64 * MIB


def _chunk(data: bytes) -> bytes:
    return b"%X\r\n%b\r\n" % (len(data), data)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveService]:
    with listening(tmp_path_factory.mktemp("live"), max_upload=MIB) as service:
        yield service


@pytest.fixture(scope="module")
def secret(live: LiveService) -> str:
    return live.token()


def answer_to(live: LiveService, sent: bytes) -> tuple[int, bytes]:
    """Status and body of the answer; a refusal has the one form that all have."""
    with live.connect() as connection:
        connection.sendall(sent)
        return read_answer(connection)


def read_answer(connection: socket.socket) -> tuple[int, bytes]:
    with connection.makefile("rb") as answer:
        status = int(answer.readline().split(b" ")[1])
        lines = iter(answer.readline, b"\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)}
        body = answer.read(int(headers[b"content-length"]))
    if status >= 400:
        check(status, headers, body)
    return status, body


def check(status: int, headers: dict[bytes, bytes], body: bytes) -> None:
    """The one form of all refusals, with nothing of the inside in it."""
    assert headers[b"content-type"] == b"application/problem+json"
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert not _LEAKS.search(body), body
    problem = json.loads(body)
    assert set(problem) == {"type", "title", "status", "detail", "advice"}
    assert problem["status"] == status
    assert re.fullmatch(r"[^\n]+\.", problem["detail"])


def request(line: bytes, *headers: bytes, body: bytes = b"", secret: str = "") -> bytes:
    sent = [line, b"Host: localhost", *headers, *([b"Authorization: Bearer " + secret.encode()] if secret else [])]
    return b"\r\n".join([*sent, b"", b""]) + body


_POST = b"POST /api/v1/runs HTTP/1.1"
_PART = b'--b\r\nContent-Disposition: form-data; name="data"; filename="a.csv"\r\n\r\n'
_FORM = b"Content-Type: multipart/form-data; boundary=b"


@pytest.mark.parametrize(
    ("status", "sent"),
    [
        (400, b"\x00\x01\x02\xff" * 50 + b"\r\n\r\n"),
        (400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\r\n\r\n"),  # TLS
        (421, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        (400, b"GET /healthz\r\n\r\n"),
        (400, b"GET  /healthz HTTP/1.1\r\n" + _HOST + b"\r\n"),
        (400, b"GET /health\x00z HTTP/1.1\r\n" + _HOST + b"\r\n"),
        (400, "GET /héalthz HTTP/1.1\r\n".encode() + _HOST + b"\r\n"),
        (400, b"GET /healthz HTTP/1.1\r\n\r\n"),
        (400, b"GET /healthz HTTP/1.1\r\n" + _HOST * 2 + b"\r\n"),
        (400, b"GET /healthz HTTP/1.1\r\n" + _HOST + b"X : y\r\n\r\n"),
        (400, b"GET /healthz HTTP/1.1\r\n" + _HOST + b"X: y\x00\r\n\r\n"),
        (431, b"GET /healthz HTTP/1.1\r\n" + _HOST + b"X: " + b"y" * 70_000 + b"\r\n\r\n"),
        (431, b"GET /healthz HTTP/1.1\r\n" + _HOST + b"X: y\r\n" * 20_000 + b"\r\n"),
        (431, b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n" + _HOST + b"\r\n"),
        (400, request(_POST, b"Content-Length: -1")),
        (400, request(_POST, b"Content-Length: 1, 2")),
        (400, request(_POST, b"Content-Length: " + b"9" * 40)),
        (400, request(_POST, b"Content-Length: 5", b"Content-Length: 6")),
        (400, request(_POST, b"Transfer-Encoding: gzip")),
        (400, request(_POST, b"Transfer-Encoding: chunked, chunked")),
        (404, b"GET http://localhost/healthz HTTP/1.1\r\n" + _HOST + b"\r\n"),
        (404, b"OPTIONS * HTTP/1.1\r\n" + _HOST + b"\r\n"),
        (404, b"GET //healthz HTTP/1.1\r\n" + _HOST + b"\r\n"),
        (404, b"GET /static/..%5c..%5capp.py HTTP/1.1\r\n" + _HOST + b"\r\n"),
        (404, b"GET /static/%2e%2e/%2e%2e/app.py HTTP/1.1\r\n" + _HOST + b"\r\n"),
        (404, b"GET /static/%ff%fe HTTP/1.1\r\n" + _HOST + b"\r\n"),
        (405, b"TRACE /healthz HTTP/1.1\r\n" + _HOST + b"\r\n"),
        (405, b"A" * 300 + b" /healthz HTTP/1.1\r\n" + _HOST + b"\r\n"),
        (421, b"GET /healthz HTTP/1.0\r\n\r\n"),
        (421, b"GET /healthz HTTP/1.1\r\nHost: localhost@evil.example\r\n" + b"\r\n"),
    ],
)  # fmt: skip
def test_what_is_hardly_http_is_refused(live: LiveService, status: int, sent: bytes) -> None:
    """Every such request has an answer of the documented form."""
    assert answer_to(live, sent)[0] == status


def test_what_anybody_sends_is_not_in_the_log(live: LiveService, caplog: pytest.LogCaptureFixture) -> None:
    """No HTTP, no form, the wish for another protocol: with --log-json these lines were no JSON, too."""
    asked = b"GET /healthz HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + _HOST
    log = logging.getLogger("uvicorn.error")
    log.addHandler(caplog.handler)
    try:
        assert answer_to(live, asked + b"\r\n")[0] == 200
        assert answer_to(live, b"GET /\x00 HTTP/1.1\r\n" + _HOST + b"\r\n")[0] == 400
        form = request(_POST, _FORM, b"Content-Length: 2", body=b"xx", secret=live.token(name="noisy"))
        assert answer_to(live, form)[0] == 400
    finally:
        log.removeHandler(caplog.handler)
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("status", "headers", "body"),
    [
        (422, [_FORM, b"Content-Length: 0"], b""),
        (400, [b"Content-Type: multipart/form-data; boundary=" + b"b" * 5000, b"Content-Length: 1"], b"x"),
        (400, [b"Content-Type: multipart/form-data; boundary=\xff\xfe", b"Content-Length: 1"], b"x"),
        (413, [_FORM, b"Content-Length: 5000000"], _PART + b"x" * 5_000_000),
        (413, [_FORM, b"Transfer-Encoding: chunked"], _chunk(_PART) + _chunk(b"x" * MIB) * 5),
        (400, [_FORM, b"Transfer-Encoding: chunked"], b"zz\r\nx\r\n0\r\n\r\n"),
        (415, [b"Content-Type: application/json", b"Content-Length: 2"], b"{}"),
        (415, [b"Content-Type: \xff\xfe", b"Content-Length: 2"], b"{}"),
        (422, [b"Content-Encoding: gzip", b"Content-Length: 2"], b"{}"),
    ],
)  # fmt: skip
def test_bodies_of_every_kind_are_refused(
    live: LiveService, secret: str, status: int, headers: list[bytes], body: bytes
) -> None:
    """With a token that may: of what was sent nothing is kept."""
    before = folders(live)
    assert answer_to(live, request(_POST, *headers, body=body, secret=secret))[0] == status
    assert folders(live) == before


@pytest.mark.parametrize("charset", ["punycode", "idna", "undefined", "unicode_escape", "utf-7", "rot13", "none such"])
def test_a_forms_charset_does_no_harm(live: LiveService, secret: str, charset: str) -> None:
    """A form is UTF-8; another name for it is refused before anything is decoded with that."""
    body = b'--b\r\nContent-Disposition: form-data; name="data"; filename="\xff\\x2e.csv"\r\n\r\nx\r\n--b--\r\n'
    sent = [_FORM + f'; charset="{charset}"'.encode(), b"Content-Length: %d" % len(body)]
    assert answer_to(live, request(_POST, *sent, body=body, secret=secret))[0] == 415


def test_an_early_refusal_ends_a_body_that_never_ends(live: LiveService, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client without a token that goes on sending is told so at once, and hung up on soon."""
    monkeypatch.setattr(http_connections, "_HEAD_S", 2.0)
    with live.connect() as connection:
        connection.sendall(request(_POST, _FORM, b"Content-Length: 1000000000"))
        assert read_answer(connection)[0] == 401
        until(lambda: not goes_on(connection))


def test_a_head_that_never_ends_is_given_up(live: LiveService, monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte after byte, header after header, or nothing at all."""
    monkeypatch.setattr(http_connections, "_HEAD_S", 0.3)
    for begun in (b"", b"G", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-a: b\r\n"):
        with live.connect() as connection:
            connection.sendall(begun)
            assert all_of(connection) == b""


def test_a_form_that_never_ends_is_given_up_soon_without_a_token(
    live: LiveService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The form of the login is open to anybody, who held a connection with it for as long as an upload may take."""
    monkeypatch.setattr(gatekeeper, "_UNKNOWN_S", 0.3)
    form = b"Content-Type: application/x-www-form-urlencoded"
    with live.connect() as connection:
        connection.sendall(request(b"POST /login HTTP/1.1", form, b"Content-Length: 1000", body=b"token="))
        assert read_answer(connection)[0] == 408
    with live.connect() as connection:  # whoever may upload has their time
        connection.sendall(
            request(_POST, _FORM, b"Content-Length: 1000", body=_PART, secret=live.token(name="patient"))
        )
        connection.settimeout(1.0)
        with pytest.raises(TimeoutError):
            connection.recv(1)


def test_uploads_that_are_arriving_count_for_a_tokens_share(tmp_path: Path) -> None:
    """All that one token sends at once lies on the disk before any of it is a job; others are not held up by it."""
    with listening(tmp_path, max_upload=MIB, max_function=0, max_stored=2 * MIB) as live, ExitStack() as held:
        sender, other = live.token(name="sender"), live.token(name="other")
        whole = _PART + b"x" * 900_000

        def begin(secret: str) -> socket.socket:
            connection = held.enter_context(live.connect())
            connection.sendall(request(_POST, _FORM, b"Content-Length: 1000000", body=whole, secret=secret))
            return connection

        def answered(*connections: socket.socket) -> list[socket.socket]:
            return select.select(connections, (), (), 0)[0]

        others, *own = begin(other), begin(sender), begin(sender), begin(sender)
        until(lambda: answered(*own))
        [refused] = answered(*own)
        assert read_answer(refused)[0] == 429
        assert answered(others) == []
        for connection in own:
            connection.close()
        until(lambda: live.connections == 1)
        whole += b"\r\n--b--\r\n"
        sent = request(_POST, _FORM, b"Content-Length: %d" % len(whole), body=whole, secret=sender)
        assert answer_to(live, sent)[0] == 202


def test_whoever_takes_no_answer_is_hung_up_on(live: LiveService, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that asks for a large file and does not read it holds neither the connection nor the file for long."""
    monkeypatch.setattr(http_connections, "_TAKE_S", 2.0)
    secret = live.token(name="slow")
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", live.port))
        connection.sendall(request(b"GET %s HTTP/1.1" % large_file(live, secret).encode(), secret=secret))
        assert connection.recv(12) == b"HTTP/1.1 200"
        until(lambda: not live.connections)
        assert len(all_of(connection)) < _LARGE
    until(lambda: not any(file.name == "large.csv" for file in open_files()))


def test_one_key_at_once_is_one_job(live: LiveService) -> None:
    """Eight connections ask for the same with one key at the same moment: all hear of one job, which has one folder."""
    secret = live.token(name="crowd")
    body = b"".join(
        b'--b\r\nContent-Disposition: form-data; name="%s"; filename="%s"\r\n\r\n%s\r\n'
        % (field, name, content.encode())
        for field, name, content in ((b"function", b"f.py", SOURCE), (b"data", b"a.csv", CSV))
    )
    body += b"--b--\r\n"
    headers = (_FORM, b"Content-Length: %d" % len(body), b"Idempotency-Key: k")
    asked = request(b"POST /api/v1/verifications HTTP/1.1", *headers, body=body, secret=secret)
    before = folders(live)
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: answer_to(live, asked), range(8)))
    assert {status for status, _ in answers} == {202}
    assert len({json.loads(body)["id"] for _, body in answers}) == 1
    assert len(folders(live) - before) == 1


def test_too_many_connections_are_refused(live: LiveService, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one too many hears why; those before it go on."""
    monkeypatch.setattr(http_connections, "_CONNECTIONS", 1)
    until(lambda: not live.connections)
    with live.connect() as first:
        until(lambda: live.connections)
        with live.connect() as second:
            assert read_answer(second)[0] == 503
        first.sendall(b"GET /healthz HTTP/1.1\r\n" + _HOST + b"\r\n")
        assert read_answer(first)[0] == 200


def test_followers_of_one_token_leave_room_for_others(live: LiveService, monkeypatch: pytest.MonkeyPatch) -> None:
    """One token held all connections of the service; what it may have it has again when it lets go of some."""
    monkeypatch.setattr(authorization, "_MOST_AT_ONCE", 3)
    first, other = live.token(name="first"), live.token(name="other")
    job = httpx.post(
        f"{live.address}/api/v1/applies", files={"data": ("a.csv", CSV)}, headers={"Authorization": f"Bearer {first}"}
    ).json()["id"]

    def status(secret: str) -> int:
        return httpx.get(f"{live.address}/api/v1/jobs", headers={"Authorization": f"Bearer {secret}"}).status_code

    with ExitStack() as held:
        for _ in range(3):
            connection = held.enter_context(live.connect())
            head = f"GET /api/v1/jobs/{job}/events HTTP/1.1\r\nAuthorization: Bearer {first}\r\n"
            connection.sendall(head.encode() + _HOST + b"\r\n")
            assert connection.recv(12) == b"HTTP/1.1 200"
        assert (status(first), status(other)) == (429, 200)
    until(lambda: status(first) == 200)


@contextmanager
def open_files_limited(most: int) -> Iterator[None]:
    """This process may open no more, until the end of the block."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_connections_leave_files_for_the_service_itself(live: LiveService, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a process may open few files, idle connections used up all of them; now the one too many hears why."""
    until(lambda: not live.connections)
    most = len(list(open_files())) + 300
    with open_files_limited(most), ExitStack() as held:
        allowed = (most - 200) // 2
        idle = [held.enter_context(live.connect()) for _ in range(allowed)]
        until(lambda: live.connections == allowed)
        with live.connect() as another:
            assert read_answer(another)[0] == 503
            monkeypatch.setattr(http_connections, "_TOLD_WHY", 1)
            with live.connect() as yet_another:  # those that are told why take files as well, for a while
                assert all_of(yet_another) == b""
        idle[0].sendall(b"GET /healthz HTTP/1.1\r\n" + _HOST + b"\r\n")
        assert read_answer(idle[0])[0] == 200


def test_the_service_makes_room_for_its_connections() -> None:
    """As far as the system lets it: 1,024 open files are usual, and more than enough can be had for the asking."""
    with open_files_limited(512):
        http_connections.make_room()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert soft == (4200 if hard == resource.RLIM_INFINITY else min(4200, hard))


def large_file(live: LiveService, secret: str) -> str:
    """The address of a large file that a job of the token has made."""
    token = live.app.state.tokens.find(secret)
    folder = live.app.state.folders.new()
    with (folder.made() / "large.csv").open("wb") as file:
        file.truncate(_LARGE)
    jobs = live.app.state.jobs
    asked, _ = jobs.add(NewJob(JobKind.APPLY, token.id, {"folder": folder.name}, ""))
    jobs.finish(jobs.claim("test"), {"files": ["large.csv"]})
    return f"/api/v1/jobs/{asked.id}/files/large.csv"


def folders(live: LiveService) -> set[Path]:
    """Of all jobs, and of uploads that came to nothing."""
    return set((live.settings.state / "jobs").iterdir())


def goes_on(connection: socket.socket) -> bool:
    """Whether the other side still takes what is sent."""
    try:
        connection.sendall(b"x" * 1000)
    except OSError:
        return False
    return True


def open_files() -> Iterator[Path]:
    """Those of this process, in which the service runs."""
    for link in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            yield link.readlink()
