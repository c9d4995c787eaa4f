"""What changed cells have lost or got where nothing is known of what they say: figures, numbers and signs.

Called by laws.py.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.measured_pairs import same_measures
from orchestrator.gate.information.signs_of_numbers.bracketed_numbers import one_amount
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.tokens import all_figures, figures, tokens
from orchestrator.gate.information.value_kinds.amounts import amounts, same_amount
from orchestrator.gate.information.value_kinds.encodings import decoded
from orchestrator.gate.information.value_kinds.number_parsing import apart, reading
from orchestrator.gate.information.value_kinds.said_bounds import BOUND

_ZEROS = re.compile(r"^0+|(?<=[A-Z])0+(?=[A-Z\d])")  # in front of figures
_LEADING = re.compile(r"\s*[\w.]{1,4}\s*[-.):]\s*(?=\D)")
_SIGNED = re.compile(r"(?:(?<![\w)\].\u2013/+-])[-\u2212])?\d+(?:\.\d+)?")
_MINUS_AMONG_WORDS = re.compile(
    r"(?:[^\W\d_]{3}:? |: |\()[-\u2212]\d+(?:[.,]\d+)?"
    r"|(?<![\w)])[-\u2212]\d+(?:[.,]\d+)?\s?(?:°|%|[€$£]|EUR\b|USD\b)[^\n]{0,200}[^\W\d_]{3}"
)
_MINUS_FIRST = re.compile(r"\s*[-\u2212]\d")
_BELOW = re.compile(r"[-\u2212(]|\b(?:below|minus|under|negative|bc|s|w|cr|dr|credit|debit)\b", re.IGNORECASE)
_TAIL = re.compile(r"[.,]0{1,2}(?!\d)")  # decimals that say nothing
_FROM = re.compile(r"\s*(?:from|up to|starting at|ab|bis)\s+\S{0,20}\d[^-\u2013]*$", re.IGNORECASE)
_CAPITALS = re.compile(r"(?<![^\W_])[A-Z]{1,3}(?![^\W\d_])")
_SHORT_YEAR = re.compile(r"[^\W\d_]+[\s'\u2019/-]{0,2}(\d\d)")
_GROUP = re.compile(r"\d+")
_CODE = re.compile(
    r"(?:[^\W\d_]{1,6}[\s_./-]*(?=\d{3})|(?=\d{5}))(\d+)[^\W\d_]?"
)  # a short number is no code by itself
_PARTS = re.compile(r"\s*[,;/|]\s*|\s\+\s")
_OF = re.compile(r"(?<![^\W\d_][\s-])(?<!\d)(?<![^\W_])\d+\s*(?:/|(?:out )?of)\s*\d")
_FOR_100 = re.compile(r"(\d)\s?[lL]\s?/\s?100\s?[kK]m\.?\s*$")  # the 100 belongs to the unit
_DECIMAL_NUMBER = re.compile(r"\d{1,9}[.,]\d{1,9}")
_MARKS_ONLY = re.compile(r"-?\d{1,3}(?:[.,]\d+){2,}")
PARTS, WIDE, IN_FRONT = 2, 4, 8  # groups of a code in parts, figures of its last one; groups in front of a number
CODES, FEW, LONG = 5, 3, 5  # different ones that show how long the numbers are; few, where all have so many figures
MOSTLY = 0.6  # of the numbers are as long as all that begin with a zero, where some have lost theirs before


def figures_gone(changed: Sequence[Change]) -> Found | None:
    """Figures that are left out, unless it is the same one of every cell (the five of `4/5`), or stands in front."""
    left: dict[str, Change] = {}
    lost: list[tuple[str, Change]] = []
    losing = 0
    numbered = [change for change in changed if (label := _LEADING.match(change[0])) and figures(label[0])]
    labels = all(_loses_label(*change) for change in numbered)
    for change in dict.fromkeys(changed):
        one, other = figures(change[0]), figures(change[1])
        rest = _front(*change) or Counter(one) - Counter(other)
        if not rest or _joined(change[0]) == _joined(change[1]) or _same_number(*change):
            continue
        if _year_written_out(*change) or _FOR_100.sub(r"\1", change[0]).strip() == change[1].strip():
            continue
        if labels and _loses_label(*change):
            continue
        left.setdefault(" ".join(rest.elements()), change)
        losing += 2 if _OF.search(change[0]) and len(one) == 2 > len(other) else 1  # 79/100
        lost += [(figure, change) for figure in rest]
    of_all = 3 * losing >= len(set(changed)) > 1 or all(_OF.search(change[0]) for _, change in lost)
    everywhere = len(left) == 1 and of_all and all(figures(after) for _, after in changed)
    parts = (_in_word(figure, *change) or _ends_range(figure, change[0]) for figure, change in lost)
    if not left or (losing > 1 and everywhere and not any(parts)):
        return None
    return "figures are lost", next(iter(left.values()))


def _loses_label(before: str, after: str) -> bool:
    """Whether all that goes is the number of an item in front of it."""
    return not figures(after) and key(_LEADING.sub("", before, count=1)) == key(after)


def _in_word(figure: str, before: str, after: str) -> bool:
    """Whether letters that stood beside the figure stay: it was a part of a code, and no decoration."""
    found = re.search(rf"(?<![^\W_])([^\W\d_]*)0*{figure}([^\W\d_]\w*)", before)
    if found is not None:
        return bool(key(found[2])) and key(found[2]) in key(after)
    ends = re.search(rf"(?<![^\W_])([^\W\d_]+)0*{figure}$", before)
    return ends is not None and after.casefold().endswith(ends[1].casefold())


def _ends_range(figure: str, before: str) -> bool:
    """Whether it is the upper end of a range, `17` of `9–17`: the same in all cells, it is no decoration either."""
    return re.search(rf"\d\s?(?:\u2013|\bto\b|\bbis\b)\s?0*{figure}(?!\d)", before) is not None


def _front(before: str, after: str) -> Counter[str]:
    """The groups of figures in front that are left out, where the others stay in one piece: the 1 of +1 212 5550100."""
    groups, left = _GROUP.findall(before), "".join(_GROUP.findall(after))
    for count in range(1, min(len(groups), IN_FRONT)):
        if "".join(groups[count:]) == left:
            return Counter(groups[:count])
    return Counter()


def figures_new(changed: Sequence[Change]) -> Found | None:
    """Figures that no cell held, but for zeros in front of others."""
    for change in changed:
        one, other = figures(change[0]), figures(change[1])
        if _joined(change[0]) == _joined(change[1]):
            added = other[:1] == ("0",) != one[:1] and all_figures(change[0]) != all_figures(change[1])
        else:
            joined = Counter(all_figures(change[1])) - Counter(all_figures(change[0]))
            added = bool(joined and Counter("".join(other)) - Counter("".join(one)))
        if added and not (_same_number(*change) or _year_written_out(*change) or _gets_no_hours(*change)):
            return "figures come to stand in a cell that were not in it", change
    return None


def _gets_no_hours(before: str, after: str) -> bool:
    """Whether minutes and seconds get hours, of which none passed: `58:42` as `00:58:42`; 12:30 may be noon."""
    return re.fullmatch(r"((?:2[5-9]|[345]\d):[0-5]\d)\n00?:\1", f"{before.strip()}\n{after.strip()}") is not None


def _joined(text: str) -> str:
    return all_figures(text).lstrip("0")


def _same_number(before: str, after: str) -> bool:
    one, other = reading(before), reading(after)
    if one is None or other is None:
        return False
    return not apart(abs(one), abs(other))


def _year_written_out(before: str, after: str) -> bool:
    """Whether the two figures of a year behind a word get their century: `SP20`, `Spring 2020`."""
    match, years = _SHORT_YEAR.fullmatch(before.strip()), _GROUP.findall(after)
    return match is not None and years in ([f"19{match[1]}"], [f"20{match[1]}"])


def signs_changed(changed: Sequence[Change]) -> Found | None:
    """Numbers that get or lose a minus, and a number that is no longer a bound (`<5`, `65+`)."""
    for change in changed:
        one, other = (_SIGNED.findall(one_amount(text.replace("\u2212", "-"))) for text in change)
        if _MINUS_AMONG_WORDS.search(change[0]) and [n.lstrip("-") for n in one] == other != one:
            return "a number among words loses its minus", change
        if len(one) > 1 and one != other and [n.lstrip("-") for n in one] == [n.lstrip("-") for n in other]:
            return "a number among others changes its sign", change
        if _MINUS_FIRST.match(change[0]) and one == [f"-{other[0]}" if other else ""] and not _BELOW.search(change[1]):
            return "a minus is left out", change
        same = _joined(_TAIL.sub("", change[0])) == _joined(_TAIL.sub("", change[1]))
        bound, is_bound_still = ((BOUND.search(text) or _FROM.match(text)) for text in change)
        if bound and not is_bound_still and same:
            return "a bound becomes a number", change
    return None


def numbers_changed(changed: Sequence[Change]) -> Found | None:
    """A number that is another number afterwards."""
    for change in changed:
        if reading(change[0]) is not None and _MARKS_ONLY.fullmatch(change[1]) and reading(change[1]) is None:
            return "a number becomes what can be read as none", change
        if None in map(reading, change) or same_amount(amounts(change[0]), amounts(change[1]), change[1]):
            continue
        if not _same_number(*change) and not _year_written_out(*change):
            return "a number becomes another number", change
    return None


def decimal_of_none(changed: Sequence[Change]) -> Found | None:
    """A decimal number made of figures of a text that has other decimal numbers: `3.0 out of 5` as 0.3."""
    for before, after in changed:
        numbers = _DECIMAL_NUMBER.findall(before) if reading(before) is None else []
        left = Counter(all_figures(after)) - Counter(all_figures(before))
        decimal = numbers and not left and _DECIMAL_NUMBER.fullmatch(after.strip())
        if decimal and reading(after) not in map(reading, numbers):
            return "a number becomes another number", (before, after)
    return None


def places_exchanged(changed: Sequence[Change]) -> Found | None:
    """What stood first stands last: 3:1 is not 1-3. Nor is `Apt 13, 5 Lake St` `13 Lake St, Apt 5`."""
    for change in (one for one in changed if not same_measures(*one)):
        one, other = figures(change[0]), figures(change[1])
        if one != other and sorted(one) == sorted(other) and not _same_parts(*change):
            return "numbers change places", change
        groups, left = (_CAPITALS.findall(text) for text in change)
        if groups != left and sorted(groups) == sorted(left) and "," not in change[0] and one:
            return "the letters of a code change places", change
        ours, theirs = tokens(change[0]), tokens(change[1])
        if sorted(ours) == sorted(theirs) and ours != theirs and not _same_parts(*change):
            named, renamed = dict(_named(ours)), dict(_named(theirs))
            if any(renamed.get(word, number) != number for word, number in named.items()):
                return "numbers change places", change
    return None


def _same_parts(before: str, after: str) -> bool:
    """Whether each part of a list keeps its words and numbers: `Cotton 53%, Silk 47%` as `53% Cotton, 47% Silk`."""
    ours, theirs = (_PARTS.split(text) for text in (before, after))
    return 1 < len(ours) == len(theirs) and all(
        sorted(tokens(one)) == sorted(tokens(other)) and figures(one) == figures(other) and any(map(str.isalpha, one))
        for one, other in zip(ours, theirs, strict=True)
    )


def _named(words: Sequence[str]) -> list[tuple[str, str]]:
    """Each number with the word in front of it."""
    return [(word, number) for word, number in pairwise(words) if number.isdigit() and not word.isdigit()]


def escapes_as_figures(changed: Sequence[Change]) -> Found | None:
    """The figures of an escape that stay as if they were content: `spring%20sale` as `spring_20sale`."""
    for before, after in changed:
        figures_of = all_figures(before), all_figures(decoded(before)), all_figures(after)
        if "%" in before and "%" not in after and figures_of[0] == figures_of[2] != figures_of[1]:
            return "the figures of an escape become content", (before, after)
    return None


def padded_again(changed: Sequence[Change]) -> Found | None:
    """A short code with a zero in front that gets another one: what lost its zeros lost them all; 0150 is a whole one.

    Long ones are numbers of articles, of which those with twelve figures are written with thirteen, too.
    """
    for before, after in changed:
        if (
            re.fullmatch(r"0(?=\d*[1-9])\d{1,6}", before)
            and len(after) > len(before)
            and after == before.zfill(len(after))
        ):
            return "a code with a zero in front gets another one", (before, after)
    return None


def lengths_lost(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Zeros in front of codes of one of two lengths, which have a third one without: ISBNs of 10 and of 13 figures."""
    lengths = Counter(len(code) for one, _ in cells if isinstance(one, str) and (code := _code(one)))
    usual = {length for length, count in lengths.items() if count >= CODES}
    if not usual or len(usual) > PARTS or 10 * sum(lengths[length] for length in usual) < 9 * sum(lengths.values()):
        return None
    for before, after in changed:
        one, other = _code(before), _code(after)
        if (
            one != other
            and other
            and other == _ZEROS.sub("", one, count=1)
            and len(one) in usual
            and len(other) not in usual
        ):
            return "zeros in front are lost of codes that are equally long", (before, after)
    return None


