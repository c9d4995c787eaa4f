"""Whatever a client sends: the documented status, one sentence, nothing of the inside, nothing left behind."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from orchestrator.registry.queue.token_store import TokenScope
from orchestrator.service.service_settings import MIB
from tests.service.conftest import CSV, SOURCE, Make, Service

_LEAKS = re.compile(r"Traceback|File \"|/tmp/|\.py:\d|sqlite|SELECT |pydantic|starlette|Exception", re.IGNORECASE)
JOB = "0" * 32
FUNCTION = {"function": ("f.py", SOURCE)}
DATA = {"data": ("a.csv", CSV)}


def check(service: Service, answer: Any, status: int) -> None:
    """The form of every refusal."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert set(problem) == {"type", "title", "status", "detail", "advice"}
    assert problem["status"] == status
    assert re.fullmatch(r"[^\n]+\.", problem["detail"])
    assert not _LEAKS.search(answer.text), answer.text
    jobs = service.settings.state / "jobs"
    assert [path for path in jobs.iterdir() if path.name != JOB] == []


@pytest.mark.parametrize(
    ("status", "method", "path", "options"),
    [
        (400, "GET", "/api/v1/jobs?token=x", {}),
        (400, "GET", "/api/v1/jobs?a=1&access_token=x", {}),
        (400, "GET", "/healthz?x=cleanroom_" + "a" * 43, {}),
        (400, "GET", "/cleanroom_" + "a" * 43, {}),
        (404, "GET", "/api/v1/nothing", {}),
        (404, "GET", "/api/v1/jobs/", {}),
        (404, "GET", f"/api/v1/jobs/{JOB}", {}),
        (404, "GET", "/static/../../../../etc/passwd", {}),
        (404, "GET", "/static/..%2f..%2fapp.py", {}),
        (404, "GET", "/static/app.py", {}),
        (404, "GET", "/api/v1/jobs/../../../etc/passwd", {}),
        (422, "GET", "/api/v1/jobs/%2e%2e", {}),
        (422, "GET", "/api/v1/jobs/" + "Z" * 32, {}),
        (422, "GET", "/api/v1/jobs/%00", {}),
        (404, "GET", f"/api/v1/jobs/{JOB}/files/..%2f..%2fregistry.db", {}),
        (405, "DELETE", "/api/v1/jobs", {}),
        (405, "PUT", "/api/v1/verifications", {}),
        (414, "GET", "/api/v1/jobs?x=" + "a" * 5000, {}),
        (421, "GET", "/healthz", {"headers": {"Host": "evil.example"}}),
        (421, "GET", "/healthz", {"headers": {"Host": "localhost.evil.example:80"}}),
        (421, "GET", "/healthz", {"headers": {"Host": ""}}),
        (422, "GET", "/api/v1/jobs?limit=0", {}),
        (422, "GET", "/api/v1/jobs?limit=<script>", {}),
        (422, "GET", "/api/v1/jobs?before=" + "9" * 40, {}),
        (422, "GET", "/api/v1/jobs?before=2147483648", {}),
        (404, "GET", f"/api/v1/jobs/{JOB}/events", {"headers": {"Last-Event-ID": "x"}}),
        (422, "POST", "/api/v1/verifications", {}),
        (415, "POST", "/api/v1/verifications", {"json": {"function": "x"}}),
        (415, "POST", "/api/v1/runs", {"data": {"instruction": "ISO dates"}}),
        (422, "POST", "/api/v1/verifications", {"content": b"\x00\xff" * 50}),
        (400, "POST", "/api/v1/verifications", {"content": b"x", "headers": {"Content-Type": "multipart/form-data"}}),
        (422, "POST", "/api/v1/verifications", {"files": FUNCTION}),
        (422, "POST", "/api/v1/verifications", {"files": FUNCTION | {"data": ("a.exe", CSV)}}),
        (422, "POST", "/api/v1/verifications", {"files": FUNCTION | {"data": ("../../a", CSV)}}),
        (422, "POST", "/api/v1/verifications", {"files": FUNCTION | DATA, "data": {"quick": "perhaps"}}),
        (422, "POST", "/api/v1/verifications", {"files": FUNCTION | DATA | {"example": ("e.csv", CSV)}}),
        (422, "POST", "/api/v1/verifications", {"files": [*FUNCTION.items(), *DATA.items(), *DATA.items()]}),
        (422, "POST", "/api/v1/runs", {"files": DATA, "data": {"instruction": ["ISO dates", "no dates"]}}),
        (422, "POST", "/api/v1/applies", {"files": DATA, "data": {"accept-drift": "true"}}),
        (422, "POST", "/api/v1/runs", {"files": DATA, "data": {"instruction": "x" * 5000}}),
        (413, "POST", "/login", {"data": {"token": "x" * 20_000}}),  # from anybody: see the gatekeeper
        (413, "POST", "/login", {"data": {"token": "x"}, "files": {"more": ("a", "x" * 20_000)}}),
        (413, "POST", "/api/v1/verifications", {"files": {"function": ("f.py", "#" * (MIB + 1))} | DATA}),
        (413, "POST", "/api/v1/verifications", {"files": FUNCTION | {"data": ("a.csv", "x" * (2 * MIB))}}),
        (413, "POST", "/api/v1/runs", {"files": {"data": ("a.csv", "x" * (5 * MIB))}}),
        (400, "POST", "/api/v1/runs", {"files": [("data", ("a.csv", CSV))] * 9}),
        (422, "POST", "/api/v1/verifications", {"files": FUNCTION | DATA, "headers": {"Idempotency-Key": "a b"}}),
        (403, "POST", "/api/v1/runs", {"files": DATA, "headers": {"Origin": "https://evil.example"}}),
    ],
)
def test_a_wrong_request_is_refused(make: Make, status: int, method: str, path: str, options: dict[str, Any]) -> None:
    """Each with its status; the queue stays empty and no file is kept."""
    service = make(max_upload=MIB)
    headers = service.headers() | options.pop("headers", {})
    check(service, service.client.request(method, path, headers=headers, **options), status)
    assert service.app.state.jobs.newest() == []


