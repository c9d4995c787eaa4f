"""Jobs of the service are claimed by one worker at a time, have one end, and wait in a bounded queue."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from traceback import format_exception

import pytest
from sqlalchemy import text

from orchestrator.core.errors import JobRefused, RegistryError
from orchestrator.registry.database import writing
from orchestrator.registry.queue.job_store import JobStore
from orchestrator.registry.queue.rights import check_rights
from orchestrator.registry.queue.service_job import JobKind, JobState, NewJob, QueueLimits, ServiceJob
from tests.support.postgresql import PASSWORD, Server

LIMITS = QueueLimits(queued=4, for_each_token=3, attempts=2, lease_s=30)


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[JobStore]:
    url = f"sqlite:///{tmp_path}/registry.db"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgresql").new_database()
    made = JobStore(url, LIMITS, create=True)
    yield made
    made.close()


def new(by: str = "ann", key: str | None = None, sha256: str = "a") -> NewJob:
    return NewJob(JobKind.VERIFY, by, {"quick": True}, sha256, key)


def claimed(store: JobStore, worker: str = "one") -> ServiceJob:
    job = store.claim(worker)
    assert job is not None
    return job


def state_of(store: JobStore, job: ServiceJob) -> JobState:
    now = store.get(job.id)
    assert now is not None
    return now.state


def test_a_job_goes_from_the_queue_to_its_result(store: JobStore) -> None:
    """Each step is an event, and the numbers of the events grow."""
    asked, fresh = store.add(new())
    job = claimed(store)
    assert (fresh, job.id, job.state, store.claim("two")) == (True, asked.id, JobState.RUNNING, None)
    assert store.tell(job, [("check", {"id": "idempotent"})])
    assert store.finish(job, {"cell": "half a pair: \ud83d"})
    done = store.get(job.id)
    assert done is not None
    assert (done.state, done.result) == (JobState.DONE, {"cell": "half a pair: \ud83d"})
    events = store.events(job.id)
    assert [event.kind for event in events] == ["queued", "started", "check", "ended"]
    assert [event.kind for event in store.events(job.id, after=events[1].number)] == ["check", "ended"]


def test_jobs_are_claimed_in_their_order_and_each_by_one(store: JobStore) -> None:
    """Of eight claims at once, three get a job each."""
    asked = [store.add(new())[0].id for _ in range(3)]
    with ThreadPoolExecutor(8) as threads:
        got = list(threads.map(lambda one: store.claim(f"worker-{one}"), range(8)))
    assert sorted(job.id for job in got if job) == sorted(asked)


def test_one_tokens_jobs_do_not_hold_all_workers_while_another_waits(store: JobStore) -> None:
    """Two long jobs of ann kept bob's only one waiting for their length; where nobody else waits, she has both."""
    anns, bobs = [store.add(new("ann"))[0].id for _ in range(3)], [store.add(new("bob"))[0].id]
    assert [claimed(store, name).id for name in ("one", "two", "three")] == [anns[0], bobs[0], anns[1]]


def test_a_token_whose_worker_died_is_not_taken_for_busy(store: JobStore) -> None:
    """Its lease ran out: the job is the oldest again, and before all others."""
    asked = [store.add(new(by))[0].id for by in ("ann", "bob")]
    now = store.clock()
    assert claimed(store).id == asked[0]
    store.clock = lambda: now + LIMITS.lease_s + 2
    assert [claimed(store, name).id for name in ("two", "three")] == asked


def test_a_worker_that_was_thought_dead_changes_nothing(store: JobStore) -> None:
    """Its lease ran out, somebody else finished the job: its own result, failure, events and renewals are refused."""
    store.add(new())
    first, now = claimed(store, "slow"), store.clock()
    store.clock = lambda: now + LIMITS.lease_s + 2
    second = claimed(store, "quick")
    assert second.id == first.id
    assert second.fence > first.fence
    assert not store.renew(first)
    assert not store.holds(first)
    assert store.holds(second)
    assert not store.tell(first, [("check", {})])
    assert not store.finish(first, {"by": "slow"})
    assert store.finish(second, {"by": "quick"})
    assert not store.fail(first, "late")
    done = store.get(first.id)
    assert done is not None
    assert done.result == {"by": "quick"}


def test_a_lease_from_the_future_holds_nobody_up(store: JobStore) -> None:
    """A clock that jumped back an hour after the claim does not make the job wait for an hour."""
    store.add(new())
    first, now = claimed(store), store.clock()
    store.clock = lambda: now - 3600
    assert claimed(store, "two").id == first.id


def test_a_renewed_lease_is_not_claimed(store: JobStore) -> None:
    """While the worker renews, nobody else gets the job."""
    store.add(new())
    job, now = claimed(store), store.clock()
    store.clock = lambda: now + LIMITS.lease_s - 1
    assert store.renew(job)
    store.clock = lambda: now + LIMITS.lease_s + 5
    assert store.claim("two") is None


def test_a_job_that_kills_its_workers_is_given_up(store: JobStore) -> None:
    """After as many attempts as are allowed it has failed, and says why; it is not begun again."""
    job, _ = store.add(new())
    for number in range(LIMITS.attempts):
        claimed(store, f"worker-{number}")
        assert store.hand_back(f"worker-{number}", died=True) == 1
    assert store.claim("next") is None
    failed = store.get(job.id)
    assert failed is not None
    assert failed.state is JobState.FAILED
    assert failed.problem is not None
    assert "2 times" in failed.problem["message"]


def test_what_is_handed_back_counts_as_not_begun(store: JobStore) -> None:
    """A service that is stopped and started again and again loses no job."""
    store.add(new())
    for number in range(5):
        job = claimed(store, f"worker-{number}")
        assert store.hand_back(f"worker-{number}") == 1
        assert not store.finish(job, {})
    assert claimed(store).attempts == 1


