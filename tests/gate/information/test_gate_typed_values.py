"""Dates, times, flags, bytes and lists in typed columns: another value is suspected, and a witness settles it."""

import datetime as dt
import random
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Verdict
from orchestrator.gate.information.emptied import emptied_like_others
from orchestrator.gate.information.row_evidence.exchanged import exchanged_rows
from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.verifier import Verifier

DAY = dt.date(2024, 3, 9)
AT = dt.datetime(2024, 3, 9, 14, 30)  # noqa: DTZ001 - columns without a zone
SOURCE = '''"""Something is to be mended."""
CONTRACT = {"modifies": ["at"]}
def _one(value):
    return ONE
def detect(df):
    return df["at"].map(lambda value: value == value and _one(value) != value).astype(bool)
def mended(df):
    """Mend it."""
    return df.assign(at=df["at"].map(lambda value: _one(value) if value == value else value))
'''
MIDNIGHT = SOURCE.replace("ONE", "value.normalize()")
CENTURY = SOURCE.replace("ONE", "value.replace(year=value.year - 100) if 2100 <= value.year < 2200 else value")
TAGS = '''"""Tags are written in several ways."""
CONTRACT = {"modifies": ["tags"]}
def _one(tags):
    return ONE
def tags(df):
    """One way."""
    return df.assign(tags=df["tags"].map(lambda tags: tags if tags is None else _one(list(tags))))
'''


def kinds(*cells: tuple[Any, Any], shown: tuple[Any, Any] | None = None) -> list[str]:
    return [one.kind for one in suspicions(cells, [] if shown is None else [shown])]


def moments(rows: int = 160, wrong_century: float = 0.0) -> pa.Table:
    draw = random.Random(7)  # noqa: S311 - data for a test
    made = [
        dt.datetime(2120 if draw.random() < wrong_century else 2020, 1, 1)  # noqa: DTZ001 - no zone
        + dt.timedelta(minutes=draw.randrange(500_000))
        for _ in range(rows)
    ]
    return pa.table({"id": [f"M{n:04}" for n in range(rows)], "at": pa.array(made, pa.timestamp("us"))})


def judged(gate: Verifier, source: str, table: pa.Table, *shown: tuple[Any, Any], column: str = "at") -> Verdict:
    examples = tuple(Example(input={column: before}, output={column: after}) for before, after in shown)
    cut = table.num_rows * 3 // 4
    return gate.verify(
        VerifyRequest(source, Sample(table.slice(0, cut), table.slice(cut)), examples=examples, quick=True)
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (AT, AT.replace(hour=0, minute=0)),
        (AT, AT.replace(day=3, month=9)),
        (DAY, DAY.replace(day=1)),
        (dt.time(14, 30), dt.time(2, 30)),
        (dt.timedelta(hours=30), dt.timedelta(hours=24)),
        (True, False),
        (b"\x01\x02", b"\x01"),
    ],
)
def test_another_value_is_suspected(before: Any, after: Any) -> None:
    """Whatever its type; the same value is not."""
    assert kinds((before, after)) == ["value-changed"]
    assert kinds((before, before)) == []


def test_a_witness_settles_the_parts_that_it_shows() -> None:
    """The year does not settle the day; an hour later settles an hour later, on every day."""
    next_century, first_of_month = (AT, AT.replace(year=2124)), (AT, AT.replace(day=1))
    other = dt.datetime(1999, 12, 31, 23, 30)  # noqa: DTZ001 - no zone
    hour = dt.timedelta(hours=1)
    assert kinds((other, other.replace(year=2099)), shown=next_century) == []
    assert kinds((other, other.replace(day=1)), shown=next_century) == ["value-changed"]
    assert kinds((other, other + hour), shown=(AT, AT + hour)) == []
    assert kinds((other, other + 2 * hour), shown=(AT, AT + hour)) == ["value-changed"]
    assert kinds((True, False), shown=(False, True)) == ["value-changed"]
    assert kinds(first_of_month, shown=first_of_month) == []


def test_days_that_go_on_from_those_that_stay_are_no_gaps() -> None:
    """The last days of a column are cut off; those of another century lie far off."""
    days = [DAY + dt.timedelta(days=number) for number in range(60)]
    assert emptied_like_others(days, [*days[:50], *[None] * 10]) == [*range(50, 60)]
    far = [DAY.replace(year=year) for year in (1900, 1901, 1905)]
    assert emptied_like_others([*days, *far], [*days, None, None, None]) == []


