"""Case that is the meaning: "5 mW" and "5 MW", the units mg and Mg, the flags -r and -R, the keys c and C.

Called by the rules on spelling and case. A slip of case hits all short codes of a column alike. Where some have a twin
in another case again and again, and others, which should have one too, have none, the twins are codes of their own.
"""

import re
from collections import Counter, defaultdict

from orchestrator.propose.builtin.rules.number_words import words_of
from orchestrator.propose.builtin.working_rows import TextColumn

# Milli and mega, bit and byte; the thread of a bolt M8, which is always a capital.
CASE_COUNTS = re.compile(
    r"(?i)\d\s?(m(w|wh|hz|v|a|j|pa|ev)|[kmgt]i?b(ps|it/s|/s)?)(?![^\W_])|[^\W\d_] m\d{1,2}(x\d{1,3})?(?![^\W_])"
)
_UNIT = re.compile(r"[numkMGTdch\u00b5\u03bc]?(g|m|l|L|s|W|Wh|V|A|Hz|J|Pa|eV|N|bar|mol|b|B|bit|bps)|IU|t|min|h|d|K|pH")
_MOST = 0.8  # of the rows, in a column of units or of short codes
_NEVER = frozenset({"gender", "grade", "grades", "section", "sex"})  # columns in which case means nothing
_TITLES = frozenset({"mr", "mrs", "ms", "dr", "sir", "mme"})  # in front of names, and no codes
_MISSED = 3  # twins that a code without any should have; where only single letters have twins, fewer are enough
_MISSED_LETTER = 1


def are_two_units(text: str, other: str) -> bool:
    """Whether two texts that differ in case are signs of two units, as mg and Mg; mL and ml are one."""
    if text.replace("L", "l") == other.replace("L", "l"):
        return False
    return is_unit_sign(text) and is_unit_sign(other)


def is_unit_sign(text: str) -> bool:
    return _UNIT.fullmatch(text) is not None


def are_units(column: TextColumn) -> bool:
    return column.may_be(_is_unit) and column.share(_is_unit) >= _MOST


def _is_unit(text: str) -> bool:
    return is_unit_sign(text) or is_unit_sign(text.lower())


def codes_in_case(column: TextColumn) -> frozenset[str]:
    """The texts of the column whose case is not to be changed."""
    return column.learnt(_codes_in_case, _codes_in_case)


def _codes_in_case(column: TextColumn) -> frozenset[str]:
    if not words_of(column.name).isdisjoint(_NEVER):
        return frozenset()
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for text, count in column.counts.items():
        short = 1 <= _letters(text) <= 3 and len(text) <= 5 and not re.search(r"\d", text)
        if short and text.casefold().rstrip(".") not in _TITLES:
            forms[text.casefold()][text] += count
    again = {code: found for code, found in forms.items() if len(found) > 1 and found.most_common(2)[1][1] > 1}
    if not again:
        return frozenset()
    if _is_selective(forms, column.filled):
        return frozenset(text for found in forms.values() for text in found)
    if not are_units(column):
        return frozenset()
    often = [[text for text, count in found.items() if count > 1] for found in again.values()]
    return frozenset(text for texts in often for text in texts if any(are_two_units(text, one) for one in texts))


def _is_selective(forms: dict[str, Counter[str]], filled: int) -> bool:
    """Whether a code has no twin in another case although slips, as frequent as the twins, would have made some.

    Only codes with as many letters as those with twins, or more, are compared: kg may become KG where m stays m.
    """
    twins = {code: found.total() - max(found.values()) for code, found in forms.items() if len(found) > 1}
    rows = sum(found.total() for found in forms.values())
    letters = min(map(_letters, twins))
    missed = max((n.total() for code, n in forms.items() if code not in twins and _letters(code) >= letters), default=0)
    least = _MISSED_LETTER if max(map(_letters, twins)) == 1 else _MISSED
    return rows >= _MOST * filled and missed * sum(twins.values()) >= least * rows


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))