NO_FILE = {"data": "a,b\n1,2\n"}
LONG, LONGER = {"instruction": "x" * 4001}, {"instruction": "x" * 70_000}


@pytest.mark.parametrize(
    ("status", "said", "path", "options"),
    [
        (422, "instruction is longer than 4,000 characters", "runs", {"files": DATA, "data": LONG}),
        (413, "A field of the form is longer than 64 KiB", "runs", {"files": DATA, "data": LONGER}),
        (413, "The function is larger than 1 MiB (1,048,576 bytes)", "verifications",
         {"files": {"function": ("f.py", "#" * (MIB + 1))} | DATA}),
        (413, "The data is larger than 1 MiB", "applies", {"files": {"data": ("a.csv", "x" * (MIB + 1))}}),
        (431, "larger than 32 KiB", "runs", {"files": DATA, "headers": {"X-Long": "x" * 40_000}}),
        (422, "data is no file: its part has no filename", "runs",
         {"files": {"instruction": (None, "x")}, "data": NO_FILE}),
        (414, "longer than 4,096 characters", "runs?x=" + "a" * 5000, {"files": DATA}),
    ],
)  # fmt: skip
def test_what_is_too_long_is_told_the_limit(
    make: Make, status: int, said: str, path: str, options: dict[str, Any]
) -> None:
    """And of what: that something is wrong, or no valid HTTP, told nobody how much less to send."""
    service = make(max_upload=MIB)
    headers = service.headers() | options.pop("headers", {})
    answer = service.client.post(f"/api/v1/{path}", headers=headers, **options)
    check(service, answer, status)
    assert said in answer.json()["detail"]
    if "function" in said:
        assert "part" not in answer.json()["advice"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the parser leaves its file to the GC
def test_a_broken_multipart_body_is_refused(service: Service) -> None:
    """Cut off in the middle, without its boundary, with headers that are none."""
    headers = service.headers() | {"Content-Type": "multipart/form-data; boundary=b"}
    whole = b'--b\r\nContent-Disposition: form-data; name="data"; filename="a.csv"\r\n\r\nx\r\n--b--\r\n'
    for body in (
        b"",
        b"x",
        b"--b",
        whole[:40],
        whole[:-9],
        b"--b\r\n" + b"x" * 70_000 + b"\r\n\r\n--b--",
        b"--b\r\n\r\n--b--",
    ):
        answer = service.client.post("/api/v1/runs", content=body, headers=headers)
        assert answer.status_code in {400, 422}, (body[:60], answer.text)
        check(service, answer, answer.status_code)


@pytest.mark.parametrize(("content", "status"), [('[{"input": {}, "output": {}}]', 422), ("", 202)])
def test_examples_without_a_name_are_not_left_out(service: Service, content: str, status: int) -> None:
    """Refused, for nobody can tell their format; a form in which no file was chosen sends nothing under no name."""
    parts = (("function", "f.py", SOURCE), ("data", "a.csv", CSV), ("examples", "", content))
    lines = "".join(
        f'--b\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\n\r\n{text}\r\n'
        for name, file, text in parts
    )
    headers = service.headers() | {"Content-Type": "multipart/form-data; boundary=b"}
    answer = service.client.post("/api/v1/verifications", content=f"{lines}--b--\r\n", headers=headers)
    assert answer.status_code == status, answer.text


def test_what_breaks_inside_is_not_told(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the service's own is one sentence, and its text is nowhere."""

    def broken(*_: object) -> Any:
        raise ValueError("secret canary in /etc/passwd")

    monkeypatch.setattr(service.app.state.jobs, "newest", broken)
    answer = service.client.get("/api/v1/jobs", headers=service.headers())
    check(service, answer, 500)
    assert "canary" not in answer.text


def test_a_lost_database_is_not_ready(service: Service) -> None:
    """Every address that needs it says 503; the process itself is alive."""
    headers = service.headers()
    for file in Path(service.settings.registry).parent.glob("registry.db*"):
        file.rename(file.with_name(f"gone-{file.name}"))
    answer = service.client.get("/api/v1/jobs", headers=headers)
    check(service, answer, 503)
    assert service.client.get("/readyz").status_code == 503
    assert service.client.get("/healthz").status_code == 200


def test_a_body_that_takes_too_long_is_given_up(make: Make) -> None:
    """A client that sends a byte now and then does not hold a connection for ever."""
    service = make(body_s=0.2)
    secret = service.token(TokenScope.RUN)
    sent: list[Any] = []

    async def never() -> Any:
        await asyncio.sleep(30)

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [
        (b"host", b"localhost"), (b"authorization", f"Bearer {secret}".encode()),
        (b"content-type", b"multipart/form-data; boundary=b"), (b"content-length", b"100000"),
    ]  # fmt: skip
    scope = {
        "type": "http", "method": "POST", "path": "/api/v1/runs", "raw_path": b"/api/v1/runs", "query_string": b"",
        "headers": headers, "http_version": "1.1", "scheme": "http", "server": ("localhost", 80), "client": None,
        "root_path": "", "state": {}, "asgi": {"version": "3.0"},
    }  # fmt: skip
    assert service.client.portal is not None
    service.client.portal.call(service.app, scope, never, send)
    assert sent[0]["status"] == 408
