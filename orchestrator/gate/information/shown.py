"""Whether what a witness shows of one cell is the change of another. Called by column.py and nested.py."""

import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import product

from orchestrator.gate.information.changes import DASHES, Change
from orchestrator.gate.information.similarity import alike_from_the_start, key
from orchestrator.gate.information.text_changes.replaced_parts import replaced_parts
from orchestrator.gate.information.tokens import figures_turned
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.rounding import factors
from orchestrator.gate.information.value_kinds.said_bounds import BOUND
from orchestrator.gate.information.value_kinds.telephones import country_added

LONG_SHAPE = 12  # characters of an identifier that is like another one by its form alone
MOST_GROUPS, MOST_FIGURES = 3, 12  # that are filled with zeros to one code
MOST_ITEMS = 40  # of a list
NEARLY = Decimal("0.04")  # how far a witness may have rounded that shows a factor
STEM = 5  # letters of a word that has endings
BEGINNING = 3  # words with which an end begins that is left out
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_MAILBOX = re.compile(r"[\w.+%'-]+@[\w-]+(?:\.[\w-]+)+")
_BETWEEN = re.compile(r"(?<=[^\W\d_])[\s./,_'\u2019-]+(?=[^\W\d_])|(?<=[^\W\d_])\.$")
_SIGN_OR_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*|\d+|[^\w\s]")
_WHOLLY = re.compile(r"\A(?:fully|completely|entirely|totally|wholly)\s+", re.IGNORECASE)
_PART = re.compile(r"[^\W\d_]+(?:\s+[^\W\d_]+)*|\d+")
_LIST = re.compile(r"\s*[,;/|+&]\s*")
_GROUPED = re.compile(r"(?<=\d)[,'\u2019](?=\d{3}(?!\d))")
_BLANKS = re.compile(r"(?<!\d)(?<!\d\s)[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+(?![\d\s])")  # between thousands
_NUMBER = re.compile(r"(?:(?<![\w.,)])[-+\u2212])?\d+(?:[.,]\d+)?")
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))")
_AROUND = re.compile(r"(?<=\d) ?(/) ?(?=\d)|(?<=\w) ?(-) ?(?=\w)|(?<=\d)( )(?=[^\W\d_])")
_BOOKED = re.compile(r"\s*\([^()\w]*\d[\d.,'\u2019 ]*[^()\w]*\)\s*")  # ($1,004.67) is below zero
_WOMAN = re.compile(r"[(/:*_-]?(?:innen|in)\)?$")
_DECIMALS = re.compile(r"\d[.,]\d")
_FRACTION = re.compile(r"[\u00bc-\u00be\u2150-\u215e]")
_ENDING = re.compile(r"en|e|n|s|es|a|o")
_ABOUT = re.compile(r"(?:^|\s)(?:[~\u2248\u00b1]|c(?:irc)?a\.?|about|approx\w*\.?)\s*(?=\d)", re.IGNORECASE)


def alike(change: Change, shown: Change) -> bool:
    """Whether a witness shows the same change with other figures, or leaves out the same parts of other words."""
    if same_parts_left_out(change, shown) or _same_end_left_out(change, shown):
        return True
    if not same_form(change, shown):
        return False
    before, after = reading(change[0]), reading(change[1])
    left, right = reading(shown[0]), reading(shown[1])
    if not (before and after and left and right):
        return before is None or after is None
    return abs(before * right - left * after) <= abs(left * after) / 100 or before - after == left - right


def number_shown(change: Change, shown: Sequence[Change]) -> bool:
    """Whether a witness shows the factor of just this unit, or the code of the country that a number gets in front."""
    if any(_same_factor(change, one) for one in shown):
        return True
    country = country_added(*change)
    return bool(country) and any(country_added(*one) == country for one in shown)


def _same_factor(change: Change, shown: Change) -> bool:
    """Whether numbers with the same unit are converted by just the same factor, with decimals or without.

    Both may have been rounded: 99 mg/dl as 5.5 mmol/l shows 114,4 mg/dl as 6.3.
    """
    if not all(_unit(one) == _unit(other) for one, other in zip(change, shown, strict=True)) or not _unit(change[0]):
        return False
    before, after, left, right = map(reading, (*change, *shown))
    if not (before and after and left and right):
        return False
    (low, high), (start, end) = factors(before, after), factors(left, right)
    return before * right == left * after or (low <= end and start <= high and end - start <= NEARLY * abs(end))


def _unit(text: str) -> str:
    """What stands beside the only number of a text; empty where there are several."""
    return _NUMBER.sub("", text).strip().casefold().replace("\u20ac", "eur") if len(_NUMBER.findall(text)) == 1 else ""


def same_form(change: Change, shown: Change) -> bool:
    """Whether the two changes differ in their figures only, and none of them change places that stay in the witness."""
    if not all(_template(one) == _template(other) for one, other in zip(change, shown, strict=True)):
        return False
    return figures_turned(*shown) or not figures_turned(*change)


