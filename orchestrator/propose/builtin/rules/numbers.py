"""Numbers written in several ways: "$1,200.50", "8,90", "12 933,70 €", "5 %" and "three" become the column's own style.

That is the style of most cells (plain, "1.2 kg", "10%"), or plain where none has the majority. Left alone: a column
with one style throughout, unless a program could not read it as numbers, and a unit that is not the column's (the
digits beside it are written as the others). A word in front of a number is no unit, unless it is a currency.
"""

import decimal
import re
from collections import Counter
from itertools import islice
from typing import Any

from orchestrator.core.conventions import ColumnConvention, NumberConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules.decimal_marks import (
    are_lists,
    are_of_two_habits,
    beside_decimal_commas,
    decimal_mark,
    has_doubtful_points,
    has_doubtful_points_of_three,
    has_points_of_three,
    have_decimal_commas,
    is_doubtful,
    mark_elsewhere,
)
from orchestrator.propose.builtin.rules.named_units import is_of_another_unit, is_on_another_scale, unit_in_name
from orchestrator.propose.builtin.rules.number_parts import (
    BESIDE_NUMBERS,
    NumberParts,
    _is_blank_grouped,
    _split_number,
    all_parts,
    looks_numeric,
)
from orchestrator.propose.builtin.rules.number_words import (
    CURRENCIES,
    LETTERS,
    NUMBERS,
    POWERS,
    spellings,
    units_named_by,
)
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MAJORITY = 0.6
_FIRST = 80  # texts that tell whether a column is worth a closer look
_NEARLY = 0.9
_FEW_WORDS = 3  # different ones beside numbers
_AGAIN = 3  # rows
_STRANGE = 0.1  # of the cells may have a unit that is not the column's: they stay
MADE_FLOAT = 100  # whole cells with ".0" and none with decimals, beside missing ones: whole numbers, read as floats


def _plain_number(digits: str, mark: str) -> str | None:
    """Digits with separators as a plain number; `mark`: the decimal mark, ",." with points between thousands, or ""."""
    if " " in digits:  # thousands, before a decimal part
        return digits.replace(" ", "").replace(",", ".")
    if re.fullmatch(r"\d+" if mark[:1] == "," else r"\d+|\d+\.\d+", digits):
        return digits
    if re.fullmatch(r"[1-9]\d{0,2}(,\d{3})+\.\d+|[1-9]\d{0,2}(,\d{3}){2,}", digits):
        return digits.replace(",", "")
    if re.fullmatch(r"[1-9]\d{0,2}(\.\d{3})+(,\d+)?" if mark == ",." else r"[1-9]\d{0,2}(\.\d{3})+,\d+", digits):
        return digits.replace(".", "").replace(",", ".")
    if mark == "." and re.fullmatch(r"[1-9]\d{0,2},\d{3}", digits):
        return digits.replace(",", "")
    if re.fullmatch(r"\d+,\d+" if mark == "," else r"\d+,(\d{1,2}|\d{4,})|0,\d+", digits):
        return digits.replace(",", ".")
    return None


def _scaled(number: str, power: int, places: int) -> str | None:
    """The number times a power of ten, with as many places as the column has; None where that would lose some."""
    if len(number) > 20:
        return None
    exact = decimal.Decimal(number).scaleb(power)
    rounded = exact.quantize(decimal.Decimal(1).scaleb(-places))
    return str(rounded) if rounded == exact else None


def _without_noise(number: str) -> str:
    """0.10400000000000001 as 0.104: what adding binary fractions left behind; they have 17 digits at most."""
    noisy = re.fullmatch(r"\d{1,6}\.\d*(0{6,}\d{0,2}[1-9]|9{6,}\d{0,3})", number)
    if noisy and len(number) > 14 and len(number.replace(".", "").lstrip("0")) <= 17:
        return format(round(float(number), 9), ".9f").rstrip("0").rstrip(".")
    return number


def _uniform_number(
    value: str,
    units: dict[str, int],
    others: list[str],
    words: dict[str, str],
    mark: str,
    places: int,
    drop_zero: bool,
    style: str,
    money: list[str],
) -> str:
    """The number in the column's style, with `others` around it only its digits; what is no clear number stays."""
    if len(value) > 40:
        return value
    if value.casefold() in words:
        return words[value.casefold()]
    unit, sign, digits = _split_number(value) or ("", "", "")
    if _is_blank_grouped(digits) and unit not in money:
        return value
    number = _plain_number(digits, mark) if unit in units or unit in others else None
    if number is not None and units.get(unit):
        number = _scaled(number, units[unit], places)
    if number is None:
        return value
    number = _without_noise(number)
    if unit in others or (style != "1" and re.match("[-\u2212\u2013] ?[$£€¥]", value)):
        return re.sub("[\u2212\u2013]", "-", value).replace(digits, number, 1)
    if drop_zero:
        number = re.sub(r"\.0+$", "", number)
    if number == "1" and unit and style.casefold().endswith((unit + "s", unit + "es")):  # 1 year among 5 years
        style = style[: -len(style.casefold().rpartition(unit)[2])]
    return style.replace("1", re.sub("[\u2212\u2013]", "-", sign) + number, 1)


