"""The laws that hold for drawn rows, without any expected value. Runs in the judge's process; called by the check.

A good function must not be rejected for an input that it was never meant for. So all laws apply only to values that
such a column may hold one day (`usual`). For typing errors (`near`) those apply that a row's own `detect` states, and
order and structure; for the rest (`odd`) only structure, and that nothing is raised.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from orchestrator.core.jobs import Ended, Op
from orchestrator.data.hostile.reply import INPUT
from orchestrator.gate.checks import (
    columns_kept,
    dtypes_kept,
    idempotent,
    precise,
    pure,
    returns_shape,
    rows_kept,
    touches_only_declared,
)
from orchestrator.gate.checks.executed import ending, raised
from orchestrator.gate.checks.outcome import PerCase, Violation, example, row_example, words
from orchestrator.gate.information.null_tokens import holds_something, is_missing
from orchestrator.gate.judge.compare import difference, shown_rows
from orchestrator.gate.judge.observations import CaseObservation, Observations

CASE_PREFIXES = ("usual", "near", "odd", "unseen", "words", "fresh", "load")
"""The names of the cases that are judged here begin with one of these."""

MAX_VANISHED = 0.5  # of the unseen values of a kind that may become null where the known ones do not


class LawViolation(NamedTuple):
    """A law that is broken, the case that shows it, and how."""

    law: str
    case: str
    violation: Violation


def no_exception(case: CaseObservation) -> Violation | None:
    for op, who in ((Op.F, "it"), (Op.DETECT, "detect"), (Op.FF, "it"), (Op.DETECT_F, "detect")):
        op_result = case.op(op)
        if op_result.status == "raised":
            found = raised(case, op_result.error)
            return found if who == "it" else Violation(f"detect: {found.detail}", found.counterexample)
        if op in (Op.DETECT, Op.DETECT_F) and op_result.status in ("unserialisable", "broken", "missing"):
            return Violation(f"detect failed on {words(case)}: {op_result.error[:300]}", _rows(case))
    return None


def structure(case: CaseObservation) -> Violation | None:
    laws = (returns_shape, rows_kept, columns_kept, touches_only_declared)
    found = next((found for law in laws if (found := law.violation(case)) is not None), None)
    return found or dtypes_kept.violation(_without_hints(case))


def _without_hints(case: CaseObservation) -> CaseObservation:
    """Arrow's types alone: whether pandas needs a type for missing integers shows in the sample, not in drawn rows."""
    return replace(case, results={op: replace(result, dtypes=()) for op, result in case.results.items()})


def consistent(case: CaseObservation) -> Violation | None:
    """What the function leaves as it is, `detect` judges afterwards as it did before."""
    before, after = case.op(Op.DETECT).flags, case.op(Op.DETECT_F).flags
    if before is None or after is None or case.changed is None or case.origin is None or len(after) != len(case.origin):
        return None
    if len(case.comparable) != case.input.num_columns:
        return None
    other = (before[case.origin] != after) & ~case.changed
    if not other.any():
        return None
    detail = f"detect changes its answer for a row of {words(case)} that the function does not change"
    return Violation(detail, row_example(case, int(other.argmax()), "a detect that looks at the row alone"))


PER_CASE: dict[str, dict[str, PerCase]] = {
    "usual": {
        "no exception": no_exception,
        "structure": structure,
        "idempotent": idempotent.violation,
        "precise": precise.violation,
        "consistent": consistent,
        "pure": pure.violation,
    },
    "near": {
        "no exception": no_exception,
        "structure": structure,
        "precise": precise.violation,
        "consistent": consistent,
    },
    "odd": {"no exception": no_exception, "structure": structure},
}


OF_ROWS = frozenset(law for laws in PER_CASE.values() for law in laws)
ALONE = "alone"


