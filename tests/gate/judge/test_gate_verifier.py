"""The verifier's way through sandbox and judge: outcomes, order, retries, canary, host-side cost."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.errors import DisposableDied, EngineUnavailable, GuestProtocolError, ImageMissing, SandboxError
from orchestrator.core.jobs import Job, JobResult
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CheckResult, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate import canary, candidate_file
from orchestrator.gate.checks.catalog import ORDER
from orchestrator.gate.feedback import feedback
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.gate.starvation import loop
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox

TRIM = '''"""City names carry stray blanks."""
CONTRACT = {"modifies": ["city"]}
def detect(df):
    return df["city"].notna() & (df["city"] != df["city"].str.strip())
def trim_city(df):
    """Strip blanks."""
    return df.assign(city=df["city"].str.strip())
'''
ROWS = pa.table({"id": ["1", "2", "3"], "city": [" Rome", "Oslo ", "Lima"]})
SMALL = Sample(ROWS, ROWS.slice(0, 0))


class BrokenSandbox:
    """Breaks for jobs whose source holds `word`, the first `times` times; asks a real one otherwise."""

    def __init__(self, inner: LocalSandbox, error: SandboxError, *, word: str = "", times: int = 1000) -> None:
        self._inner, self._error, self._word, self._times = inner, error, word, times
        self.jobs: list[Job] = []
        self.sessions = 0

    def run(self, job: Job) -> JobResult:
        self.jobs.append(job)
        if self._times and self._word in job.programs[0].source:
            self._times -= 1
            raise self._error
        return self._inner.run(job)

    @contextmanager
    def session(self, *, alone: bool = False) -> Iterator["BrokenSandbox"]:
        self.sessions += 1
        yield self

    def close(self) -> None:
        """Nothing of its own to close."""


class DyingJudge:
    """A disposable process that dies of requests that hold the word."""

    def __init__(self, inner: DisposableProcess, word: bytes) -> None:
        self._inner, self._word = inner, word

    def call(self, request: bytes) -> bytes:
        if self._word in request:
            raise DisposableDied("The process that read the output was killed by SIGSEGV.")
        return self._inner.call(request)

    def close(self) -> None:
        """Nothing of its own to close."""


def outcome(verdict: Verdict, check: str) -> CheckResult:
    return next(c for c in verdict.checks if c.id == check)


def test_pass_tells_everything(gate: Verifier, sample: Sample) -> None:
    """A passing verdict has every check in its place, timings, usage and changed rows for people."""
    seen: list[str] = []
    verdict = gate.verify(VerifyRequest(TRIM, sample), on_check=lambda check: seen.append(check.id))
    assert verdict.passed, feedback(verdict)
    assert tuple(check.id for check in verdict.checks) == ORDER
    assert sorted(seen) == sorted(ORDER)
    assert seen[0] == "screen"
    assert seen[-3:] == ["confirmed", "properties", "resources"]
    assert verdict.timings.total_s >= verdict.timings.judge_s > 0
    assert verdict.usage.cpu_s > 0
    assert len(set(verdict.inputs_sha256)) >= 2, "one hash per container, each with cases of its own"
    assert 0 < verdict.rows_changed < 120
    assert len(verdict.samples) == 3
    assert verdict.samples[0].input[0]["city"].strip() == verdict.samples[0].output[0]["city"]
    assert feedback(verdict) == ""


def test_nothing_expected_enters_a_container(gate: Verifier, local_sandbox: LocalSandbox) -> None:
    """Jobs carry inputs only: no expected output of an example, no seed, no order of a shuffle."""
    watched = BrokenSandbox(local_sandbox, SandboxError(""), word="never there")
    judge = Verifier(watched, gate._disposable, seed=lambda: 987654321987)
    verdict = judge.verify(
        VerifyRequest(TRIM, SMALL, examples=[Example(input={"city": " Ulm"}, output={"city": "EXPECTED"})])
    )
    assert "examples" in {check.id for check in verdict.failures}
    sent = b"".join(case.input for job in watched.jobs for child in job.children for case in child.cases)
    assert b" Ulm" in sent
    assert b"EXPECTED" not in sent
    assert b"987654321987" not in sent


def test_screen_failure_runs_nothing(gate: Verifier, local_sandbox: LocalSandbox) -> None:
    """What the screen refuses never reaches a container."""
    watched = BrokenSandbox(local_sandbox, SandboxError("must not be asked"))
    verdict = Verifier(watched, gate._disposable).verify(VerifyRequest("import os\n" + TRIM, SMALL))
    assert verdict.verdict is Outcome.FAIL
    assert verdict.failures[0].id == "screen"
    assert outcome(verdict, "confirmed").outcome is Outcome.SKIP
    assert watched.jobs == []


def test_unreadable_source_is_a_verdict(gate: Verifier) -> None:
    """Text that is no Python is a failure of the candidate, not an exception."""
    verdict = gate.verify(VerifyRequest("def f(:", SMALL))
    assert verdict.verdict is Outcome.FAIL
    assert "line 1" in verdict.failures[0].detail


def test_empty_sample_proves_nothing(gate: Verifier) -> None:
    """Zero executed rows is a fail."""
    verdict = gate.verify(VerifyRequest(TRIM, Sample(ROWS.slice(0, 0), ROWS)))
    assert [check.id for check in verdict.failures] == ["executed"]


def test_temporary_breakage_is_retried(gate: Verifier, local_sandbox: LocalSandbox) -> None:
    """Two broken containers in a row cost a retry each and no verdict."""
    broken = BrokenSandbox(local_sandbox, GuestProtocolError("gone"), times=2)
    assert Verifier(broken, gate._disposable).verify(VerifyRequest(TRIM, SMALL)).passed


def test_broken_machine_is_infra(gate: Verifier, local_sandbox: LocalSandbox) -> None:
    """When the canary fails as well, nothing is said of the candidate."""
    broken = BrokenSandbox(local_sandbox, EngineUnavailable("no engine", advice="Start it."))
    verdict = Verifier(broken, gate._disposable).verify(VerifyRequest(TRIM, SMALL))
    assert verdict.verdict is Outcome.INFRA
    assert outcome(verdict, "executed").detail == "no engine Start it."
    assert len(broken.jobs) == 4


def test_permanent_breakage_is_not_retried(gate: Verifier, local_sandbox: LocalSandbox) -> None:
    """A missing image is missing the second time as well."""
    broken = BrokenSandbox(local_sandbox, ImageMissing("no image"))
    assert Verifier(broken, gate._disposable).verify(VerifyRequest(TRIM, SMALL)).verdict is Outcome.INFRA
    assert len(broken.jobs) == 1


def test_candidate_that_breaks_sandboxes_fails(gate: Verifier, local_sandbox: LocalSandbox) -> None:
    """When only this candidate breaks containers, it is the candidate's failure."""
    broken = BrokenSandbox(local_sandbox, GuestProtocolError("gone"), word="trim_city")
    verdict = Verifier(broken, gate._disposable).verify(VerifyRequest(TRIM, SMALL))
    assert verdict.verdict is Outcome.FAIL
    assert "breaks-sandbox" in verdict.failures[0].detail
    assert broken.jobs[-1].programs[0].source == canary.SOURCE


