"""Cells of typed columns in JSON, which has no dates, decimals or bytes: how examples write them, and read them back.

Called for what a user shows, by the judge that holds it against the cells, and for what a person is asked.
"""

import base64
import binascii
import datetime as dt
import re
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.data.cells import plain

_DURATION = re.compile(r"(?:(-?\d+) days?,? )?(\d+):([0-5]\d):([0-5]\d)(?:\.(\d{1,6}))?\d*")


def json_cell(cell: Any) -> Any:
    """What stands for the cell in JSON: itself, or its text (ISO 8601 for times). NaN and infinities as they are."""
    if cell is None or isinstance(cell, str | bool | int | float | list | dict):
        return cell
    return plain(cell)


def typed_cell(value: Any, kind: pa.DataType) -> Any:
    """What JSON says of a cell, as a value of the column's type; what is one already stays.

    Raises ValueError (pa.ArrowInvalid is one) or pa.ArrowNotImplementedError for a text that says no such value.
    """
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return str(value) if isinstance(value, int | float) else value
    if isinstance(value, int | float) and not isinstance(value, bool) and pa.types.is_decimal(kind):
        return Decimal(str(value))
    if not isinstance(value, str):
        return value
    if pa.types.is_time(kind):
        return dt.time.fromisoformat(value)
    if pa.types.is_duration(kind):
        return _duration(value)
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return _bytes(value)
    if pa.types.is_timestamp(kind) and kind.tz is not None:
        return _with_zone(value, kind)
    typed = pa.types.is_temporal(kind) or pa.types.is_decimal(kind) or pa.types.is_primitive(kind)
    return pa.array([value]).cast(kind)[0].as_py() if typed else value


def read_cell(value: Any, kind: pa.DataType) -> Any:
    """The same, and the value itself where it says nothing of the type."""
    if value is None or (isinstance(value, str) and pa.types.is_string(kind)):
        return value
    try:
        return typed_cell(value, kind)
    except (ValueError, OverflowError, pa.ArrowNotImplementedError):
        return value


def _duration(text: str) -> dt.timedelta:
    found = _DURATION.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text[:60]!r} is no duration such as '1 day, 2:30:00'")
    days, hours, minutes, seconds, parts = found.groups()
    return dt.timedelta(
        days=int(days or 0),
        hours=int(hours),
        minutes=int(minutes),
        seconds=int(seconds),
        microseconds=int((parts or "0").ljust(6, "0")),
    )


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(f"{text[:60]!r} is not base64") from error


def _with_zone(text: str, kind: pa.TimestampType) -> Any:
    """A moment; without a zone of its own it is in the column's."""
    try:
        return pa.array([text]).cast(kind)[0].as_py()
    except pa.ArrowInvalid:
        local = pa.array([text]).cast(pa.timestamp(kind.unit))
        return pc.assume_timezone(local, kind.tz)[0].as_py()
