"""Different words that become the same short code, of which a witness shows one. Called by character_laws.py."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import islice

from orchestrator.gate.information.changes import Found, both_text
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.similarity import key, ratio

LONGEST = 3  # letters of a code
LONGER = 2  # letters that a word has more
ALIKE = 0.75  # of two spellings of one word
MOST = 40  # words of one code that each of them is compared with


def merged_by_letter(column: Column) -> Found | None:
    """`Male`, `Married` and `Mixed` as `M`: that one of them is right says nothing of the others.

    Words that are known to say the same, or that witnesses show, may become one.
    """
    words: dict[str, dict[str, None]] = defaultdict(dict)
    for before, after in [*column.texts, *column.shown] if column.shown else ():
        if both_text((before, after)) and _is_code_of(before.strip(), after.strip()):
            words[after.strip()][before.strip()] = None
    shown = {before.strip() for before, _ in column.shown}
    for before, after in column.texts:
        word, others = before.strip(), words.get(after.strip(), {})
        if word in others and word not in shown and _differs(word, islice(others, MOST), column):
            return "different words become one code", (before, after)
    return None


def _is_code_of(word: str, code: str) -> bool:
    """Whether the code is what the word begins with, and the word is one word."""
    short = code.isalpha() and len(code) <= LONGEST and len(word) >= len(code) + LONGER
    return short and word.isalpha() and word.casefold().startswith(code.casefold())


def _differs(word: str, others: Iterable[str], column: Column) -> bool:
    """Whether one of the others is another word, whatever it is called."""
    return any(
        ratio(key(word), key(other)) < ALIKE
        and not key(word).startswith(key(other))
        and not key(other).startswith(key(word))
        and not column.says_the_same(word, other)
        for other in others
    )
