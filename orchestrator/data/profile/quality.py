"""Measures the quality of every column, table by table, in bounded memory.

Called before and after apply, and by `analyze`. Every figure is computed on the data itself. Distinct values and
patterns are counted up to a cap; beyond it the counts are lower bounds, and `capped` is True. Null words and
stray blanks are those of the texts inside of lists and objects, too.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.columns import ColumnQuality
from orchestrator.data.cells import as_text
from orchestrator.data.formats.format_interface import Dataset
from orchestrator.data.profile.missing_words import NULL_TOKENS
from orchestrator.data.profile.nested_texts import own_texts
from orchestrator.data.profile.patterns import alike, own_bytes, patterns_of, shapes_of

MAX_DISTINCT = 20_000
MAX_PATTERNS = 5_000
RARE_SHARE = 0.05
_TOKENS = pa.array(NULL_TOKENS)
_INNER = r"\s\s"
_LAYOUT = (  # of a text of several lines, as in Markdown and code: these blanks say something, and are no stray ones
    (r"(?s)```.*?(?:```|\z)", "`"),  # a block of code
    (r"(?m)^[\t ]*\|.*\|[\t ]*$", "|"),  # a row of a table
    (r"\n(?:  |\t)[\t ]*(\S)", "\n\\1"),  # an indented line
    (r"(\S)  \n", "\\1\n"),  # the line break of Markdown
)
_TOKEN_SHAPES = pa.concat_arrays([_TOKENS, pc.utf8_lower(shapes_of(_TOKENS))])
_SPACES = bytes(chr(byte) in "\t\n\f\r " for byte in range(256))


@dataclass(frozen=True, slots=True)
class ColumnLook:
    """The measures of one column of one table. Valid for every table in which the column is the same."""

    cells: int
    missing: int
    null_tokens: int
    untrimmed: int
    different: int
    values: tuple[int, ...]  # hashes of the distinct values, so that the values need not be kept
    patterns: dict[str, int]


def look_at(column: Any, *, values: bool = True, distinct: bool = True) -> ColumnLook:
    """Measure each distinct value once, weighted by how often it occurs. `values=False` leaves `values` empty.

    `distinct=False`: measure each cell, which costs less where nearly all differ; `different` then counts cells.
    """
    texts, counts = as_text(column), None
    if distinct:
        counted = pc.value_counts(texts)
        texts, counts = counted.field(0), counted.field(1).to_numpy()
    nulls = 0
    if texts.null_count:
        there = _mask(texts.is_valid())
        nulls = _cells(counts, ~there)
        texts, counts = texts.filter(pa.array(there)), None if counts is None else counts[there]
    lined = _without_empty_lines(texts)
    coded = alike(lined)  # its shapes say all but whether a text is a null token
    kinds, codes = coded.dictionary, coded.indices.to_numpy()
    weights = np.bincount(codes, weights=counts, minlength=len(kinds)).astype(np.int64)
    trimmed = pc.utf8_trim_whitespace(kinds)
    blank = _mask(pc.equal(trimmed, ""))
    filled = ~blank[codes] if blank.any() else np.ones(len(codes), np.bool_)
    untrimmed = _stray(kinds, trimmed)[codes] & filled
    if untrimmed.any() and b"\n" in own_bytes(lined):
        bare = _without_layout(lined)
        untrimmed &= _stray(bare, pc.utf8_trim_whitespace(bare))
    made = patterns_of(kinds.filter(pa.array(~blank))).dictionary_encode()
    patterns = np.bincount(made.indices.to_numpy(), weights=weights[~blank], minlength=len(made.dictionary))
    suspected = _mask(pc.is_in(pc.utf8_lower(trimmed), _TOKEN_SHAPES))
    return ColumnLook(
        cells=len(column),
        missing=nulls + int(weights[blank].sum()),
        null_tokens=_null_tokens(texts, counts, suspected[codes]) if suspected.any() else 0,
        untrimmed=_cells(counts, untrimmed),
        values=tuple(map(hash, texts.filter(pa.array(filled)).to_pylist())) if values else (),
        different=int(filled.sum()),
        patterns=dict(zip(made.dictionary.to_pylist(), patterns.astype(int).tolist(), strict=True)),
    )


class QualityMeter:
    """Measures a data set: `add` every table, then read the `result`."""

    def __init__(self) -> None:
        self._columns: dict[str, _Column] = {}

    def add(self, table: pa.Table) -> None:
        """Add the rows of a table."""
        for name in table.column_names:
            column = self._columns.setdefault(name, _Column(name))
            cells = table.column(name)
            look = look_at(cells, values=not column.full, distinct=not column.unlike)
            column.add(look, within=look_at(own_texts(cells), values=False) if _may_nest(cells, look) else look)

    def result(self) -> tuple[ColumnQuality, ...]:
        return tuple(column.result() for column in self._columns.values())


def measure(dataset: Dataset) -> tuple[tuple[ColumnQuality, ...], int]:
    """The quality of every column and the number of rows, in one streamed pass. Raises DataError."""
    meter = QualityMeter()
    rows = 0
    for table in dataset.batches():
        meter.add(table)
        rows += table.num_rows
    if not rows:
        raise dataset.without_rows()
    return meter.result(), rows


class _Column:
    def __init__(self, name: str) -> None:
        self._name = name
        self._cells = self._missing = self._tokens = self._untrimmed = self._unlisted = 0
        self._values: set[int] = set()
        self._patterns: Counter[str] = Counter()
        self._capped = False
        self.unlike = False  # whether hardly any two cells of the last table were alike, and the cap is reached

    @property
    def full(self) -> bool:
        """Whether the cap is reached, so that no more distinct values are counted."""
        return len(self._values) >= MAX_DISTINCT

    def add(self, look: ColumnLook, within: ColumnLook) -> None:
        """Count the column of a table; `within`: with the texts inside of its lists and objects in their place."""
        self._cells += look.cells
        self._missing += look.missing
        self._tokens += within.null_tokens
        self._untrimmed += within.untrimmed
        if self.full:
            self._capped = self._capped or look.different > 0
        else:
            self._values.update(look.values)
        self.unlike = self.full and look.different > look.cells / 2
        for pattern, count in look.patterns.items():
            if pattern in self._patterns or len(self._patterns) < MAX_PATTERNS:
                self._patterns[pattern] += count
            else:
                self._unlisted += count
                self._capped = True

    def result(self) -> ColumnQuality:
        rare = RARE_SHARE * (sum(self._patterns.values()) + self._unlisted)
        return ColumnQuality(
            name=self._name,
            cells=self._cells,
            missing=self._missing,
            null_tokens=self._tokens,
            untrimmed=self._untrimmed,
            off_pattern=self._unlisted + sum(count for count in self._patterns.values() if count < rare),
            distinct=len(self._values),
            patterns=len(self._patterns),
            capped=self._capped,
        )


def _may_nest(cells: Any, look: ColumnLook) -> bool:
    """Whether there may be lists or objects, as values or as the text of their JSON."""
    return pa.types.is_nested(cells.type) or any(form.startswith(("[", "{")) for form in look.patterns)


def _null_tokens(texts: Any, counts: Any, suspected: Any) -> int:
    """How often the texts stand that are null tokens, of those whose shape is one of a token."""
    found = _mask(pc.is_in(pc.utf8_lower(pc.utf8_trim_whitespace(texts.filter(pa.array(suspected)))), _TOKENS))
    return _cells(None if counts is None else counts[suspected], found)


def _cells(counts: Any, chosen: Any) -> int:
    """How many cells the chosen texts are: one each, where texts were not counted."""
    return int(chosen.sum() if counts is None else counts[chosen].sum())


def _without_empty_lines(texts: Any) -> Any:
    """With one line break for several, which are no stray blanks; nor are CR and LF. To a pattern all are the same."""
    data = own_bytes(texts)
    if b"\n\n" not in data and b"\r" not in data:
        return texts
    return pc.replace_substring_regex(texts, r"[\r\n]{2,}", "\n")


def _without_layout(texts: Any) -> Any:
    for layout, instead in _LAYOUT:
        texts = pc.replace_substring_regex(texts, layout, instead)
    return texts


def _stray(texts: Any, trimmed: Any) -> Any:
    """Which texts have blanks at their ends, or two together."""
    return _mask(pc.or_(pc.not_equal(texts, trimmed), _doubled_blanks(trimmed)))


def _doubled_blanks(texts: Any) -> Any:
    """Where two blanks stand together. Most columns have none, which their bytes say faster than any pattern."""
    data = texts.buffers()[2]
    spaces = b"" if data is None else data.to_pybytes().translate(_SPACES)
    return pc.match_substring_regex(texts, _INNER) if b"\1\1" in spaces else pa.scalar(value=False)


def _mask(values: Any) -> Any:
    return values.to_numpy(zero_copy_only=False).astype(bool)
