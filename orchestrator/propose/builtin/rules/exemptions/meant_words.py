"""Words for nothing that are names in their column: the family Null, the book Unknown. They stay, and that is said.

Called by `mixed_formats`, and by the run, which counts such cells among the null words that are left otherwise.
"""

import re
from collections.abc import Collection

from orchestrator.core.conventions import ColumnConvention
from orchestrator.data.profile.missing_words import NULL_TOKENS
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.rules.exemptions.spelling_exceptions import may_be_persons
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_FAMILIES = frozenset({"Na", "Nan", "Nil", "Null"})
_TITLES = frozenset({"album", "book", "film", "movie", "song", "titel", "title", "titolo", "titre", "título", "track"})
_OFTEN = 3  # rows; once it may be anything
_WORDY = 0.5  # of the different titles have two words: `Mr` and `Dr` are none


def meant_words(column: TextColumn, convention: ColumnConvention) -> list[str]:
    """The words as they are written, the most frequent first; none where the column has other words for nothing."""
    if convention.null is not None or convention.null_words:
        return []
    found = {text.strip() for text in column.counts if text.strip().casefold() in NULL_TOKENS}
    families = found <= {*_FAMILIES, *map(str.upper, _FAMILIES)} and len({*map(str.casefold, found)}) == len(found)
    if not found or any(rows_with(column, [one]) < _OFTEN for one in found):
        return []
    if not (families and may_be_persons(column)) and not (all(map(str.istitle, found)) and _are_titles(column)):
        return []
    return sorted(found, key=lambda word: (-column.counts[word], word))


def rows_with(column: TextColumn, words: Collection[str]) -> int:
    """How many cells are one of the words, whatever blanks are around it."""
    return sum(count for text, count in column.counts.items() if text.strip() in words)


def meant_in(table: WorkingRows, preferences: Preferences) -> dict[str, list[str]]:
    """The same for all columns that have such words."""
    found = {column.name: meant_words(column, preferences[column.name]) for column in table.columns}
    return {name: words for name, words in found.items() if words}


def _are_titles(column: TextColumn) -> bool:
    """Whether they are titles of works: any word can be one."""
    if _TITLES.isdisjoint(re.findall(r"[^\W\d_]+", column.name.lower())):
        return False
    return sum(len(text.split()) > 1 for text in column.counts) >= _WORDY * len(column.counts)
