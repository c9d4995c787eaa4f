"""A table that is wider than a container may answer with is refused before a function is blamed for it."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.errors import DataError
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
