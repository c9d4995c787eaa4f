"""Why the gate suspects that changed cells of a column mean something else. Called by the check on information.

A suspicion is no proof: `keeps-information` raises a concern of each, and a witness settles those that it shows. The
candidate's own examples are no witnesses.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.number_parsing import loses_precision
from orchestrator.gate.information.reinterpretation import misread
from orchestrator.gate.information.value_loss import lost

Law = Callable[[Sequence[Change], Sequence[Change]], Found | None]


@dataclass(frozen=True)
class Suspicion:
    """`kind`: a stable id; `detail`: what changed, in a sentence without subject; `at`: the cell that shows it."""

    kind: str
    detail: str
    at: int
    wanted: str


def suspicions(cells: Sequence[Change], witnesses: Sequence[Change] = ()) -> list[Suspicion]:
    """One suspicion per kind that the cells give reason for and no witness settles.

    `cells`: every cell of the column before and after, the unchanged ones as well: they are evidence, too.
    """
    found = []
    for kind, law, wanted in _LAWS:
        reason = law(cells, witnesses)
        if reason is not None:
            at = next(number for number, cell in enumerate(cells) if _same(cell, reason[1]))
            found.append(Suspicion(kind, reason[0], at, wanted))
    return found


def _same(one: Change, other: Change) -> bool:
    return all(type(left) is type(right) and left == right for left, right in zip(one, other, strict=True))


def _changed(cells: Sequence[Change]) -> list[Change]:
    return [cell for cell in cells if _key(cell[0]) != _key(cell[1])]


def _key(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


def _lost(cells: Sequence[Change], witnesses: Sequence[Change]) -> Found | None:
    changed = _changed(cells)
    found = lost(changed, witnesses)
    return None if found is None else (found[0], changed[found[1]])


def _misread(cells: Sequence[Change], witnesses: Sequence[Change]) -> Found | None:
    found = misread(cells)
    return None if found is None or found[1] in witnesses else found


def _precision(cells: Sequence[Change], witnesses: Sequence[Change]) -> Found | None:
    if any(loses_precision(*change) for change in witnesses):
        return None
    rounded = next((change for change in _changed(cells) if loses_precision(*change)), None)
    return None if rounded is None else ("a number loses precision", rounded)


_LAWS: Sequence[tuple[str, Law, str]] = (
    ("precision-lost", _precision, "the number whole"),
    ("value-lost", _lost, "the value whole"),
    ("value-misread", _misread, "the same date, time or word"),
)
