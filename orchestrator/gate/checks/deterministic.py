"""The same rows give the same result in every process and at any time."""

from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.outcome import Violation, failed, pair, passed, words
from orchestrator.gate.judge.compare import difference
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "deterministic"
SECOND_CONTAINER = "a second container (other hash seed, time zone and locale, a clock some years later)"
CLOCK = "; what depends on today's date or time, on the order of a set or on chance is another result every day"
LAW = "Fresh processes with another hash seed, time zone and locale, and a later clock, give the same result."


def violation(case: CaseObservation, wanted: CaseObservation) -> Violation | None:
    """Both cases have the same input; `wanted` ran first."""
    if case.result is None or wanted.result is None:
        return None
    detail, row, columns = difference(wanted.result, case.result)
    if not detail:
        return None
    shown = pair(wanted.result, case.result, row, columns, "the same result for the same input")
    return Violation(f"{words(case)} gave another result: {detail}", shown)


def check(observations: Observations) -> CheckResult | None:
    if not observations.final:
        return None
    for case in observations.present("confirm"):
        found = other_container(observations, case)
        if found is not None:
            return failed(ID, found, 2)
    return passed(ID, 2)


def other_container(observations: Observations, case: CaseObservation) -> Violation | None:
    """The result of the first container is the input of the case `chained`."""
    chained = observations.cases.get("chained")
    if case.result is None or chained is None:
        return Violation(f"it gave no result for {words(case)}")
    detail, row, columns = difference(chained.input, case.result)
    if not detail:
        return None
    shown = pair(chained.input, case.result, row, columns, "the same result for the same input")
    return Violation(f"{SECOND_CONTAINER} gave another result: {detail}{CLOCK}", shown)


CHECK = Check(ID, LAW, check)
