"""Verifications over HTTP: from request to verdict, once for each key, within limits, told as they go on."""

import gzip
import time
from pathlib import Path
from typing import Any

import pytest

from orchestrator.bootstrap import open_registry
from orchestrator.core.promoted import Evidence
from orchestrator.core.verdict import Outcome
from orchestrator.registry.queue.service_job import QueueLimits
from orchestrator.registry.queue.token_store import TokenScope
from orchestrator.service.uploads import cleaned_name
from tests.service.conftest import CSV, SOURCE, Make, Service, events_in


def test_a_function_is_judged(service: Service) -> None:
    """The answer names the job; its result is the verdict, as the command prints it; what was sent is deleted."""
    asked = service.verify()
    assert asked.status_code == 202
    job = service.wait(asked.json()["id"])
    assert asked.headers["location"] == f"/api/v1/jobs/{job['id']}"
    assert (job["state"], job["attempts"], job["problem"]) == ("done", 1, None)
    assert job["result"]["verdict"]["verdict"] == "pass"
    assert job["result"]["verdict"]["candidate"]["name"] == "trim"
    assert [file for file in service.settings.state.rglob("*") if file.is_file()] == []


@pytest.mark.parametrize("outcome", [Outcome.FAIL, Outcome.HOLD, Outcome.INFRA])
def test_the_status_is_about_the_service_not_the_candidate(make: Make, outcome: Outcome) -> None:
    """A function that fails, or is held, is the result of a job that is done."""
    service = make(lambda candidate, sample: outcome)
    job = service.wait(service.verify().json()["id"])
    assert (job["state"], job["result"]["verdict"]["verdict"]) == ("done", outcome)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"function": ("f.py", SOURCE), "data": ("a.csv", "city,n\n")}, "a header but no rows"),
        ({"function": ("f.py", SOURCE), "data": ("a.csv", "")}, "is empty"),
        ({"function": ("f.py", SOURCE), "data": ("a.parquet", "no")}, "Parquet"),
        ({"function": ("f.py", b"\xff\xfe"), "data": ("a.csv", CSV)}, "not UTF-8"),
        ({"function": ("f.py", SOURCE), "data": ("a.csv", CSV), "examples": ("e.jsonl", "{")}, "examples"),
    ],
)
def test_what_is_wrong_with_a_file_is_the_jobs_problem(service: Service, files: Any, said: str) -> None:
    """One sentence, without the place where the service keeps files."""
    asked = service.client.post("/api/v1/verifications", files=files, headers=service.headers())
    job = service.wait(asked.json()["id"])
    assert job["state"] == "failed"
    assert said in job["problem"]["message"]
    assert str(service.settings.state) not in str(job)


def test_packed_data_is_unpacked(service: Service) -> None:
    """By its name, as the commands do it; what is no such file is the job's problem, without the service's folder."""
    address, headers = "/api/v1/verifications", service.headers()
    for content, ends in ((gzip.compress(CSV.encode()), "done"), (b"no gzip", "failed")):
        files: Any = {"function": ("f.py", SOURCE), "data": ("A.CSV.GZ", content)}
        job = service.wait(service.client.post(address, files=files, headers=headers).json()["id"])
        assert job["state"] == ends, job["problem"]
        assert str(service.settings.state) not in str(job)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a", "no name that says its format"),
        ("a.gz", "no name that says its format"),
        ("a.exe.gz", "is of type '.exe', which cannot be read"),
        ("a.parquet.gz", "is packed, and Parquet is not read so"),
        (".csv.gz.gz", "is of type '.gz', which cannot be read"),
        ("a.csv.exe", "is of type '.exe', which cannot be read"),
    ],
)
def test_a_name_that_says_no_format_is_refused(service: Service, name: str, said: str) -> None:
    """Before anything is kept of it; its type is named where it has one."""
    files = {"function": ("f.py", SOURCE), "data": (name, CSV)}
    refused = service.client.post("/api/v1/verifications", files=files, headers=service.headers())
    assert refused.status_code == 422
    assert said in refused.json()["detail"]
    assert not any((service.settings.state / "jobs").iterdir())


@pytest.mark.parametrize(
    ("sent", "made"),
    [("data.csv", "cleaned.csv"), ("data.tsv.zst", "cleaned.tsv.zst"), ("data.xls", "cleaned.xlsx")],
)
def test_what_is_made_has_the_format_of_what_was_sent(sent: str, made: str) -> None:
    """Or the one that is written in its place."""
    assert cleaned_name(Path(sent)) == made


def test_a_key_asked_again_is_the_same_job(service: Service) -> None:
    """Whatever of it is repeated; with another function or another option the key is refused."""
    headers = service.headers(**{"Idempotency-Key": "k-1"})
    first = service.verify(headers=headers).json()["id"]
    assert service.verify(headers=headers).json()["id"] == first
    for other in (service.verify(SOURCE + "\n", headers), service.verify(SOURCE, headers, quick="true")):
        assert other.status_code == 422
        assert "idempotency key" in other.json()["detail"]
    service.wait(first)
    assert service.verify(headers=headers).json()["state"] == "done"
    assert len(list((service.settings.state / "jobs").iterdir())) == 1


