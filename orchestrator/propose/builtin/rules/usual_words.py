"""A word that most cells of a column hold and a few misspell: "12 patiexts" → "12 patients".

Left alone: singular and plural, other cases of the word, numbers, and closed lists (the spelling rule has these).
"""

from collections import Counter

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.distance import _edits
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules import spelling
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_USUAL = 0.5  # of the cells hold the word
_RARER = 50


def _is_slip_of_word(text: str, word: str) -> bool:
    """Whether a text is a misspelling of the word, and not its singular, plural or another case of it."""
    if text.rstrip("s") == word.rstrip("s") or text.casefold() == word.casefold() or not text.isalpha():
        return False
    limit = 2 if len(word) >= 7 and len(text) == len(word) else 1
    return text[0] == word[0] and _edits(text, word, limit) <= limit


def _usual_words(value: str, words: list[str], others: list[str]) -> str:
    """The text with misspellings of its column's usual words corrected."""
    if len(value) > 200:
        return value
    parts = []
    for part in value.split(" "):
        meant = [word for word in words if part and _is_slip_of_word(part, word)]
        parts.append(meant[0] if len(meant) == 1 and part not in words and part not in others else part)
    return " ".join(parts)


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    words, others, slips = _learn(column)
    if len(slips) < 2 or spelling.is_closed_list(column):
        return None
    return RuleFinding({"words": words, "others": others}, words={"misspelt": ", ".join(map(repr, words[:3]))})


def _learn(column: TextColumn) -> tuple[list[str], list[str], set[str]]:
    """The usual words, words near one of them that are no misspelling, and the misspellings."""
    used = Counter[str]()
    for text, count in column.counts.items():
        if len(text) <= 200:
            used.update(dict.fromkeys(text.split(" "), count))
    words = sorted(w for w, n in used.items() if len(w) >= 5 and w.isalpha() and n >= max(20, _USUAL * column.filled))
    near = {w: right for w in used for right in words if w not in words and w and _is_slip_of_word(w, right)}
    slips = {w for w, right in near.items() if used[w] * _RARER <= used[right]}
    return words, sorted(set(near) - slips), slips


RULE = RepairRule(
    name="usual_words_in_{columns}",
    issue="{misspelt} is misspelt in some cells of {columns}.",
    doc="Correct misspellings of the words that most cells hold.",
    fix=_usual_words,
    look=_look,
    helpers=(_edits, _is_slip_of_word),
)
