"""Where two workers of a cluster do not agree, a function is suspended only if it is at fault on one machine, too."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from orchestrator import bootstrap
from orchestrator.core.candidate import Candidate, Contract, Shape
from orchestrator.core.errors import ApplyAuditFailed, SandboxError
from orchestrator.core.jobs import Job, JobResult
from orchestrator.core.policy import Policy
from orchestrator.core.promoted import Evidence
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.registry.functions import functions_in
from orchestrator.run.apply.step import apply_step
from orchestrator.run.services import Services
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.run.apply.majority_vote import MAJORITY, ROWS
from tests.run.apply.majority_vote import promoted as fitted

TRIM = "def trim(record):\n    return {**record, 'city': record['city'].strip()}\n"
RANDOM = "import random\ndef trim(record):\n    return {**record, 'city': str(random.random())}\n"
SEEN = "SEEN = []\ndef trim(record):\n    SEEN.append(0)\n    return {**record, 'city': f'Rome {len(SEEN)}'}\n"
Lie = Callable[[str, bytes], bytes]


class TwoMachines(LocalSandbox):
    """Says that a job ran on `a`, or on `b` where it asks for it, and alters what that worker answers."""

    def __init__(self, lie: Lie, leaves: str = "") -> None:
        super().__init__()
        self._lie, self._leaves = lie, leaves

    def run(self, job: Job) -> JobResult:
        worker = job.on or ("b" if job.not_on == "a" else "a")
        if job.on and job.on == self._leaves:
            raise SandboxError("No worker is left.")
        result = super().run(job)
        children = tuple(replace(one, output=self._lie(worker, one.output)) for one in result.children)
        return replace(result, children=children, worker=worker)


def honest(_worker: str, output: bytes) -> bytes:
    return output


def always(liar: str) -> Lie:
    return lambda worker, output: output.replace(b"Rome", b"Pome") if worker == liar else output


def otherwise_each_time(liar: str) -> Lie:
    numbers = itertools.count(1000)
    return lambda worker, output: output.replace(b"Rome", b"%d" % next(numbers)) if worker == liar else output


def applied(folder: Path, decoder: DisposableProcess, source: str, sandbox: LocalSandbox) -> ApplyAuditFailed:
    candidate = Candidate(source=source, name="trim", contract=Contract(modifies=("city",), shape=Shape.RECORD))
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    with bootstrap.open_registry(folder / "run") as registry:
        registry.promote(candidate, Evidence(verdict=verdict, policy_sha256="", proposer="test"))
    (folder / "data.csv").write_text("city\n" + " Rome\n" * 300)
    services = Services(sandbox, lambda: pytest.fail("no gate"), decoder, Policy(), "", bootstrap.open_registry)
    with sandbox, pytest.raises(ApplyAuditFailed) as stopped:
        apply_step(
            folder / "data.csv",
            functions_in(folder / "run"),
            folder / "out.csv",
            services,
            registry=folder / "run",
            accept_drift=True,
        )
    assert not (folder / "out.csv").exists()
    return stopped.value


@pytest.mark.parametrize("liar", ["a", "b"])
@pytest.mark.parametrize("lies", [always, otherwise_each_time])
def test_a_lying_worker_takes_no_function_out_of_use(
    tmp_path: Path, decoder: DisposableProcess, lies: Callable[[str], Lie], liar: str
) -> None:
    """Whichever look it took, and whether or not it lies in the same way each time: the two workers are named."""
    stopped = applied(tmp_path, decoder, TRIM, TwoMachines(lies(liar)))
    assert stopped.workers == ("a", "b")
    assert "The workers a and b do not agree" in stopped.message
    assert "no function was suspended" in stopped.advice
    assert [one.name for one in functions_in(tmp_path / "run")] == ["trim"]


@pytest.mark.parametrize("source", [RANDOM, SEEN])
def test_a_function_that_acts_up_on_both_is_suspended(tmp_path: Path, decoder: DisposableProcess, source: str) -> None:
    """Positive control: chance, or what else was in its process, and not the machine."""
    stopped = applied(tmp_path, decoder, source, TwoMachines(honest))
    assert stopped.workers == ()
    assert "is suspended in the registry" in stopped.advice
    assert functions_in(tmp_path / "run") == ()


def test_where_a_worker_has_left_no_function_is_blamed(tmp_path: Path, decoder: DisposableProcess) -> None:
    """The worker of the first look cannot be asked again, so nobody knows."""
    stopped = applied(tmp_path, decoder, SEEN, TwoMachines(honest, leaves="a"))
    assert stopped.workers == ("a", "b")


def test_what_a_fitted_function_learns_is_held_against_the_same_worker(
    tmp_path: Path, decoder: DisposableProcess
) -> None:
    """A state that a worker alters is no fault of the function either."""
    data = tmp_path / "data.csv"
    data.write_text(ROWS, encoding="utf-8")
    lying = TwoMachines(lambda worker, output: output.replace(b"Rome", b"Romf") if worker == "b" else output)
    services = Services(lying, lambda: pytest.fail("no gate"), decoder, Policy(), "", bootstrap.open_registry)
    with lying, pytest.raises(ApplyAuditFailed, match="learns one thing") as stopped:
        apply_step(data, [fitted(MAJORITY)], tmp_path / "out.csv", services)
    assert stopped.value.workers == ("a", "b")
