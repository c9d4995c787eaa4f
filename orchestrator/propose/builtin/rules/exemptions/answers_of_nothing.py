"""Columns of words in which `none` is an answer: no warning, no allergies; or `N/A` one of a few. The rule of null
words leaves it there.

Called by `left_alone`, for the host counts such cells among the null words that are left.
"""

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.rules.null_words import is_value, not_applicable
from orchestrator.propose.builtin.working_rows import TextColumn

_ANSWERS = frozenset({"none", "nil"})
_OFTEN = 3  # rows
_TYPED = 0.5  # of the other cells are numbers, dates, telephone numbers or addresses: there it is no answer


def answers_of_nothing(column: TextColumn, convention: ColumnConvention) -> list[str]:
    """The words, as they are written, of which nobody declared what they mean; the most frequent first."""
    declared = {*convention.null_words, *convention.values, *convention.spellings.values(), convention.null or ""}
    applies = not_applicable(column)
    said = {text: count for text, count in column.counts.items() if text.casefold() in _ANSWERS or text in applies}
    told = {word.casefold() for word in declared}
    if sum(said.values()) < _OFTEN or any(text.casefold() in told for text in said) or len(column.counts) == len(said):
        return []
    typed = column.rows(is_value)
    if typed >= _TYPED * (column.filled - sum(said.values())):
        return []
    return sorted(said, key=lambda text: -said[text])