def test_a_full_queue_says_when_to_ask_again(make: Make) -> None:
    """In all and for each token; a cancelled job makes room, and refused ones leave nothing on disk."""
    service = make(queue=QueueLimits(queued=3, for_each_token=2))
    jobs = [service.verify().json()["id"] for _ in range(2)]
    refused = service.verify()
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "5")
    assert "This token has 2 jobs" in refused.json()["detail"]
    assert service.verify(headers=service.headers(TokenScope.VERIFY)).status_code == 202
    assert (
        "queue is full" in service.verify(headers=service.headers(TokenScope.RUN, TokenScope.VERIFY)).json()["detail"]
    )
    assert len(list((service.settings.state / "jobs").iterdir())) == 3
    cancelled = service.client.post(f"/api/v1/jobs/{jobs[0]}/cancel", headers=service.headers())
    assert cancelled.json()["state"] == "cancelled"
    assert service.verify().status_code == 202


def test_the_files_of_a_token_have_room_together(make: Make) -> None:
    """What waits and what was made count; a refused one leaves nothing, and what is over makes room."""
    service = make(max_stored=len(SOURCE + CSV) * 2)
    jobs = [service.verify().json()["id"] for _ in range(2)]
    key = service.headers(**{"Idempotency-Key": "k"})
    refused = service.verify(headers=key)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "600")
    assert "larger than" in refused.json()["detail"]
    assert service.verify(headers=service.headers(TokenScope.VERIFY)).status_code == 202
    service.client.post(f"/api/v1/jobs/{jobs[0]}/cancel", headers=service.headers())
    assert service.verify(headers=key).status_code == 202
    assert service.verify(headers=key).status_code == 202
    assert len(list((service.settings.state / "jobs").iterdir())) == 4


def test_events_are_told_and_told_again(service: Service) -> None:
    """A client that lost its connection goes on after the last event that it has seen."""
    job = service.wait(service.verify().json()["id"])
    address = f"/api/v1/jobs/{job['id']}/events"
    told = events_in(service.client.get(address, headers=service.headers()).text)
    kinds = [kind for _, kind in told]
    assert kinds[:2] == ["queued", "started"]
    assert kinds[-1] == "ended"
    assert kinds.count("check") > 10
    number = told[4][0]
    again = service.client.get(address, headers=service.headers() | {"Last-Event-ID": str(number)})
    assert events_in(again.text) == told[5:]
    for last in (told[-1][0], 999_999_999_999_999):  # what a browser that has seen the end sends, and nonsense
        ended = service.client.get(address, headers=service.headers() | {"Last-Event-ID": str(last)})
        assert (ended.status_code, events_in(ended.text)) == (200, [])
    assert service.app.state.feed.followers == 0


def test_a_job_is_cancelled_while_it_is_judged(make: Make) -> None:
    """The client hears of it at once; the worker stops with the next check, and its verdict is not written."""
    asked: list[Service] = []

    def slow(candidate: object, sample: object) -> Outcome:
        service = asked[0]
        [job] = service.client.get("/api/v1/jobs", headers=service.headers()).json()["jobs"]
        assert job["state"] == "running"
        address = f"/api/v1/jobs/{job['id']}/cancel"
        assert service.client.post(address, headers=service.headers()).json()["state"] == "cancelled"
        time.sleep(0.7)  # longer than the worker takes to notice
        return Outcome.PASS

    asked.append(make(slow))
    job = asked[0].wait(asked[0].verify().json()["id"])
    assert (job["state"], job["result"]) == ("cancelled", None)
    asked[0].app.state.worker.stop()
    assert [file for file in asked[0].settings.state.rglob("*") if file.is_file()] == []


