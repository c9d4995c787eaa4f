"""What the team requires: the policy's column rules and, in a process of their own, the functions of `--checks`."""

import datetime as dt
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from orchestrator.core.policy import ColumnRule
from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.check import Check, VerdictScope
from orchestrator.gate.checks.examples import same
from orchestrator.gate.checks.outcome import Violation, failed, passed, row_example, words
from orchestrator.gate.judge.compare import names_text
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "user-checks"
LAW = "The team's own demands hold: the policy's rules for columns, and every function of --checks."

_JUDGED = ("working", "rest", "holdout")


def check(observations: Observations) -> CheckResult | None:
    return None if observations.team else result(observations)


def result(
    observations: Observations, team: Callable[[Observations], Violation | None] | None = None
) -> CheckResult | None:
    """The rules first, then what the team's functions say; None while the confirming container is to come."""
    cases = observations.present(*_JUDGED)
    for case in cases:
        found = violation(case, observations.rules)
        if found is not None:
            return failed(ID, found, len(cases))
    found = None if team is None else team(observations)
    if found is not None:
        return failed(ID, found, len(cases))
    if not observations.final:
        return None
    return passed(ID, len(cases))


def violation(case: CaseObservation, rules: Mapping[str, ColumnRule]) -> Violation | None:
    """The first rule that does not hold in the result."""
    if case.result is None:
        return None
    return next((found for name, rule in rules.items() if (found := _violation(case, name, rule)) is not None), None)


def _violation(case: CaseObservation, name: str, rule: ColumnRule) -> Violation | None:
    before, after = case.columns, () if case.result is None else case.result.column_names
    if name not in before and name not in after:
        return Violation(f"the policy has a rule for the column {name!r}; the data has {names_text(before)}")
    if name not in after:
        return Violation(f"it drops the column {name!r}, for which the policy has a rule")
    changed = case.masks.get(name)
    if rule.never_changes and changed is not None:
        return _wrong(
            case, name, np.flatnonzero(changed).tolist(), "changes", "the cell as it was: this column never changes"
        )
    if changed is None and name in before and name not in (case.contract.modifies or ()):
        return None  # it leaves the column alone: whatever is wrong there is not its doing
    return _unfit(case, name, rule)


def _unfit(case: CaseObservation, name: str, rule: ColumnRule) -> Violation | None:
    """Cells of the result that the rule does not admit."""
    cells = case.values(case.result, name)
    if rule.not_null and (rows := [row for row, cell in enumerate(cells) if _nothing(cell)]):
        return _wrong(case, name, rows, "leaves nothing in", "a value: this column may not be null or empty")
    if rule.allowed is not None:
        values = rule.allowed
        if rows := _rows(cells, lambda cell: any(same(value, cell) for value in values)):
            wanted = f"one of {', '.join(repr(value) for value in values[:20])}"
            return _wrong(case, name, rows, "leaves a value that is not allowed in", wanted)
    if rule.matches is not None:
        pattern = re.compile(rule.matches)
        if rows := _rows(cells, lambda cell: pattern.fullmatch(_as_text(cell)) is not None):
            return _wrong(case, name, rows, "leaves a value of another form in", f"a value that matches {rule.matches}")
    return None


def _rows(cells: Iterable[Any], fits: Callable[[Any], bool]) -> list[int]:
    """The rows whose cell holds something that does not fit."""
    known: dict[tuple[type, str], bool] = {}
    rows = []
    for row, cell in enumerate(cells):
        if _nothing(cell):
            continue
        key = (type(cell), repr(cell))
        if key not in known:
            known[key] = fits(cell)
        if not known[key]:
            rows.append(row)
    return rows


def _nothing(cell: Any) -> bool:
    return cell is None or cell == "" or (isinstance(cell, float) and math.isnan(cell))


def _as_text(cell: Any) -> str:
    return cell.isoformat() if isinstance(cell, dt.date | dt.time) else str(cell)


def _wrong(case: CaseObservation, name: str, rows: Sequence[int], does: str, wanted: str) -> Violation:
    total = 0 if case.result is None else case.result.num_rows
    detail = f"it {does} {name!r}, in {len(rows)} of {total} rows of {words(case)}, against the policy"
    return Violation(detail, row_example(case, int(rows[0]), wanted, [name]))


def not_applicable(scope: VerdictScope) -> str:
    return "" if scope.demands else "there are no --checks and no rules for columns"


CHECK = Check(ID, LAW, check, not_applicable)
