"""What comes back must be a plain table, whatever it claims to be."""

from orchestrator.core.jobs import Op
from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.outcome import Violation, over, words
from orchestrator.gate.view import CaseView, View

ID = "returns-shape"
LAW = "A table goes in and a plain table comes out: no subclass, no other type, no column that Arrow cannot carry."


def violation(case: CaseView) -> Violation | None:
    for op in (Op.F, Op.FF):
        seen = case.op(op)
        if seen.status in ("unserialisable", "broken"):
            return Violation(f"it did not return a table for {words(case)}: {seen.error[:500]}")
        if seen.returned and seen.type not in ("DataFrame", ""):
            return Violation(f"it returned a {seen.type[:80]} instead of a DataFrame for {words(case)}")
    return None


def check(view: View) -> CheckResult | None:
    return over(ID, list(view.cases.values()), violation)
