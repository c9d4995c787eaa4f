"""`df.cleanroom.apply(functions)`: promoted functions on a DataFrame, in sandboxes. Importing this module adds it.

For notebooks and pipelines that already hold the data. The functions run where they always do: in containers.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import pandas as pd
import pyarrow as pa

from orchestrator.api import Cleanroom
from orchestrator.core.errors import UsageError

_NOT_WRITTEN = (pa.ArrowException, ValueError, TypeError, ArithmeticError)


@pd.api.extensions.register_dataframe_accessor("cleanroom")
class CleanroomAccessor:
    """What cleanroom can do with this DataFrame."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def apply(
        self,
        functions: Path | str,
        *,
        drift: Literal["stop", "accept"] = "stop",
        cleanroom: Cleanroom | None = None,
    ) -> pd.DataFrame:
        """A new DataFrame, with what the functions in the folder, registry or bundle make of this one.

        The index is kept where no row was dropped. `cleanroom`: one that is open already, to save its start. Raises
        UsageError where the columns' names are no texts or Parquet cannot hold the cells of one, and what
        `Cleanroom.apply` raises.
        """
        if not all(isinstance(name, str) for name in self._frame.columns) or not self._frame.columns.is_unique:
            raise UsageError("The columns of the DataFrame need names that are texts, each once.")
        with TemporaryDirectory(prefix="cleanroom-frame-") as folder:
            data, output = Path(folder, "frame.parquet"), Path(folder, "cleaned.parquet")
            _write(self._frame, data)
            if cleanroom is not None:
                cleanroom.apply(data, functions, output, drift=drift)
            else:
                with Cleanroom() as own:
                    own.apply(data, functions, output, drift=drift)
            cleaned = pd.read_parquet(output)
        if len(cleaned) == len(self._frame):
            cleaned.index = self._frame.index
        return cleaned


def _write(frame: pd.DataFrame, path: Path) -> None:
    """As Parquet. Raises UsageError, which names the column; what the library says would quote a cell."""
    try:
        frame.to_parquet(path, index=False)
    except _NOT_WRITTEN:
        name = next((one for one in frame.columns if not _fits(frame[[one]], path)), None)
        what = "The DataFrame" if name is None else f"The column {name!r} of the DataFrame"
        raise UsageError(
            f"{what} cannot be written as Parquet: its cells are of several kinds, or of one that it does not have.",
            advice="Give its cells one kind, for example by `.astype('string')`.",
        ) from None


def _fits(column: pd.DataFrame, path: Path) -> bool:
    try:
        column.to_parquet(path, index=False)
    except _NOT_WRITTEN:
        return False
    return True