def _is_number(text: str) -> bool:
    return text.casefold() in NUMBERS or looks_numeric(text)


def _may_hold_numbers(column: TextColumn) -> bool:
    """Whether half of the rows of the first few texts are numbers, or half of these texts: a word may be frequent."""
    first = list(islice(column.counts, _FIRST))
    return column.may_be(_is_number) or 2 * sum(map(_is_number, first)) >= len(first) > 0


def _look(column: TextColumn, convention: ColumnConvention, table: WorkingRows) -> RuleFinding | None:
    nothing = convention.null
    if nothing in column.counts:
        column = column.without(nothing)
    if not _may_hold_numbers(column) or (settings := _settings(column, convention.numbers, table)) is None:
        return None
    if settings["style"] == "1":
        words = {"kind": "plain_numbers", "style_name": "plain numbers", "manner": "plainly"}
    else:
        style = repr(settings["style"])
        words = {"kind": "one_number_style", "style_name": style, "manner": f"in the style {style}"}
    return RuleFinding(settings, words=words)


def _settings(column: TextColumn, asked: NumberConvention, table: WorkingRows) -> dict[str, Any] | None:
    """How the column's numbers should be written; None where it has none, or nothing is wrong with them."""
    parts = all_parts(column)
    words = [text for text in column.counts if text.casefold() in NUMBERS]
    numbers, stay = (
        sum(map(column.counts.__getitem__, texts)) for texts in ([*parts, *words], _beside_numbers(column))
    )
    beside = 0 if numbers + stay >= _NEARLY * column.filled else _words_beside(column, parts)
    if len(parts) < 2 or numbers + stay + beside < _NEARLY * column.filled or numbers < _MAJORITY * column.filled:
        return None
    doubtful = has_doubtful_points(column) or has_doubtful_points_of_three(column)
    if asked.decimal is None and (doubtful or are_lists(parts)):
        return None
    units, styles = Counter[str](), Counter[str]()
    for text, part in parts.items():
        units[part.unit] += column.counts[text]
        styles[part.style] += column.counts[text]
    for ending in ("s", "es"):  # "1 year" is how "5 years" are written
        for style in [style for style in styles if style + ending in styles]:
            ones = column.counts[style]
            styles.subtract({style: ones, style + ending: -ones})
    style, rows = styles.most_common(1)[0]
    if rows < _MAJORITY * sum(styles.values()):
        style = "1"
    if re.search("1,[-\u2013\u2014]", style):
        return None  # as most write amounts without cents, no program's number would be written
    main = max((unit for unit in units if unit), key=units.__getitem__, default="")
    scaled = [unit for unit in units if (unit, main) in POWERS]
    strange = sum(units[unit] for unit in set(units) - {"", main, *scaled})
    if style == "1" and (named := unit_in_name(column, units)):
        main, scaled = named, []
    elif style == "1" and (
        strange
        or scaled
        or _may_be_letter(main, units, parts)
        or is_of_another_unit(column, parts, main, table)
        or is_on_another_scale(column, parts, main, table)
    ):
        main, scaled = "", []  # different things are measured, or none is: only bare numbers are clear
    elif strange > _STRANGE * sum(units.values()):
        return None
    if style == "1" and main == "%" and not _is_decoration(column, parts):
        return None
    mark = _declared_mark(asked, column, parts) or decimal_mark(parts)
    mark = mark or (mark_elsewhere(column, parts, table) if is_doubtful(parts) else "")
    if not mark and are_of_two_habits(parts):
        return None  # if only the clear ones were rewritten, the others would look like thousands
    if style == "1" and beside_decimal_commas(column):
        return None
    bare = [""] if style == "1" or not main else []
    by_name = [word for word, unit in (units_named_by(column.name) | LETTERS).items() if unit == main]
    powers = dict.fromkeys([*bare, *(spellings(main) if main else []), *by_name], 0)
    powers |= {word: POWERS[unit, main] for unit in scaled for word in spellings(unit)}
    settings: dict[str, Any] = {
        "units": powers,
        "others": sorted({"", *(word for unit in units for word in spellings(unit))} - {*powers}),
        "words": NUMBERS if words and style == "1" else {},
        "mark": mark,
        "places": _places(parts, main) if scaled else 0,
        "drop_zero": asked.whole is True or _drops_zero(column, parts),
        "style": style,
        "money": sorted(word for unit in units if unit in CURRENCIES for word in spellings(unit)),
    }
    return settings if any(_uniform_number(text, **settings) != text for text in column.counts) else None


