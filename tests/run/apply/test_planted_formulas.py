"""Cells that became formulas of a spreadsheet are counted and told; those that were, and numbers, are not."""

import pyarrow as pa
import pytest

from orchestrator.core.steps import ApplyStep
from orchestrator.run.apply.planted_formulas import planted_formulas
from orchestrator.run.report import render_report
from tests.run.report_steps import usual


@pytest.mark.parametrize(
    "cell", ["=1+1", "+SUM(A1)", "-2+cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=", "-5\n=A1"]
)
def test_a_cell_that_becomes_a_formula_is_counted(cell: str) -> None:
    """In a column that changed and in one that was added; not where the cell was a formula before."""
    before = pa.table({"a": ["x", "-5", None, "=B1"], "b": ["y"] * 4})
    after = pa.table({"a": [cell, cell, cell, cell], "b": [cell] * 4, "new": [cell, None, "z", ""]})
    assert planted_formulas(before, after, ["a"]) == {"a": 3, "new": 1}


@pytest.mark.parametrize(
    "cell", ["-5", "-5.25", "+49 30 1234-5", "+49 (0)30 123456", "-1,234.5", "-1.5e-3", "-3 %", "+.5", "a=b", "", " "]
)
def test_a_number_is_no_formula(cell: str) -> None:
    """A sign before digits is a number or a telephone number."""
    assert planted_formulas(pa.table({"a": ["x"]}), pa.table({"a": [cell]}), ["a"]) == {}


def test_columns_that_are_no_text_hold_no_formulas() -> None:
    """A number that became text is looked at, a text that became a number cannot be one."""
    assert planted_formulas(pa.table({"a": [1]}), pa.table({"a": ["=1"]}), ["a"]) == {"a": 1}
    assert planted_formulas(pa.table({"a": ["=1"]}), pa.table({"a": [1]}), ["a"]) == {}


def test_the_report_warns_of_formulas() -> None:
    """With the number of cells and the columns; without formulas there is no such sentence."""
    steps = usual()
    assert "spreadsheet" not in render_report(steps)
    planted = {f"column {n}": 2 for n in range(8)}
    marked = [s.model_copy(update={"formulas": planted}) if isinstance(s, ApplyStep) else s for s in steps]
    assert "16 cells became spreadsheet formulas, in column 0, column 1" in render_report(marked)
