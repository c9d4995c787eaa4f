"""Cells of typed columns in JSON: dates, times, decimals and bytes come back as they were."""

import datetime as dt
import json
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.data.typed_cells import json_cell, read_cell, typed_cell

NOON = dt.datetime(2024, 7, 1, 12, 0, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (pa.timestamp("ns"), dt.datetime(2024, 1, 31, 10, 15)),  # noqa: DTZ001 - the column has no zone
        (pa.timestamp("us", "UTC"), NOON),
        (pa.timestamp("us", "Europe/Berlin"), NOON),
        (pa.date32(), dt.date(2024, 2, 29)),
        (pa.time64("us"), dt.time(23, 59, 1)),
        (pa.duration("us"), dt.timedelta(days=-1, seconds=5, microseconds=20)),
        (pa.duration("ns"), dt.timedelta(days=2, seconds=3605)),
        (pa.decimal128(10, 2), Decimal("1.50")),
        (pa.binary(), b"\xff\x00"),
        (pa.int64(), 5),
        (pa.float64(), 2.5),
        (pa.bool_(), True),
        (pa.string(), "5"),
        (pa.list_(pa.string()), ["a", None]),
    ],
    ids=str,
)
def test_a_cell_comes_back_out_of_json(kind: pa.DataType, value: Any) -> None:
    """Through JSON, and into a column of its type."""
    cell = pa.array([value], kind).to_pylist()[0]
    text = json.loads(json.dumps(json_cell(cell)))
    assert pa.array([typed_cell(text, kind)], kind).to_pylist() == [cell]


@pytest.mark.parametrize(
    ("kind", "said", "meant"),
    [
        (pa.timestamp("us"), "2024-01-31T10:15", dt.datetime(2024, 1, 31, 10, 15)),  # noqa: DTZ001 - no zone
        (pa.timestamp("us", "UTC"), "2024-07-01 12:00", NOON),
        (pa.time32("s"), "10:15", dt.time(10, 15)),
        (pa.duration("s"), "2:30:00", dt.timedelta(hours=2.5)),
        (pa.decimal128(10, 2), 1.5, Decimal("1.50")),
        (pa.int64(), "7", 7),
        (pa.bool_(), "true", True),
        (pa.string(), 7, "7"),
    ],
    ids=str,
)
def test_a_cell_is_read_as_people_write_it(kind: pa.DataType, said: Any, meant: Any) -> None:
    """Without seconds, in the zone of the column, as text out of a CSV file."""
    assert read_cell(said, kind) == meant


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (pa.date32(), "2024-13-01"),
        (pa.timestamp("us"), "yesterday"),
        (pa.duration("s"), "5 hours"),
        (pa.binary(), "no base64!"),
        (pa.int64(), "seven"),
        (pa.decimal128(4, 2), "1.505"),
    ],
    ids=str,
)
def test_what_says_no_such_value_stays_what_it_is(kind: pa.DataType, said: str) -> None:
    """And is an error for those who need one."""
    assert read_cell(said, kind) == said
    with pytest.raises(ValueError, match=r"."):
        typed_cell(said, kind)
