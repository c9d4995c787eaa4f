"""How data is read, said in fields; and problems in words of a client: fields, and the name of the uploaded file."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from orchestrator import bootstrap
from orchestrator.core.policy import Policy
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile import decode_entry
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.registry.queue.service_job import JobKind, JobState, ServiceJob
from orchestrator.registry.store import SqlRegistry
from orchestrator.run.services import Services
from orchestrator.sandbox.containers.local import LocalSandbox
from orchestrator.service.field_wording import in_fields, naming_the_upload
from orchestrator.service.job_execution import JobExecutor
from orchestrator.service.uploads import JobFolder
from tests.registry.conftest import make_candidate, make_evidence
from tests.service.conftest import CSV, SOURCE, Service
from tests.service.test_service_pages import HTML, ORIGIN, log_in
from tests.support.hostile_strings import HOSTILE

LATIN = "id,city\n1,Köln\n2, Bonn\n".encode("cp1252")
DATA = {"data": ("a.csv", CSV)}


def apply(service: Service, name: str, content: bytes | str, **fields: str) -> dict[str, Any]:
    """The job, when it is over."""
    asked = service.client.post(
        "/api/v1/applies", files={"data": (name, content)}, data=fields, headers=service.headers()
    )
    assert asked.status_code == 202, asked.text
    return service.wait(asked.json()["id"])


@pytest.mark.parametrize(
    ("name", "content", "said", "fields"),
    [
        ("Kunden 2024.csv", LATIN, "`encoding=cp1252`", {"encoding": "cp1252"}),
        ("list.xlsx", CSV, "`format=csv`", {"format": "csv"}),
        ("a.json", CSV, "`format=csv`", {"format": "csv"}),
        ("a.csv", "a^b\n1^2\n3,4^5\n", "`delimiter=^`", {"delimiter": "^"}),
        ("a.json", '{"a": [{"x": 1}], "b": [{"x": 2}]}', "`array=", {"array": "b"}),
    ],
)
def test_what_is_advised_can_be_sent(
    service: Service, name: str, content: bytes | str, said: str, fields: dict[str, str]
) -> None:
    """The problem names the file as its client does, and the advice a field of the service, with which it works."""
    failed = apply(service, name, content)
    assert failed["state"] == "failed", failed["result"]
    assert name in failed["problem"]["message"]
    assert said in failed["problem"]["advice"]
    assert "--" not in failed["problem"]["advice"]
    assert "sent-data" not in json.dumps(failed)
    done = apply(service, name, content, **fields)
    assert (done["state"], done["problem"]) == ("done", None)
    [file] = done["result"]["files"]
    made = service.client.get(f"/api/v1/jobs/{done['id']}/files/{file}", headers=service.headers()).content
    if name.endswith((".csv", ".xlsx")):
        assert made.decode(fields.get("encoding", "utf-8")) == (
            content if isinstance(content, str) else content.decode("cp1252")
        )


@pytest.mark.parametrize("kind", ["verifications", "runs"])
def test_other_jobs_read_as_they_are_told_as_well(service: Service, kind: str) -> None:
    """Without the field the data of a verification or a run in another encoding is its problem, too."""
    files = {"data": ("a.csv", LATIN)} | ({"function": ("f.py", SOURCE)} if kind == "verifications" else {})
    address, headers = f"/api/v1/{kind}", service.headers()
    jobs = [
        service.wait(service.client.post(address, files=files, data=fields, headers=headers).json()["id"])
        for fields in ({}, {"encoding": "cp1252"})
    ]
    assert "not UTF-8" in jobs[0]["problem"]["message"]
    assert "not UTF-8" not in str(jobs[1]["problem"])


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"encoding": "klingon"}, "'klingon' is not a known encoding."),
        ({"encoding": "base64"}, "'base64' is not a known encoding."),
        ({"encoding": "a\nb"}, "encoding is wrong"),
        ({"encoding": "x" * 41}, "encoding is longer than 40 characters"),
        ({"format": "exe"}, "no such format is read"),
        ({"delimiter": "ab"}, "is no delimiter"),
        ({"columns": "city"}, "'city' is not known=own"),
        ({"columns": "city=town\r\ncity=place"}, "maps a name twice"),
        ({"sheet": "one"}, "sheet means nothing for CSV"),
        ({"array": "a"}, "array means nothing for CSV"),
        ({"encoding": "cp1252", "format": "parquet"}, "encoding means nothing for Parquet"),
    ],
)
def test_what_nobody_knows_is_refused_at_once(service: Service, fields: dict[str, str], said: str) -> None:
    """With 422 and a sentence that names the field; no job is made."""
    refused = service.client.post("/api/v1/applies", files=DATA, data=fields, headers=service.headers())
    assert refused.status_code == 422
    assert said in refused.json()["detail"]
    assert service.app.state.jobs.newest() == []


@pytest.mark.parametrize(("kind", "field"), [("runs", "columns"), ("verifications", "columns"), ("runs", "parser")])
def test_a_field_that_a_job_has_not_is_refused(service: Service, kind: str, field: str) -> None:
    """A map of columns is for functions that are in use: a run has none, and would leave it out in silence."""
    files = DATA | ({"function": ("f.py", SOURCE)} if kind == "verifications" else {})
    address = f"/api/v1/{kind}"
    refused = service.client.post(address, files=files, data={field: "city=n"}, headers=service.headers())
    assert (refused.status_code, f"{field} is no field" in refused.json()["detail"]) == (422, True)


@pytest.mark.parametrize("kind", ["runs", "verifications", "applies"])
def test_a_form_of_the_page_has_no_other_field_either(service: Service, kind: str) -> None:
    """A token may post there, too: examples under a misspelt name would be left out in silence."""
    files = DATA | ({"function": ("f.py", SOURCE)} if kind == "verifications" else {})
    refused = service.client.post(f"/{kind}", files=files, data={"example": "x"}, headers=service.headers())
    assert (refused.status_code, "example is no field" in refused.text) == (422, True)
    assert service.app.state.jobs.newest() == []


def test_a_form_of_the_page_says_how_data_is_read(service: Service) -> None:
    """Its fields are those of the API; what was left empty says nothing."""
    log_in(service)
    page = service.client.get("/new", headers=HTML).text
    for name in ("encoding", "delimiter", "format", "sheet", "array"):
        assert page.count(f'name="{name}"') == 3, name
    assert page.count('name="columns"') == 1
    empty = dict.fromkeys(("delimiter", "format", "sheet", "array", "columns"), "")
    form: dict[str, Any] = {"files": {"data": ("a.csv", LATIN)}, "headers": ORIGIN | HTML}
    for fields, state in ((empty, "failed"), (empty | {"encoding": "cp1252"}, "done")):
        asked = service.client.post("/applies", data=fields, **form)
        assert asked.status_code == 303
        assert service.wait(asked.headers["location"].rsplit("/", 1)[-1])["state"] == state
    wrong = service.client.post("/applies", data=empty | {"encoding": "klingon"}, **form)
    assert (wrong.status_code, "is not a known encoding" in wrong.text) == (422, True)


def test_a_renamed_column_is_named_in_a_field(service: Service) -> None:
    """The advice on a column that is missing can be sent as it stands."""
    with service.app.state.open_registry() as registry:
        registry.promote(made := make_candidate(), make_evidence(made))
    problem = apply(service, "a.csv", "id,City \n1,x\n")["problem"]
    assert problem["message"].startswith("a.csv has no column 'city'")
    assert "the line `city=City` in the field `columns`" in problem["advice"]


def perform(folder: JobFolder, registry: str, kind: JobKind, text: str, **asked: Any) -> dict[str, Any]:
    """The result of the job, with functions run in a process of this machine."""
    folder.path.mkdir()
    (folder.path / "sent-data.csv").write_text(text)
    request = {"data": "sent-data.csv", "named": "My list.csv"} | asked
    job = ServiceJob(1, "j", kind, "t", JobState.RUNNING, request, "", None, 1, 1)
    with LocalSandbox() as sandbox, DisposableProcess(decode_entry.ENTRY) as decoder:
        services = Services(sandbox, ScriptedGate, decoder, Policy(), "", bootstrap.open_registry)
        return JobExecutor(services, registry).perform(job, folder, lambda kind, data: None)


def test_a_column_with_another_name_is_cleaned(tmp_path: Path) -> None:
    """By functions that know it under theirs; what is written has the names of the data."""
    registry = f"sqlite:///{tmp_path / 'registry.db'}"
    with SqlRegistry(registry) as store:
        store.promote(made := make_candidate(), make_evidence(made))
    folder, text = JobFolder(tmp_path / ("0" * 32)), "id,town\n1, Bonn\n2,Kiel\n"
    result = perform(folder, registry, JobKind.APPLY, text, accept_drift=False, columns={"city": "town"})
    assert (folder.path / "made" / "cleaned.csv").read_text() == "id,town\n1,Bonn\n2,Kiel\n"
    assert result["apply"]["renamed"] == {"city": "town"}


def test_a_report_says_nothing_of_the_service(tmp_path: Path) -> None:
    """The data has the name of the upload there, and no command names a folder of the machine that did the run."""
    folder, text = JobFolder(tmp_path / ("0" * 32)), "id,city\n" + "".join(f"{row}, Rome \n" for row in range(40))
    result = perform(folder, "", JobKind.RUN, text, instruction="")
    assert result["run"]["promoted"]
    report = (folder.path / "made" / "run-1" / "report.html").read_text()
    assert "cleanroom report: My list.csv" in report
    assert str(tmp_path) not in report
    assert "sent-data" not in report


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_name_is_shown_and_does_nothing(service: Service, hostile: str) -> None:
    """It is one visible line in the problem, never a path, and text on the page."""
    name = f"../{hostile}.csv".replace("\0", "").encode("utf-8", "replace").decode()
    parts = f'Content-Disposition: form-data; name="data"; filename="{name.replace(chr(34), "%22")}"'
    body = f"--b\r\n{' '.join(parts.splitlines())}\r\n\r\n\r\n--b--\r\n".encode()
    headers = service.headers() | {"Content-Type": "multipart/form-data; boundary=b"}
    asked = service.client.post("/api/v1/applies", content=body, headers=headers)
    assert asked.status_code in {202, 422}, asked.text
    if asked.status_code == 422:  # its name says no format any more
        return
    job = service.wait(asked.json()["id"])
    message = job["problem"]["message"]
    assert message.isprintable()
    assert "sent-data" not in message
    assert "/" not in message.split(" is empty")[0]
    log_in(service)
    page = service.client.get(f"/jobs/{job['id']}", headers=HTML).text
    assert "<script>alert" not in page
    assert "<img" not in page


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("Say --encoding NAME if that is how", "Say `encoding` if that is how"),
        ("Look: --drift accept applies it.", "Look: `accept_drift=true` applies it."),
        ("A: --map a=b --map 'c d=e'.", "A: the lines `a=b` and `c d=e` in the field `columns`."),
        ("Name them with --map known=own. Or", "Name them with the line `known=own` in the field `columns`. Or"),
        ("Right it. Or keep such rows apart with --quarantine.", "Right it."),
        (
            "Keep such rows apart with --quarantine FILE, or revoke the function.",
            "Leave such rows out, or revoke the function.",
        ),
        ("Declare it (`dates` of --conventions).", "Declare it (`dates` of `cleanroom run --conventions`)."),
        (
            "if it is right, raise CLEANROOM_MAX_UNPACKED_RATIO.",
            "if it is right, ask the operator of the service to raise CLEANROOM_MAX_UNPACKED_RATIO.",
        ),
        (
            "Raise it with CLEANROOM_MAX_UNPACKED_BYTES.",
            "Ask the operator of the service to raise it with CLEANROOM_MAX_UNPACKED_BYTES.",
        ),
        ("--parser fixed-width reads it.", "`cleanroom run --parser fixed-width` reads it."),
        ("Run `cleanroom check --data FILE`.", "Run `cleanroom check --data FILE`."),
    ],
)
def test_options_become_fields(said: str, wanted: str) -> None:
    """What the service has no field for is a command's, or its operator's."""
    assert in_fields(said) == wanted


def test_options_in_advice_have_fields() -> None:
    """Of what the jobs of the service may advise, each option has its field, or is that of a command which is named.

    Those that are listed here belong to what no job asks for: a shared registry, a quarantine, --strict, privacy.
    """
    folder = Path(__file__).parents[2] / "orchestrator"
    paths = [path for name in ("data", "run/apply", "run/loop") for path in (folder / name).rglob("*.py")]
    advice = [text for path in paths for text in re.findall(r'"([^"\n]*--[a-z][^"\n]*)"', path.read_text())]
    assert len(advice) > 25
    commands = ("--map ", "cleanroom ")  # said as they are
    said = [re.sub(r"`[^`]*`", "", in_fields(text)) for text in advice if not text.startswith(commands)]
    left = {option for text in said for option in re.findall(r"(?<![\w-])--([a-z-]+)", text)}
    assert left <= {"strict", "quarantine", "map", "registry", "on-hold", "shape"}


def test_where_the_registry_is_is_not_told() -> None:
    """The client sends forms; the operator knows the path."""
    told = in_fields(
        "Rename it, or `cleanroom registry suspend trim --registry '/srv/my reg' --reason 'gone'` ends it."
    )
    assert told == "Rename it, or `cleanroom registry suspend trim --reason 'gone'` ends it."


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("/s/jobs/f/sent-data.csv, row 3: x", "my list.csv, row 3: x"),
        ("sent-data.csv has no column", "my list.csv has no column"),
        ("row 3: other/sent-data.csv", "row 3: other/sent-data.csv"),
        ("/s/jobs/f/sent-examples.jsonl, line 2: x", "the examples, line 2: x"),
        ("/s/jobs/f is full", "the request is full"),
    ],
)
def test_the_upload_has_its_own_name(text: str, wanted: str) -> None:
    """Wherever the file is named by path or by name; the folder of the service is nobody's business."""
    request = {"data": "sent-data.csv", "named": "my list.csv", "examples": "sent-examples.jsonl"}
    assert naming_the_upload(text, Path("/s/jobs/f"), request) == wanted
