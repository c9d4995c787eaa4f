"""Every changed cell as a line of a CSV file. Called by `cleanroom diff --csv`."""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from orchestrator.data.files import atomic_file
from orchestrator.run.diff.data_diff import ChangedCell


@contextmanager
def cell_list(path: Path, key: Sequence[str]) -> Iterator[Callable[[ChangedCell], None]]:
    """Takes cells; the file appears at the end of the block. Raises OutputError."""
    with atomic_file(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=False)
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["row", *key, "column", "kind", "before", "after", "file_row"])

        def write(cell: ChangedCell) -> None:
            writer.writerow([cell.row, *cell.key, cell.column, cell.kind, cell.before, cell.after, cell.file_row])

        yield write
        text.flush()
        text.detach()
