"""On a cluster, too, a candidate meets no other function in a container, also while its failure is made small."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from orchestrator.core.jobs import Job, JobResult
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import Outcome
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate.judge.judge_entry import ENTRY as JUDGE
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox
from orchestrator.scale.sandbox_host import SandboxHost
from tests.scale.cluster_in_process import InProcess, connected

KEEP = '''CONTRACT = {"shape": "table", "modifies": ["city"]}
def keep(df):
    """Strip."""
    return df.assign(city=df["city"].str.strip())
'''
FEW = '''CONTRACT = {"shape": "table", "modifies": ["city"]}
def few(df):
    """Strip, and do more where there are many rows."""
    out = df.assign(city=df["city"].str.strip())
    return out if len(df) < 1000 else out.assign(city=out["city"].str.upper())
'''


class SeenInSessions(LocalSandbox):
    """Keeps what ran in containers that others may use as well, and how many jobs ran in one of their own."""

    def __init__(self, seen: list[str], alone: list[str]) -> None:
        super().__init__()
        self._seen, self._alone = seen, alone

    def run(self, job: Job) -> JobResult:
        self._alone.append(job.programs[0].name)
        return super().run(job)

    @contextmanager
    def session(self, *, alone: bool = False) -> Iterator[Any]:
        run = super().run

        class Session:
            def run(_, job: Job) -> JobResult:  # noqa: N805 - `self` is the sandbox's
                self._seen.extend(program.name for program in job.programs)
                return run(job)

        assert not alone, "a worker knows only sessions that others may use"
        yield Session()


def test_what_fails_is_made_smaller_in_containers_of_its_own(cluster: InProcess, certificates: Path) -> None:
    """Promoted functions share a worker's container; the candidate is in none of these, and its example gets small."""
    cities = [(" Rome", "Oslo ", "Lima", "Bath")[n % 4] for n in range(60)]
    sample = Sample(pa.table({"city": cities[:40]}), pa.table({"city": cities[40:]}))
    seen: list[str] = []
    alone: list[str] = []
    for _ in range(2):
        cluster.add(SandboxHost(Policy(), lambda _policy: SeenInSessions(seen, alone)))
    with (
        connected(cluster, certificates) as sandbox,
        DisposableProcess(JUDGE) as judge,
        closing(Verifier(sandbox, judge, Policy(), seed=lambda: 1)) as gate,
    ):
        kept = gate.read(KEEP)
        verdict = gate.verify(VerifyRequest(KEEP, sample, quick=True))
        evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
        promoted = Promoted(candidate=kept, evidence=evidence, order=0, promoted_at=datetime.now(UTC))
        verdict = gate.verify(VerifyRequest(FEW, sample, promoted=[promoted]))
    assert verdict.verdict is Outcome.FAIL
    assert [check.id for check in verdict.failures] == ["properties"]
    assert verdict.failures[0].counterexample is not None
    assert len(verdict.failures[0].counterexample.input) == 1
    assert set(seen) == {"keep"}
    assert alone.count("few") > 2, "the search for a smaller example, after two containers for the verdict"
