"""Telephone numbers get the code of their country as most cells write it: "0049 30 39" and "030 39" → "+49 30 39".

A number without a code gets one only where all others have the same, and its zero goes; without a zero, where that is
how the country dials, and all its numbers have as many figures and begin so. Where nearly all others have a blank
behind an area's code and none elsewhere, so has what begins with such a code ("030/39" → "+49 30 39"). Left alone:
columns in which hardly a number has a code with a plus, what is no number, and the zeros of countries that keep them,
as Italy does.
"""

import re
from typing import Any

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_SOME, _MAJORITY, _NEARLY_ALL = 0.2, 0.6, 0.95  # of the cells have a plus; that or a zero; are numbers
_DIFFERENT = 5
_AREAS = 500
_NUMBER = re.compile(r"(\+|00)?[\d ()./-]{7,24}", re.ASCII)
_OTHER_ZEROS = {"7", "36", "39", "378", "379"}  # countries whose numbers keep a zero, or have no zero in front
_WITHOUT_ZERO = {"30", "34", "45", "47", "48", "65", "351", "352", "371", "372", "420", "852"}  # they dial no zero
_CODE = re.compile(r"\+(?:([17])|(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])|(\d{3}))")  # of a country


def _with_country(
    value: str,
    country: str,
    begins: str = "",
    figures: int = 0,
    areas: list[str] | None = None,
    *,
    glued: bool = False,
) -> str:
    """The number with a plus and its country's code in front; any other text as it is.

    `begins`, `figures`: how numbers of the country begin, and how many figures they have, if they have no zero.
    `areas`: codes of areas, behind which a blank stands. `glued`: there are figures only.
    """
    if re.fullmatch(r"[1-9][\d ()./-]{6,24}", value, re.ASCII) and value[0] in begins:
        return f"+{country} {value}" if len(re.findall(r"\d", value)) == figures else value
    if not re.fullmatch(r"\(?0[\d ()./-]{6,24}", value, re.ASCII):
        return value
    digits = re.sub(r"\D", "", value)
    national = digits[2 + len(country) :] if digits.startswith("00" + country) else digits[1:]
    if glued and (not digits.startswith("00") or digits.startswith("00" + country)):
        return f"+{country}{national}"
    area = max((area for area in areas or () if national.startswith(area)), key=len, default="")
    if area and (not digits.startswith("00") or digits.startswith("00" + country)):
        return f"+{country} {area} {national[len(area) :]}"
    if value.startswith("00"):
        return "+" + value[2:].lstrip() if value[2:].lstrip()[:1] not in ("", "0") else value
    if areas:
        value = value.replace("/", " ")
    return f"+{country} {value[1:].lstrip()}" if country and value[1].isdigit() else value


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if not column.may_be(lambda text: text[0] in "+0("):
        return None
    known = column.rows(lambda text: _NUMBER.fullmatch(text) is not None)
    coded = [text for text in column.counts if text[0] == "+" and _NUMBER.fullmatch(text)]
    rows = sum(map(column.counts.__getitem__, coded))
    zeros = column.rows(lambda text: text[0] == "0")
    if rows < _SOME * column.filled or rows + zeros < _MAJORITY * column.filled:
        return None
    if known < _NEARLY_ALL * column.filled or len(coded) < _DIFFERENT:
        return None
    countries = {match[0][1:] if (match := _CODE.match(text)) else "" for text in coded}
    [country] = countries if len(countries) == 1 else [""]
    if country in _OTHER_ZEROS or "(0" in "".join(coded):
        country = ""
    settings: dict[str, Any] = {"country": country}
    if country and all(text[1:].isdigit() for text in coded):
        settings["glued"] = True
    if country in _WITHOUT_ZERO:
        own = [re.sub(r"\D", "", text)[len(country) :] for text in coded]
        if len({*map(len, own)}) == 1:
            settings |= {"begins": "".join(sorted({number[0] for number in own})), "figures": len(own[0])}
    parted = [match[1] for text in coded if (match := re.fullmatch(rf"\+{country} ([1-9]\d{{1,4}}) \d{{3,}}", text))]
    if country and len(parted) >= _NEARLY_ALL * len(coded):
        settings["areas"] = sorted(set(parted))[:_AREAS]
    return RuleFinding(settings) if any(_with_country(text, **settings) != text for text in column.counts) else None


RULE = RepairRule(
    name="country_codes_of_{columns}",
    issue="Some telephone numbers in {columns} have no country code with a plus, as most do.",
    doc="Write telephone numbers with a plus and the code of their country.",
    fix=_with_country,
    look=_look,
    imports=("re",),
)
