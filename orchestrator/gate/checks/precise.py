"""It leaves alone what its own `detect` finds nothing wrong with."""

import numpy as np

from orchestrator.core.jobs import Op
from orchestrator.core.verdict import CheckResult
from orchestrator.core.wording import counted
from orchestrator.gate.checks.check import Check, VerdictScope
from orchestrator.gate.checks.outcome import Violation, example, over, row_example, words
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "precise"
LAW = "Cells in rows that `detect` does not flag are unchanged, and no such row is dropped."


def violation(case: CaseObservation) -> Violation | None:
    flags = case.op(Op.DETECT).flags
    if flags is None or case.result is None or case.origin is None or case.kept_input is None:
        return None
    if len(case.origin) < case.input.num_rows:
        dropped = np.ones(case.input.num_rows, dtype=np.bool_)
        dropped[case.origin] = False
        wrong = dropped & ~flags
        if wrong.any():
            shown = example(case.input, None, "this row kept", before_rows=[int(wrong.argmax())])
            rows = counted(int(wrong.sum()), "row")
            return Violation(f"it dropped {rows} of {words(case)} that detect does not flag", shown)
    if (case.contract.adds and not case.by_row) or case.changed is None:
        return None  # a new column is new in every row
    wrong = case.changed & ~flags[case.origin]
    for name, cells in case.op(Op.DETECT).cells.items():  # of texts detect says more than of rows
        wrong |= case.masks.get(name, np.zeros_like(wrong)) & ~cells
    if not wrong.any():
        return None
    columns = case.contract.modifies or ()
    shown = row_example(case, int(wrong.argmax()), "this row unchanged, or flagged by detect", columns)
    rows = counted(int(wrong.sum()), "row")
    return Violation(f"it changed {rows} of {words(case)} that detect does not flag", shown)


def check(observations: Observations) -> CheckResult | None:
    return over(ID, observations.present("working", "rest"), violation)


def not_applicable(scope: VerdictScope) -> str:
    return "" if scope.has_detect else "there is no `detect`"


CHECK = Check(ID, LAW, check, not_applicable)
