"""Files as typed rows, read and written in the same format. Called by run/, the library API and the command line.

`open_dataset` detects the format of a file; `open_writer` writes the same format, to a temporary file that
takes its final name only when everything is written. A format is one entry of `FORMATS`.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from orchestrator.core.errors import DataError, UsageError
from orchestrator.data.files import check_readable
from orchestrator.data.formats.base import Batch, Dataset, Reading, Writer
from orchestrator.data.formats.csv.csv_dialect import Dialect
from orchestrator.data.formats.csv.csv_read import CsvDataset
from orchestrator.data.formats.csv.csv_write import csv_writer
from orchestrator.data.formats.documents.document_dataset import DocumentDataset
from orchestrator.data.formats.documents.prose import ProseDataset, is_prose, prose_writer
from orchestrator.data.formats.excel.excel_dataset import ExcelDataset, excel_writer
from orchestrator.data.formats.json.json_document import JsonDataset, json_writer
from orchestrator.data.formats.json.jsonl import JsonlDataset, jsonl_writer
from orchestrator.data.formats.output_file import STDOUT
from orchestrator.data.formats.packed import packing_of, unpack
from orchestrator.data.formats.parquet.parquet_dataset import ParquetDataset, parquet_writer
from orchestrator.data.formats.private_copy import STDIN, STDIN_NAME, stdin_copy
from orchestrator.data.formats.unreadable import MAX_UNREADABLE, Readable, readable_csv, readable_json_lines


class Format(NamedTuple):
    """One file format: its name for people, its suffixes, and how it is read and written.

    `read` takes the file and how it shall be read; a format without it can only be written. `write` takes the file,
    the data set that the rows come from, and the columns. `records`: `Batch.raw` holds one JSON object per row, and the
    writer also takes record tables (`data.records`). `streams`: such data can be packed, and come through a pipe.
    `options`: those of `open_dataset` that not every format has. `written`: the suffix of what is written, where it is
    another. `readable` parts the rows that can be read from those that cannot, in formats where one row says nothing
    about the next.
    """

    title: str
    suffixes: tuple[str, ...]
    read: Callable[[Path, Reading], Dataset] | None
    write: Callable[[Path, Dataset, pa.Schema], AbstractContextManager[Writer]]
    records: bool = False
    streams: bool = False
    options: tuple[str, ...] = ()
    written: str = ""
    readable: Callable[[Path, Reading], Readable | None] | None = None


def _separated(kind: str, title: str, suffixes: tuple[str, ...]) -> Format:
    """CSV and TSV: written in the dialect of the data set where that is of the same kind."""

    def write(path: Path, like: Dataset, schema: pa.Schema) -> AbstractContextManager[Writer]:
        dialect = like.dialect if isinstance(like, CsvDataset) and like.format == kind else Dialect.plain(kind)
        return csv_writer(path, dialect, schema)

    readable = partial(readable_csv, kind=kind)
    read = partial(CsvDataset, kind=kind)
    return Format(title, suffixes, read, write, streams=True, readable=readable, options=("encoding", "delimiter"))


def _prose(kind: str, title: str, suffixes: tuple[str, ...]) -> Format:
    return Format(
        title,
        suffixes,
        lambda path, reading: ProseDataset(path, kind, reading),
        prose_writer,
        streams=True,
        options=("encoding",),
    )


def _workbook(kind: str, title: str) -> Format:
    """A kind of workbook; all are written as .xlsx."""
    read = partial(ExcelDataset, kind=kind)
    return Format(title, (f".{kind}",), read, excel_writer, options=("sheet",), written=".xlsx")


def _document(kind: str, title: str, suffixes: tuple[str, ...], options: tuple[str, ...] = ()) -> Format:
    """A kind of document; what is written is the Markdown of all."""
    read = partial(DocumentDataset, kind=kind)
    return Format(title, suffixes, read, prose_writer, streams=True, options=options, written=".md")


_OPTIONS = (
    ("sheet", "sheets", "--sheet"),
    ("array", "keys that lead to rows", "--path"),
    ("encoding", "encoding to choose", "--encoding"),
    ("delimiter", "delimiter", "--delimiter"),
)
_SQLITE = (".db", ".sqlite", ".sqlite3")  # what files of SQLite are mostly called
FORMATS = {
    "csv": _separated("csv", "CSV", (".csv", ".txt")),
    "tsv": _separated("tsv", "TSV", (".tsv", ".tab")),
    "jsonl": Format(
        "JSON Lines",
        (".jsonl", ".ndjson"),
        JsonlDataset,
        jsonl_writer,
        records=True,
        streams=True,
        readable=readable_json_lines,
    ),
    "json": Format("JSON", (".json",), JsonDataset, json_writer, records=True, streams=True, options=("array",)),
    "markdown": _prose("markdown", "Markdown", (".md", ".markdown")),
    "text": _prose("text", "plain text", (".text",)),
    "parquet": Format("Parquet", (".parquet", ".pq"), ParquetDataset, parquet_writer),
    "xlsx": _workbook("xlsx", "Excel"),
    "xls": _workbook("xls", "Excel 97"),
    "ods": _workbook("ods", "OpenDocument"),
    "html": _document("html", "HTML", (".html", ".htm", ".xhtml"), ("encoding",)),
    "pdf": _document("pdf", "PDF", (".pdf",)),
    "docx": _document("docx", "Word", (".docx",)),
    "epub": _document("epub", "EPUB", (".epub",)),
}


def open_dataset(
    path: Path | str,
    *,
    format: str | None = None,  # noqa: A002 - the usual word
    encoding: str | None = None,
    sheet: str | None = None,
    array: str | None = None,
    delimiter: str | None = None,
    set_aside: bool = False,
) -> Dataset:
    """The data set in the file, or in stdin if it is called `-`. Raises DataError, UsageError, OutputError.

    `format` and `encoding` are detected if not given; of stdin, the format must be. `sheet`: of a workbook, the first
    if not given. `array`: of a JSON document, the keys that lead to the rows, with points between. `delimiter`: of
    CSV and TSV, guessed if not given. `set_aside`: rows that cannot be read are no error, but the data set's
    `unreadable`, where its format allows it.
    """
    path = Path(path)
    if path == STDIN:
        if format is None:
            raise UsageError("The format of stdin cannot be known.", advice="Say it, for example with --format csv.")
        return _opened(STDIN_NAME, "", format, Reading(encoding, sheet, array, stdin_copy(), set_aside, delimiter))
    check_readable(path)
    reading = Reading(encoding, sheet, array, set_aside=set_aside, delimiter=delimiter)
    packing = path.suffix if packing_of(path) else ""
    if not packing:
        kind = _format_of(path.name, path.suffix, format)
        if format is None and delimiter is None and path.suffix.lower() == ".txt" and is_prose(path, reading):
            kind = "text"
        return _opened(path, _written_suffix(path.suffix, kind), kind, reading)
    if inner := Path(path.stem).suffix:
        _streaming(path, _format_of(path.name, inner, format))  # before anything is unpacked
    copy, inner = unpack(path)
    known = _streaming(path, _format_of(path.name, inner, format))
    return _opened(path, _written_suffix(inner, known) + packing, known, reading._replace(copy=copy))


def _written_suffix(suffix: str, kind: str) -> str:
    """The suffix of the file where it says how the file is read, else the first of that format: it is written, too."""
    said = suffix.lower() in FORMATS[kind].suffixes or (kind == "text" and suffix.lower() == ".txt")
    return suffix if said else FORMATS[kind].suffixes[0]


def _opened(path: Path, suffix: str, kind: str, reading: Reading) -> Dataset:
    known = FORMATS[_format_of(path.name, "", kind)]
    if known.read is None:
        raise UsageError(f"{path.name}: such files can be written, but not read.", advice=_advice())
    for option, word, named in _OPTIONS:
        if getattr(reading, option) is not None and option not in known.options:
            raise UsageError(f"{path.name}: {known.title} has no {word}.", advice=f"Leave out {named} (`{option}`).")
    try:
        dataset = _read(known, path, reading)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error
    dataset.suffix = known.written or suffix or known.suffixes[0]
    return dataset


def _read(known: Format, path: Path, reading: Reading) -> Dataset:
    """With the rows set aside that cannot be read, where that is wanted: whether there are any costs a pass."""
    assert known.read is not None  # noqa: S101 - the caller has asked
    if not reading.set_aside or known.readable is None:
        return known.read(path, reading)
    try:
        dataset = known.read(path, reading)
        for _ in dataset.read():
            pass
    except DataError as error:
        part = known.readable(path, reading)
        if part is None and "--quarantine" not in error.advice:
            raise
        if part is None:
            most = f"No more than {MAX_UNREADABLE:,} rows, and fewer than half, can be set aside."
            raise DataError(error.message, advice=f"{error.advice} {most}".strip()) from error
        dataset = known.read(path, part.reading)
        dataset.unreadable = part.rows
    return dataset


def _streaming(path: Path, kind: str) -> str:
    if not FORMATS[kind].streams:
        raise UsageError(
            f"{path.name}: {FORMATS[kind].title} is not read from a packed file.", advice="Unpack it first."
        )
    return kind


def open_writer(path: Path | str, *, like: Dataset, schema: pa.Schema) -> AbstractContextManager[Writer]:
    """A writer of the format that the suffix names, in the dialect and types of `like` if that has the same format.

    Raises UsageError for an unknown format, OutputError when writing fails; then nothing is left behind.
    """
    path = Path(path)
    kind = _output_format(path, like)
    if packing_of(path):
        _streaming(path, kind)
    if (wanted := FORMATS[kind].written) and path.suffix and path.suffix.lower() != wanted:
        raise UsageError(
            f"{path.name}: {FORMATS[kind].title} is not written.", advice=f"Name a file that ends in {wanted}."
        )
    writer = FORMATS[kind].write(path, like, schema)
    return writer if _keeps_rows(kind, like) else _from_cells(writer)


def writes_records(path: Path | str, *, like: Dataset) -> bool:
    """Whether `open_writer` gives a writer that also takes record tables: the source's rows are then record tables."""
    kind = _output_format(Path(path), like)
    return FORMATS[kind].records and _keeps_rows(kind, like)


