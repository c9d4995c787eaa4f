"""The texts inside of lists and objects, which are cells like others: what is untidy in them is left, too.

Called by the run, which counts what is left, and by `record_tables`. In a table of JSON rows a list or an object is the
text of its JSON; in one of Parquet it is a value.
"""

import json
from collections.abc import Iterable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc


def texts_within(values: Iterable[Any]) -> list[str]:
    """Every text among the values, also those in lists and objects."""
    found: list[str] = []
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list | tuple | dict):
            waiting.extend(value.values() if isinstance(value, dict) else value)
    return found


def own_texts(column: pa.ChunkedArray) -> Any:
    """The column with the texts inside of its lists and objects in their place; as it is where it has none of these."""
    if pa.types.is_nested(column.type):
        return pa.array(texts_within(column.to_pylist()), pa.string())
    if not pa.types.is_string(column.type) and not pa.types.is_large_string(column.type):
        return column
    nested = pc.fill_null(pc.match_substring_regex(column, r"\A(?s:\[.*\]|\{.*\})\z"), False)
    if not pc.any(nested).as_py():
        return column
    values = [_read(text) for text in column.filter(nested).to_pylist()]
    return pa.array([*column.filter(pc.invert(nested)).to_pylist(), *texts_within(values)], pa.string())


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
