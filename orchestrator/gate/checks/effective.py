"""It must do something, and what it is for must be done afterwards."""

import numpy as np

from orchestrator.core.jobs import Op
from orchestrator.core.verdict import CheckResult
from orchestrator.core.wording import counted
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.outcome import Violation, example, failed, passed, row_example, words
from orchestrator.gate.judge.compare import Mask
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "effective"
LAW = (
    "`detect` flags something before and nothing after, on the sample and on held-out rows; "
    "without it, something changes."
)

_CASES = ("working", "rest", "holdout")


def violation(case: CaseObservation) -> Violation | None:
    """What is flagged before changes, and nothing is flagged after."""
    before, after = case.op(Op.DETECT), case.op(Op.DETECT_F)
    for op_result, name in ((before, "detect"), (after, "detect after the function")):
        if op_result.status in ("raised", "unserialisable", "broken"):
            return Violation(f"{name} failed on {words(case)}: {op_result.error[:500]}")
    left = None if after.flags is None else after.flags & ~_missing(case, len(after.flags))[0]
    if left is not None and left.any() and case.result is not None:
        row = int(left.argmax())
        share = f"{int(left.sum())} of {counted(len(left), 'row')}"
        detail = f"detect still flags {share} after the function, on {words(case)}"
        if len(left) == case.result.num_rows:
            return Violation(detail, row_example(case, row, "a row that detect does not flag", _columns(case)))
        return Violation(detail)
    return _inconsistent(case)


def _inconsistent(case: CaseObservation) -> Violation | None:
    flags, after = case.op(Op.DETECT).flags, case.op(Op.DETECT_F).flags
    if flags is None or after is None or case.changed is None or case.origin is None or len(after) != len(case.origin):
        return None
    idle = flags[case.origin] & ~case.changed & ~after
    if not idle.any() or len(case.comparable) != case.input.num_columns:
        return None
    row = int(idle.argmax())
    detail = f"detect flags a row of {words(case)} that the function does not change, and no longer flags it afterwards"
    return Violation(detail, row_example(case, row, "a detect that depends on the row alone", _columns(case)))


def _missing(case: CaseObservation, rows: int) -> tuple[Mask, Mask]:
    """Rows of the result in which a declared cell was and is missing, and those in which every one was and is.

    A missing value differs from itself, so that `strip(x) != x` flags it before and after; that is no issue left over.
    It is one for a function that fills a missing cell, wherever that is: such a function has rows of neither kind.
    """
    none = np.zeros(rows, dtype=np.bool_)
    before, after = case.kept_input, case.result
    names = tuple(case.masks) if case.contract.modifies is None else case.contract.modifies
    if not names or before is None or after is None or after.num_rows != rows or not set(names) <= set(case.comparable):
        return none, none
    one, every = none.copy(), ~none
    for name in names:
        null = before.column(name).is_null(nan_is_null=True).to_numpy(zero_copy_only=False)
        if (null & case.masks.get(name, none)).any():
            return none, none
        one |= null
        every &= null
    return one, every


def _columns(case: CaseObservation) -> tuple[str, ...]:
    return case.contract.modifies or ()


def check(observations: Observations) -> CheckResult | None:
    cases = observations.present(*_CASES)
    for case in cases:
        found = violation(case)
        if found is not None:
            return failed(ID, found, len(cases))
    changed = sum(case.rows_changed for case in cases) + observations.facts.get("changed", 0)
    flagged = flagged_rows(observations) + observations.facts.get("flagged", 0)
    if observations.has_detect and flagged:
        rows = counted(flagged, "row")
        return passed(ID, len(cases), f"{rows} flagged before, none after") if observations.final else None
    if not observations.has_detect and changed:
        return passed(ID, len(cases), f"{counted(changed, 'row')} changed") if observations.final else None
    if not observations.final:
        return None
    if observations.has_detect:
        nowhere = "the issue does not occur in the sample: detect flags none of its rows; judge it on data that has it"
        return failed(ID, Violation(nowhere), len(cases))
    rows = observations.cases["confirm"].input
    shown = example(rows, None, "some changed cell", before_rows=range(min(2, rows.num_rows)))
    return failed(ID, Violation("it changes nothing in the sample", shown), len(cases))


def flagged_rows(observations: Observations) -> int:
    """Rows that detect flags before the function."""
    return sum(_flagged(case) for case in observations.present(*_CASES))


def _flagged(case: CaseObservation) -> int:
    flags = case.op(Op.DETECT).flags
    if flags is None:
        return 0
    if case.result is not None and case.result.num_rows == len(flags):
        flags = flags & ~_missing(case, len(flags))[1]
    return int(flags.sum())


CHECK = Check(ID, LAW, check)
