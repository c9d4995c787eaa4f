"""Files as typed rows, read and written in the same format. Called by run/, the library API and the command line.

`open_dataset` detects the format of a file; `open_writer` writes the same format, to a temporary file that
takes its final name only when everything is written. A format is one entry of `FORMATS`.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from orchestrator.core.errors import DataError, UsageError
from orchestrator.data.files import check_readable
from orchestrator.data.formats.base import Batch, Dataset, Writer
from orchestrator.data.formats.csv_dialect import Dialect
from orchestrator.data.formats.csv_read import CsvDataset
from orchestrator.data.formats.csv_write import csv_writer
from orchestrator.data.formats.jsonl import JsonlDataset, jsonl_writer
from orchestrator.data.formats.parquet import ParquetDataset, parquet_writer


class Format(NamedTuple):
    """One file format: its name for people, its suffixes, and how it is read and written.

    `read` takes the file and the encoding (None: detected); a format without it can only be written. `write` takes
    the file, the data set that the rows come from, and the columns. `records`: `Batch.raw` holds one JSON object per
    row, and the writer also takes record tables (`data.records`).
    """

    title: str
    suffixes: tuple[str, ...]
    read: Callable[[Path, str | None], Dataset] | None
    write: Callable[[Path, Dataset, pa.Schema], AbstractContextManager[Writer]]
    records: bool = False


def _separated(kind: str, title: str, suffixes: tuple[str, ...]) -> Format:
    """CSV and TSV: written in the dialect of the data set where that is of the same kind."""

    def write(path: Path, like: Dataset, schema: pa.Schema) -> AbstractContextManager[Writer]:
        dialect = like.dialect if isinstance(like, CsvDataset) and like.format == kind else Dialect.plain(kind)
        return csv_writer(path, dialect, schema)

    return Format(title, suffixes, lambda path, encoding: CsvDataset(path, kind, encoding), write)


FORMATS = {
    "csv": _separated("csv", "CSV", (".csv", ".txt")),
    "tsv": _separated("tsv", "TSV", (".tsv", ".tab")),
    "jsonl": Format(
        "JSON Lines", (".jsonl", ".ndjson"), lambda path, _: JsonlDataset(path), jsonl_writer, records=True
    ),
    "parquet": Format("Parquet", (".parquet", ".pq"), lambda path, _: ParquetDataset(path), parquet_writer),
}


def open_dataset(path: Path | str, *, format: str | None = None, encoding: str | None = None) -> Dataset:  # noqa: A002 - the usual word
    """The data set in the file; `format` and `encoding` are detected if not given. Raises DataError, UsageError."""
    path = Path(path)
    check_readable(path)
    read = FORMATS[_format_of(path, format)].read
    if read is None:
        raise UsageError(f"{path.name}: such files can be written, but not read.", advice=_advice())
    try:
        return read(path, encoding)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error


def open_writer(path: Path | str, *, like: Dataset, schema: pa.Schema) -> AbstractContextManager[Writer]:
    """A writer of the format that the suffix names, in the dialect and types of `like` if that has the same format.

    Raises UsageError for an unknown format, OutputError when writing fails; then nothing is left behind.
    """
    path = Path(path)
    return FORMATS[_output_format(path, like)].write(path, like, schema)


def writes_records(path: Path | str, *, like: Dataset) -> bool:
    """Whether `open_writer` gives a writer that also takes record tables: the source's rows are then record tables."""
    return FORMATS[_output_format(Path(path), like)].records


def _output_format(path: Path, like: Dataset) -> str:
    return _format_of(path, None if path.suffix else like.format)


def _format_of(path: Path, named: str | None) -> str:
    if named is not None:
        if named not in FORMATS:
            raise UsageError(f"'{named}' is not a format that can be read or written.", advice=_advice())
        return named
    suffix = path.suffix.lower()
    for kind, known in FORMATS.items():
        if suffix in known.suffixes:
            return kind
    what = f"files of type '{path.suffix}'" if path.suffix else "files without a suffix"
    raise UsageError(f"{path.name}: {what} cannot be read or written yet.", advice=_advice())


def _advice() -> str:
    *others, last = (f"{known.title} ({known.suffixes[0]})" for known in FORMATS.values() if known.read)
    return f"Use {', '.join(others)} or {last}."


__all__ = ["FORMATS", "Batch", "Dataset", "Format", "Writer", "open_dataset", "open_writer", "writes_records"]
