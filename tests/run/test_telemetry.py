"""What leaves as telemetry, as a collector gets it: the shape of a run, and no word of its data."""

import gzip
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from pydantic import TypeAdapter

from orchestrator.core.errors import OutputError, UsageError
from orchestrator.core.steps import AnyStep, ApplyStep, RunStep
from orchestrator.propose.named import PROPOSERS
from orchestrator.run.telemetry.allowed import ATTRIBUTES, allowed, of_step
from orchestrator.run.telemetry.json_log import JsonLog
from orchestrator.run.telemetry.lineage import ApplyLineage
from orchestrator.run.telemetry.otlp import wanted, watched
from tests.cli.test_help import promoted
from tests.run.report_steps import usual, with_roles

CANARY = "CANARYseventeen"
_WORDS = {
    "kind",
    "at",
    "outcome",
    "verdict",
    "status",
    "chunk_status",
    "shape",
    "role",
    "id",
    "run_id",
    "sha256",
    "data_format",
    "model",
}


def planted(value: Any, key: str = "") -> Any:
    """The same with the canary in every text and every name, but for the words of the program itself."""
    if isinstance(value, dict):
        plain = key in {"", "verdict", "candidate", "usage", "timings", "sandbox"}
        return {
            (name if plain or name.isidentifier() else CANARY + name): planted(one, name) for name, one in value.items()
        }
    if isinstance(value, list):
        return [planted(one, key) for one in value]
    return CANARY + value if isinstance(value, str) and key not in _WORDS else value


@pytest.fixture
def steps() -> list[AnyStep]:
    """Those of a usual run with several models, canaries everywhere."""
    adapter: TypeAdapter[AnyStep] = TypeAdapter(AnyStep)
    dumped = [step.model_dump(mode="json") for step in with_roles()]
    made = [adapter.validate_python(planted(one)) for one in dumped]
    assert sum(CANARY in one.model_dump_json() for one in made) > len(made) // 2
    return made


class Collector:
    """An OTLP collector in the test's own process."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                packed = self.headers.get("Content-Encoding") == "gzip"
                collector.bodies.append(gzip.decompress(body) if packed else body)
                self.send_response(200)
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def spans(self) -> list[Any]:
        found = []
        for body in self.bodies:
            request = ExportTraceServiceRequest.FromString(body)
            found += [s for r in request.resource_spans for scope in r.scope_spans for s in scope.spans]
        return found


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    made = Collector()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", made.url)
    monkeypatch.setenv("CLEANROOM_API_KEY", f"sk-{CANARY}")
    yield made
    made.server.shutdown()
    made.server.server_close()


def test_a_run_is_a_tree_of_spans_without_a_word_of_its_data(collector: Collector, steps: list[AnyStep]) -> None:
    """Run, chunks, candidates, containers, checks, model calls and apply hang together; no canary is in a byte."""
    with watched(None) as watcher:
        for step in steps:
            watcher.see(step)
    spans = collector.spans()
    names = {span.name for span in spans}
    assert names == {"run", "chunk", "candidate", "container", "check", "chat", "apply"}
    by_id = {span.span_id: span for span in spans}
    parents = {(span.name, by_id[span.parent_span_id].name) for span in spans if span.parent_span_id}
    assert {("chunk", "run"), ("candidate", "chunk"), ("container", "candidate"), ("check", "candidate")} <= parents
    assert [span.name for span in spans if not span.parent_span_id] == ["run"]
    assert len({span.trace_id for span in spans}) == 1
    assert all(span.start_time_unix_nano <= span.end_time_unix_nano for span in spans)
    assert {attribute.key for span in spans for attribute in span.attributes} <= ATTRIBUTES
    assert not any(CANARY.encode() in body for body in collector.bodies)
    assert not any(span.events or span.status.message for span in spans)


def test_a_question_to_a_model_has_the_attributes_of_the_convention(collector: Collector) -> None:
    """Operation, provider, model and tokens, under OpenTelemetry's names."""
    with watched("otlp") as watcher:
        for step in with_roles():
            watcher.see(step)
    asked = next(span for span in collector.spans() if span.name == "chat")
    found = {one.key: one.value for one in asked.attributes}
    assert found["gen_ai.operation.name"].string_value == "chat"
    assert found["gen_ai.request.model"].string_value
    assert found["gen_ai.usage.input_tokens"].int_value > 0
    assert asked.kind == 3  # of a client


def test_a_proposer_with_a_name_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name is one of this program's words; the name of a model is told apart from it."""
    monkeypatch.setitem(PROPOSERS, "rules", PROPOSERS["builtin"])
    (begun,) = (step for step in usual() if isinstance(step, RunStep))
    for proposer, said in (("rules", "rules"), ("openai/x", "model")):
        found = of_step(begun.model_copy(update={"proposer": proposer}))
        assert found["cleanroom.proposer"] == said


def test_a_run_that_was_broken_off_is_ended(collector: Collector) -> None:
    """Without its last steps nothing is left open, and nothing is lost."""
    with watched(None) as watcher:
        for step in usual()[:4]:
            watcher.see(step)
    assert {"run", "chunk"} <= {span.name for span in collector.spans()}


