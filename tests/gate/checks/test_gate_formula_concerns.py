"""Cells that a spreadsheet would compute, and did not before the function, are for a person to see."""

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.data.record_tables import row_of, table_of
from orchestrator.gate.checks.formula_concerns import KIND
from orchestrator.gate.verifier import Verifier

ROWS = [{"id": str(row), "note": ("-", "ok ", "@ann", "=A1 ")[row % 4]} for row in range(80)]
TABLE = pa.table({name: [row[name] for row in ROWS] for name in ("id", "note")})
DASH = """CONTRACT = {"modifies": ["note"]}
def dash(df):
    'Mark what is missing.'
    return df.assign(note=df["note"].where(df["note"] != "-", "=cmd|x"))
"""
HANDLE = DASH.replace('.where(df["note"] != "-", "=cmd|x")', '.str.replace("@", "=", regex=False)')
ADDS = """CONTRACT = {"modifies": [], "adds": ["link"]}
def adds(df):
    'A link for each row.'
    return df.assign(link="=id" + df["id"])
"""
RECORD = """CONTRACT = {"shape": "record", "modifies": ["note"]}
def mark(record):
    'Mark what is missing.'
    return {**record, "note": "=cmd|x"} if record.get("note") == "-" else record
"""
STRIP = DASH.replace('.where(df["note"] != "-", "=cmd|x")', ".str.strip()")


@pytest.mark.parametrize(
    ("source", "column"), [(DASH, "note"), (HANDLE, "note"), (ADDS, "link"), (RECORD, "note"), (STRIP, "")]
)
def test_a_planted_formula_is_a_concern(gate: Verifier, source: str, column: str) -> None:
    """In place of a dash or a handle, in a new column, in a record; not one that was there and loses a blank."""
    table = table_of([row_of(row) for row in ROWS], ("id", "note")) if source is RECORD else TABLE
    verdict = gate.verify(VerifyRequest(source, Sample(table, table.slice(0, 8)), quick=True))
    found = [one for one in verdict.concerns if one.kind == KIND]
    assert [one.columns for one in found][:1] == ([(column,)] if column else [])
    assert verdict.verdict == (Outcome.HOLD if column else Outcome.PASS), verdict.failures


def test_an_example_of_a_formula_settles_it(gate: Verifier) -> None:
    """Whoever wrote it wants formulas in that column."""
    shown = Example(input={"id": "0", "note": "-"}, output={"id": "0", "note": "=cmd|x"})
    request = VerifyRequest(DASH, Sample(TABLE, TABLE.slice(0, 8)), examples=(shown,), quick=True)
    assert not [one for one in gate.verify(request).concerns if one.kind == KIND]
