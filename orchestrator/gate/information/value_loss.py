"""Whether changed cells keep their meaning: numbers keep sign, size and digits, words stay whole.

Called by the check on information. A column is looked at as a whole, because one cell is not enough: 1500 g may well
become 1.5, if 900 g becomes 0.9. What an example shows is wanted, and no loss.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from orchestrator.gate.information.changes import Change, Found, both_text
from orchestrator.gate.information.similarity import in_order
from orchestrator.gate.information.value_kinds.number_parsing import FLOAT_NOISE, reading
from orchestrator.gate.information.value_kinds.units import converted_wrongly, same_quantity

_MINUS = re.compile(
    r"^\s*(?:[-\u2212]|\u2013(?=\d))"
    r"|(?<![^\W_])[-\u2212]\s*[$€£]?\s*\d|(?<!\b(?:19|20)\d)\d\s*-\s*$"  # or behind; 2018- is none
    r"|[.,]\d\d-\s?(?:[^\W\d_]{3}|[$€£¥])\s*$"  # before the currency
    r"|^\s*[$€£]?\s*\(.*\d[.,]\d.*\)\s*%?\s*$|^\s*\(\s*\d+\s*%\s*\)\s*$"  # in brackets
    r"|\b(?:cr|dr|[sw](?!-\d))\b",  # letters that stand for one; S-01 is a code
    re.IGNORECASE,
)
_BRACKETS = re.compile(
    r"\s*\(\s*[$€£]?\s*\d+(?:[.,]\d+)*\s*\)\s*"
)  # an amount in brackets, if others of the column are
_SHORT = {"[kK]": 1_000, "(?:M|[mM]illion)": 1_000_000, "(?:bn|[bB]illion)": 1_000_000_000}
_DECIMAL = {
    mark: re.compile(rf"\d{re.escape(mark)}(?:\d{{1,2}}|\d{{4,}})(?![\d.,])|(?<!\d)0{re.escape(mark)}\d")
    for mark in ",."
}
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")
MIN_POINTS = 4  # changed values of one unit that show what the unit's factor is
_PLUS = frozenset({"ad", "ce", "plus", "positive", "pos", "north", "n", "east", "e", "above", "gain", "profit"})
_SIDES = frozenset({"cr", "dr"})
CENTURIES = (1900, 2000)
PHONE_DIGITS, LOCAL_DIGITS = 7, 5  # of a number to call with its prefix, and without
MOST_GROUPS = 300  # of figures in a text, more than which are not put together in every way
FIGURES_LOST = "figures are lost"
FRAGMENTS = 6  # different words of a column that are cut short before it is no abbreviation any more


def lost(changes: Sequence[Change], examples: Sequence[Change] = ()) -> tuple[str, int] | None:
    """What the changed cells of a column have lost, and the number of one such change; None when nothing."""
    different = {change: number for number, change in reversed(list(enumerate(changes))) if both_text(change)}
    promised = [change for change in examples if both_text(change)]
    if any(map(_booked, promised)):
        different = {change: number for change, number in different.items() if not _booked(change)}
    for law in (_sign, _point, _figures, _factor, _quantity, _words):
        found = law(list(different), False)
        if found is not None and law is _factor and _as_shown(found[1], list(different), promised):
            continue
        if found is not None and law(promised, True) is None:
            return found[0], different[found[1]]
    turned = next((number for number, change in enumerate(changes) if _turned(change)), None)
    if turned is not None and not any(_turned(change) for change in examples):
        return "a number changes its sign", turned
    return None


def _turned(change: Change) -> bool:
    """In a column of numbers, -5 and 5."""
    before, after = change
    if not all(isinstance(value, int | float | Decimal) and not isinstance(value, bool) for value in change):
        return False
    return bool(before and after == -before)


def _booked(change: Change) -> bool:
    """Whether an amount in brackets gets a minus, as a witness may show of one: `(7070)` as `-7070.00`."""
    amount = _value(change[0].strip().strip("()")) if _BRACKETS.fullmatch(change[0]) else None
    return amount is not None and amount != 0 and _value(change[1]) == -abs(amount)


def _sign(changes: Sequence[Change], _one: bool) -> Found | None:
    """12.50 and (12.50) are not the same amount."""
    sides = _sides(changes)
    if {side for side, _ in sides} == _SIDES:
        if len(sides) != len(_SIDES) or len({sign for _, sign in sides}) != len(_SIDES):
            return "debit and credit get the same sign", next(change for change in changes if _side(change))
        changes = [change for change in changes if not _side(change)]  # which of them is the minus, the ledger decides
    in_brackets = any(_BRACKETS.fullmatch(before) and _MINUS.search(before) for before, _ in changes)
    for change in changes:
        before, after = _value(change[0]), _value(change[1])
        if in_brackets and before and after and after < 0 and _BRACKETS.fullmatch(change[0]):
            continue
        if before and after and before == -after and after < 0 and _letters(change[0]) & _PLUS:
            return "a number that is said to be above zero gets a minus", change
        if before and after and before == -after and not _letters(change[0]) - {"s", "w", "n", "e", "cr", "dr"}:
            return "a number changes its sign", change
    return None


def _sides(changes: Sequence[Change]) -> set[tuple[str, bool]]:
    """Debit and credit, each with the signs that its amounts got."""
    return {(side, bool(re.match(r"\s*[-\u2212(]", change[1]))) for change in changes if (side := _side(change))}


def _side(change: Change) -> str:
    """Debit or credit, where a number loses the word."""
    words = _letters(change[0]) & _SIDES
    return words.pop() if len(words) == 1 and not _letters(change[1]) and reading(change[1]) else ""


def _value(text: str) -> Decimal | None:
    """The number with the sign that any of the usual ways of writing gives it."""
    number = reading(text)
    if number is None:
        return None
    return -abs(number) if _MINUS.search(text) else abs(number)


def _read_both(change: Change, decimal: set[str]) -> tuple[Decimal | None, Decimal | None]:
    """A cell's numbers before and after. Where commas are decimal marks, `1,234` and `1.234` can be meant that way."""
    before, after = _value(change[0]), _value(change[1])
    marks = set(re.findall(r"(?<=\d)[.,](?=\d)", change[0]))
    if "," not in decimal or before == after:
        return before, after
    if marks == {","}:
        return _value(change[0].replace(",", ".")), after
    if marks == {"."} and "." not in decimal:
        return _value(change[0].replace(".", "")), after
    return before, after


