"""What is known of a column from which cells are drawn. Made by `row_drawing`, read by `cell_strategies`."""

from dataclasses import dataclass
from typing import Any

import pyarrow as pa


@dataclass(frozen=True)
class DrawnColumn:
    """A column's type and its different values, missing ones left out."""

    kind: pa.DataType
    values: tuple[Any, ...]
