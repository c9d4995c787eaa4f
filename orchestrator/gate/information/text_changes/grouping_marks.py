"""Marks that group the figures of a number and come to part its decimals: 1,200 as 1.200. Called by laws.py.

Which of the two a mark does, other cells of the column say: before, one that can only part decimals (`0,5`);
afterwards, one that can only group (`1.234.567`).
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import islice

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.value_kinds.number_parsing import MAX_LENGTH, reading

_RUN = re.compile(r"\d[\d.,]*\d")
_RUN_OR_FIGURE = re.compile(r"\d[\d.,]*\d|\d")
THOUSAND, LARGE = 1000, 2  # from where numbers have groups, and how many cells write such without a mark
_ALONE = re.compile(r"[-+]?\d[\d.,]*\d|\d")
_ONE_GROUP = re.compile(r"[1-9]\d{0,2}([.,])\d{3}")
_GROUPS = re.compile(r"[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})+")
_THREE_BEHIND = re.compile(r"([^\d.,]*\d{1,3})([.,])(\d{3})([^\d.,]*[^\W\d_][^\d.,]*)")
_DECIMALS = re.compile(r"\d*([.,])\d+")
_COMMA = re.compile(r"[^\d,.]*\d{1,9},\d{1,2}[^\d,.]*")
_POINT = re.compile(r"[^\d,.]*\d{1,9}\.\d{1,2}[^\d,.]*")
FEW, FAR = 20, 10  # one of so many numbers may be of another size; how far off none of theirs is
ENOUGH = 3  # different numbers that show a mark
SENTENCE = 4  # words at least
_GROUPED_WORD = re.compile(r"(?<![\d.,:])([1-9]\d{0,2}),(\d{3})(?= [^\W\d_]{3})")
_COMMA_DECIMAL = re.compile(r"(?<![\d.,:])\d+,\d{1,2}(?![\d.,:])")
_GROUPS_AND_DECIMALS = re.compile(r"\d{1,3}(?:([.,])\d{3})+[.,]\d+")
_LISTED = re.compile(r"(?<![\d.,])\d{1,2}(?:,\d{1,2}){2,40}(?![\d.,]*\d)")
MOST = 200  # lists of one text
_EXCHANGED = {44: ".", 46: ","}
_GROUP_BLANK = re.compile(r"(?<=\d)[ \u00a0\u202f'\u2019](?=\d{3}(?!\d))")
_TWO_MARKS = re.compile(r"\d{1,3}(?:,\d{3})+\.\d{1,2}|\d{1,3}(?:\.\d{3})+,\d{1,2}")


def grouping_turned(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A number that becomes another one because its marks are exchanged and no other cell says that they may be."""
    parting = Counter(mark for before, _ in cells for mark in _parts_decimals(_run(before)))
    parting -= Counter(mark for before, _ in cells for mark in _groups(_run(before)))  # as 27,947,307 beside 4,23
    grouping = {mark for _, after in cells for mark in _groups(_run(after))}
    thousandths = {_RUN_OR_FIGURE.sub("", before) for before, after in changed if _is_thousandth(before, after)}
    for before, after in changed:
        if _RUN_OR_FIGURE.sub("", before) in thousandths:
            continue
        one, other = _run(before), _run(after)
        if one == other or re.sub(r"[.,]", "", one) != re.sub(r"[.,]", "", other):
            continue
        grouped = _ONE_GROUP.fullmatch(one)
        turned = grouped is not None and other == one.translate({44: ".", 46: ","})
        if turned and grouped is not None and grouped[1] not in parting and other[-4] not in grouping:
            return "a mark that groups figures becomes one that parts decimals", (before, after)
        if _GROUPS.fullmatch(one) and reading(one) != reading(other) is not None:
            return "a mark that groups figures becomes one that parts decimals", (before, after)
    return None


