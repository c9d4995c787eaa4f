"""Jobs and tokens that somebody else wrote into a registry: of a run that is only shown, none is taken for ours.

And whoever wrote a job's row, the file that it names is one of that job.
"""

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest

from orchestrator.core.errors import UsageError
from orchestrator.registry.queue.service_job import JobState
from orchestrator.registry.queue.token_store import TokenScope, TokenStore
from orchestrator.registry.store import SqlRegistry
from orchestrator.service.uploads import JobFolders
from tests.service.conftest import EVERYTHING, SOURCE, Make, Service
from tests.service.test_service_description import check

RUN = Path(__file__).parents[1] / "golden" / "release-0.1.0" / "run"
QUEUED = "c" * 32


@pytest.fixture
def secret_file(tmp_path: Path) -> Path:
    """A file of the user's that is none of any job's."""
    path = tmp_path / "secret.csv"
    path.write_text("name,pin\nAnn,1234\n")
    return path


@pytest.fixture
def planted(tmp_path: Path, secret_file: Path) -> tuple[Path, str]:
    """The folder of a run from somebody who knows a token in it, and who has queued a job there."""
    run = Path(shutil.copytree(RUN, tmp_path / "run"))
    place = run / "registry" / "registry.db"
    place.unlink()
    SqlRegistry(f"sqlite:///{place}").close()
    with TokenStore(f"sqlite:///{place}") as store:
        token, secret = store.create("eve", tuple(TokenScope), 1)
    _row(place, QUEUED, token.id, {"data": str(secret_file), "quick": True, "promote": False}, None)
    return run, secret


def _row(place: Path, job: str, token: str, asked: dict[str, object], result: dict[str, object] | None) -> None:
    request = json.dumps({"folder": job, "named": "x.csv"} | asked)
    state = JobState.DONE if result else JobState.QUEUED
    with closing(sqlite3.connect(place)) as raw, raw:
        raw.execute(
            "INSERT INTO service_jobs (id, kind, token_id, state, request, request_sha256, result, created_at, "
            "attempts, fence) VALUES (?, 'verify', ?, ?, ?, '', ?, '2026-01-01T00:00:00+00:00', 0, 0)",
            (job, token, state, request, result and json.dumps(result)),
        )


def test_a_run_that_is_shown_brings_no_tokens_and_no_jobs(planted: tuple[Path, str], make: Make) -> None:
    """Its sender could read files of the person's, and have the person's key sign; that person's own code works."""
    run, secret = planted
    before = (run / "registry" / "registry.db").read_bytes()
    shown = make(registry=str(run), opened=run)
    headers = {"Authorization": f"Bearer {secret}"}
    for path in ("/api/v1/jobs", f"/api/v1/jobs/{QUEUED}", "/run", "/review"):
        assert shown.client.get(path, headers=headers).status_code == 401, path
    code = shown.app.state.sessions.one_time_code()
    done = shown.client.post("/login", data={"token": code}, headers={"Origin": "http://localhost"})
    assert (done.status_code, done.headers["location"]) == (303, "/run")
    assert "not written on this machine" in shown.client.get("/run").text
    assert shown.app.state.jobs.counts() == {}
    assert (run / "registry" / "registry.db").read_bytes() == before
    own = make(registry=str(run))
    assert own.client.get(f"/api/v1/jobs/{QUEUED}", headers=headers).status_code == 200, "the control: of one's own"


@pytest.mark.parametrize("name", ["{secret}", "../../../secret.csv", "run-1/../../x", ".", "", "a//b", "a\nb", 7, None])
def test_a_row_names_no_file_of_somebody_elses(service: Service, secret_file: Path, name: object) -> None:
    """Neither what a job was sent nor what it made is looked for elsewhere than in its folder."""
    name = str(secret_file) if name == "{secret}" else name
    job, place = "a" * 32, Path(service.settings.registry)
    service.token(*EVERYTHING)
    with TokenStore(f"sqlite:///{place}") as store:
        (token,) = store.tokens()
    _row(place, job, token.id, {}, {"files": [name, "cleaned.csv"]})
    _row(place, QUEUED, token.id, {"data": name, "quick": True, "promote": False}, None)
    folders = JobFolders(service.settings.state)
    (folders.of(job).made() / "cleaned.csv").write_text("a\n1\n")
    (folders.of(QUEUED).made().parent / "function.py").write_text(SOURCE)
    got = service.client.get(f"/api/v1/jobs/{job}/files/{quote(str(name))}", headers=service.headers())
    assert "1234" not in got.text
    assert got.status_code in (404, 405, 422)
    ours = service.client.get(f"/api/v1/jobs/{job}/files/cleaned.csv", headers=service.headers())
    assert ours.text == "a\n1\n", "the control: a file of the job"
    ended = service.wait(QUEUED)
    assert ended["state"] == "failed"
    assert ended["problem"]["message"] == "The job names a file that no job has."


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """A folder of the user's, with a file and a folder that look old."""
    folder = tmp_path / "theirs"
    (folder / "project").mkdir(parents=True)
    (folder / "letter.txt").write_text("mine")
    for path in (folder / "project", folder):
        os.utime(path, (0, 0))
    return folder


def test_a_state_folder_that_nobody_can_write_is_refused_at_the_start(tmp_path: Path) -> None:
    """In one sentence that names it: not at the first job, and not as a fault of the service."""
    (tmp_path / "file").write_text("")
    for state in (tmp_path / "file", Path("/proc/1/fdinfo"), Path("/proc/nothing")):
        with pytest.raises(UsageError, match="cannot be written: ") as refused:
            JobFolders(state)
        assert "--state" in str(refused.value.advice)


def test_a_state_folder_from_elsewhere_leads_to_no_other_files(tmp_path: Path, theirs: Path) -> None:
    """It lies beside the registry, and may have come with it: what is old there, or was sent, would be deleted."""
    state = tmp_path / "state"
    state.mkdir()
    (state / "jobs").symlink_to(theirs)
    with pytest.raises(UsageError, match="is a link"):
        JobFolders(state)
    (state / "jobs").unlink()
    folders = JobFolders(state)
    own, linked, made = folders.new(), folders.of("a" * 32), folders.new()
    linked.path.symlink_to(theirs)
    (made.path / "made").symlink_to(theirs)
    for ask in (linked.sent, made.has_made):
        with pytest.raises(UsageError, match="no job has"):
            ask("letter.txt")
    shutil.move(theirs / "project", state / "jobs" / "project")
    linked.forget_sent()
    folders.sweep(frozenset(), -1.0)
    assert (theirs / "letter.txt").read_text() == "mine"
    assert (state / "jobs" / "project").is_dir()
    assert not own.path.exists(), "the control: an old folder of ours goes"


def test_pages_of_a_strangers_run_leave_its_registry_as_it_is(make: Make, tmp_path: Path) -> None:
    """Its tables, of an older cleanroom, are brought to this version in memory."""
    run = shutil.copytree(RUN, tmp_path / "run")
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    shown = make(registry=str(run), opened=run)
    code = shown.app.state.sessions.one_time_code()
    shown.client.post("/login", data={"token": code}, headers={"Origin": "http://localhost"})
    assert shown.client.get("/review").status_code == 200
    assert shown.client.get("/functions").status_code == 409, "nobody has signed them"
    answer, described = shown.client.get("/api/v1/functions"), shown.client.get("/openapi.json").json()
    assert answer.status_code == 409
    check(described, "/api/v1/functions", "get", answer)
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before
