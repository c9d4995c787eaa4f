"""Columns neither vanish nor appear nor move, but for what the contract declares."""

from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.outcome import Violation, over, words
from orchestrator.gate.compare import names_text
from orchestrator.gate.view import CaseView, View

ID = "columns-kept"
LAW = "Column names and their order stay, but for what the contract adds and drops."


def violation(case: CaseView) -> Violation | None:
    if case.result is None:
        return None
    contract = case.contract
    before, after = case.input.column_names, case.result.column_names
    expected = [name for name in before if name not in contract.drops]
    added = [name for name in contract.adds if name not in expected]
    for problem, names in (
        ("lost columns that it does not declare in `drops`", [n for n in expected if n not in after]),
        ("added columns that it does not declare in `adds`", [n for n in after if n not in expected + added]),
        ("kept columns that it declares in `drops`", [n for n in contract.drops if n in after]),
        ("did not make the columns that it declares in `adds`", [n for n in added if n not in after]),
    ):
        if names:
            return Violation(f"it {problem}: {names_text(names)} (on {words(case)})")
    if [name for name in after if name in expected] != expected:
        return Violation(f"the columns of {words(case)} came back in another order: {names_text(after)}")
    return None


def check(view: View) -> CheckResult | None:
    return over(ID, [case for case in view.cases.values() if case.id != "chained"], violation)
