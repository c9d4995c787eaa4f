"""What a model knows already when it is shown a verdict: columns, rows as it was shown them, words, its own source.

Called by `feedback_masking`.
"""

import re
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any

import pyarrow as pa

from orchestrator.core.verdict import Counterexample
from orchestrator.data.record_tables import ABSENT
from orchestrator.propose.privacy.gate_words import gate_words
from orchestrator.propose.privacy.masking import HIDDEN
from orchestrator.propose.privacy.run_fakes import RUN
from orchestrator.propose.privacy.vocabulary import WORDS

_KEY = re.compile(r'"((?:[^"\\]|\\.)*)":')
_LETTERS = re.compile(r"[^\W\d_]{2,}")


class ModelKnowledge:
    """`rows`: the rows as the model was shown them. `source`: what it has written itself. `unshown`: symbols."""

    def __init__(self, rows: pa.Table, source: str, unshown: Collection[str] = ()) -> None:
        self.source = source
        self.unshown = frozenset(unshown)
        self.columns = frozenset(rows.column_names)
        self.words = WORDS.union(gate_words(), *(_LETTERS.findall(text) for text in (source, *rows.column_names)))
        self.names = _any_of(rows.column_names)
        self._rows = rows

    @cached_property
    def own_words(self) -> frozenset[str]:
        """The words and numbers of its source, in small letters."""
        return frozenset(run.lower() for run in RUN.findall(self.source))

    @cached_property
    def cells(self) -> frozenset[str]:
        """The texts in the rows."""
        return frozenset(cell for column in self._rows.columns for cell in column.to_pylist() if isinstance(cell, str))

    @cached_property
    def hidden(self) -> frozenset[str]:
        """The columns of which nothing is shown."""
        texts = [n for n, field in enumerate(self._rows.schema) if pa.types.is_string(field.type)]
        cells = {self._rows.column_names[n]: set(self._rows.column(n).to_pylist()) for n in texts}
        return frozenset(name for name, found in cells.items() if HIDDEN in found <= {HIDDEN, ABSENT})

    @cached_property
    def shown_names(self) -> frozenset[str]:
        """The columns, and the keys in lists and objects of the rows."""
        found = (_KEY.findall(cell) for cell in self.cells if "{" in cell)
        return self.columns.union(*found, _fields(self._rows.schema))

    def says(self, text: str) -> bool:
        """Whether it is the name of a column, or made of known words."""
        return text in self.columns or all(run in self.words for run in RUN.findall(text))

    def wrote(self, shown: Counterexample) -> bool:
        """Whether the rows are an example of its own source."""
        cells = [value for row in shown.input for value in row.values() if value is not None]
        return bool(cells) and all(isinstance(value, str) and repr(value)[1:-1] in self.source for value in cells)


def _any_of(names: Sequence[str]) -> re.Pattern[str]:
    """Finds each of the names where it stands as a word of its own; nothing, where there are none."""
    listed = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
    return re.compile(rf"(?<![^\W_])(?:{listed})(?![^\W_])" if listed else r"(?!)")


def _fields(schema: Any) -> frozenset[str]:
    """The names of the fields of nested types."""
    found: set[str] = set()
    waiting = [field.type for field in schema]
    while waiting:
        kind = waiting.pop()
        if pa.types.is_struct(kind):
            inner = [kind.field(n) for n in range(kind.num_fields)]
            found |= {field.name for field in inner}
            waiting += [field.type for field in inner]
        elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
            waiting.append(kind.value_type)
    return frozenset(found)
