"""What a value loses, and how its unit changes, that no witness shows of any cell. Called by otherwise_than_shown.py.

A rounding, a factor and figures that stand in another order settle much. They do not say that thousands or decimals may
go, that a decimal comma is none, and nothing of a unit that no witness has.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.kept_of_text import letters, plain
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.rounding import factors
from orchestrator.gate.information.value_kinds.units import in_base_unit

LONGEST = 60  # characters of a value
MOST = Decimal(10) ** 30  # times as large as any number
_DEGREES = "\N{DEGREE SIGN}"
WORD = 4  # letters of what is no code
ENOUGH = 4  # figures that stay
LEAST, SURELY = 2, 3  # letters of a word that may be, or is, the beginning of a longer one
_TONS = {"t": ("mass", Decimal(1_000_000)), "dt": ("mass", Decimal(100_000))}  # other tons are written out
FEWER, MORE = Decimal("0.95"), Decimal("1.05")  # how far a factor is off that somebody rounds
_FIGURES, _LETTERS = re.compile(r"\d+"), re.compile(r"[^\W\d_]+")
_GROUPED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:([.,'\u2019 \u00a0\u202f])\d{3})(?:\1\d{3})*(?![\d])")
_DECIMAL = re.compile(r"(?<![\d.,:/-])(\d{1,9})[.,](\d{1,2})(?![\d.,:/-])")
_NUMBER = re.compile(r"(?<![^\W_])[-+]?\d[\d.,'\u2019]*(?<=\d)")
_WORDS_ALONE = re.compile(r"(?:(?:[^\W\d_]+|[-+]?\d[\d.,]*)(?:\s+|\Z))+")
_SENTENCE = re.compile(r"[^\W\d_]{2,}\s[^\W\d_]{2,}\s[^\W\d_]{2,}")


class NotByAny:
    """What the witnesses of one column do, and so let other cells do."""

    def __init__(self, shown: Sequence[Change]) -> None:
        shown = [one for one in shown if max(map(len, one)) <= LONGEST]
        self._ways = [way for way, shows in WAYS if not any(map(shows, shown))]
        self._shown = [(units, one) for one in shown if (units := _units(one))]
        self._targets = {units[1] for units, one in self._shown if _converts(one)}

    def does(self, change: Change) -> bool:
        """Whether the change does what none of the witnesses does."""
        if max(map(len, change)) > LONGEST:
            return False
        return any(way(change) for way in self._ways) or self._takes_for_another(change)

    def _takes_for_another(self, change: Change) -> bool:
        """Whether a unit that no witness has becomes the one into which they convert, and its number another one than
        the units say, or than a witness shows of a longer or shorter word for it.

        Of a unit that nobody knows a number that stays says nothing: it may be another word for the same one.
        """
        units = _units(change)
        if not units or units[1] not in self._targets or _DEGREES in units[1]:  # degrees have no rate alone
            return False
        alike = [(one, pair) for one, pair in self._shown if _is_written_like(units[0], one[0], least=LEAST)]
        if alike:
            sure = [pair for one, pair in alike if one[1] == units[1] and min(len(one[0]), len(units[0])) >= SURELY]
            return (
                units[0] not in {one[0] for one, _ in alike}
                and bool(sure)
                and not any(_at_one_rate(change, pair) for pair in sure)
            )
        return _is_misconverted(change, *units)


def _cuts_thousands(change: Change) -> bool:
    """Whether a group of a number is all that is left of it: `66 706` as `66`; not where a unit changes."""
    runs = set(_FIGURES.findall(change[1]))
    if not runs or letters(change[0]) != letters(change[1]):
        return False
    for found in _GROUPED.finditer(change[0]):
        groups = _FIGURES.findall(found[0])
        left = [group for group in groups if group in runs]
        if (
            left
            and runs <= {*groups}
            and len(left) < len(groups)
            and any(group.strip("0") for group in groups if group not in left)
        ):
            return True
    return False


def _cuts_decimals(change: Change) -> bool:
    """Whether each number stays but for its decimals: `27,5 \u00d7 77,0 cm` as `27 x 77 cm`."""
    numbers = _DECIMAL.findall(change[0])
    if not any(decimals.strip("0") for _, decimals in numbers):
        return False
    whole = _DECIMAL.sub(r"\1", change[0])
    return _FIGURES.findall(whole) == _FIGURES.findall(change[1]) and not _DECIMAL.search(change[1])


def _reads_no_decimals(change: Change) -> bool:
    """Whether a decimal mark is taken for none: `10,4 t/ha` as `104.0 t/ha`; not where the unit changes."""
    return letters(change[0]) in ("", letters(change[1])) and _has_all_figures(change, zeros=False)


def _has_all_figures(change: Change, *, zeros: bool = True) -> bool:
    """Whether figures and decimals make one whole number, as metres make centimetres: `1.80 m` as `180`."""
    found = _DECIMAL.findall(change[0])
    number = reading(change[1])
    if len(found) != 1 or number is None or not (zeros or found[0][1].strip("0")):
        return False
    return abs(number) == int("".join(found[0]))


def _leaves_word_out(change: Change) -> bool:
    """Whether of a number and few words a word goes, and another one stays: `suspended 6 months` as `6 months`.

    No letters that a code may have, nor what stands in the value once more.
    """
    one, other = map(reading, change)
    if one is None or one != other or _SENTENCE.search(change[0]) or not _WORDS_ALONE.fullmatch(change[0].strip()):
        return False
    return _has_fewer_words(change)


def _shows_word_left_out(change: Change) -> bool:
    """The same, whatever stands between the word and a number that stays: `SF-Klasse 12` as `SF12`."""
    one, other = map(_FIGURES.findall, change)
    return one == other != [] and _has_fewer_words(change)


def _has_fewer_words(change: Change) -> bool:
    ours, theirs = (Counter(_LETTERS.findall(plain(text))) for text in change)
    gone = ours - theirs
    return bool(theirs) and bool(gone) and not theirs - ours and not any(w in theirs or len(w) < WORD for w in gone)


def _cuts_last_figures(change: Change) -> bool:
    """Whether of a number all figures stay but for a last group: `555-0123 x10`, where others lose one in front."""
    groups, left = (_FIGURES.findall(text) for text in change)
    return (
        not _LETTERS.search(change[1])
        and len(groups) > 1
        and len("".join(left)) >= ENOUGH
        and "".join(groups[:-1]) == "".join(left)
    )


def _cuts_figures(change: Change) -> bool:
    """Whether figures go from the end."""
    before, after = ("".join(_FIGURES.findall(text)) for text in change)
    return len(after) < len(before) and before.startswith(after)


def _has_fewer_decimals(change: Change) -> bool:
    one, other = (len("".join(decimals for _, decimals in _DECIMAL.findall(text))) for text in change)
    return other < one


def _units(change: Change) -> tuple[str, str] | tuple[()]:
    """What stands beside the one or two numbers of a value before, and after; nothing where that stays."""
    texts = [plain(text) for text in change]
    counts = [len(_NUMBER.findall(text)) for text in texts]
    if counts[0] != counts[1] or counts[0] not in (1, 2):
        return ()
    before, after = ("".join(_NUMBER.sub("", text).split()).strip(".-") for text in texts)
    if _FIGURES.search(before + after):  # of a number that letters stand at: `RC79,26`
        return ()
    return (before, after) if before != after and _LETTERS.search(before) else ()


def _is_written_like(one: str, other: str, least: int = 1) -> bool:
    """Whether both are units of one size, `mi` and `Meilen`, or one of two that nobody knows begins with the other.

    `least`: letters of the shorter one; `m` begins with what `mm` does, and is another unit.
    """
    if one == other:
        return True
    sizes = _size(one), _size(other)
    if all(sizes):
        return sizes[0] == sizes[1]
    one, other = map(letters, (one, other))
    return min(len(one), len(other)) >= least and (one.startswith(other) or other.startswith(one))


def _at_one_rate(change: Change, shown: Change) -> bool:
    (low, high), (start, end) = _factors(change), _factors(shown)
    return low <= end and start <= high


def _is_misconverted(change: Change, unit: str, target: str) -> bool:
    """Whether the sizes of both units are known, be they of an area each, and the numbers are not what they say."""
    (one, _, per), (other, _, other_per) = unit.partition("/"), target.partition("/")
    size, made = _size(one), _size(other)
    if size is None or made is None or size[0] != made[0] or per != other_per:
        return False
    low, high = _factors(change)
    return not low * FEWER <= size[1] / made[1] <= high * MORE


@lru_cache(maxsize=1024)
def _size(unit: str) -> tuple[str, Decimal] | None:
    return _TONS.get(unit) or in_base_unit(f"1 {unit}")


def _factors(change: Change) -> tuple[Decimal, Decimal]:
    """The smallest and the largest factor of all its numbers that are one; every factor where there is none."""
    pairs = zip(*map(_numbers, change), strict=True)
    spans = [factors(one, other) for one, other in pairs if one and other]
    return (min(low for low, _ in spans), max(high for _, high in spans)) if spans else (Decimal(0), MOST)


def _numbers(text: str) -> list[Decimal | None]:
    return [reading(number.lstrip("-")) for number in _NUMBER.findall(plain(text))]


def _converts(change: Change) -> bool:
    """Whether one of its numbers becomes another one."""
    one, other = map(_numbers, change)
    return one != other


# What a cell does, and what shows it.
WAYS: Sequence[tuple[Callable[[Change], bool], Callable[[Change], bool]]] = (
    (_cuts_thousands, _cuts_thousands),
    (_cuts_decimals, _has_fewer_decimals),
    (_reads_no_decimals, _has_all_figures),
    (_leaves_word_out, _shows_word_left_out),
    (_cuts_last_figures, _cuts_figures),
)
