"""What the unchanged cells of a column say about changed ones: its form and its scale. Called by equivalence.py.

A code gets its dot where the clean codes have theirs, `4/10` becomes 2 where every rating is of five, and what is left
out behind a number only repeats it where each number always had the same words.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from decimal import Decimal

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.text_changes.grouping_marks import one_in_front

_TOKEN = re.compile(r"\d+|[^\W\d_]+")
_ONE_MARK = re.compile(r"([^\W_]+)([./-])[^\W_]+")
PARTS = 3  # words and numbers of a code that may be brought into another form
MOSTLY = 0.8  # of the marked codes; a range may stand between them
ENOUGH = 3  # different changes that show one and the same rule
SMALLER = 20  # than any number of a column: it is not of its scale
SCALES = (4, 5, 10, 100)
_CODE = re.compile(r"[^\W\d_]{1,4}[\s./-]*\d")
_VERSION = re.compile(
    r"(?:v(?:er(?:sion)?)?\.?\s*)?(\d+(?:\.\d+)*)((?:[-+.]?(?:alpha|beta|rc|dev|pre)[\w.]*)?)", re.IGNORECASE
)
_MARKED = re.compile(r"[^\d.,-]*(\d{1,3})[.,](\d{3})[^\d.,-]*")
_CLOCK = re.compile(r"(?:[01]?\d|2[0-3])[0-5]\d")
CLOCK = 4  # figures of a time
_OF = re.compile(r"(\d+(?:\.\d+)?)\s*(?:/|out of)\s*(\d+)")
_PLAIN = re.compile(r"\d+(?:\.\d+)?")
_REPEATED = re.compile(r"(\d+)\s*[-:(\[]\s*([^\d()\[\]]+?)[)\]]?")


class Forms:
    """What the cells of one column have in common, and which changes follow from it."""

    def __init__(self, cells: Sequence[Change]) -> None:
        texts = [(one, other) for one, other in cells if isinstance(one, str) and isinstance(other, str)]
        self._clean = {one for one, other in texts if one == other}
        self._by_bare: dict[str, set[str]] = defaultdict(set)
        for text in self._clean:
            self._by_bare[_form(key(text))].add(_form(text))
        self._by_form: dict[str, set[str]] = defaultdict(set)
        for text in self._clean:
            self._by_form[_form(text)].add(text)
        self._begun: dict[str, list[set[str]]] = {}
        marks = Counter(mark for text in self._clean if _CODE.match(text) and (mark := _mark(text)))
        most = marks.most_common(1)
        self._marked = most[0][0] if most and most[0][1] >= max(ENOUGH, MOSTLY * marks.total()) else None
        changed = [change for change in texts if change[0] != change[1]]
        self._scale = self._common_scale(changed)
        self._repeats = self._repeating(changed)
        figures = {one for one, _ in texts if one.isdecimal()}
        self._clock = sum(map(bool, map(_CLOCK.fullmatch, figures))) >= ENOUGH and max(map(len, figures)) == CLOCK
        whole = sorted(Decimal(text) for text in self._clean if text.isdecimal())
        fronts = [match[1] for one, _ in changed if (match := _MARKED.fullmatch(one.strip()))]
        enough = len(whole) > ENOUGH and not one_in_front(fronts, len(whole))
        self._whole = (whole[0], whole[-1]) if enough else None

    def fit(self, before: str, after: str) -> bool:
        """Whether the change only brings the cell into the form of the clean ones."""
        return (
            self._dotted(before, after)
            or self._in_their_form(before, after)
            or self._lengthened(before, after)
            or (self._scale is not None and _scaled(before, after) == self._scale)
            or (before, after) in self._repeats
            or self._grouped(before, after)
            or self._on_the_clock(before, after)
        )

    def _dotted(self, before: str, after: str) -> bool:
        """The same letters and figures of a code, with marks where the clean codes have them, and nowhere else."""
        if not _CODE.match(before) or key(before) != key(after):
            return False
        known = self._by_bare[_form(key(after))]
        return known == {_form(after)} or (not known and _mark(after) == self._marked is not None)

    def _in_their_form(self, before: str, after: str) -> bool:
        """The same words and numbers, built as several clean cells are: `12-CV-345` as `2012-cv-00345`."""
        ours, theirs = _TOKEN.findall(before), _TOKEN.findall(after)
        if len(ours) < PARTS or len(ours) != len(theirs) or not any(map(str.isalpha, ours)):
            return False
        begins = self._begins(_form(after))
        return len(begins) == len(ours) and all(map(_same_token, ours, theirs, begins))

    def _begins(self, form: str) -> list[set[str]]:
        """The first two signs of each word and number of the clean cells of a form; none where they are too few."""
        if form not in self._begun:
            built = [_TOKEN.findall(text) for text in self._by_form.get(form, ())]
            alike = len(built) >= ENOUGH and len(set(map(len, built))) == 1
            self._begun[form] = [{part[:2] for part in parts} for parts in zip(*built, strict=True)] if alike else []
        return self._begun[form]

    def _lengthened(self, before: str, after: str) -> bool:
        """A version with as many parts as the clean ones have: 2.19.0 of v2.19."""
        one, other = _VERSION.fullmatch(before.strip()), _VERSION.fullmatch(after)
        if one is None or other is None or one[2].casefold() != other[2].casefold():
            return False
        added = other[1].removeprefix(one[1])
        if not re.fullmatch(r"(?:\.0)+", added) or added == other[1]:
            return False
        clean = {match[1].count(".") for text in self._clean if (match := _VERSION.fullmatch(text))}
        return clean == {other[1].count(".")}

    def _grouped(self, before: str, after: str) -> bool:
        """Whether a mark groups the figures: `44.345` as 44345 where all whole numbers are of that size, none of 44."""
        match = _MARKED.fullmatch(before.strip())
        if self._whole is None or match is None or after != match[1] + match[2]:
            return False
        least, most = self._whole
        return least <= 2 * int(after) and int(after) <= 2 * most and SMALLER * int(match[1]) < least

    def _on_the_clock(self, before: str, after: str) -> bool:
        """Whether figures are hours and minutes without their zeros: 39 as 00:39 beside 2127 and 718."""
        figures = before.strip()
        return (
            self._clock
            and figures.isdecimal()
            and len(figures) <= CLOCK
            and after == f"{figures.zfill(CLOCK)[:2]}:{figures.zfill(CLOCK)[2:]}"
            and _CLOCK.fullmatch(figures.zfill(CLOCK)) is not None
        )

    def _common_scale(self, changed: Sequence[Change]) -> Decimal | None:
        """What all numbers `n/m` became a number of, when the bare numbers of the column are of that, too."""
        found = {(before, scale) for before, after in changed if (scale := _scaled(before, after)) is not None}
        scales = {scale for _, scale in found}
        plain = [Decimal(text) for text in self._clean if _PLAIN.fullmatch(text)]
        if len(found) < ENOUGH or len(scales) != 1 or not plain:
            return None
        (scale,) = scales
        return scale if scale in SCALES and scale / 2 < max(plain) <= scale else None

    def _repeating(self, changed: Sequence[Change]) -> set[Change]:
        """The changes that leave out words which say the number in front again: `2 (good)`, where good is always 2."""
        found = [(change, match) for change in changed if (match := _REPEATED.fullmatch(change[0].strip()))]
        found = [(change, match) for change, match in found if match[1] == change[1].strip()]
        pairs = {(match[1], match[2].casefold()) for _, match in found}
        numbers, words = {number for number, _ in pairs}, {word for _, word in pairs}
        if len(pairs) < ENOUGH or not len(pairs) == len(numbers) == len(words) or not numbers <= self._clean:
            return set()
        return {change for change, _ in found}


def _same_token(one: str, other: str, begins: set[str]) -> bool:
    """The same word; a number with zeros in front of it; a year with the century that all others have."""
    if not one.isdigit():
        return one.casefold() == other.casefold()
    return one.lstrip("0") == other.lstrip("0") or (len(one) == 2 and begins == {other[:2]} and other[2:] == one)


def _mark(text: str) -> tuple[str, str] | None:
    """The only sign of a code and how the code is built in front of it: the dot of `S72.001` and `E11.9`."""
    match = _ONE_MARK.fullmatch(text)
    return None if match is None else (_form(match[1]), match[2])


def _form(text: str) -> str:
    return "".join("9" if char.isdigit() else "A" if char.isalpha() else char for char in text)


def _scaled(before: str, after: str) -> Decimal | None:
    """Of how many the second number is, when it is the share that the first text says."""
    match = _OF.fullmatch(before.strip())
    if match is None or not _PLAIN.fullmatch(after) or not Decimal(match[1]):
        return None
    return (Decimal(after) * Decimal(match[2]) / Decimal(match[1])).quantize(Decimal("0.01")).normalize()
