"""A second, fresh container says the same."""

from orchestrator.core.jobs import Op
from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks import (
    columns_kept,
    dtypes_kept,
    order_equivariant,
    pure,
    returns_shape,
    rows_kept,
    touches_only_declared,
)
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.deterministic import other_container
from orchestrator.gate.checks.executed import ending, raised
from orchestrator.gate.checks.outcome import Violation, failed, passed, words
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "confirmed"
LAW = "A second container, with another hash seed and time zone and other shuffles, comes to the same verdict."

_LAWS = (
    returns_shape.violation,
    rows_kept.violation,
    columns_kept.violation,
    dtypes_kept.violation,
    touches_only_declared.violation,
)


def check(observations: Observations) -> CheckResult | None:
    if not observations.final:
        return None
    cases = observations.present("confirm", "reshuffled", "chained")
    own = [end for end in observations.ends if not end.case.startswith("promoted-")]  # others answer for themselves
    found = next((ending(observations, end) for end in own if end.ended != "ok" or end.broken), None)
    found = found or pure.attempt(observations)
    for case in observations.present("confirm", "reshuffled"):
        found = found or _violation(case)
    for case in observations.present("confirm"):
        found = found or other_container(observations, case)
    found = found or order_equivariant.violation(observations, "reshuffled")
    return passed(ID, len(cases)) if found is None else failed(ID, found, len(cases))


def _violation(case: CaseObservation) -> Violation | None:
    op_result = case.op(Op.F)
    if op_result.status in ("raised", "missing"):
        return raised(case, op_result.error)
    found = next((v for law in _LAWS if (v := law(case)) is not None), None)
    return found or (None if op_result.table is not None else Violation(f"it gave no result for {words(case)}"))


CHECK = Check(ID, LAW, check)
