"""Rows on which a function fails are found in few jobs, and each for what it did itself."""

from contextlib import closing
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Shape
from orchestrator.core.jobs import Job, Limits
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Promoted
from orchestrator.data.record_tables import from_table, is_records, records_of
from orchestrator.run.apply.clean_table import Cleaned, clean
from orchestrator.run.apply.function_runner import FunctionRunner
from tests.run.apply.test_batch_grouping import function

SOURCE = '''
"""It cannot take every row."""
import os
CONTRACT = {{"shape": "{shape}", "modifies": ["a"]}}
def upper({given}):
    """Upper case."""
    {body}
'''
TABLE = """for cell in df["a"]:
        if cell == "raises":
            raise ValueError("no such cell")
        if cell == "ends":
            os._exit(0)
        while cell == "hangs":
            pass
    return df.assign(a=df["a"].str.upper())"""
RECORD = """if row["a"] == "raises":
        raise ValueError("no such cell")
    return row | {{"a": row["a"].upper()}}"""
UPPER = function(SOURCE.format(shape="table", given="df", body=TABLE))


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """Those that were run."""
    seen: list[Job] = []
    run = FunctionRunner._run

    def noted(runner: FunctionRunner, job: Job) -> Any:
        seen.append(job)
        return run(runner, job)

    monkeypatch.setattr(FunctionRunner, "_run", noted)
    return seen


def cleaned(access: SandboxAccess, cells: list[str], one: Promoted = UPPER, most: int | None = None) -> Cleaned:
    table = pa.table({"a": cells, "n": [str(row) for row in range(len(cells))]})
    if one.candidate.contract.shape is Shape.RECORD:
        table = from_table(table)
    with closing(FunctionRunner(access, [one])) as runner:
        return clean(runner, table, max_failures=most or len(cells), give_up=True)


def check(found: Cleaned, cells: list[str]) -> None:
    """Rows that cannot be taken are set aside, in their order; all others are as the function makes them."""
    bad = [row for row, cell in enumerate(cells) if cell in ("raises", "ends", "hangs")]
    assert [failed.row for failed in found.failed] == bad
    good = [row for row in range(len(cells)) if row not in bad]
    assert found.rows.tolist() == good
    assert found.table is not None
    made = records_of(found.table) if is_records(found.table) else found.table.to_pylist()
    assert made == [{"a": cells[row].upper(), "n": str(row)} for row in good]


@pytest.mark.parametrize(("percent", "most"), [(3, 6), (30, 8), (60, 8)])
def test_many_failing_rows_take_few_jobs(access: SandboxAccess, jobs: list[Job], percent: int, most: int) -> None:
    """However many rows fail; and each process gets four tables, as where the function was judged."""
    cells = ["raises" if row * 37 % 100 < percent else f"c{row}" for row in range(600)]
    found = cleaned(access, cells)
    check(found, cells)
    assert {failed.reason for failed in found.failed} == {"ValueError: no such cell"}
    assert len(jobs) <= most
    assert {len(child.cases) for job in jobs for child in job.children} == {4}


def test_a_row_that_ends_its_process_takes_no_other_with_it(access: SandboxAccess, jobs: list[Job]) -> None:
    """Those that were in the process beside it are tried again; the reason is each row's own."""
    odd = {7: "ends", 8: "raises", 150: "ends", 299: "raises"} | dict.fromkeys(range(20, 300, 40), "ends")
    cells = [odd.get(row, f"c{row}") for row in range(300)]
    found = cleaned(access, cells)
    check(found, cells)
    said = {"ends": "its process was killed or ended itself", "raises": "ValueError: no such cell"}
    assert [failed.reason for failed in found.failed] == [said[odd[row]] for row in sorted(odd)]
    assert len(jobs) <= 12


def test_a_row_that_hangs_is_found(access: SandboxAccess) -> None:
    """It runs into the limit alone; what waited behind it is not blamed."""
    cells = ["hangs" if row == 40 else f"c{row}" for row in range(100)]
    found = cleaned(SandboxAccess(access.sandbox, access.decoder, Limits(wall_s=3.0)), cells)
    check(found, cells)
    assert "ran longer than" in found.failed[0].reason


def test_the_search_ends_with_the_first_rows(access: SandboxAccess) -> None:
    """Where no more may fail, it is the first ones of the table that are named."""
    cells = ["raises" if row % 10 == 9 else f"c{row}" for row in range(600)]
    assert [failed.row for failed in cleaned(access, cells, most=1).failed] == [9]
    assert [failed.row for failed in cleaned(access, cells, most=3).failed] == [9, 19, 29]


def test_records_are_searched_in_few_jobs_too(access: SandboxAccess, jobs: list[Job]) -> None:
    """A process has one case there."""
    records = function(SOURCE.format(shape="record", given="row", body=RECORD.format()))
    cells = ["raises" if row % 30 == 2 else f"c{row}" for row in range(300)]
    found = cleaned(access, cells, records)
    check(found, cells)
    assert len(jobs) <= 8
    assert {len(child.cases) for job in jobs for child in job.children} == {1}


def test_a_function_that_fails_on_rows_together_is_given_up(access: SandboxAccess, jobs: list[Job]) -> None:
    """It takes every row alone; what it makes of them together is never written, and nobody searches for ever."""
    body = 'if len(df) > 1:\n        raise ValueError("too many")\n    return df.assign(a=df["a"].str.upper())'
    found = cleaned(
        access, [f"c{row}" for row in range(300)], function(SOURCE.format(shape="table", given="df", body=body))
    )
    assert found.hopeless
    assert found.failed[-1].reason == "ValueError: too many"
    assert len(jobs) <= 8
