"""A column of a database as it is stored there and as it is read. Called by the readers and by `new_table`."""

from typing import NamedTuple

import pyarrow as pa


class StoredColumn(NamedTuple):
    """`sql_type`: what the database calls its type, empty where it has none. `kind`: as which type it is read."""

    name: str
    sql_type: str
    kind: pa.DataType