def test_judge_that_dies_fails_the_candidate(gate: Verifier, local_sandbox: LocalSandbox) -> None:
    """Output that kills its reader is the candidate's failure when the reader is fine with others."""
    judge = DyingJudge(gate._disposable, b" Rome")  # type: ignore[arg-type] # the real one, as built by the fixture
    verdict = Verifier(local_sandbox, judge).verify(VerifyRequest(TRIM, SMALL))
    assert verdict.verdict is Outcome.FAIL
    assert "hostile-output" in outcome(verdict, "executed").detail


def test_judge_that_always_dies_is_infra(gate: Verifier, local_sandbox: LocalSandbox) -> None:
    """A reader that dies of the canary, too, says nothing of the candidate."""
    judge = DyingJudge(gate._disposable, b"")  # type: ignore[arg-type] # the real one, as built by the fixture
    assert Verifier(local_sandbox, judge).verify(VerifyRequest(TRIM, SMALL)).verdict is Outcome.INFRA


def promoted(source: str, order: int) -> Promoted:
    candidate = candidate_file.read(source)
    verdict = ScriptedGate().verify(VerifyRequest(source, SMALL))
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate, evidence=evidence, order=order, promoted_at=datetime.now(UTC))


UPPER = '''"""Loud cities."""
CONTRACT = {"modifies": ["city"]}
def upper_city(df):
    """Upper case."""
    return df.assign(city=df["city"].str.upper())
'''
PAD = '''"""Cities are padded."""
CONTRACT = {"modifies": ["city"]}
def pad_city(df):
    """Ten wide."""
    return df.assign(city=df["city"].str.pad(10, "right"))
'''
CLEAN = Sample(pa.table({"id": ["1", "2"], "city": ["Rome", "Oslo"]}), ROWS.slice(0, 0))


