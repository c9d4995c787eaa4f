"""Files as typed rows, read and written in the same format. Called by run/, the library API and the command line.

`open_dataset` detects the format of a file; `open_writer` writes the same format, to a temporary file that
takes its final name only when everything is written. The formats themselves stand in format_list.py.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from orchestrator.core.errors import DataError, UsageError
from orchestrator.core.wording import KEEP_APART, KEEP_APART_OF_UTF8
from orchestrator.data.files import check_readable
from orchestrator.data.formats.documents.prose import is_prose, prose_writer
from orchestrator.data.formats.format_interface import Batch, Dataset, Reading, Writer
from orchestrator.data.formats.format_list import ENDS, FORMATS, Format, format_of, known_suffixes
from orchestrator.data.formats.input_file import file_state, watched
from orchestrator.data.formats.output_file import STDOUT
from orchestrator.data.formats.packed import inner_suffix, packing_of, unpack
from orchestrator.data.formats.private_copy import STDIN, STDIN_NAME, stdin_copy
from orchestrator.data.formats.unreadable import MAX_UNREADABLE

_OPTIONS = (
    ("sheet", "sheets", "--sheet"),
    ("array", "keys that lead to rows", "--path"),
    ("encoding", "encoding to choose", "--encoding"),
    ("delimiter", "delimiter", "--delimiter"),
)


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
    state = file_state(path)
    check_readable(path)
    with watched(path, path, state):
        return _local(path, format, Reading(encoding, sheet, array, set_aside=set_aside, delimiter=delimiter))


def _local(path: Path, format: str | None, reading: Reading) -> Dataset:  # noqa: A002
    packing = path.suffix if packing_of(path) else ""
    if not packing:
        kind = format_of(path.name, path.suffix, format)
        if format is None and reading.delimiter is None and path.suffix.lower() == ".txt" and is_prose(path, reading):
            kind = "text"
        return _opened(path, _written_suffix(path.suffix, kind), kind, reading)
    if inner := Path(path.stem).suffix:
        _streaming(path, format_of(path.name, inner, format))  # before anything is unpacked
    copy, inner = unpack(path)
    known = _streaming(path, format_of(path.name, inner, format))
    return _opened(path, _written_suffix(inner, known) + packing, known, reading._replace(copy=copy))


def _written_suffix(suffix: str, kind: str) -> str:
    """The suffix of the file where it says how the file is read, else the first of that format: it is written, too."""
    said = suffix.lower() in FORMATS[kind].suffixes or (kind == "text" and suffix.lower() == ".txt")
    return suffix if said else FORMATS[kind].suffixes[0]


def _opened(path: Path, suffix: str, kind: str, reading: Reading) -> Dataset:
    known = FORMATS[format_of(path.name, "", kind)]
    if known.read is None:
        raise UsageError(f"{path.name}: such files can be written, but not read.", advice=known_suffixes())
    for option, word, named in _OPTIONS:
        if getattr(reading, option) is not None and option not in known.options:
            raise UsageError(f"{path.name}: {known.title} has no {word}.", advice=f"Leave out {named} (`{option}`).")
    dataset = _read(known, path, reading)
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
        said = next((one for one in (KEEP_APART, KEEP_APART_OF_UTF8) if one in error.advice), "")
        if part is None and not said:
            raise
        if part is None:
            most = f"Such rows can be set aside where they are few ({MAX_UNREADABLE:,} at most, fewer than half)"
            most += " and the header is right."
            if reading.encoding is None and "Say --encoding" in error.advice:
                most += " If the file is UTF-8 but for them, --encoding utf-8 must be said, too."
            raise DataError(error.message, advice=error.advice.replace(said, most)) from error
        dataset = known.read(path, part.reading)
        dataset.unreadable = part.rows
    return dataset


def _streaming(path: Path, kind: str) -> str:
    if not FORMATS[kind].streams:
        raise UsageError(
            f"{path.name}: {FORMATS[kind].title} is not read from a packed file.", advice="Unpack it first."
        )
    return kind


def open_writer(
    path: Path | str, *, like: Dataset, schema: pa.Schema, said: Callable[[str], None] = lambda _: None
) -> AbstractContextManager[Writer]:
    """A writer of the format that the suffix names, in the dialect and types of `like` if that has the same format.

    `said` is told what a person should know of what was written. Raises UsageError for an unknown format, OutputError
    when writing fails; then nothing is left behind.
    """
    path = Path(path)
    kind = _output_format(path, like)
    known = FORMATS[kind]
    writer = known.write(path, like, schema, said) if known.tells else known.write(path, like, schema)
    return writer if _keeps_rows(kind, like) else _from_cells(writer)


def writes_records(path: Path | str, *, like: Dataset) -> bool:
    """Whether `open_writer` gives a writer that also takes record tables: the source's rows are then record tables."""
    kind = _output_format(Path(path), like)
    return FORMATS[kind].records and _keeps_rows(kind, like)


def writes_paragraphs(path: Path | str, *, like: Dataset) -> bool:
    """Whether what is written is a text of paragraphs, which no spreadsheet opens as a table."""
    return FORMATS[_output_format(Path(path), like)].write is prose_writer


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
    has_own = not like.parser_sha256 and like.format in FORMATS
    kind = _written_format(path, like.format) if has_own else parsed_output_format(path, like.name)
    if (kept := FORMATS[kind].only_kept) and path != STDOUT:
        has_it = like.format == kind and like.suffix.lower() == kept
        if has_it is not (path.suffix.lower() == kept):
            what = f"a {kept} is written as one" if has_it else f"{kept} is written only from one that is read"
            wanted = kept if has_it else FORMATS[kind].suffixes[0]
            raise UsageError(f"{path.name}: {what}.", advice=f"Name a file that ends in {wanted}.")
    return kind


def parsed_output_format(path: Path, source: str) -> str:
    """The format in which the rows that a parser or a database gives of `source` are written. Raises UsageError."""
    if not inner_suffix(path) and path != STDOUT:
        message = f"{path.name}: its name does not say in which format the rows of {source} shall be written."
        raise UsageError(message, advice=f"Name a file that ends in {ENDS}")
    return _written_format(path, "csv")


def _written_format(path: Path, like: str) -> str:
    suffix = inner_suffix(path)
    if suffix.lower() == ".txt" and like == "text":
        return "text"
    kind = format_of(path.name, suffix, None if suffix else like, written=True)
    known = FORMATS[kind]
    if packing_of(path) and not known.streams:
        message = f"{path.name}: {known.title} is not written packed."
        raise UsageError(message, advice=f"Leave {path.suffix} out of the name.")
    if known.written and path.suffix and path.suffix.lower() != known.written:
        message = f"{path.name}: {known.title} is not written."
        raise UsageError(message, advice=f"Name a file that ends in {known.written}.")
    return kind


__all__ = [
    "FORMATS",
    "Batch",
    "Dataset",
    "Format",
    "Writer",
    "open_dataset",
    "open_writer",
    "parsed_output_format",
    "writes_paragraphs",
    "writes_records",
]
