"""Times of day written in several ways: "6:40 PM", "18h40", "18.40 Uhr", "1840 hrs", "7:05" become "18:40", "07:05".

Only in a column that is written so already, but for cells that can all be read, or a few, and in which hours after
noon show that it counts 24 of them. Left alone: a time without the seconds that the others have, or with seconds that
are not 0 throughout, and durations, whose hours have one digit.
"""

import re

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MOST = 0.8  # of the rows are written in the column's way
_SOME, _NEARLY_ALL = 0.2, 0.95  # of the rows are so, where so many can be read
_DIFFERENT = 6  # times that are
_LATE = 2  # of them after noon
_SECONDS = re.compile(r"\d:\d\d:(\d\d)")
_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?")


def _clock_time(value: str, seconds: bool, none: bool = False) -> str:
    """The time of day as HH:MM, or as HH:MM:SS; what is none, or is told less exactly, as it is. `none`: :00 goes."""
    with_half = r"(\d\d?)(?::([0-5]\d)(:[0-5]\d)?)?\s?(?:([ap])\.?m\.?)?"
    without = r"(\d\d?)h([0-5]\d)|([0-2]\d)\.?([0-5]\d)"
    text = re.sub(r"(?<=:\d\d) ?(?:uhr|hrs?|h)\.?$", "", value.strip(), flags=re.IGNORECASE)
    text = re.sub(r"^(\d\d?)\.(\d\d) ?uhr$", r"\1:\2", text, flags=re.IGNORECASE)
    text = re.sub(r"^(\d\d?) ?uhr$", r"\1:00", text, flags=re.IGNORECASE)
    text = re.sub(r"^(\d{4}) ?(?:hrs?|h)\.?$", r"\1", text, flags=re.IGNORECASE)
    if none:
        text = re.sub(r"^(\d\d?:\d\d):00\b", r"\1", text)
    found = re.fullmatch(f"{with_half}|{without}", text, re.IGNORECASE)
    if found is None or bool(found[3]) != seconds:
        return value
    hour, minute = int(found[1] or found[5] or found[7]), found[2] or found[6] or found[8]
    half = (found[4] or "").lower()
    if half and not 1 <= hour <= 12:
        return value
    if half:
        hour, minute = hour % 12 + 12 * (half == "p"), minute or "00"
    return f"{hour:02}:{minute}{found[3] or ''}" if hour < 24 and minute else value


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if not column.may_be(lambda text: ":" in text or text.isdecimal() or (text[:1].isdigit() and text[-1:] in "mM")):
        return None
    times = [text for text in column.counts if _TIME.fullmatch(text)]
    late = sum(text[:2] > "12" for text in times)
    rows = sum(map(column.counts.__getitem__, times))
    if rows < _SOME * column.filled or len(times) < _DIFFERENT or late < _LATE:
        return None
    exact = sum(column.counts[text] for text in times if len(text) == len("00:00:00"))
    settings = {"seconds": 2 * exact > column.filled}
    if not settings["seconds"]:
        told = {match[1] for text in column.counts if (match := _SECONDS.search(text))}
        settings |= {"none": True} if told == {"00"} else {}
    if rows < _MOST * column.filled:
        known = column.rows(lambda text: _TIME.fullmatch(_clock_time(text, **settings)) is not None)
        two_digits = any(text[0] == "0" for text in times)  # 7:05 beside 12:05 may be hours and minutes that passed
        if known < _NEARLY_ALL * column.filled or not two_digits:
            return None
    if all(_clock_time(text, **settings) == text for text in column.counts):
        return None
    return RuleFinding(settings, words={"form": "HH:MM:SS" if settings["seconds"] else "HH:MM"})


RULE = RepairRule(
    name="times_of_day_in_{columns}",
    issue="Some times of day in {columns} are not written as {form}.",
    doc="Write times of day as {form}.",
    fix=_clock_time,
    look=_look,
    imports=("re",),
)
