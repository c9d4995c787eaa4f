"""A fitted function leaves alone what it has learnt nothing about."""

from orchestrator.core.verdict import CheckResult
from orchestrator.core.wording import counted
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.fitted_checks.learns import only_fitted
from orchestrator.gate.checks.outcome import Violation, failed, passed, row_example
from orchestrator.gate.fitted.learning_plan import UNSEEN
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "leaves-unseen"
LAW = "With what it learns of no row, a fitted function changes no cell: it leaves what it has never seen."


def violation(case: CaseObservation) -> Violation | None:
    if case.result is None:
        why = case.results["f"].error if "f" in case.results else "it did not get that far"
        return Violation(f"it gave no table with the state of no row: {why[:500]}")
    for name, mask in case.masks.items():
        row, rows = int(mask.argmax()), counted(int(mask.sum()), "row")
        return Violation(
            f"it changes {name[:60]!r} in {rows} though it has learnt of none; leave what the state "
            "does not know, and what every row needs to a function of tables",
            row_example(case, row, "the row as it was", [name]),
        )
    return None


def check(observations: Observations) -> CheckResult | None:
    if not observations.final or UNSEEN not in observations.cases:
        return None
    found = violation(observations.cases[UNSEEN])
    return passed(ID, 1) if found is None else failed(ID, found, 1)


CHECK = Check(ID, LAW, check, only_fitted)
