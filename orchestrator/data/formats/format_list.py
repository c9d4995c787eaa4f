"""The formats that there are: a format is one entry of `FORMATS`. Called by `data.formats`, which opens the files."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from orchestrator.core.errors import UsageError
from orchestrator.data.formats.csv.csv_dialect import Dialect
from orchestrator.data.formats.csv.csv_read import CsvDataset
from orchestrator.data.formats.csv.csv_write import csv_writer
from orchestrator.data.formats.documents.document_dataset import DocumentDataset
from orchestrator.data.formats.documents.prose import ProseDataset, prose_writer
from orchestrator.data.formats.excel.excel_dataset import ExcelDataset
from orchestrator.data.formats.excel.excel_writer import excel_writer
from orchestrator.data.formats.format_interface import Dataset, Reading, Writer
from orchestrator.data.formats.json.json_document import JsonDataset, json_writer
from orchestrator.data.formats.json.jsonl import JsonlDataset, jsonl_writer
from orchestrator.data.formats.parquet.parquet_dataset import ParquetDataset, parquet_writer
from orchestrator.data.formats.unreadable import Readable, readable_csv, readable_json_lines


class Format(NamedTuple):
    """One file format: its name for people, its suffixes, and how it is read and written.

    `read` takes the file and how it shall be read; a format without it can only be written. `write` takes the file,
    the data set that the rows come from, and the columns. `records`: `Batch.raw` holds one JSON object per row, and the
    writer also takes record tables (`data.record_tables`). `streams`: such data can be packed, and come through a pipe.
    `options`: those of `open_dataset` that not every format has. `written`: the suffix of what is written, where it is
    another. `only_kept`: a suffix that the result has where the source has it, and only there.
    `tells`: `write` also takes whom to tell what a person should know of the result.
    `readable` parts the rows that can be read from those that cannot, in formats where one row says nothing about the
    next.
    """

    title: str
    suffixes: tuple[str, ...]
    read: Callable[[Path, Reading], Dataset] | None
    write: Callable[..., AbstractContextManager[Writer]]
    records: bool = False
    streams: bool = False
    options: tuple[str, ...] = ()
    written: str = ""
    only_kept: str = ""
    tells: bool = False
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


def _workbook(kind: str, title: str, macros: str = "") -> Format:
    """A kind of workbook; all are written as .xlsx, but for one with macros."""
    read = partial(ExcelDataset, kind=kind)
    suffixes, written = ((f".{kind}", macros), "") if macros else ((f".{kind}",), ".xlsx")
    return Format(
        title, suffixes, read, excel_writer, options=("sheet",), written=written, only_kept=macros, tells=True
    )


def _document(kind: str, title: str, suffixes: tuple[str, ...], options: tuple[str, ...] = ()) -> Format:
    """A kind of document; what is written is the Markdown of all."""
    read = partial(DocumentDataset, kind=kind)
    return Format(title, suffixes, read, prose_writer, streams=True, options=options, written=".md")


ENDS = ".csv, .jsonl, .parquet, …"  # what names of results end in
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
    "json": Format(
        "JSON", (".json", ".geojson"), JsonDataset, json_writer, records=True, streams=True, options=("array",)
    ),
    "markdown": _prose("markdown", "Markdown", (".md", ".markdown")),
    "text": _prose("text", "plain text", (".text",)),
    "parquet": Format("Parquet", (".parquet", ".pq"), ParquetDataset, parquet_writer),
    "xlsx": _workbook("xlsx", "Excel", macros=".xlsm"),
    "xls": _workbook("xls", "Excel 97"),
    "ods": _workbook("ods", "OpenDocument"),
    "html": _document("html", "HTML", (".html", ".htm", ".xhtml"), ("encoding",)),
    "pdf": _document("pdf", "PDF", (".pdf",)),
    "docx": _document("docx", "Word", (".docx",)),
    "epub": _document("epub", "EPUB", (".epub",)),
}

_TEXTS = "It is text: say --format text, and each paragraph is a row."
_LINES = "A parser reads its lines: say --parser fixed-width, or --parser FILE with one for this format."
_ARROW = "Write it as Parquet first: pandas.read_feather(…).to_parquet(…)."
_TREES = "Write its records as JSON Lines or CSV first."
_SHEETS = "Open it in a spreadsheet program, and save it as .xlsx."
_PAGES = "Save it as .docx or .pdf in the program that it is from: its text is read then."
_OTHERS = {  # what somebody can do whose file is of a known kind that no reader is for
    **dict.fromkeys((".srt", ".vtt", ".eml", ".mbox", ".rst", ".tex", ".adoc", ".org"), _TEXTS),
    **dict.fromkeys((".log", ".fwf", ".prn"), _LINES),
    **dict.fromkeys((".feather", ".arrow", ".ipc"), _ARROW),
    **dict.fromkeys((".xlsb", ".xltx", ".xltm", ".numbers", ".fods"), _SHEETS),
    **dict.fromkeys((".doc", ".rtf", ".odt", ".pages", ".ppt", ".pptx", ".odp"), _PAGES),
    **dict.fromkeys((".xml", ".yaml", ".yml", ".toml"), _TREES),
}


def format_of(name: str, suffix: str, named: str | None, *, written: bool = False) -> str:
    """The format that is named, or else the one that the suffix says. `name`: of the file. Raises UsageError.

    `written`: it is the name of a result, about which readers need not be told.
    """
    if named is not None:
        suffix = f".{named}"  # but for .txt, which may be either
        kinds = (k for k, known in FORMATS.items() if named == k or (suffix in known.suffixes and suffix != ".txt"))
        if (found := next(kinds, None)) is None:
            raise UsageError(f"'{named}' is not a format that can be read or written.", advice=known_suffixes())
        return found
    for kind, known in FORMATS.items():
        if suffix.lower() in known.suffixes:
            return kind
    if suffix.lower() in _SQLITE:
        raise UsageError(
            f"{name}: a table of a database is named by an address.",
            advice=f"If it is an SQLite database, say 'sqlite:///PATH/{name}?table=NAME'; else say its --format.",
        )
    what = f"files of type '{suffix}'" if suffix else "files without a suffix"
    other = f"{known_suffixes()} A file that is read may be of another kind: say its --format, or name a --parser."
    advice = f"Name a file that ends in {ENDS}" if written else _OTHERS.get(suffix.lower(), other)
    raise UsageError(f"{name}: {what} cannot be read or written yet.", advice=advice)


def known_suffixes() -> str:
    """What somebody can do whose file is of no such format."""
    *others, last = (f"{known.title} ({known.suffixes[0]})" for known in FORMATS.values() if known.read)
    return f"Use {', '.join(others)} or {last}."
