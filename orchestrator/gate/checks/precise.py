"""It leaves alone what its own `detect` finds nothing wrong with."""

import numpy as np

from orchestrator.core.jobs import Op
from orchestrator.core.verdict import CheckResult
from orchestrator.core.wording import counted
from orchestrator.gate.checks.check import Check, VerdictScope
from orchestrator.gate.checks.outcome import Violation, example, over, row_example, words
from orchestrator.gate.judge.compare import Mask
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
    wrong = _changed(case) & ~flags[case.origin]
    for name, cells in case.op(Op.DETECT).cells.items():  # of texts detect says more than of rows
        wrong |= case.masks.get(name, np.zeros_like(wrong)) & ~cells
    if not wrong.any():
        return None
    columns = case.contract.modifies or ()
    shown = row_example(case, int(wrong.argmax()), "this row unchanged, or flagged by detect", columns)
    rows = counted(int(wrong.sum()), "row")
    return Violation(f"it changed {rows} of {words(case)} that detect does not flag", shown)


def _changed(case: CaseObservation) -> Mask:
    """True for rows of the result with another cell than the input's. A new column of a table is new in every row, so
    that it says nothing of any; of records, those that get a key are the ones that are changed.
    """
    left_out = () if case.by_row else case.contract.adds
    masks = [mask for name, mask in case.masks.items() if name not in left_out]
    rows = 0 if case.result is None else case.result.num_rows
    return np.any(masks, axis=0) if masks else np.zeros(rows, dtype=np.bool_)


def check(observations: Observations) -> CheckResult | None:
    return over(ID, observations.present("working", "rest"), violation)


def not_applicable(scope: VerdictScope) -> str:
    if not scope.has_detect:
        return "there is no `detect`"
    contract = scope.contract
    only_adds = contract.adds and contract.modifies == () and not (contract.drops_rows or contract.shape.by_row)
    return "it only adds columns, which are new in every row" if only_adds else ""


CHECK = Check(ID, LAW, check, not_applicable)