def test_numbers_are_cut_off_step_by_step() -> None:
    """Beyond what lies right beside the others, too, where each is near the one before it."""
    stay = [float(number) for number in range(1, 51)]
    gone = [54.0, 58.0, 62.0, 66.0, 400.0]
    assert emptied_like_others([*stay, *gone], [*stay, *[None] * 5]) == [50, 51, 52, 53]


def test_times_that_are_left_out_are_held_and_a_user_settles_it(gate: Verifier) -> None:
    """Every time stamp keeps its date, so nothing else sees it."""
    verdict = judged(gate, MIDNIGHT, moments())
    assert verdict.held
    assert "time stamp" in verdict.concerns[0].detail
    assert judged(gate, MIDNIGHT, moments(), ("2023-05-06 07:08", "2023-05-06 00:00")).passed
    assert judged(gate, MIDNIGHT, moments(), ("2023-05-06 07:08", "2023-06-05 00:00")).failures


def test_what_was_asked_about_dates_settles_them(gate: Verifier) -> None:
    """The questions show texts, and given back these are read as time stamps."""
    verdict = judged(gate, CENTURY, moments(wrong_century=0.2))
    assert verdict.held
    assert all(str(question.cells[0]).startswith("21") for question in verdict.questions)
    assert judged(gate, CENTURY, moments(wrong_century=0.2), *[one.cells for one in verdict.questions]).passed


def test_dates_that_stood_in_each_others_column_are_exchanged() -> None:
    """An end before its beginning, where no other row has one; a beginning that becomes the end is a change."""
    days = [DAY + dt.timedelta(days=number) for number in range(20)]
    starts, ends = [(day, day) for day in days], [(day + dt.timedelta(days=9),) * 2 for day in days]
    late = DAY + dt.timedelta(days=30)
    assert exchanged_rows([*starts, (late, DAY)], [*ends, (DAY, late)], [20]) == [20]
    assert exchanged_rows([*starts, (late, DAY)], [*ends, (DAY, DAY)], [20]) == []


def test_an_example_that_is_no_date_is_refused(gate: Verifier) -> None:
    """It says whose it is and what the column holds."""
    verdict = judged(gate, MIDNIGHT, moments(), ("last Monday", "2023-05-06"))
    assert "has a value for 'at' that is no timestamp" in verdict.failures[0].detail


@pytest.mark.parametrize(
    ("one", "held"),
    [
        ("[tag.strip().lower() for tag in tags]", False),
        ("sorted(tags)", True),
        ("['blue' if tag == 'red' else tag for tag in tags]", True),
    ],
)
def test_lists_of_a_typed_column_are_looked_into(gate: Verifier, one: str, held: bool) -> None:
    """As those of records are: spellings are mended, items change neither places nor meaning."""
    draw = random.Random(3)  # noqa: S311 - data for a test
    words = ["red", "green", "blue", "Red", " blue", "white"]
    tags = [[draw.choice(words) for _ in range(draw.randint(1, 4))] for _ in range(160)]
    table = pa.table({"id": [str(n) for n in range(160)], "tags": pa.array(tags, pa.list_(pa.string()))})
    verdict = judged(gate, TAGS.replace("ONE", one), table, column="tags")
    assert not verdict.failures
    assert verdict.held == held


def test_a_date_beyond_python_ends_no_verdict(gate: Verifier) -> None:
    """The row that shows what is suspected has a column with the year 14,000, which Python's dates do not have."""
    table = moments()
    far = pa.array([4 * 10**17 if row % 2 else row for row in range(table.num_rows)], pa.timestamp("us"))
    verdict = judged(gate, MIDNIGHT, table.append_column("until", far))
    assert verdict.held
    assert judged(gate, MIDNIGHT, table.append_column("until", far), *[one.cells for one in verdict.questions]).passed


def test_a_witness_without_parts_of_seconds_settles_time_stamps_that_have_some(gate: Verifier) -> None:
    """Nanoseconds, too, which Python's own time stamps do not have; so do the answered questions."""
    draw = random.Random(9)  # noqa: S311 - data for a test
    at = [1_600_000_000_000_000_000 + draw.randrange(10**16) for _ in range(120)]
    table = pa.table({"id": list(range(120)), "at": pa.array(at, pa.timestamp("ns"))})
    verdict = judged(gate, MIDNIGHT, table)
    assert verdict.held
    assert judged(gate, MIDNIGHT, table, *[one.cells for one in verdict.questions]).passed
    assert judged(gate, MIDNIGHT, table, ("2023-05-06 07:08:09", "2023-05-06")).passed
