"""One changed column of one case, before and after, as the check `keeps-information` looks at it.

What is gone for good (`gone`) fails the candidate; what may have lost its meaning is a suspicion. Made by
column_doubts.py.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from orchestrator.core.candidate import Shape
from orchestrator.gate.checks.changed_columns.cell_keys import pair_key
from orchestrator.gate.checks.changed_columns.column_cells import column_cells
from orchestrator.gate.checks.changed_columns.column_labels import without_labels
from orchestrator.gate.checks.changed_columns.filled_cells import filled_cells
from orchestrator.gate.checks.changed_columns.frequent_values import frequent_values_merged
from orchestrator.gate.checks.changed_columns.inside_doubts import inside_doubts
from orchestrator.gate.checks.changed_columns.overruled import overruled
from orchestrator.gate.checks.changed_columns.suspected import Suspected
from orchestrator.gate.checks.changed_columns.unit_of_another import unit_of_another
from orchestrator.gate.checks.changed_columns.unit_put_in import unit_put_in
from orchestrator.gate.checks.changed_columns.values_gone import emptied_alike, new_nulls, texts_become_empty_lists
from orchestrator.gate.checks.changed_columns.values_merged import collapse
from orchestrator.gate.information.alike_changes import some_of_each_form
from orchestrator.gate.information.changes import Change, both_text, moved
from orchestrator.gate.information.equivalence import Known
from orchestrator.gate.information.null_tokens import is_missing
from orchestrator.gate.information.row_evidence.denied_beside import denied_beside
from orchestrator.gate.information.row_evidence.rewritten_values import rewritten_in_some_rows
from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.judge.compare import Mask
from orchestrator.gate.judge.observations import CaseObservation, Observations


class ChangedColumn:
    """What is suspected of the cells of one column."""

    def __init__(
        self, case: CaseObservation, observations: Observations, name: str, mask: Mask, *, closely: bool = False
    ) -> None:
        self._arguments = case, observations, name, mask
        self._lot, self._observations, self._closely = observations.lot, observations, closely
        self._cells = column_cells(case, observations, name, mask, closely=closely)

    def closely(self) -> "ChangedColumn":
        """The column beside all other rows and the columns that change with it, without slips that its row tells."""
        return ChangedColumn(*self._arguments, closely=True)

    def gone(self) -> Suspected | None:
        """Values that are gone for good, and that neither a witness nor `detect` explains.

        Where a witness shows that a cell becomes empty, it is a suspicion that another one should not.
        """
        found = new_nulls(self._cells) or collapse(self._cells)
        if found is None or found.kind == "values-collapse" or self._cells.all_flagged():
            return None
        is_wanted = found.kind == "cells-emptied" and any(is_missing(after) for _, after in self._cells.shown)
        return None if is_wanted else found

    def suspected(self) -> list[Suspected]:
        """All that may have lost its meaning, and that no witness shows."""
        cells, texts = self._cells, self._cells.shown_texts
        first = (
            new_nulls(cells) or emptied_alike(cells),
            filled_cells(cells.case, self._observations, cells.name, (cells.before, cells.after), cells.rows),
            collapse(cells),
            self._overruled(),
            texts_become_empty_lists(cells),
            self._doubted_unit(),
            frequent_values_merged(cells.before, cells.with_added, texts),
            self._denied(),
            rewritten_cells(cells.case, cells.pairs, texts),
        )
        inside = inside_doubts((cells.before, cells.after), _apart(cells.shown), by_row=cells.case.by_row)
        return [*filter(None, first), *self._reinterpreted(), *inside]

    def _doubted_unit(self) -> Suspected | None:
        """A unit that goes from a number, or is put at one, against what says the unit of its column."""
        cells = self._cells
        given = cells.case, cells.name, [(row, *cells.pairs[row]) for row in cells.rows], cells.shown
        if (row := unit_of_another(*given)) is not None:
            detail = "a unit goes that is not the one of its column"
            return Suspected("unit-dropped", detail, row, "the unit, or the number in the other")
        if (row := unit_put_in(*given, [*cells.before, *(before for before, _ in cells.elsewhere)])) is not None:
            return Suspected("words-added", "a number gets a unit that nothing says", row, "the number alone")
        return None

    def _overruled(self) -> Suspected | None:
        cells = self._cells
        if cells.case.contract.shape is not Shape.FITTED:
            return None
        return overruled(cells.pairs, cells.rows, cells.shown)

    def _denied(self) -> Suspected | None:
        """Words that become what another column of their rows denies, unless a witness shows such a change."""
        cells, pairs, shown = self._cells, self._cells.pairs, self._cells.shown
        rows = [row for row in cells.rows if both_text(pairs[row]) and pairs[row] not in shown]
        denied = denied_beside(pairs, rows, cells.case.other_columns(cells.name)) if rows else []
        denied = [row for row in denied if cells.equivalence.known(*pairs[row]) is not Known.SAME]
        detail = f"{len(denied)} cells become a word that another column of their rows denies"
        wanted = "the word that goes with the row"
        return Suspected("word-replaced", detail, denied[0], wanted, len(denied)) if denied else None

    def _reinterpreted(self) -> list[Suspected]:
        """Numbers keep sign and size, words their letters; what stands in a new column beside it is not lost."""
        cells = self._cells
        shown = [(one.input[cells.name], cells.joined_output(one)) for one in cells.witnesses]
        witnesses = [*shown, *without_labels(cells.name, shown)]
        beside = cells.with_added
        changes, rows = self._different(beside)
        found = suspicions(changes, witnesses, cells.elsewhere)
        if beside is not cells.after:  # a part may have gone there, or what was added may hide what is gone
            alone = {one.kind for one in suspicions(self._different(cells.after, rows)[0], witnesses, cells.elsewhere)}
            found = [one for one in found if one.kind in alone]
        counts = Counter(map(pair_key, cells.pairs))
        return [
            Suspected(one.kind, one.detail, row, one.wanted, counts[pair_key((cells.before[row], cells.after[row]))])
            for one in found
            for row in [rows[one.at]]
        ]

    def _different(self, after: Sequence[Any], rows: list[int] | None = None) -> tuple[list[Change], list[int]]:
        """The pairs of cells, each once, and the first row of each; unchanged ones are evidence. Some of each form."""
        before, name = self._cells.before, self._cells.name
        if rows is None:
            first: dict[Any, int] = {}
            for row, pair in enumerate(zip(before, after, strict=True)):
                first.setdefault(pair_key(pair), row)
            rows = list(first.values())
        changes = without_labels(name, [(before[row], after[row]) for row in rows])
        kept = [at for at, row in enumerate(rows) if moved(changes[at]) or not moved((before[row], after[row]))]
        changes, rows = [changes[at] for at in kept], [rows[at] for at in kept]
        some = some_of_each_form(changes, self._lot, len(self._cells.case.masks), all_that_stay=self._closely)
        return [changes[at] for at in some], [rows[at] for at in some]


def _apart(pairs: Sequence[Change]) -> tuple[list[Any], list[Any]]:
    return [before for before, _ in pairs], [after for _, after in pairs]


def rewritten_cells(case: CaseObservation, cells: Sequence[Change], shown: Sequence[Change]) -> Suspected | None:
    """Where other columns decide how one value is written, unless a witness shows it. `cells`: the column, row by row.

    Not of a fitted function: the rows of one key agree on their own way to write it.
    """
    if case.contract.shape is Shape.FITTED or not (rows := rewritten_in_some_rows(cells, shown)):
        return None
    detail = "a value is written otherwise in some of its rows only"
    return Suspected("sign-changed", detail, rows[0], "the value written in one way", len(rows))
