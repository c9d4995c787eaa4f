"""What changed cells have lost where nothing is known of what they say: letters of words and of codes.

Called by laws.py.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.similarity import is_short_for, key
from orchestrator.gate.information.tokens import words
from orchestrator.gate.information.value_kinds.encodings import decoded
from orchestrator.gate.information.value_kinds.known_words import DECORATION

CODE_FIGURES, LONG_CODE_FIGURES = 4, 6  # of a code of letters and figures; of one of figures only
_MADE_UP = re.compile(r"([A-Za-z]{2,}\d{2,})([A-Za-z]{2,3})")
_CODE_OF_BOTH = re.compile(r"[a-z]+\d[a-z0-9]*")
_ENDED = re.compile(r"([^\W\d_]{1,4}[\s_./-]*\d{2,})([^\W\d_]{1,2})")
_PARTS_ENDED = re.compile(
    r"(.*\d[./-]\d+[./-]\d+)(?:[a-z](?:\s?-\s?[a-z])?|[-+~._]?(?:alpha|beta|rc|dev|pre|preview|snapshot)[\w.]*)"
)
_SUFFIXED = re.compile(r"([^\W_]*[-/ .]?(?:\d+[-/])*\d+)[-/][A-Z]")
_BETWEEN = re.compile(r"(?<=\d)[^\W\d_]{1,2}(?=\d)")
_NUMBER = re.compile(r"\d+")
_PREFIXED = re.compile(r"([A-Z]{1,4}|[A-Z][a-z]{2,10})[ -]?(\d+)")
_SPELLED = re.compile(r"\+?[\d(][\d() .-]{2,}?([A-Z]{4,}(?:-[A-Z]+)*)")
_WITHOUT_LETTER = re.compile(r"[^\s]*\d[^\s]* [A-Z]{1,4}\d{2,}")
_LONG_ENDED = re.compile(r"([^\W\d_]{1,5}\d+[-/.][^\W_]*\d)[A-Z]{1,2}")
_LETTERED = re.compile(r"([A-Z]{1,5})[ -]?(\d{2,})")
_TWO_WORDS = re.compile(r"[^\W\d_]{2,} [^\W\d_]{2,}")
_BLANKS = re.compile(r"(?<=[^\W\d_]{2})[ \t]+(?=[^\W\d_]{2})")
APART = 2  # cells that keep two words apart
FEW = 2  # letters of what is no word
LONGEST = 40  # characters of a code
LABELS = 3  # different cells that show a rule
PROSE = 4  # words of what is no label
MOST, MOST_INSIDE = 0.66, 0.6  # of a word's letters that are left when it was damaged, and not shortened


def letters_gone(changed: Sequence[Change]) -> Found | None:
    """Letters that are left out of the front or the middle of a word that stays."""
    for change in changed:
        olds = words(change[0])
        left = words(change[1])
        if "".join(olds) == "".join(left):
            continue
        news = {*left, *(["".join(left)] if len(olds) == 1 else [])} - set(olds)
        if any(_cut(new, olds) for new in news if len(new) > FEW):
            return "a word loses letters", change
    return None


def _cut(new: str, olds: Sequence[str]) -> bool:
    """Whether a new word is an old one, or two of them, without some letters, of which none was written twice."""
    whole = [*olds, *map("".join, pairwise(olds))]
    if new in whole or any(old.startswith(new) or _once(old) == _once(new) for old in whole):
        return False
    if any(old.endswith(new) and MOST * len(old) <= len(new) for old in olds):
        return True
    of = [old for old in whole if MOST_INSIDE * len(old) <= len(new) < len(old) and is_short_for(new, old)]
    return any(MOST * len(old) <= len(new) or _without_vowels(old) != _without_vowels(new) for old in of)


def _without_vowels(word: str) -> str:
    """What is left of a word where who shortens it leaves out vowels first: `abt`, `ste`."""
    return "".join(letter for letter in word if letter not in "aeiou")


def _once(word: str) -> str:
    """The word with every letter that is repeated written once."""
    return re.sub(r"(.)\1+", r"\1", word)


def cut_short(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Different words that are all cut after the same number of letters, with the blanks around them or without.

    Unless they are cut to codes that other cells have.
    """
    cut: dict[int, set[str]] = defaultdict(set)
    codes = {one for one in unchanged_texts(cells) if one.isupper()}
    for change in changed:
        if change[1] in codes:
            continue
        whole, after = (text.casefold() for text in change)
        for before in (whole, whole.strip()):
            if len(after) < len(before) and before.startswith(after) and (after.strip() + before[len(after)]).isalpha():
                cut[len(after)].add(before.strip())
            if len(cut[len(after)]) > FEW:
                return f"different words are cut after {len(after)} letters", change
    return None


