"""Apply in real containers: the same bytes as without isolation, and the same words for a row that fails."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.errors import DataError
from orchestrator.core.jobs import Limits
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile.decode_entry import ENTRY
from orchestrator.run.apply.apply import apply_functions
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.run.apply import majority_vote

pytestmark = pytest.mark.docker


@pytest.fixture(scope="module")
def decoder() -> Iterator[DisposableProcess]:
    with DisposableProcess(ENTRY) as made:
        yield made


def promoted(name: str, line: str, **contract: Any) -> Promoted:
    source = f"def {name}(df):\n    out = df.copy()\n    {line}\n    return out\n"
    candidate = Candidate(source=source, name=name, contract=Contract(**contract))
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))


TRIM = promoted("trim", 'out["a"] = out["a"].str.strip()', modifies=("a",))
WHOLE = promoted("whole", 'out["n"] = out["n"].astype(int).astype(str)', modifies=("n",))


def test_same_bytes_as_without_isolation(
    tmp_path: Path, docker_sandbox: DockerSandbox, decoder: DisposableProcess
) -> None:
    """Containers change where functions run, not what comes out."""
    source = tmp_path / "data.csv"
    source.write_text("a,n\n" + "".join(f'" é {i} ",{i:05d}\n' for i in range(3000)), encoding="utf-8")
    boxed = apply_functions(
        source, [TRIM, WHOLE], tmp_path / "boxed.csv", SandboxAccess(docker_sandbox, decoder), batch_rows=500
    )
    with LocalSandbox() as local:
        free = apply_functions(source, [TRIM, WHOLE], tmp_path / "free.csv", SandboxAccess(local, decoder))
    assert (tmp_path / "boxed.csv").read_bytes() == (tmp_path / "free.csv").read_bytes()
    assert (tmp_path / "boxed.csv").read_text(encoding="utf-8").splitlines()[3] == '"é 2",2'
    assert boxed == free


def test_failing_rows(tmp_path: Path, docker_sandbox: DockerSandbox, decoder: DisposableProcess) -> None:
    """A row that fails, and one that never ends, are found in containers as elsewhere."""
    source = tmp_path / "data.csv"
    source.write_text("a,n\n" + "x,1\n" * 40 + "x,one\n" + "x,1\n" * 20)
    with pytest.raises(
        DataError, match=r"Row 42 of data\.csv \(the header is row 1\): the function whole fails on it: ValueError"
    ):
        apply_functions(source, [TRIM, WHOLE], tmp_path / "out.csv", SandboxAccess(docker_sandbox, decoder))
    source.write_text("a,n\n" + "x,1\n" * 4 + "x,one\n" + "x,1\n" * 2)
    hangs = promoted("hangs", 'while (out["n"] == "one").any(): pass', modifies=())
    outcome = apply_functions(
        source,
        [hangs],
        tmp_path / "out.csv",
        SandboxAccess(docker_sandbox, decoder, Limits(wall_s=60.0, cpu_s=1.0)),
        quarantine=tmp_path / "bad.csv",
    )
    assert (outcome.rows_out, outcome.quarantined) == (6, 1)
    assert "hangs: it ran longer" in (tmp_path / "bad.csv").read_text()


def test_a_fitted_function_learns_in_containers_and_is_exported_with_what_it_learnt(
    tmp_path: Path, docker_sandbox: DockerSandbox, decoder: DisposableProcess
) -> None:
    """The majority of the whole file in batches of two rows; the exported file has it, and needs no cleanroom."""
    (tmp_path / "in.csv").write_text(majority_vote.ROWS, encoding="utf-8")
    vote = majority_vote.promoted(majority_vote.MAJORITY)
    access = SandboxAccess(docker_sandbox, decoder)
    outcome = apply_functions(tmp_path / "in.csv", [vote], tmp_path / "out.csv", access, batch_rows=2, workers=1)
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == majority_vote.CLEAN
    module = majority_vote.exported(vote, outcome.learnt["transform_of_city"], tmp_path)
    frame = pd.DataFrame({"id": ["a", "b", "c"], "city": ["Rom", "x", "Lima"]})
    assert module.clean(frame)["city"].tolist() == ["Rome", "Oslo", "Lima"]