def _code(text: str) -> str:
    """The figures of a long code, with the letter that may end it; empty when it is none."""
    code = re.sub(r"[\s-]", "", text)
    is_long = re.fullmatch(r"(?:[A-Z]{1,4}(?=.*\d{6}))?[A-Z\d]{8,}", code) and sum(map(str.isdigit, code)) > PARTS
    return code if is_long else ""


def part_width_lost(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Zeros in front of figures of codes in parts, where they are all equally long: 2021-00042 and 2023-12345."""
    parts = {one: found for one, _ in cells if isinstance(one, str) and (found := _GROUP.findall(one))}
    widths: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)  # by how many parts there are, and which it is
    for groups in parts.values():
        for at, group in enumerate(groups):
            widths[len(groups), at][len(group)] += 1
    for before, after in changed:
        ours, theirs = (_GROUP.findall(text) for text in (before, after))
        if len(ours) < PARTS or len(ours) != len(theirs):
            continue
        for at, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            equal = widths[len(ours), at]
            if len(one) < WIDE or equal.total() < CODES or set(equal) != {len(one)}:
                continue
            if other != one and one.startswith("0") and one.lstrip("0") == other.lstrip("0"):
                return "zeros in front are lost of numbers that are all equally long", (before, after)
    return None


def width_lost(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Zeros in front of numbers that are all equally long, as those of codes are: 00042 and 12345, AB-0042."""
    written = {one: number for one, _ in cells if isinstance(one, str) and (number := _code_number(one))}
    widths = Counter(map(len, written.values()))
    width, count = widths.most_common(1)[0] if widths else (0, 0)
    padded = {len(number) for number in written.values() if number.startswith("0")}
    few = FEW if width >= LONG and count == len(written) else CODES
    if len(written) < few or padded != {width} or max(widths) > width or count < MOSTLY * len(written):
        return None
    for before, after in changed:
        number, left = _code_number(before), _GROUP.findall(after)
        lost = number and len(left) == 1 and left[0] != number and left[0] == number.lstrip("0")
        if lost and not (after == f"+{number[2:]}" and number[:2] == "00" != number[1:3]):  # of a telephone
            return "zeros in front are lost of numbers that are all equally long", (before, after)
    return None


def _code_number(text: str) -> str:
    """The figures of a code; empty where the text is none."""
    match = _CODE.fullmatch(text.strip())
    return match[1] if match else ""