def _beside_numbers(column: TextColumn) -> list[str]:
    """The texts that stay beside numbers: how large one is at most or at least, as laboratories say, and brackets."""
    return [text for text in column.counts if BESIDE_NUMBERS.fullmatch(text)]


def _words_beside(column: TextColumn, parts: dict[str, NumberParts]) -> int:
    """The rows with one of few words that come again and again: `Free` among prices. They stay as they are."""
    others = {text: count for text, count in column.counts.items() if text not in parts}
    words = not any(map(str.isdecimal, "".join(others))) and min(others.values(), default=0) >= _AGAIN
    return sum(others.values()) if len(others) <= _FEW_WORDS and words else 0


def loses_commas(column: TextColumn, asked: NumberConvention, table: WorkingRows) -> bool:
    """Whether decimal commas, the column's habit, become points though nobody asked for it."""
    if asked.decimal is not None or not _may_hold_numbers(column) or not have_decimal_commas(column):
        return False
    settings = _settings(column, asked, table)
    commas = [text for text in column.counts if re.search(r",\d{1,2}(?!\d)", text)] if settings else []
    return settings is not None and any("," not in _uniform_number(text, **settings) for text in commas)


def _declared_mark(asked: NumberConvention, column: TextColumn, parts: dict[str, NumberParts]) -> str:
    """The declared decimal mark. Points stand between thousands where some do, unless 1,234 is to become 1.234."""
    commas = asked.decimal == "," and (has_doubtful_points(column) or has_points_of_three(column))
    if commas and not any(re.fullmatch(r"[1-9]\d{0,2},\d{3}", part.digits) for part in parts.values()):
        return ",."
    return asked.decimal or ""


def _may_be_letter(unit: str, units: Counter[str], parts: dict[str, NumberParts]) -> bool:
    """Whether a few numbers have a letter that need be no unit: the houses 12 g and 7 h among 1 to 50, and no 7 hrs."""
    written = {part.style.strip("1 .").casefold() for part in parts.values() if part.unit == unit}
    return written == {unit} and len(unit) == 1 and unit.isalpha() and units[unit] < _STRANGE * units.total()


def _places(parts: dict[str, NumberParts], unit: str) -> int:
    """How many digits the column writes after the decimal mark."""
    places = Counter(len(re.sub(r"^\d*[.,]?", "", part.digits)) for part in parts.values() if part.unit == unit)
    return places.most_common(1)[0][0] if places else 0


def _is_decoration(column: TextColumn, parts: dict[str, NumberParts]) -> bool:
    """Whether per cent signs say nothing: the numbers are as large as those without a sign."""
    signed: list[float] = []
    plain: list[float] = []
    for text, part in parts.items():
        if (number := _plain_number(part.digits, ".")) is not None:
            (signed if part.unit == "%" else plain).extend([float(number)] * column.counts[text])
    if len(plain) < 5:
        return False
    low, high = min(plain), max(plain)
    alike = sum(low <= number <= high for number in signed)
    whole = high <= 100 and all(number.is_integer() for number in plain)  # then 50% is no 0.5
    shrunk = sum(number / 100 in {*plain} if whole else low <= number / 100 <= high for number in signed if number)
    return bool(alike >= 0.95 * len(signed) and shrunk <= 0.5 * len(signed))


def _drops_zero(column: TextColumn, parts: dict[str, NumberParts]) -> bool:
    """Whether ".0" is a slip: beside more whole numbers, or before a unit; or what missing cells made of whole numbers.

    A column of floats keeps it: a few round numbers beside missing cells may be measurements, a hundred are counts.
    ".00" is one only beside more whole numbers: it may be cents.
    """
    tails: Counter[str] = Counter()
    for text, part in parts.items():
        whole = re.fullmatch(r"(?:\d+|\d{1,3}(?:,\d{3})+)(?:[.,](00?))?|\d{1,3}(?:\.\d{3})+,(00?)", part.digits)
        tails["real" if whole is None else whole[1] or whole[2] or ""] += column.counts[text]
    dressed = all(part.unit for part in parts.values())
    if not tails["real"]:
        made = column.blanks + column.nulls > 0 and tails["0"] >= MADE_FLOAT
        return tails[""] > tails["0"] + tails["00"] or ((dressed or made) and not tails["00"])
    return not tails[""] and dressed and tails["0"] > 0.5 * (tails["0"] + tails["real"])


RULE = RepairRule(
    name="{kind}_in_{columns}",
    issue="Numbers in {columns} are not all written as {style_name}.",
    doc="Write every number {manner}.",
    fix=_uniform_number,
    look=_look,
    compares=True,
    helpers=(_split_number, _is_blank_grouped, _plain_number, _scaled, _without_noise),
    imports=("decimal", "re"),
)
