"""Figures and units that a cell loses though the other cells of its column show that they belong there. For laws.py."""

import re
from collections import Counter
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.null_tokens import is_missing
from orchestrator.gate.information.tokens import all_figures
from orchestrator.gate.information.value_kinds.units import names_unit, same_quantity

MOSTLY, RARELY = 0.5, 0.35  # of the results: have the unit, have none
OFTEN = 4  # as many numbers with a unit as bare ones show that the unit belongs there
ENOUGH = 3  # different cells that show how a column is written
_VERSION = re.compile(r"\D*(\d+(?:\.\d+)*\.\d*0)")
_LONG_VERSION = re.compile(r"\d+(?:\.\d+){2,}")
_MEASURE = re.compile(r"[-+]?\d[\d.,]*\s*(°?[^\W\d_]+(?:/[^\W\d_]+)?[²³]?)")
_LONE_ZERO = re.compile(r"(?<![\w.,:/-])0+(?![\d.,:/-])")
_IN_PARTS = re.compile(r"\d+(?:[- /]\d+)+")
_ZERO_IN_FRONT = re.compile(r"(0\d{3,})[- /]\d")  # of a code in parts: 02227-5814
_POWER = re.compile(r"\d(?:[.,](\d+))?[eE]\+?(\d{1,2})")
_THOUSANDS = "000"
CODE = 10  # figures of what is no count
_DECIMAL = re.compile(r"\d[.,]\d{1,2}(?!\d)")
_MARKED_VERSION = re.compile(r"\s*v(?:er(?:sion)?)?[.\s]*\d", re.IGNORECASE)
_MIXED_PART = re.compile(r"([A-Z])\d")
_BARE = re.compile(r"[-+\u2212]?\d[\d.,\s]*")  # figures and their marks: without a unit before
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_GROUP = re.compile(r"\d+")
_PAIRS = re.compile(r"[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2}){5,7}")  # with fewer of them a date or a time
_PARTS, _PART = re.compile(r"[0-9a-fA-F]{1,2}(?:[:-][0-9a-fA-F]{1,2}){5,7}"), re.compile(r"[0-9a-fA-F]{1,2}")
LETTERED = 40  # characters of a code that begins with letters
_LETTERED = re.compile(r"([^\W\d_]{1,3})[ -]?(\d+)(?!\d)")
_LETTERED_ZERO = re.compile(r"([^\W\d_]{1,3})[ -]?(0\d+)(?:\D.*)?")


