"""Codes that come to have fewer figures than all others of their column, or more. Called by laws.py.

`0501` beside `10001`, `000000501` beside `10001`.
"""

import re
from collections import Counter
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found, both_text, unchanged_texts

ENOUGH = 5  # different cells that show how many figures the codes have
MOSTLY = 0.9  # of those that are built alike have more
MANY = 0.6  # where none has as few
FIGURES = 4  # of a code at least; numbers of fewer are of many lengths by nature
_RUN = re.compile(r"\d+")


def fewer_figures(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A code that is built anew, and whose number is shorter than that of nearly all others which are built so.

    Only zeros in front, in others or put there by the function, tell such codes from amounts and from running numbers.
    """
    widths: dict[str, Counter[int]] = {}
    zeros: set[str] = set()
    for text in unchanged_texts(cells):
        if (figures := _only_number(text)) is not None:
            widths.setdefault(_build(text), Counter())[len(figures)] += 1
            zeros.update([_build(text)] if len(figures) > 1 and figures[0] == "0" else [])
    for before, after in filter(both_text, changed):
        figures, build = _only_number(after), _build(after)
        if figures is None or not _is_short(len(figures), widths.get(build, Counter())):
            continue
        padded = figures[0] == "0" and _RUN.findall(before) != [figures]
        if (padded or build in zeros) and _is_built_anew(before, after):
            return "a code has fewer figures than the others", (before, after)
    return None


def padded_to_no_width(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A number gets zeros in front, and has fewer figures than all others that begin with one, or more than any."""
    return _padded_too_little(changed, cells) or _padded_beyond_all(changed, cells)


def _padded_too_little(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """`7.1` as `07.1` beside `007.2`."""
    stay = [_RUN.match(one) for one, other in cells if isinstance(one, str) and one == other]
    widths = Counter(len(found[0]) for found in stay if found and found[0][0] == "0")
    if len(widths) != 1 or widths.total() < ENOUGH:
        return None
    for before, after in filter(both_text, changed):
        one, other = _RUN.match(before), _RUN.match(after)
        if one and other and len(one[0]) < len(other[0]) < min(widths) and other[0].lstrip("0") == one[0].lstrip("0"):
            return "a number gets zeros in front, and has fewer figures than the others", (before, after)
    return None


def _padded_beyond_all(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """`501` as `000000501` where nearly all others are as long as `10001`."""
    widths: dict[str, Counter[int]] = {}
    for text in unchanged_texts(cells):
        if (figures := _only_number(text)) is not None:
            widths.setdefault(_build(text), Counter())[len(figures)] += 1
    for before, after in filter(both_text, changed):
        one, other, others = _only_number(before), _only_number(after), widths.get(_build(after), Counter())
        if not one or not other or others.total() < ENOUGH or not max(len(one), *others) < len(other):
            continue
        if other.lstrip("0") == one.lstrip("0") and others.most_common(1)[0][1] >= MOSTLY * others.total():
            return "a number gets zeros in front, and has more figures than all others", (before, after)
    return None


def _is_short(figures: int, widths: Counter[int]) -> bool:
    """Whether most of the codes have more figures: nearly all, where some have as few."""
    longer = _longer(figures, widths)
    if widths.total() < ENOUGH or not longer or min(longer) < FIGURES:
        return False
    return sum(widths[width] for width in longer) >= (MOSTLY if widths[figures] else MANY) * widths.total()


def _longer(figures: int, widths: Counter[int]) -> list[int]:
    return [width for width in widths if width > figures]


def _only_number(text: str) -> str | None:
    """The figures of a text that has one number."""
    found = _RUN.findall(text)
    return found[0] if len(found) == 1 else None


def _build(text: str) -> str:
    return _RUN.sub("9", text)


def _is_built_anew(before: str, after: str) -> bool:
    """Whether more changes than blanks and case; a whole number that loses its `.0` had as few figures before."""
    one, other = ("".join(text.split()).casefold() for text in (before, after))
    return one != other and re.sub(r"\.0+$", "", one) != other
