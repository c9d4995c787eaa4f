"""Says what functions change in the whole data that the gate would have doubted. Called by `data_drift`.

A function is proved on some rows of one file. In the others, and in next month's file, it can do something else to a
few cells. So of each function some rows of every kind of change are kept (`rows.kinds_of_change`), and the gate's
doubts about information look at them, beside rows that stay. What was doubted where the function was proved is not
said again: a person has settled it. Fitted functions are left out: what they do rests on all rows of a group, and some
rows that were picked do not tell.
"""

from collections.abc import Collection, Iterator, Sequence
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING

from orchestrator.core.candidate import Shape
from orchestrator.core.needs import own_columns, read_first
from orchestrator.core.promoted import Promoted
from orchestrator.core.steps.run_steps import DataDrift
from orchestrator.data.text import clean_text
from orchestrator.run.apply.clean_table import Cleaned
from orchestrator.run.rows.dropped_rows import DroppedRows
from orchestrator.run.rows.kinds_of_change import KindsOfChange

if TYPE_CHECKING:
    from orchestrator.run.rows.row_doubts import RowDoubt

DOUBTED = "doubted-change"
ROWS_DROPPED = "rows-dropped"  # a kind of the gate's concerns
MOST_COLUMNS = 10  # about a second of processor time
CELLS_OF_ONE = 2_000
_LAWS = "orchestrator.run.rows.row_doubts"


class DoubtedChanges:
    """Takes what the functions made of every batch; `found` looks at it, once all batches are there.

    `left_out`: functions that the gate has seen on nearly all rows of the data.
    """

    def __init__(self, functions: Sequence[Promoted], left_out: Collection[str] = ()) -> None:
        self._functions = functions
        self._left_out = {f.name for f in functions if f.candidate.contract.shape is Shape.FITTED} | {*left_out}
        self._kinds: list[KindsOfChange | None] = [None] * len(functions)
        self._dropped: dict[int, DroppedRows] = {}
        if len(self._left_out) < len(functions):
            # While the first batch is in its container, nobody needs the processor.
            Thread(target=import_module, args=(_LAWS,)).start()

    def take(self, cleaned: Cleaned) -> None:
        """Keep rows of each kind of change."""
        for number, batches in enumerate(cleaned.made):
            candidate = self._functions[number].candidate
            for batch in () if candidate.name in self._left_out else batches:
                kinds = self._kinds[number]
                if kinds is None:
                    own = own_columns(candidate, batch.source.column_names)
                    kinds = self._kinds[number] = KindsOfChange(own)
                    if candidate.contract.drops_rows:
                        self._dropped[number] = DroppedRows(own)
                kinds.take(batch)
                if number in self._dropped:
                    self._dropped[number].take(batch)

    def found(self) -> Iterator[DataDrift]:
        """What the gate doubts of the rows that were kept.

        Not every column is looked at where few cells of very many columns were changed: at most `MOST_COLUMNS`, and one
        for each `CELLS_OF_ONE` cells that were changed. First come those with few changes of letters or figures, for
        which a function of blanks or case has no reason; those with none come last.
        """
        from orchestrator.run.rows.row_doubts import row_doubts

        changed = [(f, kinds) for f, kinds in zip(self._functions, self._kinds, strict=True) if kinds is not None]
        columns = [(f, kinds, name, other) for f, kinds in changed for name, other in kinds.columns().items()]
        most = MOST_COLUMNS + sum(kinds.changed for _, kinds in changed) // CELLS_OF_ONE
        for function, kinds, name, _ in sorted(columns, key=lambda one: (not one[3], one[3]))[:most]:
            known = {one.kind for one in function.evidence.verdict.concerns if name in one.columns}
            first: dict[tuple[str, str], RowDoubt] = {}
            try:
                for doubt in row_doubts(function, name, *kinds.rows_of(name)):
                    if doubt.kind not in known:
                        first.setdefault((repr(doubt.before), repr(doubt.after)), doubt)
            except Exception as error:  # noqa: BLE001 - a law's own fault: hours of applying are not lost for it
                yield _not_looked_at(function, name, error, kinds.cells(name))
            for doubt in first.values():
                yield _as_drift(function, doubt, kinds.cells(name))
        for number, dropped in self._dropped.items():
            yield from _of_rows(self._functions[number], dropped)


def _as_drift(function: Promoted, doubt: "RowDoubt", cells: int) -> DataDrift:
    proved = function.evidence.verdict.effects
    before, after = (clean_text(repr(cell), 80) for cell in (doubt.before, doubt.after))
    return DataDrift(
        function=function.name,
        kind=DOUBTED,
        column=doubt.column,
        value=doubt.kind,
        before=(0, 0 if proved is None else proved.of(doubt.column).changed),
        now=(doubt.rows, cells),
        said=f"{doubt.column[:60]!r}: {doubt.detail}: {before} → {after}",
    )


def _of_rows(function: Promoted, dropped: DroppedRows) -> Iterator[DataDrift]:
    """What is doubted of the rows that it dropped."""
    from orchestrator.run.rows.row_doubts import doubted_rows

    if not dropped.dropped or any(one.kind == ROWS_DROPPED for one in function.evidence.verdict.concerns):
        return
    proved = function.evidence.verdict.effects
    try:
        doubted = doubted_rows(function, *dropped.picked())
    except Exception as error:  # noqa: BLE001 - as above
        yield _not_looked_at(function, "", error, dropped.dropped)
        return
    if doubted:
        row = clean_text(repr(read_first(function.candidate.source, doubted[0])), 160)
        yield DataDrift(
            function=function.name,
            kind=DOUBTED,
            column="",
            value=ROWS_DROPPED,
            before=(0, 0 if proved is None else proved.dropped),
            now=(len(doubted), dropped.dropped),
            said=f"it drops rows with values, which nobody asked for: {row}",
        )


def _not_looked_at(function: Promoted, name: str, error: Exception, cells: int) -> DataDrift:
    """Said in place of a doubt; who refuses doubts is not to go on without knowing."""
    place = repr(name[:60]) if name else "rows that it drops"
    return DataDrift(
        function=function.name,
        kind=DOUBTED,
        column=name,
        value="not-looked-at",
        before=(0, 0),
        now=(cells, cells),
        said=f"{place}: its changes could not be looked at ({type(error).__name__}), a fault of cleanroom",
    )