def letters_of_number_gone(changed: Sequence[Change]) -> Found | None:
    """The letters that stand for figures of a telephone number: `1-800-FLOWERS` as 1800."""
    for before, after in changed:
        number = _SPELLED.fullmatch(before.strip())
        if number and re.sub(r"\D", "", after) == re.sub(r"\D", "", before) and key(number[1]) not in key(after):
            return "letters that stand for figures are left out", (before, after)
    return None


def long_code_ends_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A capital at the end of a code of several parts that not every code has: `T9-81X` as `T9-81`."""
    codes = {one.strip() for one, _ in cells if isinstance(one, str) and one.strip()}
    if all(_LONG_ENDED.fullmatch(code) for code in codes):
        return None
    for before, after in changed:
        code = _LONG_ENDED.fullmatch(before.strip())
        if code and after.strip() == code[1]:
            return "letters at the end of a code are left out", (before, after)
    return None


def code_ends_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Letters at the end of a code that not every code has: XK-0042B is not XK-0042."""
    for before, after in changed:
        parts = _PARTS_ENDED.fullmatch(before.strip())
        if parts and key(after) == key(parts[1]) != "":
            return "letters at the end of a code are left out", (before, after)
    codes = [one.strip() for one, _ in cells if isinstance(one, str) and one.strip()]
    if all(_ENDED.fullmatch(code) for code in codes):
        return None
    for before, after in changed:
        match = _ENDED.fullmatch(before.strip())
        if match and key(after) == key(match[1]):
            return "letters at the end of a code are left out", (before, after)
    return None


def last_letter_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """The letter at the end of the last of several codes, which others have not: `195/70 R15C` as `195/70 R15`."""
    lost = [change for change in changed if _loses_last_letter(*change)]
    afters = {after for _, after in cells if isinstance(after, str)} if lost else set()
    without = {
        after
        for after in afters - {after for _, after in lost}
        if len(after) <= LONGEST and _WITHOUT_LETTER.fullmatch(after.strip())
    }
    return ("the letter at the end of a code is left out", lost[0]) if len(without) >= LABELS else None


def _loses_last_letter(before: str, after: str) -> bool:
    code = before.strip() if len(before) <= LONGEST else ""
    return after.strip() == code[:-1] and code[-1:].isupper() and _WITHOUT_LETTER.fullmatch(code[:-1]) is not None


