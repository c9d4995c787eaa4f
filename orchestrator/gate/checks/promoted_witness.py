"""What promoted functions have to say against a candidate, and whether they can be believed. Called by `composes`.

A promoted function may be dishonest as well. Its word against a candidate counts only if it ran alone in a process of
its own, keeps its own contract there, says the same twice, and treats rows that the candidate left as they were as it
treated them before.
"""

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from orchestrator.core.candidate import Contract
from orchestrator.core.jobs import Op
from orchestrator.core.wording import counted
from orchestrator.data.cells import has_column
from orchestrator.gate.checks import columns_kept, rows_kept, touches_only_declared
from orchestrator.gate.checks.outcome import Violation, example, pair
from orchestrator.gate.judge.compare import Mask, Rows, difference, differing
from orchestrator.gate.judge.observations import CaseObservation, Observations

_LAWS = (rows_kept.violation, columns_kept.violation, touches_only_declared.violation)


@dataclass(frozen=True)
class PromotedWitness:
    """Promoted functions on the rows `before` the candidate and on its result, `after`.

    `rows[i]`: the place before of row i after. `flags_before`, `flags_after`: what its detect says, if it has one.
    """

    name: str
    before: CaseObservation
    after: CaseObservation
    rows: Rows
    flags_before: Mask | None = None
    flags_after: Mask | None = None

    def comes_back(self) -> Violation | None:
        """Its `detect` flags a row after the candidate that it did not flag before."""
        if self.flags_after is None:
            return Violation(f"the check of the promoted function {self.name!r} no longer works on its result")
        known = np.zeros(len(self.flags_after), dtype=np.bool_)
        if self.flags_before is not None:
            known = self.flags_before[self.rows]
        back = self.flags_after & ~known & ~_emptied(self.before, self.after, self.rows)
        if not back.any():
            return None
        row = int(back.argmax())
        wanted = f"a row that the promoted function {self.name!r} finds nothing wrong with"
        before_rows = [int(self.rows[row])]
        shown = example(self.before.input, self.after.input, wanted, before_rows=before_rows, after_rows=[row])
        rows = counted(int(back.sum()), "row")
        return Violation(f"the issue that {self.name!r} had solved comes back in {rows}", shown)

    def changes_again(self) -> Violation | None:
        """It changes a row of the candidate's result that it would have left alone before."""
        before, after = self.before, self.after
        if after.result is None:
            return Violation(f"{self.name} fails on its result: {after.op(Op.F).error[:300]}")
        detail, row, columns = difference(after.input, after.result)
        if not detail:
            return None
        again = f"{self.name} changes its result again: {detail}"
        if row is None or after.changed is None:
            return Violation(again)
        if before.changed is None or len(before.changed) != before.input.num_rows:
            return Violation(again)
        wrong = after.changed & ~before.changed[self.rows]
        if not wrong.any():
            return None  # the rows were no residual of the promoted functions to begin with
        wanted = "its result, left alone by earlier functions"
        shown = pair(after.input, after.result, int(wrong.argmax()), columns, wanted)
        return Violation(f"{self.name} changes {counted(int(wrong.sum()), 'row')} of its result again", shown)

    def distrust(self, contract: Contract, again: CaseObservation) -> str:
        """Why its word does not count, as a clause; empty if it does. `again`: on the candidate's result, once more."""
        cases = [replace(case, contract=contract) for case in (self.before, self.after, again)]
        for case in cases:
            found = next((violation for law in _LAWS if (violation := law(case)) is not None), None)
            if found is not None:
                return "does not keep its own contract"
        before, after, again = cases
        if before.result is None:
            return "fails on rows that it had cleaned"
        if after.result is None or again.result is None:
            return "" if after.result is again.result else "fails now and then"
        if difference(after.result, again.result)[0]:
            return "is not the same twice"
        same = ~_changed_rows(self.before.input, self.after.input, self.rows)
        flags = None if self.flags_before is None else self.flags_before[self.rows]
        if flags is not None and self.flags_after is not None and (same & (flags != self.flags_after)).any():
            return "flags rows by more than what is in them"
        if before.result.num_rows != before.input.num_rows or after.result.num_rows != after.input.num_rows:
            return ""  # which rows are gone is a guess where rows are alike
        if (same & _changed_rows(before.result, after.result, self.rows)).any():
            return "treats rows by more than what is in them"
        return ""


def origin_of(observations: Observations, rows: int) -> Rows:
    """For each row of the candidate's result, its row in the sample."""
    origin = observations.orders.get("chained-origin")
    return np.asarray(origin, dtype=np.int64) if origin is not None else np.arange(rows)


def _changed_rows(before: pa.Table, after: pa.Table, rows: Rows) -> Mask:
    """Rows of `after` in which some cell differs; all of them where the columns are others."""
    if before.column_names != after.column_names:
        return np.ones(after.num_rows, dtype=np.bool_)
    kept = before.take(pa.array(rows))
    changed = np.zeros(after.num_rows, dtype=np.bool_)
    for name in after.column_names:
        changed |= differing(kept.column(name), after.column(name))
    return changed


def _emptied(before: CaseObservation, after: CaseObservation, rows: Rows) -> Mask:
    """Rows whose changed cells are all missing now, and which the promoted functions leave as they are.

    A missing value differs from itself, so that `strip(x) != x` flags it; there is nothing in it to be solved.
    """
    none = np.zeros(len(rows), dtype=np.bool_)
    if after.changed is None or len(after.changed) != len(rows):
        return none
    source, some, other = before.input.take(pa.array(rows)), none.copy(), none.copy()
    for name in source.column_names:
        if has_column(after.input, name):
            cells = after.input.column(name)
            changed = differing(source.column(name), cells)
            null = cells.is_null(nan_is_null=True).to_numpy(zero_copy_only=False)
            some |= changed & null
            other |= changed & ~null
    return some & ~other & ~after.changed