def padding_lost(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Zeros in front of the longest numbers of a column, of which most that stay are as long, or of parts of a code."""
    return _padding_of_parts_lost(changed, cells) or _padding_of_whole_lost(changed, cells)


def _padding_of_parts_lost(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """`aa:0b:...` as `aa:b:...` where others keep two figures in each part, and zeros in front of some."""
    short = [change for change in changed if _PARTS.fullmatch(change[1]) and not _PAIRS.fullmatch(change[1])]
    if not short:
        return None
    stay = {one for one in unchanged_texts(cells) if _PAIRS.fullmatch(one)}
    if sum(1 for text in stay if any(part[0] == "0" for part in _PART.findall(text))) < ENOUGH:
        return None
    for before, after in short:
        parts, left = (_PART.findall(text) for text in (before, after))
        shorter = sum(map(len, left)) < sum(map(len, parts))
        if shorter and [int(one, 16) for one in parts] == [int(one, 16) for one in left]:
            return "zeros in front are lost of parts of a code that others keep", (before, after)
    return None


def _padding_of_whole_lost(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    stay = {one for one in unchanged_texts(cells) if one.isdecimal()}
    longest = max(map(len, stay), default=0)
    if sum(1 for text in stay if len(text) == longest) < max(ENOUGH, len(stay) / 2):
        return None
    for before, after in changed:
        if before.isdecimal() and len(before) == longest > len(after) and before.lstrip("0") == after:
            return "zeros in front are lost of numbers that are as long as the others", (before, after)
    return None


def zeros_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Zeros in front that other cells keep, in codes of the same length, or in the first part of a longer code."""
    kept = {len(one) for one in unchanged_texts(cells) if re.fullmatch(r"0\d+", one)}
    afters = (other for _, other in cells if isinstance(other, str))
    kept |= {len(front[1]) for other in afters if (front := _ZERO_IN_FRONT.match(other))}
    for before, after in changed:
        digits = all_figures(before)
        if after.isdigit() and digits != after == digits.lstrip("0") and len(digits) in kept:
            return "zeros in front are lost that other cells have", (before, after)
    return _zeros_of_parted_gone(changed)


def _zeros_of_parted_gone(changed: Sequence[Change]) -> Found | None:
    """The same where a code gets a sign between its parts, and others as long keep their figures: `7525-1186`."""
    parted = [(one, other) for one, other in changed if one.isdecimal() and _IN_PARTS.fullmatch(other)]
    whole = Counter(len(one) for one, other in parted if all_figures(other) == one)
    for before, after in parted:
        if before != all_figures(after) == before.lstrip("0") and whole[len(before)] >= ENOUGH:
            return "zeros in front are lost of a code that is parted", (before, after)
    return None


def lettered_zeros_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """The zero in front of a code behind its letters, where others have as many figures: `R02` as `R2`."""
    lost = {change: width for change in changed if (width := lettered_zero_lost(*change))}
    texts = (str(one).strip().casefold() for one, other in cells if one == other) if lost else ()
    stay = {text for text in texts if len(text) <= LETTERED}
    widths = Counter(len(match[2]) for text in stay if (match := _LETTERED.match(text)))
    for change, width in lost.items():
        if widths[width] >= ENOUGH and 2 * widths[width] > widths.total():
            return "a zero in front is lost behind the letters of a code", change
    return None


def lettered_zero_lost(before: str, after: str) -> int:
    """How many figures a code had behind its letters that loses zeros in front of them; 0 where it loses none."""
    code = _LETTERED_ZERO.fullmatch(before.strip()) if len(before) <= LETTERED else None
    figures = code[2].lstrip("0") if code else ""
    if code is None or not figures:
        return 0
    made = re.fullmatch(rf"{code[1]}\W?{figures}(?!\d).*", after.strip(), re.IGNORECASE)
    return len(code[2]) if made else 0


def lone_zero_gone(changed: Sequence[Change]) -> Found | None:
    """A number that is zero goes, and all around it stays: `0 credits` as `credits`, 0°38′ as °38′."""
    for before, after in changed:
        rest = _LONE_ZERO.sub("", before)
        if rest != before and any(map(str.isalnum, rest)) and rest.split() == after.split():
            return "a zero is lost", (before, after)
    return None


def zeros_moved(changed: Sequence[Change]) -> Found | None:
    """Zeros in front that one part of a code loses and another one gets: `2:06-cv-87` as `2:6-cv-087`."""
    for before, after in changed:
        groups = [*zip(_GROUP.findall(before), _GROUP.findall(after), strict=False)]
        if any(one.lstrip("0") != other.lstrip("0") for one, other in groups):
            continue
        if {1, -1} <= {(len(one) > len(other)) - (len(one) < len(other)) for one, other in groups}:
            return "zeros in front are lost in one part of a code, and put in another", (before, after)
    return None


def versions_cut(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """The zero at the end of a version, which is no decimal: 1.10 is not 1.1 beside 2.4.1.

    Zeros in front go where all its numbers stay: the address `10.1.7.000` is `10.1.7.0`.
    """
    long = {one for one in unchanged_texts(cells) if _LONG_VERSION.match(one)}
    for before, after in changed:
        version = _VERSION.fullmatch(before)
        if len(long) < ENOUGH and not _MARKED_VERSION.match(before):
            continue
        if version and version[1].startswith(after) and _numbers(after) != _numbers(version[1]):
            return "the end of a version is left out", (before, after)
    return None


def _numbers(version: str) -> list[int]:
    return [int(number) for number in _GROUP.findall(version)]


def zeros_made_up(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Figures that a spreadsheet cut off a code, as zeros: `4.00638E+12` as `4006380000000` beside `4006381333931`."""
    made = {change: power for change in changed if (power := _POWER.fullmatch(change[0].strip()))}
    codes = {after for _, after in cells if isinstance(after, str) and after.isdecimal()} - {after for _, after in made}
    for (before, after), power in made.items():
        cut = int(power[2]) - len(power[1] or "") if after.isdecimal() else 0
        if len(after) < CODE or cut < len(_THOUSANDS):
            continue
        as_long = [code for code in codes if len(code) == len(after)]
        if len(as_long) >= ENOUGH and 2 * sum(code.endswith(_THOUSANDS) for code in as_long) < len(as_long):
            return "figures that were cut off a code become zeros", (before, after)
    return None


def code_zeros_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Zeros in front of a long code, where most codes of that length have none: they are no filling."""
    lost = {
        change: len(code)
        for change in changed
        if (code := _bare_code(change[0])).startswith("0") and code.lstrip("0") == change[1] != code
    }
    codes = {_bare_code(one) for one, _ in cells if isinstance(one, str)} if lost else set()
    for change, length in lost.items():
        alike = [code for code in codes if len(code) == length >= CODE]
        full = sum(1 for code in alike if not code.startswith("0"))
        if full >= max(ENOUGH, len(alike) / 2):
            return "zeros in front of a code are lost", change
    return None


def decimal_added(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A whole number that is written with a decimal, where no cell had one: the postcode 04693 as `04693.0`."""
    if any(_DECIMAL.search(one) for one, _ in cells if isinstance(one, str)):
        return None
    for before, after in changed:
        if before.strip().isdecimal() and after.strip() == f"{before.strip()}.0":
            return "a whole number gets a decimal", (before, after)
    return None


def _bare_code(text: str) -> str:
    """The figures of a text that has nothing else but blanks and hyphens."""
    code = re.sub(r"[\s-]", "", text)
    return code if code.isdecimal() else ""


def units_missed(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A result without the unit that nearly all others have: `6'1"` as `185` beside `180 cm`."""
    made = {str(other).strip() for _, other in cells if not is_missing(other)}
    units = Counter(match[1] for text in made if (match := _MEASURE.fullmatch(text)))
    bare = sum(1 for text in made if _NUMBER.fullmatch(text))
    unit, count = units.most_common(1)[0] if units else ("", 0)
    if count < max(ENOUGH, MOSTLY * len(made)) or bare > RARELY * count:
        return None
    for before, after in changed:
        if _NUMBER.fullmatch(after.strip()) and not _BARE.fullmatch(before.strip()):
            return f"a number has no {unit}, and nearly all others have it", (before, after)
    return None


def units_written_for_some(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A result without a unit beside results with one: `80mph` as `129` beside `49 kph` as `49 km/h`."""
    made = {(str(one).strip(), str(other).strip()) for one, other in cells if one != other and not is_missing(other)}
    units = Counter(
        match[1]
        for before, after in made
        if (match := _MEASURE.fullmatch(after)) and names_unit(match[1]) and not before.endswith(match[1])
    )
    if not units or max(units.values()) < ENOUGH:
        return None
    for before, after in changed:
        if _NUMBER.fullmatch(after.strip()) and not _BARE.fullmatch(before.strip()):
            return "a number has no unit, and others get one", (before, after)
    return None


def units_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A number that loses its unit where all others keep theirs, or more than have none: `75` beside `80kg`."""
    stay = unchanged_texts(cells)
    units = Counter(match[1] for text in stay if (match := _MEASURE.fullmatch(text.strip())))
    bare = sum(1 for text in stay if _NUMBER.fullmatch(text.strip()))
    alone = not bare and len(units) == 1 and units.total() >= ENOUGH
    kept = [unit for unit, count in units.items() if count >= max(ENOUGH, OFTEN * bare) and names_unit(unit)]
    for before, after in changed if alone or kept else ():
        if not _NUMBER.fullmatch(after.strip()) or _NUMBER.fullmatch(before.strip()):
            continue
        same = all_figures(before) == all_figures(after) and any(same_quantity(before, f"{after} {u}") for u in kept)
        if same or (alone and _MEASURE.fullmatch(before.strip())):
            return "a number loses its unit, and others keep theirs", (before, after)
    return None


def figure_beside_letter_gone(changed: Sequence[Change]) -> Found | None:
    """The figure of a part of a code that keeps its letter: `U2 0870` as `U870`."""
    for before, after in changed:
        parts = before.split()
        mixed = _MIXED_PART.fullmatch(parts[0]) if len(parts) > 1 and not any(map(str.islower, before)) else None
        rest = "".join(re.findall(r"\d+", "".join(parts[1:]))).lstrip("0")
        if mixed and rest and re.fullmatch(rf"{mixed[1]}\W?0*{rest}\D*", after):
            return "a figure beside a letter of a code is left out", (before, after)
    return None
