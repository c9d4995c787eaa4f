"""Measures the quality of every column, table by table, in bounded memory. Called before and after apply.

The figures are really computed on the data that they stand for. Distinct values and patterns are kept up to a cap;
beyond it the counts are lower bounds and say so.
"""

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.steps import ColumnQuality
from orchestrator.data.cells import as_text
from orchestrator.data.patterns import patterns

MAX_DISTINCT = 100_000
MAX_PATTERNS = 5_000
RARE_SHARE = 0.05
NULL_TOKENS = (
    "n/a", "na", "n.a.", "#n/a", "nan", "null", "none", "nil", "-", "--", "---", "?", "??", ".", "unknown", "missing",
    "undefined", "not available", "not applicable", "tbd", "(blank)", "(null)", "\\n", "#value!", "#ref!",
)  # fmt: skip
_TOKENS = pa.array(NULL_TOKENS)
_UNTRIMMED = r"^\s|\s$|\s\s"


class QualityMeter:
    """Feed it every table of a data set, then take the result."""

    def __init__(self) -> None:
        self._columns: dict[str, _Column] = {}

    def add(self, table: pa.Table) -> None:
        for name in table.column_names:
            self._columns.setdefault(name, _Column(name)).add(table.column(name))

    def result(self) -> tuple[ColumnQuality, ...]:
        return tuple(column.result() for column in self._columns.values())


class _Column:
    def __init__(self, name: str) -> None:
        self._name = name
        self._cells = self._missing = self._tokens = self._untrimmed = self._unlisted = 0
        self._values: set[int] = set()  # hashes: the values themselves need not be kept
        self._patterns: Counter[str] = Counter()
        self._capped = False

    def add(self, values: Any) -> None:
        """Look at each different value once and weigh it by how often it occurs."""
        self._cells += len(values)
        counted = pc.value_counts(as_text(values))
        texts, counts = counted.field(0), counted.field(1).to_numpy()
        trimmed = pc.utf8_trim_whitespace(texts)
        missing = _mask(pc.fill_null(pc.equal(trimmed, ""), True))
        self._missing += int(counts[missing].sum())
        self._tokens += int(counts[_mask(pc.is_in(pc.utf8_lower(trimmed), _TOKENS))].sum())
        untrimmed = _mask(pc.fill_null(pc.match_substring_regex(texts, _UNTRIMMED), False))
        self._untrimmed += int(counts[untrimmed & ~missing].sum())
        there = pa.array(~missing)
        self._add_values(texts.filter(there))
        self._add_patterns(texts.filter(there), counts[~missing])

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

    def _add_values(self, texts: Any) -> None:
        if len(self._values) >= MAX_DISTINCT:
            self._capped = self._capped or len(texts) > 0
            return
        self._values.update(map(hash, texts.to_pylist()))
        if len(self._values) > MAX_DISTINCT:
            self._values = set(list(self._values)[:MAX_DISTINCT])
            self._capped = True

    def _add_patterns(self, texts: Any, counts: Any) -> None:
        coded = patterns(texts).dictionary_encode()
        sums = np.bincount(coded.indices.to_numpy(), weights=counts, minlength=len(coded.dictionary))
        for pattern, count in zip(coded.dictionary.to_pylist(), sums, strict=True):
            if pattern in self._patterns or len(self._patterns) < MAX_PATTERNS:
                self._patterns[pattern] += int(count)
            else:
                self._unlisted += int(count)
                self._capped = True


def _mask(values: Any) -> Any:
    return values.to_numpy(zero_copy_only=False).astype(bool)
