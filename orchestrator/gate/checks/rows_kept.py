"""Rows neither vanish nor appear nor move."""

from collections import Counter

import numpy as np

from orchestrator.core.jobs import Op
from orchestrator.core.verdict import CheckResult
from orchestrator.core.wording import counted
from orchestrator.gate.checks.check import Check, VerdictScope
from orchestrator.gate.checks.outcome import Violation, example, over, words
from orchestrator.gate.judge.compare import Rows
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "rows-kept"
_SHOWN = 3  # rows of a counterexample
LAW = "Every row is still there, in its order; with `drops_rows` the surviving rows are an ordered part of them."


def violation(case: CaseObservation) -> Violation | None:
    op_result = case.op(Op.F)
    if op_result.table is None or op_result.index is None:
        return None
    before, after = case.input.num_rows, op_result.table.num_rows
    if after > before:
        return _count(case, before, after)
    if after < before:
        if not case.contract.drops_rows:
            return _count(case, before, after)
        if case.origin is None:
            return Violation(f"the rows left of {words(case)} are not some of its rows in their order")
    elif after and not np.array_equal(op_result.index, np.arange(after)) and _permuted(op_result.index):
        row = int(np.argmax(op_result.index != np.arange(after)))
        wanted = "the rows in the order in which they came"
        rows = example(case.input, op_result.table, wanted, before_rows=[row], after_rows=[row])
        return Violation(f"the rows of {words(case)} came back in another order", rows)
    return None


def _permuted(index: "np.ndarray[tuple[int, ...], np.dtype[np.int64]]") -> bool:
    return np.array_equal(np.sort(index), np.arange(len(index)))


def _count(case: CaseObservation, before: int, after: int) -> Violation:
    wanted = counted(before, "row") + ("" if after > before else "; declare `drops_rows` if rows are meant to go")
    given, made = _odd_rows(case.op(Op.F).index, before, after) or (_gone(case), [])
    if not given:  # neither labels nor cells tell: the first rows of both
        given, made = list(range(min(before, _SHOWN))), list(range(min(after, _SHOWN)))
    rows = example(case.input, case.result, wanted, before_rows=given, after_rows=made)
    return Violation(f"{counted(before, 'row')} went in and {after} came out for {words(case)}", rows)


def _odd_rows(index: Rows | None, before: int, after: int) -> tuple[list[int], list[int]] | None:
    """A row that is gone, or one of which there are several, as far as the labels tell."""
    labels = [] if index is None else index.tolist()
    gone = sorted(set(range(before)) - set(labels))
    if gone and labels != list(range(after)):
        return gone[:1], []
    twice = next((label for label, count in Counter(labels).items() if count > 1 and 0 <= label < before), None)
    if twice is not None:
        return [twice], [row for row, label in enumerate(labels) if label == twice][:_SHOWN]
    return None


def _gone(case: CaseObservation) -> list[int]:
    """The first rows that are gone, as far as the cells tell that the function says it does not change; else none."""
    result = case.result
    changed = set(case.contract.named)
    names = [name for name in case.input.column_names if name not in changed]
    if result is None or not names or any(result.column_names.count(name) != 1 for name in names):
        return []
    given, made = (list(map(repr, table.select(names).to_pylist())) for table in (case.input, result))
    gone: list[int] = []
    at = 0
    for row, cells in enumerate(given):
        if at < len(made) and made[at] == cells:
            at += 1
        else:
            gone.append(row)
    return gone[:_SHOWN] if at == len(made) else []


def check(observations: Observations) -> CheckResult | None:
    return over(ID, list(observations.cases.values()), violation)


def not_applicable(scope: VerdictScope) -> str:
    return f"holds by construction: it is called once per {scope.contract.shape}" if scope.contract.shape.by_row else ""


CHECK = Check(ID, LAW, check, not_applicable, structural=True)
