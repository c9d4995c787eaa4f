"""What stood apart in a cell and does not any more, or came to be parted elsewhere. Called by laws.py.

A separator has no letters, and is content all the same: it tells where a number, a name or an item of a list ends.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import filterfalse, islice, pairwise

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.similarity import in_order, key
from orchestrator.gate.information.tokens import layout, words
from orchestrator.gate.information.value_kinds.amounts import is_share
from orchestrator.gate.information.value_kinds.known_words import DECORATION, currency

ENOUGH = 3  # different cells that show a rule
LONG_NUMBER = 7  # figures of a telephone number or a code: its groups may be joined
THOUSANDS = 3
TWO = 2
END = 50  # characters of a text in which its last sentence ends
_GROUPS = re.compile(r"\d+")
_WITHIN = re.compile(r"[\s.,()_+-]*|/")  # between the groups of one number, a date or a code
_DECIMALS = re.compile(r"(?<![\d.])\d+\.\d+\s*[,;/ ]\s*[+-]?\d+\.\d+(?![\d.])")
_LISTED = re.compile(r"[,;|/\n&]|\band\b")
_SAYS_ORDER = re.compile(r"[,;|/&()]|\band\b")
_OUTER = re.compile(r"(?:(?<!\s)\s+)?[;|]\s*")
_COMMA_NUMBER = re.compile(r"(?<![\d,])\d+,\d+(?![\d,])")
_POINT_NUMBER = re.compile(r"(?<![\d.])\d+\.\d+(?![\d.])")
_COMPARED = re.compile(r"\s*([<>\u2264\u2265])=?\s*\d")
_ABOVE = frozenset(">\u2265")
_SENTENCE = re.compile(r"[.!?]+\s*$")
_UNDERSCORE = re.compile(r"[^\W\d_]{2}_[^\W\d_]{2}")
_PARTED = re.compile(r"(?<![^\W\d])[^\W\d_]{2,}(?:_[^\W\d_]{2,})+(?![^\W\d])")
_NAME = re.compile(r"[^\W\d_]{2,}")
_RANGE_OF = re.compile(r"[^\W\d_]{3,}\.?\s+(\d{1,4})\s?[-\u2013]\s?(\d{1,4})")
MOST = 50  # different names of one text that are looked for
_CHAIN = re.compile(r"(?<![\w\u2013-])(?:\w+[-\u2013]){2,}\w+")
_PATH = re.compile(r"(?<!\w)(\w{2,})(?=\\(\w{2,}))")
_WORDED_RANGE = re.compile(r"\D*(\d+) (?:to|bis|until|through|\u00e0|hasta) (\d+)\D*", re.IGNORECASE)
_RANGE = re.compile(r"(\d{1,4})\s?[-\u2013]\s?(\d{1,4})")
_GROUPED_RANGE = re.compile(r"([1-9]\d{0,2}(?:,\d{3})+)\s?[-\u2013]\s?([1-9]\d{0,2}(?:,\d{3})+)")
RANGES = 3  # different cells with two numbers, all of which go up: parts of codes do not


def figures_joined(changed: Sequence[Change]) -> Found | None:
    """Groups of figures that become one though a letter, or a sign that parts numbers, stood between: `5550 x12`."""
    for change in changed:
        groups, left = (list(_GROUPS.finditer(text)) for text in change)
        whole = "".join(group[0] for group in groups)
        if len(left) >= len(groups) or whole != "".join(group[0] for group in left):
            continue
        ends = {sum(len(group[0]) for group in left[: n + 1]) for n in range(len(left))}
        at, decimals = 0, _DECIMALS.search(change[0]) is not None
        for one, other in pairwise(groups):
            at += len(one[0])
            if at not in ends and _parts_numbers(
                change[0][one.end() : other.start()], other[0], whole, decimals=decimals
            ):
                return "numbers are joined that stood apart", change
    return None


def hyphens_in_part(changed: Sequence[Change]) -> Found | None:
    """A code or a date of which one hyphen becomes a dash and another stays: `2009-03-06` as `2009\u201303-06`."""
    for change in changed:
        mixed = [run for run in _CHAIN.findall(change[1]) if "-" in run and "\u2013" in run]
        if any(run.replace("\u2013", "-") in change[0] for run in mixed):
            return "one hyphen of a number becomes a dash, and another stays", change
    return None


def ranges_joined(changed: Sequence[Change]) -> Found | None:
    """Ends of ranges that become one number: `18-24` as 1824."""
    found = {
        change: (ends[1], ends[2])
        for change in changed
        if (ends := _RANGE.fullmatch(change[0])) and len(ends[1]) == len(ends[2]) and change[1] == ends[1] + ends[2]
    }
    if len(found) < RANGES or not all(low < high for low, high in found.values()):
        return None
    return "the ends of ranges become one number", next(iter(found))


def named_ranges_joined(changed: Sequence[Change]) -> Found | None:
    """The same once, where a word says what it is a range of, or both are no parts of codes: `Grades 1-4` as 14."""
    for before, after in changed:
        plain = before.strip()
        ends = _RANGE_OF.fullmatch(plain) or _GROUPED_RANGE.fullmatch(plain)
        low, high = (ends[place].replace(",", "") for place in (1, 2)) if ends else ("", "")
        if ends and int(low) < int(high) and after.strip() == low + high:
            return "the ends of a range become one number", (before, after)
    return None


def _parts_numbers(between: str, following: str, whole: str, *, decimals: bool) -> bool:
    if decimals and re.fullmatch(r"\s*[,;/]?\s*", between) and between != ".":
        return True
    if between.isalpha() and len(between) <= TWO:
        return False  # a letter within a code, which is looked at as one
    if between.strip() in {"'", "\u2019", "\u00b7"} and len(following) == THOUSANDS:
        return False  # 1'000
    if _WITHIN.fullmatch(between) is None:
        return True
    return "/" in between and len(whole) < LONG_NUMBER


def comparisons_turned(changed: Sequence[Change]) -> Found | None:
    """A bound from above that becomes one from below."""
    for change in changed:
        one, other = map(_COMPARED.match, change)
        if one and other and (one[1] in _ABOVE) is not (other[1] in _ABOVE):
            return "a bound is turned round", change
    return None


def sentences_changed(changed: Sequence[Change]) -> Found | None:
    """A question that becomes a statement."""
    for change in changed:
        ends = [_SENTENCE.search(text[-END:]) for text in change]
        if all(ends) and key(change[0]) == key(change[1]):
            one, other = ({*end[0].strip()} for end in ends if end)
            if not one & other:
                return "a sentence ends in another sign", change
    return None


def points_gone(changed: Sequence[Change]) -> Found | None:
    """A point within a number that becomes a blank, in a code that has blanks elsewhere: `QA76.9 P38`."""
    for change in changed:
        groups, left = (list(_GROUPS.finditer(text)) for text in change)
        if [group[0] for group in groups] != [group[0] for group in left] or not any(map(str.isalpha, change[0])):
            continue
        signs = [
            tuple(text[one.end() : other.start()] for one, other in pairwise(found))
            for text, found in zip(change, (groups, left), strict=True)
        ]
        parted = [(one, other) for one, other in zip(*signs, strict=True) if one == "." and other.isspace()]
        if parted and any(not one.strip(" ") or any(map(str.isalpha, one)) for one in signs[0]):
            return "a point within a number is left out", change
    return None


def levels_merged(changed: Sequence[Change]) -> Found | None:
    """Two separators that become one, where the inner one stands once in each part: `Hopper, Grace; King, Ada`."""
    nested = [change for change in changed if _two_levels(change[0]) and not _decimals_kept(*change)]
    merged = [change for change in nested if key(change[0]) == key(change[1]) and len(_separators(change[1])) == 1]
    if len(merged) < ENOUGH:
        return None
    return "two separators become one, and what belongs together cannot be told", merged[0]


def _two_levels(text: str) -> bool:
    parts = _OUTER.split(text)
    return len(parts) > 1 and all(part.count(",") == 1 and not part.strip().endswith(",") for part in parts)


def _decimals_kept(before: str, after: str) -> bool:
    """Whether all commas are those of numbers, which have points afterwards: `1: 8,58 | 10: 5,67`."""
    numbers = set(_COMMA_NUMBER.findall(before))
    kept = {number.replace(".", ",") for number in _POINT_NUMBER.findall(after)}
    return before.count(",") == len(_COMMA_NUMBER.findall(before)) and numbers <= kept


def _separators(text: str) -> set[str]:
    return {found.strip() for found in _LISTED.findall(text)}


def separators_moved(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A code that was in parts and is cut elsewhere, as no cell that stays is: `M1 1AA`, `M11A A`."""
    stay = {layout(one) for one in unchanged_texts(cells)}
    for change in changed:
        if len(change[0].split()) > ENOUGH or key(change[0]) != key(change[1]) or not stay:
            continue
        if is_share(change[0]) and is_share(change[1]):
            continue  # 44.9 in a thousand are 4.49 in a hundred
        one, other = (_breaks(unicodedata.normalize("NFKC", text).replace("\u2044", "/")) for text in change)
        if one - other and other - one and layout(change[1]) not in stay:
            return "a code is parted elsewhere, as no other cell is", change
    return None


