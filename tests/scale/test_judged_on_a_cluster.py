"""`verify` and `check` on workers: the same verdicts as on one machine."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from orchestrator import bootstrap
from orchestrator.core.errors import GuestProtocolError
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sandbox
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CheckResult, Outcome
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.formats import open_dataset
from orchestrator.gate.judge.judge_entry import ENTRY as JUDGE
from orchestrator.gate.verifier import Verifier
from orchestrator.run.check.check_report import CheckReport, ProofState
from orchestrator.run.check.proof_check import check_proofs
from orchestrator.run.services import Services
from orchestrator.run.verify.candidate_files import CandidateFile, NamedSources
from orchestrator.run.verify.verify import Verification, VerifiedCandidate
from orchestrator.sandbox.containers.local import LocalSandbox
from orchestrator.scale.sandbox_host import SandboxHost
from orchestrator.scale.task_frames import task_id, write_error
from tests.scale.cluster_in_process import InProcess, connected, host

TRIM = """CONTRACT = {"shape": "record", "modifies": ["city"]}
def trim_city(record):
    'Strip blanks.'
    city = record.get("city")
    return {**record, "city": city.strip()} if isinstance(city, str) else record
"""
EMPTY = TRIM.replace("trim_city", "empty_city").replace("strip()", "__len__()")
UPPER = TRIM.replace("trim_city", "upper_city").replace("strip()", "upper()")


@contextmanager
def services(sandbox: Sandbox, decoder: DisposableProcess, lanes: int | None) -> Iterator[Services]:
    policy = Policy()
    with (
        DisposableProcess(JUDGE) as judge,
        closing(Verifier(sandbox, judge, policy, seed=lambda: 1)) as gate,
    ):
        yield Services(sandbox, lambda: gate, decoder, policy, "", bootstrap.open_registry, lanes)


def judged(folder: Path, made: Services) -> tuple[list[VerifiedCandidate], CheckReport]:
    """Three candidates, and what of them is promoted checked on other rows, with a row that is like none before."""
    proved, new = folder / "proved.csv", folder / "new.csv"
    proved.write_text("city\n" + " Rome\nOslo \nLima\n" * 30)
    new.write_text("city\n" + " Oslo\nRome\nLima \n" * 20 + "Ab-1\n" * 20)
    files = (CandidateFile(folder / f"{n}.py", text) for n, text in enumerate((TRIM, EMPTY, UPPER)))
    verdicts = list(Verification(NamedSources(tuple(files)), proved, quick=True).check().run(made))
    functions = [
        Promoted(
            candidate=made.gate.read(one.source.text),
            evidence=Evidence(verdict=one.verdict, policy_sha256="", proposer="test"),
            order=0,
            promoted_at=datetime.now(UTC),
        )
        for one in verdicts
        if one.verdict.verdict is not Outcome.FAIL
    ]
    return verdicts, check_proofs(open_dataset(new), functions, made)


def checks(one: VerifiedCandidate) -> list[CheckResult]:
    """What was found, without the time that it took."""
    return [check.model_copy(update={"seconds": 0.0}) for check in one.verdict.checks]


def test_two_workers_give_the_same_verdicts(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess
) -> None:
    """Of several candidates and of a check, in the same order."""
    with LocalSandbox() as local, services(local, decoder, None) as here:
        verdicts, report = judged(tmp_path, here)
    assert [one.verdict.verdict for one in verdicts] == [Outcome.PASS, Outcome.FAIL, Outcome.PASS]
    assert report.state is ProofState.STALE
    for _ in range(2):
        cluster.add(host())
    with connected(cluster, certificates) as sandbox, services(sandbox, decoder, 4) as there:
        again, on_workers = judged(tmp_path, there)
    assert [checks(one) for one in again] == [checks(one) for one in verdicts]
    assert on_workers.model_copy(update={"at": report.at}) == report


class Blaming(SandboxHost):
    """Loses every container, and says that it was another worker's."""

    def __init__(self, blamed: str) -> None:
        super().__init__(Policy(), lambda _policy: LocalSandbox())
        self._blamed = blamed

    def run(self, frame: bytes, worker: str) -> bytes:
        del worker
        return write_error(task_id(frame), self._blamed, GuestProtocolError("The container is gone."))


def test_a_worker_that_blames_another_costs_no_candidate_its_verdict(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess
) -> None:
    """The function that is known to be good ran where the worker said, passed, and the candidate was rejected."""
    data = tmp_path / "data.csv"
    data.write_text("city\n" + " Rome\nOslo \nLima\n" * 30)
    cluster.add(Blaming(cluster.add(host())))
    sources = NamedSources((CandidateFile(tmp_path / "trim.py", TRIM),))
    with connected(cluster, certificates) as sandbox, services(sandbox, decoder, 1) as there:
        (one,) = Verification(sources, data, quick=True).check().run(there)
    assert one.verdict.verdict is Outcome.INFRA
