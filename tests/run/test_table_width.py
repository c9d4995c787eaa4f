"""A table that no container can answer with is refused before a function is blamed for it."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.errors import DataError
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.formats import open_dataset
from orchestrator.run.apply.apply import apply_functions
from orchestrator.run.check.proof_check import check_proofs
from orchestrator.run.request import RunRequest
from orchestrator.run.verify.candidate_files import named_sources
from orchestrator.run.verify.verify import Verification

CODE = '"""Trim."""\nCONTRACT = {"modifies": ["c0"]}\ndef trim(df):\n    """Trim."""\n    return df\n'


def wide(folder: Path, columns: int) -> Path:
    path = folder / f"{columns}.parquet"
    pq.write_table(pa.table({f"c{n}": ["a", "b"] for n in range(columns)}), path)
    return path


@pytest.mark.parametrize(("columns", "fits"), [(2_000, True), (2_001, False)])
def test_run_and_verify_take_as_many_columns_as_containers_answer_with(
    tmp_path: Path, columns: int, fits: bool
) -> None:
    data, code = wide(tmp_path, columns), tmp_path / "trim.py"
    code.write_text(CODE)
    run = RunRequest(data=data, out=tmp_path / "out")
    verify = Verification(named=named_sources([code], None), data=data)
    for request in (run, verify):
        if fits:
            request.check()
            continue
        with pytest.raises(DataError, match="has 2,001 columns; functions can be judged on at most 2,000"):
            request.check()


def test_a_column_with_the_name_that_answers_need_is_refused(tmp_path: Path) -> None:
    """Whoever names a column `__index__` had every function rejected, and those in use called broken."""
    data, code = tmp_path / "data.csv", tmp_path / "trim.py"
    data.write_text("__index__,c0\n1, a\n2,b\n")
    code.write_text(CODE)
    candidate = Candidate(source=CODE, name="trim", contract=Contract(modifies=("c0",)))
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    trim = Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))
    unused: Any = None
    for refused in (
        RunRequest(data=data, out=tmp_path / "out").check,
        Verification(named=named_sources([code], None), data=data).check,
        partial(apply_functions, data, [trim], tmp_path / "clean.csv", unused),
        partial(check_proofs, open_dataset(data), [trim], unused),
    ):
        with pytest.raises(DataError, match=r"data\.csv has a column '__index__', a name that no table"):
            refused()