def same_parts_left_out(change: Change, shown: Change) -> bool:
    """Whether both are built alike, and lose the parts that stand in the same places: `Ada <a@b.org>`.

    What is left must be a part of its cell as it was: a part that becomes another one is not left out.
    """
    if any(_skeleton(one) != _skeleton(other) for one, other in zip(change, shown, strict=True)):
        return False
    ours, left = map(_parts, change)
    theirs, shown_left = map(_parts, shown)
    count, places = len(left), range(len(ours) - len(left) + 1)
    if count >= len(ours):
        return False
    in_one_piece = [at for at in places if theirs[at : at + count] == shown_left]
    if in_one_piece:
        return any(ours[at : at + count] == left for at in in_one_piece[-1:])
    rest = iter(zip(ours, theirs, strict=True))
    return all(pair in rest for pair in zip(left, shown_left, strict=True))


def _same_end_left_out(change: Change, shown: Change) -> bool:
    """Whether both lose only their end, which begins with the same words in both: `Sent from my`."""
    ends = [before[len(after) :] if before.startswith(after) else "" for before, after in (change, shown)]
    if not all(after.strip() for _, after in (change, shown)) or not all(end[:1].isspace() for end in ends):
        return False
    return _first_words(ends[0]) == _first_words(ends[1]) != []


def _first_words(text: str) -> list[str]:
    found = text.casefold().split()[:BEGINNING]
    return found if len(found) == BEGINNING else []


def is_shown(change: Change, shown: Sequence[Change]) -> bool:
    """Whether one of the witnesses shows the change. `~300` as 300 shows that a bound, `65+`, may be a number, too."""
    if any(alike(change, one) or _same_word(change, one) for one in shown) or _parts_shown(change, shown):
        return True
    if figures_in_the_form_shown(change, shown) or number_shown(change, shown) or items_shown(change, shown):
        return True
    if not BOUND.search(change[0]) or key(change[0]) != key(change[1]):
        return False
    return any(_ABOUT.search(before) and not _ABOUT.search(after) for before, after in shown)


def same_sentence(one: str, other: str) -> bool:
    """Whether two texts differ in their names and numbers only: `c Smith b Jones` and `c Root b Leach`."""
    words = _without_names(one)
    return words == _without_names(other) and any(word.islower() for word in words)


def _without_names(text: str) -> list[str]:
    words = ["0" if word[0].isdigit() else "N" if word[0].isupper() else word for word in _SIGN_OR_WORD.findall(text)]
    return [word for at, word in enumerate(words) if word != "N" or words[at - 1 : at] != ["N"]]


def _same_word(change: Change, shown: Change) -> bool:
    """Whether the same words come to be the same: `T/Th` is `TTh`, `mum` is `Mum`. Not of figures."""
    word = _spelled(change[0])
    return word == _spelled(shown[0]) != "" and not any(map(str.isdigit, word)) and change[1] == shown[1]


def inflected(change: Change, shown: Change) -> bool:
    """Whether a word with another ending becomes just what a witness shows: `Autor` and `Autorin`, `Verfasser(in)`."""
    if change[1] != shown[1] or not isinstance(change[0], str):
        return False
    ours, theirs = (_WOMAN.sub("", text.strip().casefold()) for text in (change[0], shown[0]))
    short, long = sorted((ours, theirs), key=len)
    if len(short) < STEM or not short.isalpha() or not long.startswith(short):
        return False
    return not long[len(short) :] or _ENDING.fullmatch(long[len(short) :]) is not None


def same_fraction(change: Change, shown: Change) -> bool:
    """Whether a fraction in one sign becomes just what a witness shows of its figures: `1\u00bd"` and `1 1/2"`."""
    if change[1] != shown[1] or not (isinstance(change[0], str) and isinstance(shown[0], str)):
        return False
    one, other = (_FRACTION.sub(_spelled_out, text).strip() for text in (change[0], shown[0]))
    return one == other


def _spelled_out(fraction: re.Match[str]) -> str:
    return f" {unicodedata.normalize('NFKC', fraction[0])}".replace("\u2044", "/")


def _spelled(text: str) -> str:
    """Without capitals, words as `fully`, and signs between its letters; one behind them, as of `B+`, is content."""
    return _BETWEEN.sub("", _WHOLLY.sub("", text.strip())).casefold()


def figures_in_the_form_shown(change: Change, shown: Sequence[Change]) -> bool:
    """Whether the figures stay and stand in the form that a witness shows, and no word goes that none shows to go.

    `Period 3` as `P3` shows `3rd` as `P3`.
    """
    if not any(map(str.isdigit, change[0])):
        return False
    forms = [one for one in shown if _template(one[1]) == _template(change[1]) and _groups_alike(change, one)]
    lost = {part for before, _ in forms for part in _letters_and_signs(before)} | _ORDINALS
    return bool(forms) and _letters_and_signs(change[0]) - _letters_and_signs(change[1]) <= lost


def _keeps_groups(change: Change) -> bool:
    one, other = (re.findall(r"\d+", _BLANKS.sub(_without_blanks, _GROUPED.sub("", text))) for text in change)
    return one == other


