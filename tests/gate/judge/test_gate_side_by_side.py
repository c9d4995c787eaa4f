"""What parts of a verdict do not need of one another runs at the same time, and none of it can be lost."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Self

import pyarrow as pa
import pytest

from orchestrator.core.errors import SandboxError
from orchestrator.core.jobs import Job, JobResult
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate import candidate_file
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox

TRIM = '''"""Trim."""
CONTRACT = {"modifies": ["city"]}
def detect(df):
    return df["city"] != df["city"].str.strip()
def trim(df):
    """Trim."""
    return df.assign(city=df["city"].str.strip())
'''
EMPTY = TRIM.replace("city", "note").replace("def trim", "def trim_note")
ROWS = pa.table({"id": ["1", "2", "3", "4"], "city": ["Rome", " Oslo", "Bonn ", "Lima"], "note": ["a", "b", "c", "d"]})
SAMPLE = Sample(ROWS, ROWS.slice(0, 0))


@dataclass
class Watched:
    """The sandbox, with a look at each job before it runs; whether it runs the promoted functions is told, too."""

    inner: LocalSandbox
    before: Callable[[bool], None]

    def run(self, job: Job) -> JobResult:
        self.before(any("trim_note" in program.source for program in job.programs))
        return self.inner.run(job)

    @contextmanager
    def session(self, *, alone: bool = False) -> Iterator[Self]:
        yield self

    def close(self) -> None:
        """Nothing of its own to close."""


@pytest.fixture
def verdict_of(local_sandbox: LocalSandbox, disposable: DisposableProcess) -> Callable[..., Verdict]:
    candidate = candidate_file.read(EMPTY)
    alone = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=alone, policy_sha256="", proposer="test")
    promoted = Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))

    def ask(before: Callable[[bool], None]) -> Verdict:
        verifier = Verifier(Watched(local_sandbox, before), disposable, seed=lambda: 7)
        try:
            return verifier.verify(VerifyRequest(TRIM, SAMPLE, promoted=[promoted]))
        finally:
            verifier.close()

    return ask


def test_promoted_functions_run_while_the_candidate_is_run_again(verdict_of: Callable[..., Verdict]) -> None:
    both, own = threading.Barrier(2), []

    def meet(of_promoted: bool) -> None:
        own.append(of_promoted)
        if of_promoted or own.count(False) == 2:  # the candidate's second container
            both.wait(60)  # breaks where the other one does not come before this one ends

    assert verdict_of(meet).passed
    assert own.count(True) == 1


def test_a_container_that_breaks_beside_another_is_never_a_pass(verdict_of: Callable[..., Verdict]) -> None:
    def broken(of_promoted: bool) -> None:
        if of_promoted:
            raise SandboxError("the engine went away")

    verdict = verdict_of(broken)
    assert verdict.verdict not in (Outcome.PASS, Outcome.HOLD), verdict
    assert verdict_of(lambda of_promoted: None).passed