def _keeps_rows(kind: str, like: Dataset) -> bool:
    """Whether a row that is not changed can be written as it stands in the source: `Batch.raw` is of the same kind."""
    target, source = FORMATS[kind], FORMATS.get(like.format)
    return source is not None and (source.write is target.write or (source.records and target.records))


@contextmanager
def _from_cells(opened: AbstractContextManager[Writer]) -> Iterator[Writer]:
    with opened as writer:
        yield _CellWriter(writer)


class _CellWriter(NamedTuple):
    """Writes what the cells say: the source text of a row of another format means nothing here."""

    inner: Writer

    def write(self, table: pa.Table, source: Batch | None = None) -> None:
        self.inner.write(table, None if source is None else Batch(source.table))


def _output_format(path: Path, like: Dataset) -> str:
    suffix = Path(path.stem).suffix if packing_of(path) else path.suffix
    if suffix.lower() == ".txt" and like.format == "text":
        return "text"
    if not suffix and like.parser_sha256 and path != STDOUT:
        message = f"{path.name}: its name does not say in which format the rows of {like.name} shall be written."
        raise UsageError(message, advice="Name a file that ends in .csv, .jsonl, .parquet, …")
    return _format_of(path.name, suffix, None if suffix else like.format)


def _format_of(name: str, suffix: str, named: str | None) -> str:
    if named is not None:
        if named not in FORMATS:
            raise UsageError(f"'{named}' is not a format that can be read or written.", advice=_advice())
        return named
    for kind, known in FORMATS.items():
        if suffix.lower() in known.suffixes:
            return kind
    if suffix.lower() in _SQLITE:
        raise UsageError(
            f"{name}: a table of a database is named by an address.",
            advice=f"If it is an SQLite database, say 'sqlite:///PATH/{name}?table=NAME'; else say its --format.",
        )
    what = f"files of type '{suffix}'" if suffix else "files without a suffix"
    advice = f"{_advice()} A file that is read may be of another kind: say its --format, or name a --parser."
    raise UsageError(f"{name}: {what} cannot be read or written yet.", advice=advice)


def _advice() -> str:
    *others, last = (f"{known.title} ({known.suffixes[0]})" for known in FORMATS.values() if known.read)
    return f"Use {', '.join(others)} or {last}."


__all__ = ["FORMATS", "Batch", "Dataset", "Format", "Writer", "open_dataset", "open_writer", "writes_records"]
