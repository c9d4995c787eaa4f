"""Files as typed rows, read and written in the same format. Called by run/, the command line and the quality meter.

`open_dataset` looks at a file and says what it is; `open_writer` writes the same kind again, in a temporary file that
takes its final name only when everything is written.
"""

import os
from contextlib import AbstractContextManager
from pathlib import Path

import pyarrow as pa

from orchestrator.core.errors import DataError, UsageError
from orchestrator.data.formats.base import Batch, Dataset, Writer
from orchestrator.data.formats.csv_dialect import Dialect
from orchestrator.data.formats.csv_read import CsvDataset
from orchestrator.data.formats.csv_write import csv_writer
from orchestrator.data.formats.jsonl import JsonlDataset, JsonlWriter, jsonl_writer
from orchestrator.data.formats.parquet import ParquetDataset, parquet_writer

_BY_SUFFIX = {
    ".csv": "csv",
    ".txt": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
FORMATS = ("csv", "tsv", "jsonl", "parquet")
_ADVICE = "Use CSV (.csv), TSV (.tsv), JSON Lines (.jsonl) or Parquet (.parquet)."


def open_dataset(path: Path | str, *, format: str | None = None, encoding: str | None = None) -> Dataset:  # noqa: A002 - the word that everybody uses
    """The data set in the file; `format` and `encoding` are found out where not given. Raises DataError, UsageError."""
    path = Path(path)
    _check_readable(path)
    kind = _format_of(path, format)
    try:
        if kind == "parquet":
            return ParquetDataset(path)
        if kind == "jsonl":
            return JsonlDataset(path)
        return CsvDataset(path, kind, encoding)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error


def open_writer(path: Path | str, *, like: Dataset, schema: pa.Schema) -> AbstractContextManager[Writer]:
    """A writer of the format that the name says; of the dialect and types of `like` where the format is the same.

    Raises UsageError for an unknown format, OutputError when writing fails; then nothing is left behind.
    """
    path = Path(path)
    kind = _format_of(path, None if path.suffix else like.format)
    if kind == "parquet":
        return parquet_writer(path, like, schema)
    if kind == "jsonl":
        return jsonl_writer(path, like, schema)
    dialect = like.dialect if isinstance(like, CsvDataset) and like.format == kind else Dialect.plain(kind)
    return csv_writer(path, dialect, schema)


def writes_records(writer: Writer) -> bool:
    """Whether the writer also takes record tables, with their own values: a source's rows are record tables then."""
    return isinstance(writer, JsonlWriter)


def _format_of(path: Path, named: str | None) -> str:
    if named is not None:
        if named not in FORMATS:
            raise UsageError(f"'{named}' is no format that can be read or written.", advice=_ADVICE)
        return named
    kind = _BY_SUFFIX.get(path.suffix.lower())
    if kind is None:
        what = f"files of type '{path.suffix}'" if path.suffix else "files without a suffix"
        raise UsageError(f"{path.name}: {what} cannot be read or written yet.", advice=_ADVICE)
    return kind


def _check_readable(path: Path) -> None:
    try:
        path.stat()
    except FileNotFoundError:
        raise DataError(f"There is no file {path}.", advice="Check the name and the current directory.") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataError(f"{path} cannot be read: {reason}.", advice="Check its name and permissions.") from error
    if path.is_dir():
        raise DataError(f"{path} is a directory, not a file.", advice="Name one data file in it.")
    if not path.is_file():
        raise DataError(f"{path} is not a regular file.", advice="Copy its content to a file first.")
    if not os.access(path, os.R_OK):
        raise DataError(f"You have no permission to read {path}.", advice="Ask its owner, or copy it.")
    if path.stat().st_size == 0:
        raise DataError(f"{path} is empty.", advice="Check how it was made; it needs a header and at least one row.")


__all__ = ["FORMATS", "Batch", "Dataset", "Writer", "open_dataset", "open_writer", "writes_records"]
