"""What a comma or point in the numbers of a column is: a decimal mark, between thousands, or between items of a list.

Called by the rule of numbers and by what names doubts. A column that does not tell may be told by another one.
"""

import re
from statistics import median

from orchestrator.propose.builtin.rules.number_parts import NumberParts, _is_blank_grouped, all_parts, looks_numeric
from orchestrator.propose.builtin.rules.number_words import CURRENCIES
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_DOLLARS = frozenset({"USD", "GBP", "CAD", "AUD", "JPY", "CNY", "INR"})  # beside them commas part thousands
_SEVERAL = 3  # different numbers of a kind
_THOUSANDS = re.compile(r"[1-9]\d{0,2},\d{3}")


def decimal_mark(parts: dict[str, NumberParts]) -> str:
    """ "," where every comma is a decimal one, ",." where points then stand between thousands, "." where "1,234" has
    thousands; "" where the column does not tell."""
    digits = [part.digits.replace(" ", "") for part in parts.values()]
    commas = [text for text in digits if re.fullmatch(r"\d+,\d+", text)]
    others = [text for text in digits if "," in text or "." in text]
    dotted = [text for text in others if re.fullmatch(r"[1-9]\d{0,2}(\.\d{3})+", text)]
    clear = [text for text in others if re.fullmatch(r"(\d+|[1-9]\d{0,2}(\.\d{3})+),(\d{1,2}|\d{4,})", text)]
    both = any("." in text for text in clear) or any(_is_blank_grouped(part.digits) for part in parts.values())
    money = all(part.unit in CURRENCIES for part in parts.values() if "." in part.digits)
    if len(dotted) == len(others) and _are_thousands(dotted, digits):
        return ",."
    if not any("," in text for text in others) and not (dotted and both and money):
        return "."
    if (len(dotted) < len(clear) or (both and money)) and len(clear) == len(others) - len(dotted):
        return ",." if len(commas) < len(others) else ","
    if not commas:
        return "."
    if any(_THOUSANDS.fullmatch(text) is None for text in commas):
        return "," if len(others) == len(commas) and not are_of_two_habits(parts) else ""
    whole = {text for text in digits if re.fullmatch(r"[1-9]\d{0,2}", text)}  # below a thousand
    dollars = any(part.unit in _DOLLARS for part in parts.values())
    if not dotted and any(re.fullmatch(r"[1-9]\d{0,2}(\.\d{3})+,\d+", text) for text in others):
        return "," if all(re.fullmatch(r"[\d.]+,\d+", text) for text in others) else ""
    if len(commas) < len(others) and not dollars:
        return "" if _may_be_decimals(commas, digits) else "."
    return "." if dollars or (len(commas) >= 10 and len(whole) >= 2) or _are_of_the_others_size(commas, digits) else ""


def are_of_two_habits(parts: dict[str, NumberParts]) -> bool:
    """Whether 1,200 stands beside 1,5 and 12,75: who drops a last zero would write 1,2, so it may be a thousand.

    Not where a number with a point or with three decimals shows what the column's habit is.
    """
    digits = [part.digits.replace(" ", "") for part in parts.values()]
    commas = [text for text in digits if re.fullmatch(r"\d+,\d+", text)]
    clear = [text for text in commas if _THOUSANDS.fullmatch(text) is None]
    shown = any("." in text for text in digits) or any(re.search(r"0$|,\d{3}$", text) for text in clear)
    return bool(clear) and not shown and any(text.endswith("0") for text in commas)


def _are_thousands(dotted: list[str], digits: list[str]) -> bool:
    """Whether 304.000 stands beside several as 1.052.000, or beside whole numbers that are as large.

    Where all are 1.035 to 1.092, 1047 beside them may be written without its point: so are gravities.
    """
    millions = {text for text in dotted if text.count(".") > 1}
    if _SEVERAL <= len(millions) < len({*dotted}):
        return True
    several = len({*dotted}) >= _SEVERAL and len({text.partition(".")[0] for text in dotted}) > 1
    return several and _are_of_the_others_size(dotted, digits)