def _breaks(text: str) -> set[int]:
    """After how many letters and figures something else stands between two of them."""
    found, count, apart = set(), 0, False
    for char in text.strip().casefold():
        if char.isalnum():
            if apart and count:
                found.add(count)
            count, apart = count + 1, False
        else:
            apart = True
    return found


def labels_joined(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Names of several words that are written as one, which no other cell is: `NewYork`."""
    texts = [cell for cell in cells if all(isinstance(text, str) for text in cell)]
    had = {word.casefold() for before, _ in texts for word in _NAME.findall(before)}
    parted = any(" " in after.strip() for before, after in texts if len(_NAME.findall(before)) > 1)
    found: dict[str, Change] = {}
    for before, after in changed:
        names = _NAME.findall(before)
        joined = "".join(names)
        one = len(names) > 1 and after.strip().casefold() == joined.casefold() == "".join(before.split()).casefold()
        if one and joined.casefold() not in had:
            found.setdefault(joined, (before, after))
    if len(found) < ENOUGH or parted:
        return None
    return "the words of names are joined", next(iter(found.values()))


def underscores_joined(changed: Sequence[Change]) -> Found | None:
    """Words that an underscore parted, and nothing does afterwards: `living_room` and `livingroom`."""
    joined = [change for change in changed if _UNDERSCORE.search(change[0]) and _joined(*change)]
    return ("the words of names are joined", joined[0]) if len(joined) >= ENOUGH else None


def underscores_inside_joined(changed: Sequence[Change]) -> Found | None:
    """The same of words inside of a text: `%FIRST_NAME%` as `*|FIRSTNAME|*`, not as `firstName`."""
    found: dict[str, Change] = {}
    for before, after in changed:
        for name in islice(_PARTED.findall(before), MOST):
            joined = name.replace("_", "")
            if joined.casefold() not in before.casefold() and any(
                one in after for one in (joined.upper(), joined.lower())
            ):
                found.setdefault(joined.casefold(), (before, after))
    return ("the words of names are joined", next(iter(found.values()))) if len(found) >= TWO else None


def _joined(before: str, after: str) -> bool:
    return after.strip().casefold() == before.replace("_", "").strip().casefold()


def paths_joined(changed: Sequence[Change]) -> Found | None:
    """Names that a backslash parted, and nothing does afterwards: `C:\\temp\\lamp` as `C:templamp`."""
    for before, after in changed:
        names = islice(dict.fromkeys(one + other for one, other in _PATH.findall(before)), MOST)
        if any(name in after and name not in before for name in names):
            return "the names of a path are joined", (before, after)
    return None


def words_turned(changed: Sequence[Change]) -> Found | None:
    """Words that change places without a comma that says which stood first, or that are lost when places change."""
    for change in changed:
        before, after = map(words, change)
        gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
        if len({word for word in before if currency(word)}) == 1:  # €49 million as 49 million EUR
            before, after = (tuple(filterfalse(currency, found)) for found in (before, after))
        if come or len(after) < TWO or in_order(after, before):
            continue
        if all(word in DECORATION for word in gone) and not _SAYS_ORDER.search(change[0]):
            return "words change places", change
        if any(word not in DECORATION and word not in after for word in gone):  # what was said twice may be said once
            return "words are left out where others change places", change
    return None


def ranges_as_parts(changed: Sequence[Change]) -> Found | None:
    """The word of a range that becomes the sign between the parts of a number: `30 bis 60` as `30/60`."""
    for before, after in changed:
        ends = _WORDED_RANGE.fullmatch(before.strip())
        if ends and re.search(rf"(?<!\d){ends[1]} ?[/.:+] ?{ends[2]}(?!\d)", after):
            return "a range becomes one number in two parts", (before, after)
    return None