def test_composes_with_an_unrelated_function(gate: Verifier) -> None:
    """A function that leaves earlier work alone composes."""
    verdict = gate.verify(VerifyRequest(UPPER, CLEAN, promoted=[promoted(TRIM, 1)], quick=True))
    assert verdict.passed, feedback(verdict)
    assert outcome(verdict, "composes").cases == 1


def test_promoted_functions_never_share_a_container_with_a_candidate(
    gate: Verifier, local_sandbox: LocalSandbox
) -> None:
    """They run in a session of their own, which breaks and is replaced like any container."""
    watched = BrokenSandbox(local_sandbox, GuestProtocolError("gone"), word="trim_city", times=1)
    judge = Verifier(watched, gate._disposable)
    assert judge.verify(VerifyRequest(UPPER, CLEAN, promoted=[promoted(TRIM, 1)])).passed
    assert {tuple(program.name for program in job.programs) for job in watched.jobs} == {
        ("upper_city",),
        ("trim_city",),
    }
    assert watched.sessions == 2
    judge.close()
    judge.close()


def test_issue_that_comes_back_is_refused(gate: Verifier) -> None:
    """A function that brings back what an earlier one solved does not compose, and the row is shown."""
    verdict = gate.verify(VerifyRequest(PAD, CLEAN, promoted=[promoted(TRIM, 1)], quick=True))
    composes = outcome(verdict, "composes")
    assert composes.outcome is Outcome.FAIL
    assert "trim_city" in composes.detail
    assert composes.counterexample is not None
    assert composes.counterexample.output[0]["city"] == "Rome      "


def test_fight_without_detect_is_refused(gate: Verifier) -> None:
    """Two functions that undo each other do not compose, even when no detect says so."""
    lower = UPPER.replace("upper", "lower").replace("Upper", "Lower")
    shouting = Sample(pa.table({"id": ["1", "2"], "city": ["ROME", "OSLO"]}), ROWS.slice(0, 0))
    verdict = gate.verify(VerifyRequest(lower, shouting, promoted=[promoted(UPPER, 1)], quick=True))
    assert outcome(verdict, "composes").outcome is Outcome.FAIL


def test_the_same_function_again_is_a_duplicate(gate: Verifier) -> None:
    """The same source is called a duplicate by name."""
    verdict = gate.verify(VerifyRequest(TRIM, SMALL, promoted=[promoted(TRIM, 1)], quick=True))
    assert "duplicate" in outcome(verdict, "composes").detail