def part_of(observations: Observations, case: CaseObservation) -> Violation | None:
    """What a row becomes, and whether it is flagged, does not depend on the other rows in the table."""
    whole, rows = observations.cases[case.id.partition("~")[0]], list(observations.orders[case.id])
    if case.contract.drops_rows or case.result is None or whole.result is None:
        return None
    if whole.result.num_rows != whole.input.num_rows or case.result.num_rows != len(rows):
        return None
    flags, others = case.op(Op.DETECT).flags, whole.op(Op.DETECT).flags
    if flags is not None and others is not None and (flags != others[rows]).any():
        row = int((flags != others[rows]).argmax())
        verb = "flags" if flags[row] else "does not flag"
        detail = f"detect {verb} a row among {len(rows)} rows, and does the opposite among {len(others)}"
        return Violation(detail, example(case.input, None, "the same answer among any other rows", before_rows=[row]))
    wanted = whole.result.take(pa.array(rows, pa.int64()))
    detail, row_at, columns = difference(wanted, case.result)
    if not detail:
        return None
    among = f"among {len(rows)} rows in place of {whole.input.num_rows}, or in another order,"
    if row_at is None:
        return Violation(f"{among} the same rows come out differently: {detail}")
    shown = example(
        case.input,
        case.result,
        f"as among the other rows: {shown_rows(wanted, [row_at], columns)[0]}",
        before_rows=[row_at],
        after_rows=[row_at],
        columns=columns,
    )
    return Violation(f"{among} the same rows come out differently: {detail}", shown)


def memorised(observations: Observations, case: CaseObservation) -> Violation | None:
    """What is done to all values of a kind that the sample holds is done to others of the kind as well."""
    known, position = observations.orders[case.id]
    name = case.input.column_names[position]
    if case.result is None or case.origin is None or len(case.origin) != case.input.num_rows:
        return None
    if name not in case.comparable:
        return None
    mask = case.masks.get(name, np.zeros(case.input.num_rows, dtype=np.bool_))
    if known and mask[:known].all() and not mask[known:].any():
        detail = f"in column {name[:60]!r} it changes all values of the sample and none with other digits"
        return Violation(
            f"{detail}: it seems to know the sample by heart", row_example(case, known, "a change as in the sample")
        )
    return _vanished(case, name, known)


def _vanished(case: CaseObservation, name: str, known: int) -> Violation | None:
    before, after = case.values(case.input, name), case.values(case.result, name)
    flags = case.op(Op.DETECT).flags
    rows = range(known, len(before))
    if flags is not None and flags[known:].all():
        return None  # detect flags all of them as wrong
    if any(is_missing(after[row]) and holds_something(before[row]) for row in range(known)):
        return None
    lost = [row for row in rows if is_missing(after[row])]
    if len(lost) > MAX_VANISHED * len(rows):
        detail = f"in column {name[:60]!r} it empties {len(lost)} of {len(rows)} values that the sample does not hold"
        return Violation(detail, row_example(case, lost[0], "the value kept", [name]))
    made = {repr(after[row]) for row in rows}
    changed = all(after[row] != before[row] for row in rows)
    if not known and len(made) == 1 and changed:
        detail = f"in column {name[:60]!r} all words that the sample does not hold become the same"
        return Violation(detail, row_example(case, rows[0], "different values kept apart", [name]))
    return None


def find(observations: Observations) -> Iterator[LawViolation]:
    """All broken laws, the simplest first."""
    yield from _ends(observations)
    for law in PER_CASE["usual"]:
        for circle, laws in PER_CASE.items():
            if circle in observations.cases and law in laws:
                violation = laws[law](observations.cases[circle])
                if violation is not None:
                    yield LawViolation(law, circle, violation)
    for case in observations.cases.values():
        found = _of_part(observations, case)
        if found is not None:
            yield found


def _of_part(observations: Observations, case: CaseObservation) -> LawViolation | None:
    """The law that a case of some of the rows breaks, or a load."""
    whole, _, word = case.id.partition("~")
    if not word and whole != "load":
        return None
    for law, per_case in (("no exception", no_exception), ("structure", structure)):
        violation = per_case(case)
        if violation is not None:
            return LawViolation(law, case.id, violation)
    if not word:
        return None
    if whole in ("unseen", "words"):
        violation = memorised(observations, case)
        return None if violation is None else LawViolation("unseen", case.id, violation)
    if whole == "fresh":
        return None  # a word may become another one where somebody wants it: no broken law
    violation = part_of(observations, case)
    if violation is None and case.op(INPUT).table is not None:
        violation = pure.violation(case)
    return None if violation is None else LawViolation(ALONE, case.id, violation)


def _ends(observations: Observations) -> Iterator[LawViolation]:
    for end in observations.ends:
        if (end.ended is not Ended.OK or end.broken) and not end.case.startswith("load"):
            yield LawViolation("ends", end.case, ending(observations, end))


def _rows(case: CaseObservation) -> Any:
    return example(case.input, None, "True or False for every row", before_rows=range(min(3, case.input.num_rows)))
