"""It must do something, and what it is for must be done afterwards."""

from orchestrator.core.jobs import Op
from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.outcome import Violation, example, failed, passed, row_example, words
from orchestrator.gate.view import CaseView, View

ID = "effective"
LAW = (
    "`detect` flags something before and nothing after, on the sample and on held-out rows; "
    "without it, something changes."
)

_SEEN = ("working", "rest", "holdout")


def violation(case: CaseView) -> Violation | None:
    """What is flagged before changes, and nothing is flagged after."""
    before, after = case.op(Op.DETECT), case.op(Op.DETECT_F)
    for seen, name in ((before, "detect"), (after, "detect after the function")):
        if seen.status in ("raised", "unserialisable", "broken"):
            return Violation(f"{name} failed on {words(case)}: {seen.error[:500]}")
    if after.flags is not None and after.flags.any() and case.result is not None:
        row = int(after.flags.argmax())
        share = f"{int(after.flags.sum())} of {len(after.flags)} rows"
        detail = f"detect still flags {share} after the function, on {words(case)}"
        if len(after.flags) == case.result.num_rows:
            return Violation(detail, row_example(case, row, "a row that detect does not flag", _columns(case)))
        return Violation(detail)
    return _inconsistent(case)


def _inconsistent(case: CaseView) -> Violation | None:
    flags = case.op(Op.DETECT).flags
    if flags is None or case.op(Op.DETECT_F).flags is None or case.changed is None or case.origin is None:
        return None
    idle = flags[case.origin] & ~case.changed
    if not idle.any() or len(case.comparable) != case.input.num_columns:
        return None
    row = int(idle.argmax())
    detail = f"detect flags a row of {words(case)} that the function does not change, and no longer flags it afterwards"
    return Violation(detail, row_example(case, row, "a detect that depends on the row alone", _columns(case)))


def _columns(case: CaseView) -> tuple[str, ...]:
    return case.contract.modifies or ()


def check(view: View) -> CheckResult | None:
    cases = view.present(*_SEEN)
    for case in cases:
        found = violation(case)
        if found is not None:
            return failed(ID, found, len(cases))
    changed = sum(case.rows_changed for case in cases) + view.facts.get("changed", 0)
    flagged = flagged_rows(view) + view.facts.get("flagged", 0)
    if view.has_detect and flagged:
        return passed(ID, len(cases), f"{flagged} rows flagged before, none after") if view.final else None
    if not view.has_detect and changed:
        return passed(ID, len(cases), f"{changed} rows changed") if view.final else None
    if not view.final:
        return None
    if view.has_detect:
        return failed(
            ID, Violation("the issue does not occur in the sample: detect flags none of its rows"), len(cases)
        )
    shown = example(cases[0].input, None, "some changed cell", before_rows=range(min(2, cases[0].input.num_rows)))
    return failed(ID, Violation("it changes nothing in the sample", shown), len(cases))


def flagged_rows(view: View) -> int:
    """Rows that detect flags before the function."""
    flags = [case.op(Op.DETECT).flags for case in view.present(*_SEEN)]
    return sum(int(mask.sum()) for mask in flags if mask is not None)
