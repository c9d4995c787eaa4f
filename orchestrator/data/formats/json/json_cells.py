"""A cell of a result as the JSON value that it stands for.

Used by the JSON writer, and copied into exported files by `registry.export`, so it imports nothing of this package.
"""

import json
import math
from typing import Any


def from_cell(cell: Any, before: Any) -> Any:
    """A cell of a result as a JSON value; `before`: the value of that cell in the source.

    Text that represents a list, an object or a number becomes that value again, if it can still be parsed as one.
    A whole number and one with decimals are alike.
    JSON has no number for NaN or infinity: their names stay texts.
    """
    if isinstance(cell, str) and before is not None and not isinstance(before, str):
        try:
            made = json.loads(cell)
        except ValueError:
            return cell
        same = isinstance(made, type(before)) or {type(made), type(before)} == {int, float}
        known = same and not (isinstance(made, float) and not math.isfinite(made))
        return made if known else cell
    if isinstance(cell, float) and isinstance(before, int) and not isinstance(before, bool) and cell.is_integer():
        return int(cell)
    return cell