def _are_of_the_others_size(grouped: list[str], digits: list[str]) -> bool:
    """Whether 131,000 stands beside whole numbers as 47500 and 102000: all are as large, and 131 would be too small.

    Among many, a few small ones do not count.
    """
    plain = sorted(int(text) for text in digits if re.fullmatch(r"[1-9]\d*", text))
    if len(plain) < 3:
        return False
    least = plain[len(plain) // 20]
    values = sorted(int(re.sub("[,.]", "", text)) for text in grouped)
    return values[-1] / 1000 < least / 10 <= values[len(values) // 20] and values[-1] <= 10 * plain[-1]


def _may_be_decimals(commas: list[str], digits: list[str]) -> bool:
    """Whether 36,250 fits as 36.25: beside 12.5 and 48.125, where 36250 is larger than all others by far."""
    plain = [text for text in digits if re.fullmatch(r"\d+(\.\d+)?", text)]
    if not any(re.search(r"\.\d{3}", text) for text in plain) or any(re.search(r",\d{3}\.", text) for text in digits):
        return False
    largest = max(map(float, plain))
    with_points = [float(text.replace(",", ".")) for text in commas]
    return max(with_points) <= 10 * largest < median(with_points) * 1000


def has_doubtful_points(column: TextColumn) -> bool:
    """Whether 1.549 stands beside 1.549,00 or 1 549, and nothing tells that it is as large: one would be rewritten."""
    parts = all_parts(column) if column.may_be(looks_numeric) else {}
    dotted = any(re.fullmatch(r"[1-9]\d{0,2}(\.\d{3})+", part.digits) for part in parts.values())
    both = any(
        re.fullmatch(r"[1-9]\d{0,2}(\.\d{3})+,\d+", part.digits) or _is_blank_grouped(part.digits)
        for part in parts.values()
    )
    return dotted and both and decimal_mark(parts) != ",."


def has_points_of_three(column: TextColumn) -> bool:
    """Whether every number with points could be a thousand: 12.450 beside 310 and 45; as decimals, all have three.

    Beside whole numbers of more figures only where these are as large as the thousands: 2.024 beside 303 and 2645.
    """
    parts = all_parts(column) if column.may_be(looks_numeric) else {}
    pointed = {part.digits for part in parts.values() if "." in part.digits}
    whole = {part.digits for part in parts.values() if part.digits.isdecimal()}
    if len(pointed) < _SEVERAL or len(whole) < _SEVERAL:
        return False
    if not all(re.fullmatch(r"[1-9]\d{0,2}(\.\d{3})+", digits) for digits in pointed):
        return False
    thousands, others = [int(digits.replace(".", "")) for digits in pointed], [int(digits) for digits in whole]
    as_large = min(others) > max(thousands) / 100 and max(thousands) <= 2 * max(others)
    return all(len(digits) <= 3 for digits in whole) or as_large


def has_doubtful_points_of_three(column: TextColumn) -> bool:
    """Whether these are such numbers, and nothing tells that they are thousands."""
    return has_points_of_three(column) and decimal_mark(all_parts(column)) != ",."


def is_doubtful(parts: dict[str, NumberParts]) -> bool:
    """Whether the column does not tell what its commas are: 1,549 to 1,899 are litres of fuel, or visitors."""
    return any(_THOUSANDS.fullmatch(part.digits) for part in parts.values()) and not decimal_mark(parts)


def mark_elsewhere(column: TextColumn, parts: dict[str, NumberParts], table: WorkingRows) -> str:
    """The decimal mark of the table's other columns for one that does not tell, where they agree on one, else "".

    No point where a comma of its own can only be a decimal one: 36,250 beside 30,6.
    """
    marks = {mark for mark, names in table.learnt(_certain_marks, _certain_marks).items() if names - {column.name}}
    mark = marks.pop() if len(marks) == 1 else ""
    digits = [part.digits for part in parts.values()]
    own = [text for text in digits if re.fullmatch(r"\d+,\d+", text)]
    clear = any(_THOUSANDS.fullmatch(text) is None for text in own)
    return "" if mark == "." and own and (clear or _may_be_decimals(own, digits)) else mark


def _certain_marks(table: WorkingRows) -> dict[str, set[str]]:
    """The decimal marks that columns show, and the names of the columns that do."""
    found: dict[str, set[str]] = {}
    for column in table.columns:
        if mark := column.learnt(_certain_mark, _certain_mark):
            found.setdefault(mark, set()).add(column.name)
    return found


def _certain_mark(column: TextColumn) -> str:
    """The decimal mark that a column shows. A point alone may stand in a time or a version, or be what a rule wrote.

    Nor do points between thousands show it without a comma: 53.017 may be left beside what was $53,017.
    """
    if not column.may_be(looks_numeric):
        return ""
    parts = all_parts(column)
    for part in parts.values():
        if re.search(r",\d{3}\.\d", part.digits) or (part.unit in _DOLLARS and re.search(r"\.\d\d$", part.digits)):
            return "."
    commas = any("," in part.digits for part in parts.values())
    return "," if commas and decimal_mark(parts)[:1] == "," else ""


def has_doubtful_commas(column: TextColumn, table: WorkingRows) -> bool:
    """Whether nothing tells whether the commas of the column's numbers part thousands or decimals."""
    parts = all_parts(column) if column.may_be(looks_numeric) else {}
    doubtful = len(parts) >= 2 and is_doubtful(parts)
    return doubtful and not mark_elsewhere(column, parts, table)


def have_decimal_commas(column: TextColumn) -> bool:
    """Whether a comma with nothing but figures behind it is the habit of the column's numbers."""
    parts = all_parts(column)
    commas = sum(column.counts[text] for text, part in parts.items() if re.fullmatch(r"[\d. ]*,\d+", part.digits))
    return 2 * commas > sum(map(column.counts.__getitem__, parts))


def beside_decimal_commas(column: TextColumn) -> list[str]:
    """The cells that would keep a comma where decimal commas are the column's habit: so all of them stay."""
    if not column.may_be(looks_numeric) or not have_decimal_commas(column):
        return []
    return [text for text in column.counts if text not in all_parts(column) and re.search(r"\d,\d", text)]


def are_lists(parts: dict[str, NumberParts]) -> bool:
    """Whether commas stand between items: 1,3 among the answers 1 to 4, pages 7,8, the years 2019,2021, or 1,2,3.

    All such cells must be of this kind: of decimals some are not.
    """
    digits = {part.digits for part in parts.values() if not part.unit}
    if any(re.fullmatch(r"\d+(,\d+){2,}", text) and not re.fullmatch(r"\d{1,3}(,\d{3})+", text) for text in digits):
        return True
    pairs = [text.split(",") for text in digits if re.fullmatch(r"\d+,\d+", text)]
    return bool(pairs) and all(_are_items(first, second, digits) for first, second in pairs)


def _are_items(first: str, second: str, digits: set[str]) -> bool:
    if first.startswith("0") or second.startswith("0") or int(first) >= int(second):
        return False
    years = all(re.fullmatch(r"(19|20)\d\d", text) for text in (first, second))
    return {first, second} <= digits or int(second) == int(first) + 1 or years
