"""Two values that many rows hold, and that become one as if one were a misspelling: `Trainee` as `Trainer`.

How alike they are says little there: slips are rare. Called by changed_column.py.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from orchestrator.gate.checks.changed_columns.suspected import Suspected
from orchestrator.gate.information.changes import Change, both_text
from orchestrator.gate.information.shown import is_shown
from orchestrator.gate.information.similarity import is_short_for, key, ratio, related
from orchestrator.gate.information.text_changes.contractions import written_out_alike
from orchestrator.gate.information.value_kinds.encodings import decoded
from orchestrator.gate.information.value_kinds.known_words import same_thing

OFTEN, OFTEN_CODES, LEAST = 0.1, 0.05, 12  # of the rows that hold something, and rows
SHORT = 3  # letters: such a word is another one, or a code of something
ALIKE = 0.7
PREFIX = 2  # letters in front that make another word of one: `prepaid`, `female`
_WORD, _VOWEL = re.compile(r"[^\W\d_]{4,}"), re.compile(r"[aeiouy]")
_SIGNS = re.compile(r"(?<=\w)[+#]+$")
_WAYS = (  # of spelling a word in several countries or numbers: none of these is another word
    (r"ae|oe|ue", lambda m: m[0][0]), (r"our", "or"), (r"re\b", "er"), (r"ys|is", "iz"), (r"ogue", "og"),
    (r"(?:mme|que|ce)\b", lambda m: {"m": "m", "q": "k", "c": "s"}[m[0][0]]), (r"ph", "f"), (r"ey", "ay"),
    (r"(?:e[sn]?|s|n)\b", ""), (r"(.)\1", r"\1"), (r"[(\[](?:at|dot)[)\]]", ""),
)  # fmt: skip


def frequent_values_merged(before: Sequence[Any], after: Sequence[Any], shown: Sequence[Change]) -> Suspected | None:
    """The first row of the value that goes, where as many rows hold the one that it becomes, and no witness says so."""
    pairs = Counter((one, other) for one, other in zip(before, after, strict=True) if both_text((one, other)))
    for (one, other), count in pairs.items():
        codes = _are_two_codes(one.strip(), other.strip())
        enough = max(LEAST, (OFTEN_CODES if codes else OFTEN) * pairs.total())
        if one == other or count < enough or pairs[other, other] < enough or is_shown((one, other), shown):
            continue
        if codes or _are_two_words(one.strip(), other.strip()):
            detail = f"{one[:60]!r} becomes {other[:60]!r}, and many rows hold each of them"
            row = next(row for row, pair in enumerate(zip(before, after, strict=True)) if pair == (one, other))
            return Suspected("word-replaced", detail, row, "the same word", count)
    return None


def _are_two_codes(one: str, other: str) -> bool:
    """Whether both are a few capitals, and nobody knows that they stand for one thing: the grades `G` and `PG`."""
    short = all(text.isalpha() and text.isupper() and len(text) <= SHORT for text in (one, other))
    return short and one != other and not same_thing(one, other)


def _are_two_words(one: str, other: str) -> bool:
    """Whether they differ in letters, and not in how they are written, and are near enough to pass as a slip."""
    ours, theirs = key(one), key(other)
    if ours == theirs:
        return _SIGNS.findall(one) != _SIGNS.findall(other)  # C and C++
    if same_thing(one, other) or written_out_alike(one, other) or _spelt(one) == _spelt(other):
        return False
    if ours in theirs:
        return _may_be_short(one, other) and theirs.endswith(ours) and len(theirs) - len(ours) >= PREFIX
    if re.sub(r"\D", "", ours) != re.sub(r"\D", "", theirs) or theirs in ours:
        return False  # other laws look at figures and at what is left out
    if not (any(map(str.isalpha, ours)) and any(map(str.isalpha, theirs))):
        return False  # 18 to 29, and 18-29
    if decoded(one) == decoded(other) or _is_written_out(one, other) or _is_written_out(other, one):
        return False
    alike = ratio(ours, theirs) >= ALIKE or (_may_be_short(one, other) and related(one, other))
    return min(len(ours), len(theirs)) > SHORT - 1 and alike


def _may_be_short(one: str, other: str) -> bool:
    """Whether both are single words, and the first no contraction: `vegan` passes for a short form of `vegetarian`."""
    return bool(_WORD.fullmatch(one) and _WORD.fullmatch(other)) and len(_VOWEL.findall(key(one))) > 1


def _is_written_out(short: str, long: str) -> bool:
    """Whether the words are the same but for abbreviations: `E. Timor`, `Jr Analyst`."""
    ours, theirs = short.split(), long.split()
    return len(ours) == len(theirs) and all(map(_stands_for, ours, theirs))


def _stands_for(short: str, word: str) -> bool:
    one, other = key(short), key(word)
    abbreviated = short.endswith(".") or (len(one) <= SHORT and len(other) > len(one) + 1)
    return one == other or (abbreviated and is_short_for(one, other))


def _spelt(word: str) -> str:
    folded = word.casefold().replace("&", " and ")
    for pattern, way in _WAYS:
        folded = re.sub(pattern, way, folded)
    return key(folded)