def test_nothing_is_sent_unless_somebody_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Off by default, and where it was said; on where it was said or the environment names a collector."""
    for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_SDK_DISABLED"):
        monkeypatch.delenv(name, raising=False)
    assert [wanted(None), wanted("off"), wanted("otlp")] == [False, False, True]
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    assert [wanted(None), wanted("off")] == [True, False]
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    assert wanted(None) is False


def test_what_is_not_installed_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for it is told; a variable alone starts nothing."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setattr("orchestrator.run.telemetry.otlp.find_spec", lambda name: None)
    assert wanted(None) is False
    with pytest.raises(UsageError, match="not installed"):
        wanted("otlp")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cleanroom.check", f"x {CANARY}"),
        ("cleanroom.status", CANARY),
        ("cleanroom.column", "n"),
        ("cleanroom.rows", "12"),
        ("gen_ai.request.model", "a model\nwith lines"),
    ],
)
def test_what_is_not_on_the_list_or_has_another_form_is_left_out(name: str, value: Any) -> None:
    """The list is of names and of forms; what fits stays, as the control shows."""
    assert allowed({name: value, "cleanroom.attempt": 1}) == {"cleanroom.attempt": 1}


def test_log_lines_are_json_with_the_run_and_without_data(steps: list[AnyStep]) -> None:
    """Each step is a line; every line after the first names the run; no canary is in one."""
    lines: list[str] = []
    log = JsonLog(lines.append)
    for step in steps:
        log.see(step)
    log.line("warning", "log", logger="x")
    read = [json.loads(line) for line in lines]
    assert len(read) == len(steps) + 1
    assert len({line["run_id"] for line in read}) == 1
    assert {"at", "level", "event"} <= set(read[0])
    assert CANARY not in "".join(lines)


def test_lineage_names_files_and_functions_and_nothing_else(tmp_path: Path) -> None:
    """START and COMPLETE of one run: input with its hash, output with its rows, functions by hash."""
    place = tmp_path / "lineage.jsonl"
    step = next(step for step in usual() if isinstance(step, ApplyStep))
    events = ApplyLineage(str(place), tmp_path / "a.csv", "ab" * 32, tmp_path / "b.csv", [promoted()])
    events.start()
    events.complete(step)
    start, end = map(json.loads, place.read_text().splitlines())
    assert [start["eventType"], end["eventType"]] == ["START", "COMPLETE"]
    assert start["run"]["runId"] == end["run"]["runId"]
    assert end["inputs"][0]["name"] == str(tmp_path / "a.csv")
    assert end["inputs"][0]["facets"]["version"]["datasetVersion"] == "ab" * 32
    assert end["outputs"][0]["outputFacets"]["outputStatistics"]["rowCount"] == step.rows_out
    assert end["run"]["facets"]["cleanroom_functions"]["sha256"] == [promoted().candidate.sha256]
    assert "city" not in place.read_text()


def test_a_link_in_place_of_the_lineage_is_not_followed(tmp_path: Path) -> None:
    """Whoever may write in a folder could have events added to a file of the user's elsewhere."""
    mine = tmp_path / "mine"
    mine.write_text("kept")
    (tmp_path / "lineage.jsonl").symlink_to(mine)
    events = ApplyLineage(str(tmp_path / "lineage.jsonl"), tmp_path / "a.csv", "", tmp_path / "b.csv", [])
    with pytest.raises(OutputError, match="it is a link"):
        events.start()
    assert mine.read_text() == "kept"


@pytest.mark.parametrize(
    "there", [b"SQLite format 3\0", b"id,city\n1,Oslo\n", b'{"type": "opening"}\n', b"[1]\n", b"{" * 9999]
)
def test_lineage_is_not_added_to_a_file_of_something_else(tmp_path: Path, there: bytes) -> None:
    """A registry that is named by mistake stays one. Control: an empty file, and one of somebody else's events."""
    place = tmp_path / "registry.db"
    events = ApplyLineage(str(place), tmp_path / "a.csv", "", tmp_path / "b.csv", [])
    place.write_bytes(there)
    with pytest.raises(OutputError, match=r"registry.db: it is a file of something else\.$"):
        events.start()
    assert place.read_bytes() == there
    for taken in (b"", b'{"producer": "x", "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json"}\n'):
        place.write_bytes(taken)
        events.start()
        events.fail()
        assert len(place.read_bytes().removeprefix(taken).splitlines()) == 2


def test_lineage_over_http_and_what_happens_without_a_receiver(collector: Collector, tmp_path: Path) -> None:
    """An event is posted as JSON; a receiver that is not there is an OutputError for the command to say."""
    ApplyLineage(collector.url, tmp_path / "a.csv", "", tmp_path / "b.csv", []).start()
    assert json.loads(collector.bodies[0])["eventType"] == "START"
    with pytest.raises(OutputError, match="cannot be sent: connection refused"):
        ApplyLineage("http://127.0.0.1:1/", tmp_path / "a.csv", "", tmp_path / "b.csv", []).start()


@pytest.mark.parametrize("url", ["http://localhost:abc/x", "http://localhost:1/a b", "http://[::1/"])
def test_a_url_that_cannot_be_one_ends_no_apply(url: str, tmp_path: Path) -> None:
    """It is told as a receiver that is not there; the address is not repeated, for it may hold a password."""
    with pytest.raises(OutputError, match=r"^The lineage cannot be sent: its address is no URL that can be used\.$"):
        ApplyLineage(url, tmp_path / "a.csv", "", tmp_path / "b.csv", []).start()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", "it was answered with 503"),
        (b"SSH-2.0-OpenSSH\r\n", "what answers there speaks no HTTP"),
    ],
)
def test_what_a_receiver_answers_is_said(answer: bytes, said: str, tmp_path: Path) -> None:
    """A status that is no success, and somebody who speaks something else."""
    with socket.create_server(("127.0.0.1", 0)) as place:

        def once() -> None:
            with place.accept()[0] as connection:
                connection.recv(2**16)
                connection.sendall(answer)

        answering = threading.Thread(target=once)
        answering.start()
        url = f"http://127.0.0.1:{place.getsockname()[1]}/"
        with pytest.raises(OutputError, match=said):
            ApplyLineage(url, tmp_path / "a.csv", "", tmp_path / "b.csv", []).start()
        answering.join()
