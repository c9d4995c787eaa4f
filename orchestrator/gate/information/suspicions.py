"""Why the gate suspects that changed cells of a column mean something else. Called by the check on information.

A suspicion is no proof: `keeps-information` raises a concern of each, and a witness settles those that it shows. The
candidate's own examples are no witnesses.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.gate.information.as_shown.hidden_addresses import with_hidden_addresses
from orchestrator.gate.information.changes import Change, moved, seen
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.laws import LAWS, OF_FORM
from orchestrator.gate.information.otherwise_than_shown import otherwise_than_shown


@dataclass(frozen=True)
class Suspicion:
    """`kind`: a stable id; `detail`: what changed, in a sentence without subject; `at`: the cell that shows it."""

    kind: str
    detail: str
    at: int
    wanted: str


def suspicions(
    cells: Sequence[Change], witnesses: Sequence[Change] = (), evidence: Sequence[Change] = ()
) -> list[Suspicion]:
    """One suspicion per kind that the cells give reason for and no witness settles.

    `cells`: every cell of the column before and after, the unchanged ones as well: they are evidence, too, as are those
    in `evidence`, other rows of the column.
    """
    witnesses = [*map(seen, witnesses)]
    own, shown, more = (with_hidden_addresses([*map(seen, group)], witnesses) for group in (cells, witnesses, evidence))
    column = Column(own, shown, more)
    found = _suspicions(column)
    if not found and (others := otherwise_than_shown(column)):
        found = _suspicions(Column([*others, *(cell for cell in own if not moved(cell))], (), more), column)
    return found


def _suspicions(column: Column, whole: Column | None = None) -> list[Suspicion]:
    found: list[Suspicion] = []
    for kind, law, wanted in LAWS if column.changed else ():
        reason = None if any(one.kind == kind for one in found) else law(column)
        at = None if reason is None else (whole or column).at(reason[1])
        if reason is not None and at is not None and not (kind in OF_FORM and law(column.of_witnesses())):
            found.append(Suspicion(kind, reason[0], at, wanted))
    return found