def code_suffixes_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A letter behind a sign at the end of a code that not every code has: INV-2023-21-A is not INV-2023-21."""
    codes = {one.strip() for one, _ in cells if isinstance(one, str) and one.strip()}
    if all(_suffixed(code) for code in codes):
        return None
    for before, after in changed:
        match = _suffixed(before.strip())
        if match and not after.strip()[-1:].isalpha() and _numbers(after) == _numbers(match[1]):
            return "the letter at the end of a code is left out", (before, after)
    return None


def _suffixed(text: str) -> re.Match[str] | None:
    return _SUFFIXED.fullmatch(text) if len(text) <= LONGEST else None


def _numbers(text: str) -> list[str]:
    return [number.lstrip("0") for number in re.findall(r"\d+", text)]


def between_figures_gone(changed: Sequence[Change]) -> Found | None:
    """A letter between figures that is left out, so that they join: `1O5` is not 15, `NL123B01` not NL12301.

    The two numbers of `3x5` do not join where they become two items.
    """
    for before, after in changed:
        if _BETWEEN.search(before) and not _BETWEEN.search(after):
            joined = key(_BETWEEN.sub("", before)) == key(after)
            if joined and len(_NUMBER.findall(after)) < len(_NUMBER.findall(before)):
                return "a letter between figures is left out, which join", (before, after)
    return None


def prefixes_gone(changed: Sequence[Change]) -> Found | None:
    """Letters in front of numbers that are left out, and that were not the same everywhere: LH 400 and BA 400."""
    codes: dict[str, list[Change]] = defaultdict(list)
    for before, after in changed:
        match = _PREFIXED.fullmatch(before.strip())
        if match and after.isdigit() and match[2].lstrip("0") == after.lstrip("0"):
            codes[match[1]].append((before, after))
    often = [one for prefix, one in codes.items() if len(one) >= LABELS and prefix.casefold() not in DECORATION]
    return ("different letters in front of numbers are left out", often[0][0]) if len(often) > 1 else None


def prefixes_cut(changed: Sequence[Change]) -> Found | None:
    """Some of the capitals in front of the figures of a code: `BAW162` as `BA162`."""
    for before, after in changed:
        one, other = _LETTERED.fullmatch(before.strip()), _LETTERED.fullmatch(after.strip())
        if one is None or other is None or one[2].lstrip("0") != other[2].lstrip("0"):
            continue
        if len(other[1]) < len(one[1]) and (one[1].startswith(other[1]) or one[1].endswith(other[1])):
            return "a code loses some of the letters in front of its figures", (before, after)
    return None


def all_blanks_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Words that become one without a sign of where they met (`tobeannounced`), and no other cell is written so.

    A code has figures or capitals only (`GB LHR`), and a capital shows where a word begins (`inStock`).
    """
    stay = unchanged_texts(cells)
    apart = sum(1 for text in stay if _TWO_WORDS.fullmatch(text)) >= APART
    for before, after in changed:
        text = decoded(before)
        if " " in after or after in stay or key(text) != key(after):
            continue
        for one, other in pairwise(text.split()):
            plain = one.isalpha() and other.isalpha() and one[-1].islower() and other.islower()
            plain = plain and one + other in after
            turned = apart and one.isalpha() and other.isalpha() and (one + other).casefold() in after.casefold()
            if len(one) > 1 and (plain or turned):
                return "words are joined that stood apart", (before, after)
    return None


def letters_made_up(changed: Sequence[Change]) -> Found | None:
    """Letters at the end of a code of letters and figures that had none: `AB 02 73 71 A`, `JO62mm`."""
    for before, after in changed:
        one, other = key(before), key(after)
        code = _CODE_OF_BOTH.fullmatch(one) and sum(map(str.isdigit, one)) >= CODE_FIGURES
        code = code or (one.isdecimal() and len(one) >= LONG_CODE_FIGURES and ":" not in before)
        if code and other[:-1] == one and other[-1].isalpha() and after.strip()[-1:].isupper():
            return "a code gets a letter at its end", (before, after)
        if (made_up := _MADE_UP.fullmatch(after.strip())) and key(made_up[1]) == one:
            return "a code gets letters at its end", (before, after)
    return None


def words_joined(changed: Sequence[Change]) -> Found | None:
    """Blanks between words of a text that are left out, where others of the same text stay."""
    for before, after in changed:
        parts = before.split()
        if len(parts) < PROSE or len(after.split()) >= len(parts) or key(before) != key(after):
            continue
        kept = set(re.findall(r"\S+", after))
        joined = {"".join(pair) for pair in pairwise(parts) if all(map(str.isalpha, pair))} & kept
        if joined - set(parts) and _BLANKS.search(after):
            return "words are joined that stood apart", (before, after)
    return None
