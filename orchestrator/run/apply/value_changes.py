"""Which values became which, column by column: what a person reads before signing off. Called by `apply`.

Only the first rows are looked at, and of each column only the most frequent changes are kept, so that the cost and the
size of the journal are bounded for any file.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.columns import ValueChange
from orchestrator.data.cells import as_text, differing, has_column

FIRST_ROWS = 131_072
MAX_SHOWN = 1_000  # changes in all columns together, and at most so many of one column are kept in mind
_MOST, _LEAST = 30, 3  # of one column
_MAX_TEXT = 120

_Pair = tuple[str | None, str | None]


class ValueChanges:
    """Takes what was read and what came out of it, batch after batch."""

    def __init__(self) -> None:
        self._rows = 0
        self._found: dict[str, Counter[_Pair]] = {}
        self._full: dict[str, pa.Array] = {}  # what the changes of a column begin with, once no more are kept

    def add(self, before: pa.Table, after: pa.Table, changed: Iterable[str]) -> None:
        """Row i of both tables is the same row; `changed` are the columns that are worth a look."""
        if self._rows >= FIRST_ROWS:
            return
        self._rows += before.num_rows
        for name in changed:
            if has_column(before, name) and has_column(after, name):
                self._look(name, before.column(name), after.column(name))

    def of(self, name: str) -> tuple[ValueChange, ...]:
        """The most frequent changes in a column, the most frequent first."""
        room = max(_LEAST, min(_MOST, MAX_SHOWN // max(1, len(self._found))))
        found = sorted(self._found.get(name, Counter()).items(), key=lambda item: -item[1])[:room]
        return tuple(ValueChange(before=one, after=two, count=count) for (one, two), count in found)

    def _look(self, name: str, before: pa.ChunkedArray, after: pa.ChunkedArray) -> None:
        mask = differing(before, after)
        if mask is None:
            return
        pairs = pa.table({"before": _text(before.filter(mask)), "after": _text(after.filter(mask))})
        if name in self._full:
            pairs = pairs.filter(pc.is_in(pairs.column("before"), self._full[name]))
        counted = pairs.group_by(["before", "after"], use_threads=False).aggregate([([], "count_all")])
        counted = counted.sort_by([("count_all", "descending")]).slice(0, MAX_SHOWN)
        known = self._found.setdefault(name, Counter())
        for one, two, count in zip(*(counted.column(c).to_pylist() for c in counted.column_names), strict=True):
            if (one, two) in known or len(known) < MAX_SHOWN:
                known[one, two] += count
        if len(known) >= MAX_SHOWN and name not in self._full:
            self._full[name] = pa.array([one for one, _ in known], pa.string())


def _text(values: pa.ChunkedArray) -> Any:
    """As text of at most 120 characters; what is cut ends with an ellipsis."""
    text = as_text(values)
    if (pc.max(pc.binary_length(text)).as_py() or 0) <= _MAX_TEXT:
        return text
    cut = pc.binary_join_element_wise(pc.utf8_slice_codeunits(text, 0, _MAX_TEXT), "…", "")
    return pc.if_else(pc.greater(pc.utf8_length(text), _MAX_TEXT), cut, text)
