"""One column before and after, and which of its changes nobody knows to be right. Called by suspicions.py."""

from collections.abc import Sequence
from typing import Any

from orchestrator.gate.information.as_shown.same_as_shown import same_as_shown
from orchestrator.gate.information.beyond_shown.order_as_shown import put_in_order
from orchestrator.gate.information.changes import Change, both_text, cell_key, moved, unchanged_texts, written
from orchestrator.gate.information.column_evidence.abbreviations import Abbreviations
from orchestrator.gate.information.column_evidence.centuries import between_shown
from orchestrator.gate.information.column_evidence.conversions import Conversions
from orchestrator.gate.information.column_evidence.left_out import LeftOut
from orchestrator.gate.information.column_evidence.lost_characters import LostCharacters
from orchestrator.gate.information.column_evidence.recoding import Recoding
from orchestrator.gate.information.column_evidence.shown_shifts import ShownShifts
from orchestrator.gate.information.equivalence import Equivalence, Known
from orchestrator.gate.information.shown import inflected, is_shown, same_form, same_fraction
from orchestrator.gate.information.tokens import layout
from orchestrator.gate.information.value_kinds.addresses import drops_parameters, host_as_shown
from orchestrator.gate.information.value_kinds.encodings import read_again
from orchestrator.gate.information.value_kinds.moments_in_texts import minutes_as_shown

TEXTS = 3  # of one layout that show how a column writes what it holds


class Column:
    """The cells of a column, once each, and which of the changes nobody knows to be right."""

    def __init__(self, cells: Sequence[Change], witnesses: Sequence[Change], evidence: Sequence[Change]) -> None:
        self.cells, self.witnesses = cells, witnesses
        own = {cell_key(cell): cell for cell in cells}
        self.different = list(({cell_key(cell): cell for cell in evidence} | own).values())
        shown = {cell_key(cell) for cell in witnesses}
        texts = [*map(written, self.different)]
        lost = LostCharacters(texts)
        words = [cell for cell in witnesses if both_text(cell) and moved(cell)]
        shown |= {cell_key(cell) for cell in own.values() if any(_is_that_of(cell, one) for one in words)}
        changed = [cell for cell in own.values() if moved(cell) and cell_key(cell) not in shown]
        self.changed = [cell for cell in changed if not (lost.explains(written(cell)) or read_again(*cell))]
        self._equivalence = Equivalence(texts)
        self.names = self._equivalence.names
        self.texts = [cell for cell in map(written, self.changed) if both_text(cell)]
        known = {cell: self._equivalence.known(*cell) for cell in self.texts}
        unknown = [cell for cell in self.texts if known[cell] is Known.UNKNOWN]
        stays = [written(cell) for cell in self.different if cell_key(cell) in own or not moved(cell)]
        left_out, conversions = LeftOut(texts), Conversions(stays, unknown)
        unknown = [cell for cell in unknown if not (left_out.explains(cell) or conversions.explains(cell))]
        self.abbreviations = Abbreviations(texts, unknown)
        unknown = [cell for cell in unknown if not self.abbreviations.explains(cell)]
        self.recoding = Recoding(texts, unknown)
        self.unknown = [cell for cell in unknown if not self.recoding.explains(cell)]
        self.shown = [cell for cell in map(written, witnesses) if both_text(cell) and moved(cell)]
        shown_other = [cell for cell in self.shown if self._equivalence.known(*cell) is not Known.SAME]
        other = [cell for cell in self.texts if known[cell] is Known.OTHER]
        drops = any(drops_parameters(*one) for one in shown_other)
        self.moves = ShownShifts(self.shown)
        self.other = [
            cell
            for cell in other
            if self.moves.known(cell) is not True
            and (self.moves.known(cell) is False or not any(same_form(cell, one) for one in shown_other))
            and not (drops and drops_parameters(*cell))
            and not between_shown(cell, self.shown, self._equivalence.centuries)
        ]
        self.unlike = [
            cell for cell in self.unknown if not (is_shown(cell, self.shown) or put_in_order(cell, self.shown))
        ]
        self.not_same = [
            cell for cell in self.texts if known[cell] is not Known.SAME and not is_shown(cell, self.shown)
        ]
        exactly = {cell_key(cell) for cell in self.shown}
        self.not_settled = [
            cell for cell in self.texts if known[cell] is not Known.SAME and cell_key(cell) not in exactly
        ]
        self.unspelled = [
            cell
            for cell in texts
            if not both_text(cell) or not moved(cell) or not (lost.explains(cell) or self._equivalence.spelled(*cell))
        ]

    def says_the_same(self, one: str, other: str) -> bool:
        """Whether two texts are known to say the same in this column."""
        return self._equivalence.known(one, other) is Known.SAME

    def joins_texts(self, before: Any, after: str) -> bool:
        """Whether a number is written as the texts of the column are, and still says the same."""
        stay = unchanged_texts(self.different)
        built = sum(layout(one) == layout(after) for one in stay)
        wide = {len(one) for one in stay if one.isdecimal()}
        if after.isdecimal() and len(wide) == 1 and len(after) not in wide:
            return False  # zeros in front are missing
        return built >= TEXTS and not isinstance(before, bool) and self.says_the_same(str(before), after)

    def of_witnesses(self) -> "Column":
        """The column as if what the witnesses show were all that changed in it."""
        return Column([*(cell for cell in self.different if not moved(cell)), *self.witnesses], (), ())

    def at(self, change: Change) -> int | None:
        """The first cell that is this change; None where it is of the evidence."""
        same = (n for n, cell in enumerate(self.cells) if cell_key(written(cell)) == cell_key(written(change)))
        return next(same, None)


def _is_that_of(change: Change, shown: Change) -> bool:
    """Whether the change is that of a witness, whose cell is written otherwise."""
    if inflected(change, shown) or same_fraction(change, shown):
        return True
    if not (both_text(change) and moved(change)):
        return False
    return host_as_shown(change, shown) or same_as_shown(change, shown) or minutes_as_shown(change, [shown])
