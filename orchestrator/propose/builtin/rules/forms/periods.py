"""Quarters of years, and moments, get the form of most cells: "Q1 2019" → "2019-Q1", "2024-05-04T10:00" → "2024-05-04
10:00". Seconds go where few have any, and all of these 00; so do their parts.

So do moments in UTC: "2024-05-04 10:00:00+00:00" → "2024-05-04T10:00:00Z".

Left alone: years of two digits, moments with another time zone or without any, and columns without a clear form.
"""

import re
from collections import Counter

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_USUAL, _NEARLY_ALL = 0.25, 0.9
_DIFFERENT = 3
_ZEROS = {":": ":00", ".": r"\.0+"}  # seconds; parts of seconds, by the sign that no other time has then


def _same_quarter(value: str, form: str) -> str:
    """The quarter in the form, in which 0 is the year and 1 the quarter; any other text as it is."""
    if match := re.fullmatch(r"((?:19|20)\d\d)[ /-]?[Qq]([1-4])", value):
        year, quarter = match.groups()
    elif match := re.fullmatch(r"(?:[Qq]([1-4])|([1-4])[Qq])[ /-]?((?:19|20)\d\d)", value):
        year, quarter = match[3], match[1] or match[2]
    else:
        return value
    return form.replace("1", quarter).replace("0", year)


def _same_moment(value: str, between: str, zeros: str = "") -> str:
    """A date and a time of day without a zone, with the same sign between; another text stays.

    `zeros`: what goes at the end, a pattern of seconds or their parts that are 0.
    """
    match = re.fullmatch(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)((?::\d\d(?:\.\d{1,9})?)?)", value, re.ASCII)
    return f"{match[1]}{between}{match[2]}{re.sub(f'(?:{zeros})$', '', match[3])}" if match else value


def _same_utc(value: str, between: str, zone: str, tail: str) -> str:
    """A moment in UTC, its seconds followed by nothing or zeros, in the form; any other text as it is."""
    moment = r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.0{1,9})?(?:Z|\+00:?00| ?UTC| ?GMT)"
    match = re.fullmatch(moment, value, re.ASCII)
    return f"{match[1]}{between}{match[2]}{tail}{zone}" if match else value


def _look_for_quarters(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    forms = Counter[str]()
    for text, count in column.counts.items():
        bare = re.sub(r"(?<!\d)[1-4](?!\d)", "1", re.sub(r"(?:19|20)\d\d", "0", text))
        if _same_quarter(text, "\0") != text:
            forms[bare] += count
    form, rows = forms.most_common(1)[0] if forms else ("", 0)
    if rows < _USUAL * column.filled or forms.total() < 0.8 * column.filled or len(column.counts) < _DIFFERENT:
        return None
    needed = any(_same_quarter(text, form) != text for text in column.counts)
    return (
        RuleFinding({"form": form}, words={"example": form.replace("1", "4").replace("0", "2024")}) if needed else None
    )


def _look_for_moments(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    signs, seconds = Counter[str](), Counter[str]()
    for text, count in column.counts.items():
        if _same_moment(text, "\0") != text:
            signs[text[10]] += count
            seconds[text[16:]] += count
    sign, rows = signs.most_common(1)[0] if signs else ("", 0)
    zeros = next((zeros for sign, zeros in _ZEROS.items() if _has_few(seconds, sign, zeros)), "")
    if (len(signs) < 2 and not zeros) or rows < _USUAL * column.filled or signs.total() < _NEARLY_ALL * column.filled:
        return None
    return RuleFinding({"between": sign} | ({"zeros": zeros} if zeros else {}))


def _has_few(seconds: Counter[str], sign: str, zeros: str) -> bool:
    """Whether only few times end with such zeros, and no other time tells that much."""
    having = sum(count for text, count in seconds.items() if re.search(f"(?:{zeros})$", text))
    exact = any(sign in re.sub(f"(?:{zeros})$", "", text) for text in seconds)
    return 0 < having <= (1 - _NEARLY_ALL) * seconds.total() and not exact


def _look_for_utc(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    forms = Counter[tuple[str, str, str]]()
    for text, count in column.counts.items():
        if _same_utc(text, "\0", "", "") != text:
            zone = re.sub(r"^[\d.:-]+", "", text[11:])
            forms[text[10], zone, text[19:].removesuffix(zone)] += count
        elif re.search(r":\d\d\.\d*[1-9]", text):
            return None  # some tell parts of seconds
    form, rows = forms.most_common(1)[0] if forms else (("", "", ""), 0)
    if len(forms) < 2 or rows < _USUAL * column.filled or forms.total() < 0.8 * column.filled:
        return None
    between, zone, tail = form
    example = _same_utc("2024-05-04T10:00:00Z", between, zone, tail)
    return RuleFinding({"between": between, "zone": zone, "tail": tail}, words={"example": example})


RULES = (
    RepairRule(
        name="same_quarters_in_{columns}",
        issue="Some quarters in {columns} are written in another form than most.",
        doc="Write quarters like {example!r}.",
        fix=_same_quarter,
        look=_look_for_quarters,
        imports=("re",),
    ),
    RepairRule(
        name="same_moments_in_{columns}",
        issue="Dates and times in {columns} are written in two ways.",
        doc="Join dates and times by {between!r}, without seconds or parts of them that only few have, as 0.",
        fix=_same_moment,
        look=_look_for_moments,
        imports=("re",),
    ),
    RepairRule(
        name="same_utc_moments_in_{columns}",
        issue="Moments in UTC in {columns} are written in several ways.",
        doc="Write moments in UTC like {example!r}.",
        fix=_same_utc,
        look=_look_for_utc,
        imports=("re",),
    ),
)
