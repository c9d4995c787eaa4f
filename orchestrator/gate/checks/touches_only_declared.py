"""What is not declared is not touched, to the last bit."""

import numpy as np

from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.check import Check, Scope
from orchestrator.gate.checks.outcome import Violation, over, row_example, words
from orchestrator.gate.judge.compare import names_text
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "touches-only-declared"
LAW = "Cells outside the columns in `modifies` are bit-identical (NaN = NaN, -0.0 ≠ 0.0)."


def violation(case: CaseObservation) -> Violation | None:
    modifies = case.contract.modifies
    if modifies is None:
        return None
    declared = {*modifies, *case.contract.adds, *case.contract.drops}
    for name, mask in case.masks.items():
        if name not in declared:
            named = names_text(modifies)
            detail = f"it changed column {name[:60]!r}, which is not in `modifies` ({named}), on {words(case)}"
            return Violation(detail, row_example(case, int(np.argmax(mask)), f"{name!r} unchanged", [name]))
    return None


def check(observations: Observations) -> CheckResult | None:
    return over(ID, list(observations.cases.values()), violation)


def not_applicable(scope: Scope) -> str:
    return "no columns declared: the contract has no `modifies`" if scope.contract.modifies is None else ""


CHECK = Check(ID, LAW, check, not_applicable)
