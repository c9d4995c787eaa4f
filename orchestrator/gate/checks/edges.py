"""What no sample holds must not break it: empty, null, blank, huge, odd."""

from orchestrator.core.jobs import Op
from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks import (
    columns_kept,
    dtypes_kept,
    idempotent,
    precise,
    returns_shape,
    rows_kept,
    touches_only_declared,
)
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.executed import raised
from orchestrator.gate.checks.outcome import Violation, over, words
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "edges"
LAW = "On empty, one-row, null, blank, huge, odd and extreme input there is no exception and the laws hold."

_CASES = ("empty", "first-row", "nulls", "blanks", "mixed", "long")
_LAWS = (
    returns_shape.violation,
    rows_kept.violation,
    columns_kept.violation,
    dtypes_kept.violation,
    touches_only_declared.violation,
    idempotent.violation,
    precise.violation,
)


def violation(case: CaseObservation) -> Violation | None:
    for op in (Op.F, Op.DETECT):
        op_result = case.op(op)
        if op_result.status == "raised":
            what = raised(case, op_result.error, op)
            return what if op is Op.F else Violation(f"detect: {what.detail}", what.counterexample)
        if op is Op.DETECT and op_result.status in ("unserialisable", "broken"):
            return Violation(f"detect failed on {words(case)}: {op_result.error[:500]}")
    return next((found for law in _LAWS if (found := law(case)) is not None), None)


def check(observations: Observations) -> CheckResult | None:
    return over(ID, observations.present(*_CASES), violation)


CHECK = Check(ID, LAW, check)