def test_the_same_effect_again_is_a_duplicate(gate: Verifier) -> None:
    """Another source that does what was done already is a duplicate by what it does."""
    again = TRIM.replace("trim_city", "strip_city").replace(".str.strip())\n", '.str.strip(" "))\n')
    verdict = gate.verify(VerifyRequest(again, CLEAN, promoted=[promoted(TRIM, 1)], quick=True))
    assert "effective" in {check.id for check in verdict.failures}
    assert "duplicate" in outcome(verdict, "composes").detail


def test_user_examples_bind_only_whom_they_concern(gate: Verifier) -> None:
    """A user's example about another column does not concern a function that leaves that column alone."""
    other = Example(input={"id": "1"}, output={"id": "one"})
    assert gate.verify(VerifyRequest(TRIM, SMALL, examples=[other], quick=True)).passed
    mine = Example(input={"city": " Ulm "}, output={"city": "ULM"})
    verdict = gate.verify(VerifyRequest(TRIM, SMALL, examples=[mine], quick=True))
    assert [check.id for check in verdict.failures] == ["examples"]
    assert "ULM" in feedback(verdict)


@pytest.mark.parametrize(
    ("example", "word"),
    [
        ({"input": {"town": "a"}, "output": {"town": "a"}}, "town"),
        ({"input": {"city": "a"}, "output": {"new": "a"}}, "adds"),
        ({"input": "a", "output": "b"}, "rows"),
    ],
)
def test_example_that_does_not_fit_is_explained(gate: Verifier, example: dict[str, object], word: str) -> None:
    """An example about columns that do not exist fails with a sentence, not with an exception."""
    source = TRIM.replace('["city"]', f'["city"], "examples": [{example!r}]', 1)
    check = outcome(gate.verify(VerifyRequest(source, SMALL, quick=True)), "examples")
    assert check.outcome is Outcome.FAIL
    assert word in check.detail


def test_scripted_gate_speaks_like_the_real_one(gate: Verifier) -> None:
    """The fake gives the same checks in the same order, by name."""
    fake = ScriptedGate({"trim_city": Outcome.FAIL})
    verdict = fake.verify(VerifyRequest(TRIM, SMALL))
    assert verdict.verdict is Outcome.FAIL
    assert tuple(check.id for check in verdict.checks) == ORDER
    assert fake.verify(VerifyRequest(UPPER, SMALL)).passed
    assert fake.verify(VerifyRequest("no", SMALL)).verdict is Outcome.FAIL
    assert fake.asked == ["trim_city", "upper_city"]
    assert fake.read(TRIM) == gate.read(TRIM)


def test_the_name_of_a_promoted_function_cannot_be_taken(gate: Verifier) -> None:
    """Another function of the same name would push the promoted one out of the registry."""
    verdict = gate.verify(VerifyRequest(TRIM + "\n# another version\n", SMALL, promoted=[promoted(TRIM, 1)]))
    assert "rename" in outcome(verdict, "composes").detail


def test_an_endless_candidate_waits_for_its_limit_once(
    local_sandbox: LocalSandbox, disposable: DisposableProcess
) -> None:
    """With the policy's own limits, what never ends is stopped after a part of them, and nothing waits again."""
    jobs = BrokenSandbox(local_sandbox, SandboxError(""), word="never there")
    source = TRIM.replace('    return df.assign(city=df["city"].str.strip())', "    while True: pass")
    verdict = Verifier(jobs, disposable).verify(VerifyRequest(source, SMALL))
    check = outcome(verdict, "executed")
    assert [one.id for one in verdict.failures] == ["executed"]
    assert "stopped after" in check.detail
    assert "while f ran on the shuffled sample" in check.detail
    tries = [job for job in jobs.jobs if job.programs[0].source == source]
    assert len(tries) == 1 or (len(tries) <= 3 and loop() in jobs.jobs)  # a busy machine gives it more time
    assert 0.5 < verdict.usage.cpu_s < 4.0 * len(tries) < Policy().limits.cpu_s * len(tries)