@pytest.mark.parametrize("state", ["queued", "running", "done", "failed", "cancelled"])
def test_a_cancel_in_every_state(store: JobStore, state: str) -> None:
    """What is not over is cancelled at once, also for the worker that is at it; what is over stays what it is."""
    job, _ = store.add(new())
    held = None if state in {"queued", "cancelled"} else claimed(store)
    if held and state in {"done", "failed"}:
        assert store.finish(held, {}) if state == "done" else store.fail(held, "no")
    if state == "cancelled":
        store.cancel(job.id)
    after = store.cancel(job.id)
    assert after is not None
    assert after.state == (state if state in {"done", "failed"} else "cancelled")
    if held and state == "running":
        assert not store.finish(held, {})
    assert store.claim("next") is None
    assert [event.kind for event in store.events(job.id)].count("ended") == 1
    assert store.cancel("nowhere") is None


def test_a_key_stands_for_one_job(store: JobStore) -> None:
    """Asked again, also by eight at once, it is the same job; for another request the key is refused."""
    with ThreadPoolExecutor(8) as threads:
        got = list(threads.map(lambda _: store.add(new(key="k")), range(8)))
    assert len({job.id for job, _ in got}) == 1
    assert sum(fresh for _, fresh in got) == 1
    other, fresh = store.add(new("ben", key="k"))
    assert fresh
    assert other.id != got[0][0].id
    with pytest.raises(JobRefused) as refused:
        store.add(new(key="k", sha256="b"))
    assert refused.value.status == 422


def test_the_queue_and_each_tokens_share_of_it_are_bounded(store: JobStore) -> None:
    """What is over makes room; whoever is refused hears when to ask again."""
    jobs = [store.add(new())[0] for _ in range(3)]
    with pytest.raises(JobRefused, match="This token has 3 jobs") as refused:
        store.add(new())
    assert (refused.value.status, refused.value.retry_after_s) == (429, 5)
    store.add(new("ben"))
    with pytest.raises(JobRefused, match="queue is full"):
        store.add(new("cleo"))
    store.cancel(jobs[0].id)
    store.add(new())


def test_a_token_sees_its_own_jobs(store: JobStore) -> None:
    """Newest first, and without their results; somebody else's are not there."""
    first, second = store.add(new())[0], store.add(new())[0]
    store.finish(claimed(store), {"large": "x"})
    store.add(new("ben"))
    assert [(job.id, job.result) for job in store.newest("ann")] == [(second.id, None), (first.id, None)]
    assert [job.id for job in store.newest("ann", before=second.number)] == [first.id]
    assert len(store.newest()) == 3
    assert store.get(first.id, "ben") is None
    assert state_of(store, first) is JobState.DONE
    assert store.counts() == {(JobKind.VERIFY, JobState.DONE): 1, (JobKind.VERIFY, JobState.QUEUED): 2}


def test_an_hour_has_so_many_jobs_of_a_token(tmp_path: Path) -> None:
    """The refusal says when there is room again; other tokens, known keys and a clock that ran ahead do not matter."""
    limits = QueueLimits(per_hour=3)
    with closing(JobStore(f"sqlite:///{tmp_path}/registry.db", limits, create=True)) as store:
        store.clock = lambda: 5e9
        store.add(new())
        for second in range(3):
            store.clock = lambda second=second: 2e9 + second * 60  # type: ignore[misc]
            store.add(new(key=str(second)))
        with pytest.raises(JobRefused, match="3 jobs within an hour") as refused:
            store.add(new())
        assert (refused.value.status, refused.value.retry_after_s) == (429, 3600 - 120 + 1)
        assert store.add(new(key="1"))[1] is False
        store.add(new("bob"))
        store.clock = lambda: 2e9 + 3601
        store.add(new())


def test_a_statement_that_fails_shows_no_values(store: JobStore) -> None:
    """A traceback of one would hold what a job made, and that quotes cells."""
    store.add(new())
    job, value = claimed(store), "canary"
    with writing(store._engine) as session, session.begin():
        session.execute(text("DROP TABLE service_job_events"))
    with pytest.raises(RegistryError) as caught:
        store.finish(job, {"cell": value})
    with pytest.raises(RegistryError) as also:
        store.tell(job, [("check", {"cell": value})])
    assert value not in "".join(format_exception(caught.value) + format_exception(also.value))


def test_a_service_needs_the_right_to_change_jobs(postgresql: Server) -> None:
    """The one who may only add is refused with the page that says which rights it takes; the owner is not."""
    url = postgresql.new_database()
    name, member = url.partition("?")[0].rpartition("/")[2], "adds_only"
    with closing(JobStore(url, create=True)):
        postgresql.execute(f"CREATE ROLE {member} LOGIN PASSWORD '{PASSWORD}'")
        postgresql.execute(f"GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO {member}", name)
    check_rights(url)
    with pytest.raises(RegistryError, match="does not give this user the right") as caught:
        check_rights(postgresql.url(name, member))
    assert "docs/service.md" in caught.value.advice


def test_a_job_whose_files_are_here_is_found_behind_others(store: JobStore) -> None:
    """However many jobs before it have their files elsewhere; these are left to who has them."""
    store.limits = QueueLimits(queued=20, for_each_token=20, attempts=2, lease_s=30)
    for number in range(11):
        store.add(NewJob(JobKind.VERIFY, "ann", {"folder": "here" if number == 9 else "there"}, str(number), None))
    job = store.claim("one", lambda folder: folder == "here")
    assert job is not None
    assert job.request == {"folder": "here"}
    assert store.claim("one", lambda folder: folder == "here") is None