@pytest.mark.parametrize("outcome", [Outcome.PASS, Outcome.HOLD])
def test_what_is_cancelled_at_the_last_moment_is_not_promoted(
    make: Make, outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the last check the worker still finds out what the function must follow: that may take seconds."""
    asked: list[Service] = []

    def last(_self: object, _sample: object, _before: object, _candidate: object, evidence: Evidence) -> Evidence:
        service = asked[0]
        [job] = service.client.get("/api/v1/jobs", headers=service.headers()).json()["jobs"]
        answer = service.client.post(f"/api/v1/jobs/{job['id']}/cancel", headers=service.headers())
        assert answer.json()["state"] == "cancelled"
        return evidence

    monkeypatch.setattr("orchestrator.run.apply.residual.Residual.must_follow", last)
    asked.append(make(lambda candidate, sample: outcome))
    service = asked[0]
    assert service.wait(service.verify(promote="true").json()["id"])["state"] == "cancelled"
    service.app.state.worker.stop()
    with open_registry(service.settings.registry) as registry:
        assert (registry.functions(), registry.held()) == ((), ())


@pytest.mark.parametrize("state", ["queued", "running", "done", "failed", "cancelled"])
def test_a_cancel_in_every_state_is_answered(service: Service, state: str) -> None:
    """With the job as it stands: cancelled, unless it was over before; twice is as good as once."""
    job, jobs = service.verify().json()["id"], service.app.state.jobs
    address, headers = f"/api/v1/jobs/{job}/cancel", service.headers()
    held = jobs.claim("test") if state not in {"queued", "cancelled"} else None
    if state in {"done", "failed"}:
        assert jobs.finish(held, {}) if state == "done" else jobs.fail(held, "no")
    for _ in range(2):
        answer = service.client.post(address, headers=headers)
        assert answer.status_code == 200
        assert answer.json()["state"] == (state if state in {"done", "failed"} else "cancelled")


def test_a_token_sees_its_own_jobs_and_an_administrator_all(service: Service) -> None:
    """What another one has asked for is not there for it: not to see, to follow or to cancel."""
    job = service.verify().json()["id"]
    other = service.headers(TokenScope.READ, TokenScope.VERIFY, TokenScope.RUN)
    for method, path in (("GET", ""), ("GET", "/events"), ("POST", "/cancel"), ("GET", "/files/cleaned.csv")):
        assert service.client.request(method, f"/api/v1/jobs/{job}{path}", headers=other).status_code == 404
    assert service.client.get("/api/v1/jobs", headers=other).json() == {"jobs": [], "before": None}
    listed = service.client.get("/api/v1/jobs", headers=service.headers(TokenScope.READ, TokenScope.ADMIN)).json()
    assert [one["id"] for one in listed["jobs"]] == [job]


@pytest.mark.parametrize("count", [4, 5])
def test_lists_come_page_by_page(service: Service, count: int) -> None:
    """Newest first, each job once, and the last page says that it is the last, also where it is full."""
    jobs = [service.verify().json()["id"] for _ in range(count)]
    seen, before = [], ""
    while True:
        page = service.client.get(f"/api/v1/jobs?limit=2{before}", headers=service.headers()).json()
        assert page["jobs"]
        seen += [job["id"] for job in page["jobs"]]
        if page["before"] is None:
            break
        before = f"&before={page['before']}"
    assert seen == jobs[::-1]


def test_ready_is_not_alive(service: Service) -> None:
    """Without a proved sandbox the service is alive, and not ready."""
    assert service.client.get("/readyz").json() == {"ready": True, "problem": ""}
    service.app.state.worker.ready = False
    assert service.client.get("/readyz").status_code == 503
    alive = service.client.get("/healthz")
    assert (alive.status_code, alive.json()) == (200, service.client.get("/readyz").json())
    assert alive.json()["ready"] is False


def test_figures_hold_no_names(service: Service) -> None:
    """Prometheus can read them, and no canary of a cell, a column, a function or a file is in them."""
    source = SOURCE.replace("trim", "canary_function")
    files = {"function": ("canary.py", source), "data": ("canary.csv", "canary,n\ncanary,1\n")}
    asked = service.client.post("/api/v1/verifications", files=files, headers=service.headers())
    service.wait(asked.json()["id"])
    text = service.client.get("/metrics", headers=service.headers()).text
    assert 'cleanroom_jobs{kind="verify",state="done"} 1' in text
    assert "canary" not in text
    assert all(line.startswith("# ") or len(line.rsplit(" ", 1)) == 2 for line in text.splitlines())


@pytest.mark.parametrize(("outcome", "place"), [(Outcome.PASS, "functions"), (Outcome.HOLD, "held")])
def test_what_is_promoted_is_in_the_registry(make: Make, outcome: Outcome, place: str) -> None:
    """What passes is in use; what is held waits for a person, once, however often it is asked for."""
    service = make(lambda candidate, sample: outcome)
    for _ in range(1 if outcome is Outcome.PASS else 2):
        job = service.wait(service.verify(promote="true").json()["id"])
        assert (job["state"], job["problem"]) == ("done", None)
    with service.app.state.open_registry() as registry:
        assert [function.name for function in getattr(registry, place)()] == ["trim"]
    listed = service.client.get("/api/v1/functions", headers=service.headers()).json()["functions"]
    assert [one["name"] for one in listed] == (["trim"] if outcome is Outcome.PASS else [])


@pytest.mark.parametrize("outcome", [Outcome.PASS, Outcome.FAIL])
def test_the_figures_say_how_jobs_ended(make: Make, outcome: Outcome) -> None:
    """Verdicts are counted by their end, and their seconds."""
    service = make(lambda candidate, sample: outcome)
    service.wait(service.verify().json()["id"])
    text = service.client.get("/metrics", headers=service.headers()).text
    assert f'cleanroom_job_ends_total{{end="{outcome}",kind="verify"}} 1.0' in text
    assert 'cleanroom_job_seconds_count{kind="verify"} 1.0' in text
    for figure in ("cleanroom_queue_length 0", "cleanroom_containers 0", "cleanroom_model_tokens_total 0"):
        assert figure in text