def grouping_by_size(texts: Iterable[str]) -> Sequence[str]:
    """The mark that groups figures as the whole numbers without one say: `125.000` beside 47500 and 102000.

    All numbers with the mark are such, as large as the others; as decimals, all would be far too small.
    """
    runs = [run for text in texts if len(text) <= MAX_LENGTH and (run := _run(text))]
    plain = sorted({int(run) for run in runs if run.isascii() and run.isdecimal() and run[0] != "0"})
    marked = {mark: {run for run in runs if mark in run} for mark in ".,"}
    if len(plain) < ENOUGH or bool(marked["."]) == bool(marked[","]):
        return ()
    mark = "." if marked["."] else ","
    grouped = [run for run in marked[mark] if _ONE_GROUP.fullmatch(run) or _GROUPS.fullmatch(run)]
    if not ENOUGH <= len(marked[mark]) == len(grouped):
        return ()
    if one_in_front([run.partition(mark)[0] for run in grouped], len(plain)):
        return ()
    sizes = [int(run.replace(mark, "")) for run in grouped]
    least, most = Decimal(plain[len(plain) // FEW]) / FAR, plain[-1] * FAR
    return (mark,) if max(sizes) < THOUSAND * least and least <= min(sizes) and max(sizes) <= most else ()


def one_in_front(fronts: Sequence[str], plain: int) -> bool:
    """Whether numbers may be decimals all the same, such as gravities from 1.008 to 1.098.

    All have the same figures in front of the mark, and those without one are so few that these may have lost it.
    """
    return len({*fronts}) == 1 and FEW * plain < len(fronts)


def as_decimal(text: str, grouping: Sequence[str]) -> str:
    """The number with one more zero where the column shows that its mark parts decimals: `1.917M` beside `1,716,000`.

    With four figures behind the mark it cannot be read as one that groups.
    """
    found = _THREE_BEHIND.fullmatch(text)
    other = "." if found and found[2] == "," else ","
    return f"{found[1]}{found[2]}{found[3]}0{found[4]}" if found and [*grouping] == [other] else text


def _is_thousandth(before: str, after: str) -> bool:
    """Whether a whole number without a mark becomes a thousandth of it, as its unit may say: `850 Wh` as `0.85`."""
    figures = _RUN_OR_FIGURE.findall(before)
    return len(figures) == 1 and figures[0].isdecimal() and reading(after) == Decimal(figures[0]) / THOUSAND


def grouped_as_decimal(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A number with groups of three as a decimal one beside whole ones that are as large: `85.500 km` as 85.5."""
    if any(_parts_decimals(_run(one)) for one, _ in cells):
        return None
    stay = [reading(one) for one, other in cells if one == other and isinstance(one, str)]
    large = [number for number in stay if number is not None and number >= THOUSAND and number == int(number)]
    for before, after in changed if len(large) >= LARGE else ():
        grouped, number = _ONE_GROUP.fullmatch(_run(before)), reading(after)
        if _run(before) == _run(after) and _ALONE.fullmatch(after.strip()) is None:
            continue  # `412.000TL` with a blank is read as before
        if grouped and number is not None and number == Decimal(_run(before).replace(grouped[1], ".")):
            return "a number with groups of figures becomes a decimal one", (before, after)
    return None


def grouped_in_sentences(changed: Sequence[Change]) -> Found | None:
    """A number with groups of three among words whose comma becomes a point: `1,642 people` as `1.642 people`."""
    for before, after in changed:
        if len(before.split()) < SENTENCE or any(map(_COMMA_DECIMAL.search, (before, after))):
            continue
        for found in _GROUPED_WORD.finditer(before):
            whole, group = found[1], found[2]
            if re.search(rf"(?<![\d.,:]){whole}\.{group}\b(?![.,:]\d)", after) and found[0] not in after:
                return "a mark that groups figures becomes one that parts decimals", (before, after)
    return None


def listed_as_decimal(changed: Sequence[Change]) -> Found | None:
    """Of a list of numbers one comma becomes a point: `samples 2,6,9` as `samples 2.6,9`."""
    for before, after in changed:
        for found in islice(_LISTED.finditer(before), MOST):
            numbers = map(re.escape, found[0].split(","))
            mixed = re.search(rf"(?<![\d.,]){'([.,])'.join(numbers)}(?![\d.,]\d)", after)
            if mixed and len(set(mixed.groups())) > 1:
                return "a comma between the numbers of a list becomes a point", (before, after)
    return None


def _run(text: object) -> str:
    """The one number of a text as it is written; empty where there are more, or none."""
    found = _RUN.findall(text) if isinstance(text, str) else []
    return found[0] if len(found) == 1 else ""


def _parts_decimals(run: str) -> Iterable[str]:
    """The mark that can only part decimals: those behind it, or before it, are no group of three."""
    found = _DECIMALS.fullmatch(run)
    return found[1] if found and not _ONE_GROUP.fullmatch(run) else ""


def _groups(run: str) -> Iterable[str]:
    """The mark that can only group figures."""
    found = _GROUPS.fullmatch(run) or _GROUPS_AND_DECIMALS.fullmatch(run)
    return found[1] if found else ""


def two_decimal_marks(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A decimal comma that becomes a point where all others stay commas: `72,19 €` as `72.19 €` beside `700,97`."""
    stay = unchanged_texts(cells)
    if sum(map(bool, map(_COMMA.fullmatch, stay))) < ENOUGH or any(map(_POINT.fullmatch, stay)):
        return None
    for before, after in changed:
        if _COMMA.fullmatch(before.strip()) and _POINT.fullmatch(after.strip()):
            return "a decimal comma becomes a point, and other cells keep theirs", (before, after)
    return None


def one_mark_for_two(changed: Sequence[Change]) -> Found | None:
    """A number whose groups and decimals come to have the same mark: `1,021.94` or `1 021.94` as `1.021.94`."""
    for before, after in changed:
        one, other = _run(_GROUP_BLANK.sub("." if "," in before else ",", before)), _run(after)
        alike = re.sub(r"[.,]", "", one) == re.sub(r"[.,]", "", other) and len(one) == len(other)
        if alike and _TWO_MARKS.fullmatch(one) and len(set(re.findall(r"[.,]", other))) == 1:
            return "groups of figures and decimals come to have the same mark", (before, after)
    return None


def group_left_as_decimal(
    changed: Sequence[Change], cells: Sequence[Change], shown: Sequence[Change] = ()
) -> Found | None:
    """A number with groups that keeps its point where the decimal commas become points: `1.000` beside `8,20` as 8.20.

    Only where no cell had a decimal point before, and no witness shows such a number. The same of the other mark.
    """
    texts = [(one, other) for one, other in cells if isinstance(one, str)]
    parting = {mark for before, _ in texts for mark in _parts_decimals(_run(before))}
    if len(parting) != 1 or not (any(_is_turned(*one) for one in texts) and any(_keeps_group(*one) for one in texts)):
        return None
    if any(_keeps_group(*one) for one in shown):
        return None
    turned = next((one for one in changed if _is_turned(*one)), None)
    found = next((one for one in changed if _keeps_group(*one)), turned)
    return None if found is None else ("a mark groups figures and comes to part decimals, too", found)


def _is_turned(before: str, after: object) -> bool:
    """Whether the mark before the decimals becomes the other one."""
    run = _run(before)
    return bool(_parts_decimals(run)) and _run(str(after)) == run.translate(_EXCHANGED)


def _keeps_group(before: object, after: object) -> bool:
    """Whether a group of three stands behind the same mark afterwards, or counts as decimals, of a number by itself."""
    run = _run(before)
    if not _ALONE.fullmatch(str(after).strip()):
        return False  # `4.795,-` is left for somebody else to write
    kept = _run(str(after)) == run or ("." in run and reading(run) == reading(str(after)))
    return kept and _ONE_GROUP.fullmatch(run) is not None
