"""It works together with the functions that were promoted before it."""

import numpy as np
import pyarrow as pa

from orchestrator.core.jobs import Op
from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.check import Check, Scope
from orchestrator.gate.checks.outcome import Violation, example, failed, pair, passed
from orchestrator.gate.judge.compare import Mask, Rows, difference, differing
from orchestrator.gate.judge.observations import CaseObservation, Observations

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
    found = _comes_back(observations) or _changes_again(observations)
    return passed(ID, len(observations.promoted)) if found is None else failed(ID, found, len(observations.promoted))


def _comes_back(observations: Observations) -> Violation | None:
    """A promoted `detect` flags no row after the candidate that it did not flag before."""
    chained = observations.cases["promoted-after"]
    before = observations.cases["promoted-before"]
    for number, name in enumerate(observations.promoted):
        if f"detect-after-{number}" not in observations.cases:
            continue
        flagged = observations.cases[f"detect-after-{number}"].op(Op.DETECT).flags
        earlier = observations.cases[f"detect-before-{number}"].op(Op.DETECT).flags
        if flagged is None:
            return Violation(f"the check of the promoted function {name!r} no longer works on its result")
        origin = observations.orders.get("chained-origin")
        rows = np.asarray(origin, dtype=np.int64) if origin is not None else np.arange(len(flagged))
        known = np.zeros(len(flagged), dtype=np.bool_) if earlier is None else earlier[rows]
        back = flagged & ~known & ~_emptied(before, chained, rows)
        if back.any():
            row = int(back.argmax())
            wanted = f"a row that the promoted function {name!r} finds nothing wrong with"
            shown = example(before.input, chained.input, wanted, before_rows=[int(rows[row])], after_rows=[row])
            return Violation(f"the issue that {name!r} had solved comes back in {int(back.sum())} rows", shown)
    return None


def _emptied(before: CaseObservation, after: CaseObservation, rows: Rows) -> Mask:
    """Rows whose changed cells are all missing now, and which the promoted functions leave as they are.

    A missing value differs from itself, so that `strip(x) != x` flags it; there is nothing in it to be solved.
    """
    none = np.zeros(len(rows), dtype=np.bool_)
    if after.changed is None or len(after.changed) != len(rows):
        return none
    source, some, other = before.input.take(pa.array(rows)), none.copy(), none.copy()
    for name in source.column_names:
        if name in after.input.column_names:
            cells = after.input.column(name)
            changed = differing(source.column(name), cells)
            null = cells.is_null(nan_is_null=True).to_numpy(zero_copy_only=False)
            some |= changed & null
            other |= changed & ~null
    return some & ~other & ~after.changed


def _changes_again(observations: Observations) -> Violation | None:
    """The promoted functions leave its result as it is, wherever they would have left the rows alone before."""
    before, after = observations.cases["promoted-before"], observations.cases["promoted-after"]
    if after.result is None:
        return Violation(f"the promoted functions fail on its result: {after.op(Op.F).error[:300]}")
    detail, row, columns = difference(after.input, after.result)
    if not detail:
        return None
    if row is None:
        return Violation(f"the promoted functions change its result again: {detail}")
    origin = observations.orders.get("chained-origin")
    rows = np.asarray(origin, dtype=np.int64) if origin is not None else np.arange(after.input.num_rows)
    if after.changed is None or before.changed is None or len(before.changed) != before.input.num_rows:
        return Violation(f"the promoted functions change its result again: {detail}")
    wrong = after.changed & ~before.changed[rows]
    if not wrong.any():
        return None  # the rows were no residual of the promoted functions to begin with
    shown = pair(after.input, after.result, int(wrong.argmax()), columns, "its result, left alone by earlier functions")
    return Violation(f"the promoted functions change {int(wrong.sum())} rows of its result again", shown)


def not_applicable(scope: Scope) -> str:
    return "" if scope.promoted else "nothing is promoted yet"


CHECK = Check(ID, LAW, check, not_applicable)
