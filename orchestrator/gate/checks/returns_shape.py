"""What comes back must be a plain table, whatever it claims to be."""

from orchestrator.core.candidate import Shape
from orchestrator.core.jobs import Op
from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.executed import RETURNED
from orchestrator.gate.checks.outcome import Violation, example, over, words
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "returns-shape"
LAW = (
    "A table goes in and a plain table comes out (a dict for a dict, a str for a str): no subclass, no other type, "
    "nothing inside that Arrow, or JSON, cannot carry."
)
_TYPES = {
    Shape.TABLE: "DataFrame",
    Shape.RECORD: "dict",
    Shape.TEXT: "dict",
    Shape.FITTED: "DataFrame",
}  # texts come back in their records


def violation(case: CaseObservation) -> Violation | None:
    shape = case.contract.shape
    for op in (Op.F, Op.FF):
        op_result = case.op(op)
        if op_result.status in ("unserialisable", "broken"):
            shown = None
            if op_result.row is not None and op is Op.F:
                shown = example(case.input, None, RETURNED[shape], before_rows=[op_result.row])
            return Violation(f"it did not return {RETURNED[shape]} for {words(case)}: {op_result.error[:500]}", shown)
        if op_result.returned and op_result.type not in (_TYPES[shape], ""):
            return Violation(f"it returned a {op_result.type[:80]} instead of a {_TYPES[shape]} for {words(case)}")
    return None


def check(observations: Observations) -> CheckResult | None:
    return over(ID, list(observations.cases.values()), violation)


CHECK = Check(ID, LAW, check, structural=True)
