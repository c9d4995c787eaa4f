"""What stands at a number and says which number it is: a band, two shares of a whole, the sign of hundredths.

Called by number_sign_laws.py.
"""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.tokens import unmarked, words
from orchestrator.gate.information.value_kinds.number_parsing import reading

ENOUGH, HUNDRED = 3, 100
_LETTER = re.compile(r"(?:([A-Z])\s?=\s?)?\d{1,9}(?:[.,]\d{1,9})?\s?([A-Z])?")
_PERCENT = re.compile(r"(?<![\d.,])(\d{1,3}(?:[.,]\d{1,3})?)\s?%")
_WORD, _MOST = 3, 200  # letters of a word that is no unit, characters of a text
HIGHEST, TWICE = 10, 2  # of a score; as large as the highest score are shares that are none
_SHARES = re.compile(r"(\d{1,3})\s?/\s?(\d{1,3})")


def letters_that_tell_gone(changed: Sequence[Change]) -> Found | None:
    """Two letters at numbers, of which nothing is left: the magnitudes `B=9.1` and `8.5V` as 9.1 and 8.5."""
    letters: dict[str, Change] = {}
    for before, after in changed:
        number = _LETTER.fullmatch(before.strip())
        letter = (number[1] or number[2]) if number else None
        if letter and re.sub(r"[A-Z=\s]", "", before).replace(",", ".") == after.strip().replace(",", "."):
            letters.setdefault(letter, (before, after))
    return ("letters that tell numbers apart are left out", next(iter(letters.values()))) if len(letters) > 1 else None


def a_letter_gone(before: str, after: str) -> bool:
    """Whether a number loses the letter beside it, as witnesses may show it."""
    number = _LETTER.fullmatch(before.strip())
    return number is not None and bool(number[1] or number[2]) and reading(after) is not None


def shares_of_no_whole(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Two shares that make no whole, where those of all other cells do: `100%` as `100/100` beside `75/25`."""
    stay = {one.strip() for one in unchanged_texts(cells)}
    wholes = [int(found[1]) + int(found[2]) == HUNDRED for found in map(_SHARES.fullmatch, stay) if found]
    for before, after in changed if len(wholes) >= ENOUGH and all(wholes) else ():
        shares = _SHARES.fullmatch(after.strip())
        if shares and not _SHARES.fullmatch(before.strip()) and int(shares[1]) + int(shares[2]) != HUNDRED:
            return "two shares make no whole, and those of all other cells do", (before, after)
    return None


def percent_among_words_gone(changed: Sequence[Change]) -> Found | None:
    """The sign of hundredths, where the number and a word beside it stay: `Cotton 100%` as `Cotton 100`."""
    for change in changed:
        before, after = map(unmarked, change)
        if "%" not in before or "%" in after or max(len(before), len(after)) > _MOST:
            continue
        kept = {word for word in words(before) if len(word) >= _WORD} & set(words(after))
        alone = {number for number in _PERCENT.findall(before) if re.search(rf"(?<![\d.,]){number}(?![\d%])", after)}
        if kept and alone and not re.search(r"(?i)per ?cent|pct|prozent|pour ?cent", after):
            return "a number among words loses the sign of hundredths", change
    return None


def shares_beside_scores(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """The sign of a share that goes beside scores of ten at most, which are far smaller: `49%` as 49 beside 5.5."""
    stay = {one.strip() for one in unchanged_texts(cells)}
    scores = [number for one in stay if (number := reading(one)) is not None and "%" not in one]
    if len(scores) < ENOUGH or min(scores) < 0 or max(scores) > HIGHEST:
        return None
    kept = [change for change in changed if _share_gone(*change)]
    shares = sorted(number for _, after in kept if (number := reading(after)) is not None)
    large = bool(shares) and shares[len(shares) // 2] >= TWICE * max(scores)
    return ("a share loses its sign beside scores that are none", kept[-1]) if large else None


def _share_gone(before: str, after: str) -> bool:
    share = _PERCENT.fullmatch(before.strip())
    return share is not None and reading(after) == reading(share[1]) and "%" not in after
