"""No input that such columns may one day hold breaks a law."""

from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.check import Check, Scope
from orchestrator.gate.checks.outcome import Violation, failed, passed
from orchestrator.gate.judge.observations import Observations
from orchestrator.gate.properties import laws

ID = "properties"
LAW = "On rows drawn from the columns' profiles, among any and any number of other rows, the laws hold."


def check(observations: Observations) -> CheckResult | None:
    cases = [case for case in observations.cases.values() if case.id.partition("~")[0] in laws.CASE_PREFIXES]
    if not cases:
        return None
    found = next(laws.find(observations), None)
    rows = sum(case.input.num_rows for case in cases)
    if found is None:
        return passed(ID, len(cases), f"{rows:,} rows drawn")
    return failed(ID, with_law(found.law, found.violation), len(cases))


def with_law(law: str, violation: Violation) -> Violation:
    """The violation with the law that it breaks."""
    return Violation(f"{law}: {violation.detail}", violation.counterexample)


def not_applicable(scope: Scope) -> str:
    return scope.not_drawn


CHECK = Check(ID, LAW, check, not_applicable)
