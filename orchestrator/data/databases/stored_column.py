"""A column of a database as it is stored there and as it is read. Called by the readers and by `new_table`."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

RowBlocks = Callable[[], Iterable[Sequence[Sequence[Any]]]]
"""Gives the rows to be written, some at a time, from the first one again each time."""


def quoted_name(name: str) -> str:
    """One name as SQL takes it. SQLAlchemy's own way writes `%` twice, for statements with placeholders alone."""
    return '"' + name.replace('"', '""') + '"'


class StoredColumn(NamedTuple):
    """`sql_type`: what the database calls its type, empty where it has none. `kind`: as which type it is read.

    `mixed`: whether values of several types are read as their texts.
    """

    name: str
    sql_type: str
    kind: pa.DataType
    mixed: bool = False
