"""Ends of codes that are cut, and a letter or a zero of one that changes. Called by number_sign_laws.py."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.tokens import layout

SHORT_YEAR = 2  # figures
ENOUGH = 2  # different cells that keep what others lose
LONGEST, MOST = 4_000, 20  # characters of a text that is looked at, and codes in it
CODES, LONGEST_CODE = 5, 40  # different codes that show how wide a part is, and characters of one
_FIGURES = re.compile(r"\d+")
_LETTERED = re.compile(r"[A-Za-z]{1,4}[- ]?\d{1,6}-?[A-Za-z]{2,5}")
_YEAR_END = re.compile(r"(.{1,40}\d)(\s?/\s?)((?:19|20)?\d\d)")
_ONE_LETTER = re.compile(r"([A-Za-z])[- ]?(\d{1,4}[a-z]?)")
_ZERO_INSIDE = re.compile(r"(\d{3,9}-)0(\d{2,9})")
_ZERO_IN_TEXT = re.compile(r"(?<![\w-])([A-Z]{1,4}-)0(\d{1,4})(?![\w-])")
_NO_ZERO = re.compile(r"(?<![\w-])([A-Z]{1,4}-)\d(?![\w-])")


def last_letter_cut(changed: Sequence[Change]) -> Found | None:
    """The last of the letters behind the figures of a code: `N123AB` as `N123A`."""
    for before, after in changed:
        code = before.strip()
        if _LETTERED.fullmatch(code) and key(after) == key(code)[:-1]:
            return "the last letter of a code is left out", (before, after)
    return None


def year_cut(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """The year behind a code, which other codes of the form keep: `INV 12/2019` as `INV 12` beside `INV 13/18`."""
    forms = Counter(form for form, _ in _kept_years(cells))
    for before, after in changed:
        code = _YEAR_END.fullmatch(before.strip())
        if code and after.strip() == code[1].strip() and forms[layout(code[1])] >= ENOUGH:
            return "the year of a code is left out, and other codes keep theirs", (before, after)
    return None


def a_year_cut(before: str, after: str) -> bool:
    """The same of one change alone, as witnesses may show it."""
    code = _YEAR_END.fullmatch(before.strip())
    return code is not None and after.strip() == code[1].strip()


def years_as_others(changed: Sequence[Change], cells: Sequence[Change]) -> set[Change]:
    """The changes that write the year of a code in two figures, as other codes of the form have it."""
    found = {change for change in changed if _shortened(*change)}
    short = Counter(form for form, year in _kept_years(cells) if len(year) == SHORT_YEAR) if found else Counter[str]()
    return {change for change in found if short[layout(change[1].strip().rpartition("/")[0].strip())] >= ENOUGH}


def _shortened(before: str, after: str) -> bool:
    one, other = _YEAR_END.fullmatch(before.strip()), _YEAR_END.fullmatch(after.strip())
    return bool(one and other and one.group(1, 2) == other.group(1, 2) and one[3][:-2] and one[3][-2:] == other[3])


def _kept_years(cells: Sequence[Change]) -> list[tuple[str, str]]:
    """The form of what stands in front of each year that stays, and the year."""
    stay = {one.strip() for one in unchanged_texts(cells)}
    return [(layout(found[1]), found[3]) for found in map(_YEAR_END.fullmatch, stay) if found]


def letter_exchanged(changed: Sequence[Change]) -> Found | None:
    """The one letter of a code, where its number stays: `E13` as `A13`."""
    for before, after in changed:
        one, other = _ONE_LETTER.fullmatch(before.strip()), _ONE_LETTER.fullmatch(after.strip())
        if one and other and one[1].casefold() != other[1].casefold() and one[2] == other[2]:
            return "the letter of a code becomes another one", (before, after)
    return None


def zero_of_code_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A zero behind the hyphen of a code, as others have it: `0405-068` as `0405-68`; `V-01` in texts."""
    texts = [one for one, _ in cells if isinstance(one, str)]
    stay = {tuple(map(len, one.split("-"))) for one in unchanged_texts(cells)}
    bare: set[str] | None = None
    for before, after in changed:
        code = _ZERO_INSIDE.fullmatch(before.strip())
        widths = (len(code[1]) - 1, len(code[2]) + 1) if code else (0, 0)
        if code and after.strip() == code[1] + code[2] and widths in stay:
            return "a zero of a code is left out, and others are as long", (before, after)
        for prefix, _ in _zeros_gone(before, after):
            if bare is None:
                bare = {found for text in texts for found in _NO_ZERO.findall(text[:LONGEST])}
            if prefix not in bare:
                return "a zero of a code is left out", (before, after)
    return None


def width_of_built_lost(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A zero in front of a part of a code that is built anew, where the codes built so have it: `a2-05` as `A2.5`.

    Beside `A2.05` and `B1.14`, whose last part has always two figures.
    """
    widths: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)  # by how a code is built, and which part it is
    padded: set[tuple[str, int]] = set()
    stay = {one.strip() for one in unchanged_texts(cells) if len(one) <= LONGEST_CODE}
    for code in stay:
        for at, group in enumerate(_FIGURES.findall(code)):
            widths[layout(code), at][len(group)] += 1
            padded.update([(layout(code), at)] if len(group) > 1 and group[0] == "0" else [])
    for before, after in changed if padded else ():
        ours, theirs = (_FIGURES.findall(text) if len(text) <= LONGEST_CODE else [] for text in (before, after))
        if len(ours) != len(theirs) or layout(before) == layout(after):
            continue
        for at, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            part = layout(after), at
            lost = len(other) < len(one) and other == one.lstrip("0")
            if lost and part in padded and {len(one)} == set(widths[part]) and widths[part].total() >= CODES:
                return "a zero of a code is left out, and the codes that are built so have it", (before, after)
    return None


def _zeros_gone(before: str, after: str) -> list[tuple[str, str]]:
    """The letters and the figures of each code of a text that loses its zero."""
    if " " not in before.strip() or max(len(before), len(after)) > LONGEST:
        return []
    gone = [found for found in _ZERO_IN_TEXT.findall(before)[:MOST] if f"{found[0]}0{found[1]}" not in after]
    return [found for found in gone if re.search(rf"(?<![\w-]){''.join(found)}(?![\w-])", after)]
