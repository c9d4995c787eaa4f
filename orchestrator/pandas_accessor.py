"""`df.cleanroom.apply(functions)`: promoted functions on a DataFrame, in sandboxes. Importing this module adds it.

For notebooks and pipelines that already hold the data. The functions run where they always do: in containers.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import pandas as pd
import pyarrow as pa

from orchestrator.api import Cleanroom
from orchestrator.core.errors import CleanroomError, RowsFailed, UsageError

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
        drift: Literal["stop", "accept", "strict"] = "stop",
        columns: Mapping[str, str] | None = None,
        cleanroom: Cleanroom | None = None,
    ) -> pd.DataFrame:
        """A new DataFrame, with what the functions in the folder, registry or bundle make of this one.

        The index is kept where no row was dropped. `drift` and `columns` as for `Cleanroom.apply`. `cleanroom`: one
        that is open already, to save its start. Raises UsageError where no function is in use, the columns' names are
        no texts or Parquet cannot hold the cells of one, and what `Cleanroom.apply` raises.
        """
        if cleanroom is not None and not callable(getattr(cleanroom, "apply", None)):
            raise UsageError(f"Invalid argument 'cleanroom': {cleanroom!r:.60}.", advice="Give a Cleanroom.")
        if not all(isinstance(name, str) for name in self._frame.columns) or not self._frame.columns.is_unique:
            raise UsageError("The columns of the DataFrame need names that are texts, each once.")
        with TemporaryDirectory(prefix="cleanroom-frame-") as folder:
            data, output = Path(folder, "frame.parquet"), Path(folder, "cleaned.parquet")
            _write(self._frame, data)
            with _naming_the_frame(data), nullcontext(cleanroom) if cleanroom is not None else Cleanroom() as room:
                step = room.apply(data, functions, output, drift=drift, columns=columns)
                if not step.functions:  # there is no place for a note, and the same rows would pass for clean ones
                    advice = "Approve what is held (`cleanroom review`), or name the folder of another run."
                    raise UsageError("No function is in use there: the DataFrame would stay as it is.", advice=advice)
            cleaned = pd.read_parquet(output)
        if len(cleaned) == len(self._frame):
            cleaned.index = self._frame.index
        return cleaned


@contextmanager
def _naming_the_frame(data: Path) -> Iterator[None]:
    """What is raised inside speaks of the DataFrame, and not of the file that it is written to on its way."""
    try:
        yield
    except CleanroomError as error:
        if isinstance(error, RowsFailed):
            error.advice = "Leave such rows out, or revoke the function."
        error.message, error.advice = (
            text.replace(str(data), "the DataFrame").replace(data.name, "the DataFrame")
            for text in (error.message, error.advice)
        )
        error.message = error.message[:1].upper() + error.message[1:]
        error.args = (error.message,)
        raise


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
