"""A candidate that passed is looked at again beside functions that were promoted in the meantime."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.jobs import Job, JobResult
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CheckResult, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate import candidate_file
from orchestrator.gate.checks.catalog import ORDER
from orchestrator.gate.feedback import feedback
from orchestrator.gate.recheck_cache import MOST
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox

FUNCTION = '''"""Cities: {word}."""
CONTRACT = {{"modifies": ["city"]}}
def {word}_city(df):
    """{word}."""
    return df.assign(city=df["city"].str.{word}({arguments}))
'''
UPPER, STRIP = FUNCTION.format(word="upper", arguments=""), FUNCTION.format(word="strip", arguments="")
PAD = FUNCTION.format(word="pad", arguments='10, "right"')
ROWS = pa.table({"id": ["1", "2", "3", "4"], "city": ["Rome", "Oslo", None, "Lima"]})
SAMPLE = Sample(ROWS.slice(0, 3), ROWS.slice(3))


class Counting(LocalSandbox):
    """Keeps which candidates were run, and how often; the promoted function is not one."""

    def __init__(self) -> None:
        super().__init__()
        self.ran: list[str] = []

    def run(self, job: Job) -> JobResult:
        self.ran += [program.name for program in job.programs if program.name != "strip_city"]
        return super().run(job)


@pytest.fixture
def sandbox() -> Iterator[Counting]:
    with Counting() as counting:
        yield counting


@pytest.fixture
def judge(sandbox: Counting, disposable: DisposableProcess) -> Iterator[Verifier]:
    with closing(Verifier(sandbox, disposable, seed=lambda: 7)) as verifier:
        yield verifier


def promoted(source: str) -> Promoted:
    evidence = Evidence(verdict=ScriptedGate().verify(VerifyRequest(source, SAMPLE)), policy_sha256="", proposer="test")
    return Promoted(
        candidate=candidate_file.read(source),
        evidence=evidence,
        order=1,
        promoted_at=datetime(2026, 11, 20, tzinfo=UTC),
    )


def composes(verdict: Verdict) -> CheckResult:
    return next(check for check in verdict.checks if check.id == "composes")


def test_on_the_same_rows_only_composing_is_judged_anew(judge: Verifier, sandbox: Counting) -> None:
    """The candidate is not run again; what was said of it stands, beside what the promoted functions make of it."""
    first = judge.verify(VerifyRequest(UPPER, SAMPLE, quick=True))
    assert first.passed, feedback(first)
    sandbox.ran.clear()
    seen: list[str] = []
    same = Sample(pa.concat_tables([ROWS.slice(0, 1), ROWS.slice(1, 2)]), ROWS.slice(3))  # cut in another way
    again = judge.recheck(
        VerifyRequest(UPPER, same, promoted=[promoted(STRIP)]), on_check=lambda check: seen.append(check.id)
    )
    assert sandbox.ran == []
    assert again.passed
    assert (composes(first).outcome, composes(again).outcome) == (Outcome.SKIP, Outcome.PASS)
    assert [check for check in again.checks if check.id != "composes"] == [
        check for check in first.checks if check.id != "composes"
    ]
    assert (again.samples, again.rows_changed, again.sandbox) == (first.samples, first.rows_changed, first.sandbox)
    assert sorted(seen) == sorted(ORDER)


def test_what_fights_a_newly_promoted_function_is_refused(judge: Verifier) -> None:
    """A function that passed alone fails beside one that undoes its work, with the row."""
    padded = [Example(input={"city": "Ulm"}, output={"city": "Ulm       "})]
    assert judge.verify(VerifyRequest(PAD, SAMPLE, examples=padded, quick=True)).passed
    again = judge.recheck(VerifyRequest(PAD, SAMPLE, examples=padded, promoted=[promoted(STRIP)]))
    assert [check.id for check in again.failures] == ["composes"]
    assert composes(again).counterexample is not None


def test_on_other_rows_the_candidate_is_run_again(judge: Verifier, sandbox: Counting) -> None:
    """Where promoted functions changed the rows, on which it then has nothing to do, it is a duplicate."""
    assert judge.verify(VerifyRequest(UPPER, SAMPLE, quick=True)).passed
    sandbox.ran.clear()
    done = Sample(ROWS.slice(0, 3).set_column(1, "city", pa.array(["ROME", "OSLO", None])), ROWS.slice(3, 0))
    again = judge.recheck(VerifyRequest(UPPER, done, promoted=[promoted(STRIP)]))
    assert sandbox.ran[0] == "upper_city"
    assert "effective" in {check.id for check in again.failures}, feedback(again)


def test_other_examples_are_judged(judge: Verifier, sandbox: Counting) -> None:
    """An example that the first verdict did not know makes it run again."""
    assert judge.verify(VerifyRequest(UPPER, SAMPLE, quick=True)).passed
    sandbox.ran.clear()
    wrong = Example(input={"city": "Ulm"}, output={"city": "Ulm"})
    again = judge.recheck(VerifyRequest(UPPER, SAMPLE, promoted=[promoted(STRIP)], examples=[wrong]))
    assert sandbox.ran
    assert [check.id for check in again.failures] == ["examples"]


def test_what_never_passed_is_judged_from_the_start(judge: Verifier, sandbox: Counting) -> None:
    """Only a entry lets the gate leave something out: a fail, and what was not judged yet, give none."""
    idle = FUNCTION.format(word="idle", arguments="").replace('df["city"].str.idle()', 'df["city"]')
    assert not judge.verify(VerifyRequest(idle, SAMPLE, quick=True)).passed
    assert not judge.recheck(VerifyRequest(idle, SAMPLE, promoted=[promoted(STRIP)])).passed
    assert judge.recheck(VerifyRequest(UPPER, SAMPLE, promoted=[promoted(STRIP)])).passed
    assert sandbox.ran == ["idle_city"] * 4 + ["upper_city"] * 2, "a quick verdict takes two containers"


def test_old_proofs_are_forgotten(judge: Verifier, sandbox: Counting) -> None:
    """The gate keeps a bounded number of proofs, so that hours of work do not fill the memory."""
    assert judge.verify(VerifyRequest(UPPER, SAMPLE, quick=True)).passed
    entry = judge._recheck_cache.take(candidate_file.read(UPPER).sha256)
    assert entry is not None
    for number in range(MOST + 1):
        candidate = candidate_file.read(f"{UPPER}# {number}\n")
        judge._recheck_cache.keep(replace(entry, observed=replace(entry.observed, candidate=candidate)))
    assert judge._recheck_cache.take(candidate_file.read(f"{UPPER}# 0\n").sha256) is None
    assert judge._recheck_cache.take(candidate_file.read(f"{UPPER}# 1\n").sha256) is not None
