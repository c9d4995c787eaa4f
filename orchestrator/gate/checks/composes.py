"""It works together with the functions that were promoted before it.

They run on the candidate's result together first, in one process, which is quick. What that says for a candidate
counts; before it counts against one, each of them has its say alone, and is not believed if it acts up itself.
"""

from orchestrator.core.jobs import Op
from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.check import Check, VerdictScope
from orchestrator.gate.checks.outcome import Violation, failed, passed
from orchestrator.gate.checks.promoted_witness import PromotedWitness, origin_of
from orchestrator.gate.judge.compare import Mask
from orchestrator.gate.judge.observations import Observations

ID = "composes"
LAW = (
    "After it the promoted functions find nothing to do: no earlier issue comes back, and it is no duplicate of theirs."
)


def check(observations: Observations) -> CheckResult | None:
    if not observations.final or not observations.promoted:
        return None
    if observations.duplicate_of:
        return failed(ID, Violation(f"duplicate: it is the promoted function {observations.duplicate_of!r}"), 1)
    if observations.namesake:
        return failed(ID, Violation("its name is that of a promoted function, whose place it would take: rename it"), 1)
    if not observations.facts.get("changed", 0) and not any(
        case.rows_changed for case in observations.present("holdout")
    ):
        detail = "duplicate: on rows that the promoted functions have cleaned it finds nothing left to do"
        return failed(ID, Violation(detail), len(observations.promoted))
    if "promoted-after" in observations.cases:
        found, unheard = _together(observations), ""
    else:
        found, unheard = _alone(observations)
    cases = len(observations.promoted)
    return passed(ID, cases, unheard) if found is None else failed(ID, found, cases)


def _together(observations: Observations) -> Violation | None:
    before, after = observations.cases["promoted-before"], observations.cases["promoted-after"]
    rows = origin_of(observations, after.input.num_rows)
    for number, name in enumerate(observations.promoted):
        if f"promoted-flags-after-{number}" in observations.cases:
            flags = [_flags(observations, f"promoted-flags-{when}-{number}") for when in ("before", "after")]
            if found := PromotedWitness(name, before, after, rows, *flags).comes_back():
                return found
    return PromotedWitness("the promoted functions", before, after, rows).changes_again()


def _alone(observations: Observations) -> tuple[Violation | None, str]:
    """What a promoted function that can be believed has to say, and which cannot be."""
    unheard = []
    for number, (name, contract) in enumerate(zip(observations.promoted, observations.promoted_contracts, strict=True)):
        before, again, after = (
            observations.cases[f"promoted-{when}-{number}"] for when in ("before", "again", "after")
        )
        has_detect = f"promoted-flags-after-{number}" in observations.cases
        flags: list[Mask | None] = [None, None]
        if has_detect:
            flags = [_flags(observations, f"promoted-flags-{when}-{number}") for when in ("before", "after")]
        witness = PromotedWitness(name, before, after, origin_of(observations, after.input.num_rows), *flags)
        if why := witness.distrust(contract, again):
            unheard.append(f"{name} {why}")
            continue
        found = (witness.comes_back() if has_detect else None) or witness.changes_again()
        if found is not None:
            return found, ""
    return None, f"not believed, and better suspended: {'; '.join(unheard)}" if unheard else ""


def _flags(observations: Observations, case: str) -> Mask | None:
    return observations.cases[case].op(Op.DETECT).flags


def not_applicable(scope: VerdictScope) -> str:
    return "" if scope.promoted else "nothing is promoted yet"


CHECK = Check(ID, LAW, check, not_applicable)