def filled_with_zeros_as_shown(change: Change, shown: Sequence[Change]) -> bool:
    """Whether its groups of figures get zeros in front, to the widths that a witness of the same form shows."""
    return not _keeps_groups(change) and figures_in_the_form_shown(change, shown)


def _groups_alike(change: Change, shown: Change) -> bool:
    """Whether both keep their groups of figures, or fill them with zeros to the same widths: `60° at 8` as `06008`."""
    if _keeps_groups(change):
        return _keeps_groups(shown)
    if _keeps_groups(shown) and _DECIMALS.search(change[1]):
        return False  # 27.4 is not 27.04
    groups, known = (tuple(re.findall(r"\d+", one[0])) for one in (change, shown))
    made, wanted = ("".join(re.findall(r"\d+", one[1])) for one in (change, shown))
    if not 1 < len(groups) == len(known) <= MOST_GROUPS or not len(made) == len(wanted) <= MOST_FIGURES:
        return False
    return any("".join(map(str.zfill, groups, widths)) == made for widths in _widths(known, wanted))


@lru_cache(maxsize=256)
def _widths(groups: tuple[str, ...], made: str) -> list[tuple[int, ...]]:
    """To how many figures each group may have been filled with zeros, so that they make the figures."""
    return [
        widths
        for widths in product(range(1, len(made) + 1), repeat=len(groups))
        if sum(widths) == len(made) and "".join(map(str.zfill, groups, widths)) == made
    ]


def _without_blanks(number: re.Match[str]) -> str:
    return "".join(number[0].split())


def _letters_and_signs(text: str) -> set[str]:
    found = set(re.findall(r"[^\W\d_]+|[-+<>~\u00b1\u2212\u2264\u2265%]", text.casefold()))
    return found | ({"-"} if _BOOKED.fullmatch(text) else set())


def _parts_shown(change: Change, shown: Sequence[Change]) -> bool:
    """Whether the rest of the text stays, and each part that was replaced is one that a witness shows."""
    parts = replaced_parts(*change)
    known = [part for one in shown for part in (replaced_parts(*one) or (one,))]
    return bool(parts) and all(any(_same_part(part, one) for one in known) for part in parts)


def items_shown(change: Change, shown: Sequence[Change]) -> bool:
    """Whether each item of a list becomes what witnesses show of it: `C / G` of `A, C, G` as `gluten, eggs, milk`."""
    pairs = _item_pairs(change)
    known = {pair for one in shown for pair in _item_pairs(one) or [one]} if pairs else set()
    return bool(pairs) and all(pair[0] == pair[1] or pair in known for pair in pairs)


def _item_pairs(change: Change) -> list[Change]:
    """Each item and what it becomes, where both are lists of as many."""
    items, made = (_LIST.split(text.strip()) for text in change)
    return [*zip(items, made, strict=True)] if 1 < len(items) == len(made) <= MOST_ITEMS else []


def _same_part(part: Change, shown: Change) -> bool:
    """Whether the two differ in their figures only, of which none is lost or new unless the witness shows it."""
    if _MAILBOX.fullmatch(part[0]) and _MAILBOX.fullmatch(shown[0]) and part[1] == shown[1]:
        return True  # every address becomes `[email]`
    (ours, mask), (theirs, shown_mask) = _apart(*part), _apart(*shown)
    if mask == shown_mask and _shape(ours) == _shape(theirs) and len(_shape(theirs)) >= LONG_SHAPE:
        return True  # every UUID becomes `<uuid>`
    return same_form(part, shown) and (_keeps_figures(part) or not _keeps_figures(shown))


def _apart(before: str, after: str) -> Change:
    """The part without what both begin and end with, in whole words."""
    start = alike_from_the_start(before, after)
    while start and before[start - 1 : start + 1].isalnum():
        start -= 1
    before, after = before[start:], after[start:]
    end = alike_from_the_start(before[::-1], after[::-1])
    while end and before[len(before) - end - 1 : len(before) - end + 1].isalnum():
        end -= 1
    return before[: len(before) - end], after[: len(after) - end]


def _shape(text: str) -> str:
    """The text with one sign for each letter or figure, and empty where no figures are among them."""
    return re.sub(r"[^\W_]", "x", text) if any(map(str.isdigit, text)) else ""


def _keeps_figures(change: Change) -> bool:
    one, other = (re.sub(r"\D+", "", unicodedata.normalize("NFKC", text)) for text in change)
    return one == other


def _skeleton(text: str) -> str:
    return "".join(_PART.sub(lambda part: "9" if part[0].isdigit() else "w", text).split())


def _parts(text: str) -> list[str]:
    return [part.casefold() for part in _PART.findall(text)]


def _template(text: str) -> str:
    """The text with a 0 for each number, with a point or a comma. A mark between thousands is there or not: `310.45 CR`
    shows `7,801.27CR`.
    """
    folded = unicodedata.normalize("NFKC", text).casefold().translate(DASHES)
    folded = _AROUND.sub(lambda match: match[1] or match[2] or "", folded)
    return re.sub(r"\d+", "0", _DECIMAL_COMMA.sub(".", _GROUPED.sub("", folded)))
