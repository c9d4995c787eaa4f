"""Why the gate suspects that changed cells of a column mean something else. Called by the check on information.

A suspicion is no proof: `keeps-information` raises a concern of each, and a witness settles those that it shows. The
candidate's own examples are no witnesses.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.gate.information.changes import Change, seen
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.laws import LAWS, OF_FORM


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
    column = Column([*map(seen, cells)], [*map(seen, witnesses)], [*map(seen, evidence)])
    found: list[Suspicion] = []
    for kind, law, wanted in LAWS if column.changed else ():
        reason = None if any(one.kind == kind for one in found) else law(column)
        at = None if reason is None else column.at(reason[1])
        if reason is not None and at is not None and not (kind in OF_FORM and law(column.of_witnesses())):
            found.append(Suspicion(kind, reason[0], at, wanted))
    return found