def _letters(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _point(changes: Sequence[Change], _one: bool) -> Found | None:
    """1234.50 is not 123450: the decimal mark went, the decimals stayed."""
    decimal = _decimal_marks(changes)
    for change in changes:
        before, after = _read_both(change, decimal)
        if before is None or after is None or not before or abs(before) == abs(after):
            continue
        places = -int(before.as_tuple().exponent)
        grown = places > 0 and abs(after) == abs(before).scaleb(places) and _same_figures(*change)
        if grown and "%" not in change[0] + change[1] and not _letters(change[0]) ^ _letters(change[1]):
            return "a number loses its decimal mark and grows", change
    return None


def _decimal_marks(changes: Sequence[Change]) -> set[str]:
    """The marks that some cell shows to be decimal: `12,5` and `0,579` do, `1,234` does not."""
    texts = [change[0] for change in changes]
    return {mark for mark, shown in _DECIMAL.items() if any(shown.search(text) for text in texts)}


def _same_figures(before: str, after: str) -> bool:
    return "".join(_DIGITS.findall(before)) == "".join(_DIGITS.findall(after))


def _figures(changes: Sequence[Change], _one: bool) -> Found | None:
    """70100 is not 701: figures that vanish out of the middle or the end of a group were no decoration."""
    for change in changes:
        groups, left = _DIGITS.findall(change[0]), _DIGITS.findall(change[1])
        if not groups or not left or _whole_groups(groups, left):
            continue
        if _is_part("".join(left), "".join(groups)) and not (_rescaled(*change) or same_quantity(*change)):
            return FIGURES_LOST, change
    return None


def _whole_groups(groups: Sequence[str], left: Sequence[str]) -> bool:
    """Whether what is left are groups of the original, joined or cut differently, but for zeros in front."""
    if "".join(left) == "".join(groups) or len(groups) > MOST_GROUPS:
        return "".join(left) == "".join(groups)
    without_zeros = "".join(group.lstrip("0") or "0" for group in left)
    return any(_made_of(groups, wanted) for wanted in ("".join(left), without_zeros))


def _made_of(groups: Sequence[str], wanted: str) -> bool:
    """Whether some of the groups, each of them taken whole or left out, make the figures."""
    made = {0}  # how much of it the groups so far can make
    for group in groups:
        for figures in {group, group.lstrip("0")}:
            made |= {start + len(figures) for start in made if wanted.startswith(figures, start)}
    return len(wanted) in made


def _rescaled(before: str, after: str) -> bool:
    """Whether one number is the other with its decimal mark moved. Without a unit that is done by hundreds at least."""
    one, other = reading(before), reading(after)
    if one is None or other is None or not one or not other:
        return False
    powers = range(-9, 10) if re.search(r"[^\d.,'\s-]", before + after) else (-6, -3, -2, 0, 2, 3, 6)
    noise = 0 if one == one.to_integral_value() else FLOAT_NOISE * abs(one)  # 0.059000000000000004 is 0.059
    return any(abs(other.scaleb(power) - one) <= noise for power in powers)


def _factor(changes: Sequence[Change], _one: bool) -> Found | None:
    """All values of one unit are converted alike: a factor, and an offset as for degrees."""
    units: dict[str, list[tuple[Fraction, Fraction, Fraction, Change]]] = defaultdict(list)
    decimal = _decimal_marks(changes)
    for change in changes:
        before, after = _read_both(change, decimal)
        if before and after and not _letters(change[1]):
            known = next((_SHORT[short] for short in _SHORT if re.search(rf"\d\s*{short}\W*$", change[0])), None)
            if known is not None and after / before not in (1, known):
                return "a number in thousands or millions is not written out as it should be", change
        if before is None or after is None or _prefixed(*change) or after - before in CENTURIES:
            continue
        places = max(0, -int(after.as_tuple().exponent))
        units[_units(change)].append((Fraction(before), Fraction(after), Fraction(1, 10**places), change))
    for points in units.values():
        odd = _off_the_line(points)
        if odd is not None:
            return "a number is not converted as the others of its unit are", odd
    return None


def _units(change: Change) -> str:
    return "→".join(re.sub(r"[\d.,'\s+()-]+", " ", text).strip().casefold() for text in change)


def _as_shown(odd: Change, changes: Sequence[Change], shown: Sequence[Change]) -> bool:
    """Whether a witness converts the unit, and all numbers of it keep their order, or turn it: miles per gallon."""
    unit = _units(odd)
    alike = [change for change in (*changes, *shown) if _units(change) == unit]
    if not any(change in shown for change in alike):
        return False
    numbers = [(_value(one), _value(other)) for one, other in alike]
    points = sorted((one, other) for one, other in numbers if one is not None and other is not None)
    ends = [other for _, other in points]
    return ends == sorted(ends) or ends == sorted(ends, reverse=True)


def _quantity(changes: Sequence[Change], _one: bool) -> Found | None:
    return converted_wrongly(changes)


def _prefixed(before: str, after: str) -> bool:
    """A number to call, with its prefix: nothing is converted."""
    one, other = "".join(_DIGITS.findall(before)), "".join(_DIGITS.findall(after))
    local = len(one) >= LOCAL_DIGITS and len(other) >= PHONE_DIGITS
    return local and one != other and other.endswith(one.removeprefix("0"))


def _off_the_line(points: Sequence[tuple[Fraction, Fraction, Fraction, Change]]) -> Change | None:
    values = sorted({point[0] for point in points})
    if len(values) < MIN_POINTS:
        return None
    ordered = sorted(points, key=lambda point: point[0])
    (x0, y0, step0, _), (x1, y1, step1, _) = ordered[0], ordered[-1]
    slope = (y1 - y0) / (x1 - x0)
    slack = 2 * max(step0, step1)
    off = [point for point in points if abs(y0 + slope * (point[0] - x0) - point[1]) > max(slack, 2 * point[2])]
    return off[0][3] if off else None


def _words(changes: Sequence[Change], one: bool) -> Found | None:
    """Words are kept, replaced or left out as a whole; many different words cut short are text that was damaged."""
    cut: dict[str, Change] = {}
    known = {word for before, _ in changes for word in _WORD.findall(before.casefold())}
    for change in changes:
        before, after = _WORD.findall(change[0].casefold()), _WORD.findall(change[1].casefold())
        for word in set(after) - known:
            whole = next((w for w in before if _is_part(word, w)), None)
            if whole is not None and whole not in after:
                cut.setdefault(whole, change)
    if len(cut) < (1 if one else FRAGMENTS):
        return None
    return f"{len(cut)} different words lose letters", next(iter(cut.values()))


def _is_part(short: str, long: str) -> bool:
    return len(short) < len(long) and in_order(short, long)
