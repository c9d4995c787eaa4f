"""Sets aside the rows of a text file that cannot be read, so that the others can. Called by `data.formats`.

Only where a user asks for it, and only after the file could not be read as it is. A pass of its own tries every row;
those that can be read make a private copy, byte for byte as they were, which is then read as any file is.
"""

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from orchestrator.core.errors import DataError
from orchestrator.core.wording import plural
from orchestrator.data.files import file_sha256
from orchestrator.data.formats.csv.csv_backslash import ENDS, doubled, has_backslashes
from orchestrator.data.formats.csv.csv_dialect import MAX_COLUMNS, SAMPLE_BYTES, header_place, records
from orchestrator.data.formats.csv.csv_preamble import named_delimiter
from orchestrator.data.formats.format_interface import Reading, UnreadableRow
from orchestrator.data.formats.json.json_lines import parse_line, refuse_double_keys, refuse_lone_surrogates
from orchestrator.data.formats.private_copy import PrivateCopy
from orchestrator.data.formats.text_source import Encoding, find_encoding

MAX_UNREADABLE = 1_000  # more rows than these are no exception, but the rule
_BLOCK = 2**20
_MAX_ROW = 8 * 2**20
_MAX_TEXT = 64 * 2**20  # characters of all such rows: they are kept in memory
_LINE_END = re.compile(r"\r\n|\n|\r")
_BAD_BYTE = re.compile("[\udc80-\udcff]")

RawRow = tuple[str, str]
"""A row as it stands in the file, with its line end, and why it cannot be read; "" where it can."""


class Readable(NamedTuple):
    """How to read what can be read, and the rows that cannot."""

    reading: Reading
    rows: tuple[UnreadableRow, ...]


class _NoRows(Exception):
    """The text does not come in rows that could be told apart."""


def readable_csv(path: Path, reading: Reading, kind: str) -> Readable | None:
    """The records of valid text with as many fields as the header; None where that is not most of the file.

    Nor where all letters beyond ASCII are invalid, unless the encoding was said: then the file has another one.
    """
    sorter = _sorted(path, reading, lambda texts: _csv_pieces(texts, kind, reading.delimiter))
    if sorter is None or (sorter.bad_bytes and not sorter.beyond_ascii and reading.encoding is None):
        return None
    return sorter.result(reading)


def readable_json_lines(path: Path, reading: Reading) -> Readable | None:
    """The lines of valid text that hold an object; None where that is not most of the file."""
    sorter = _sorted(path, reading, lambda texts: _line_pieces(texts, path), by_line=True)
    return None if sorter is None else sorter.result(reading)


def _sorted(
    path: Path, reading: Reading, split: Callable[[Iterator[str]], Iterator[RawRow]], *, by_line: bool = False
) -> "_Sorter | None":
    """Raises OutputError where there is no space for the copy."""
    before = reading.copy
    content = path if before is None else before.path
    encoding = find_encoding(content, reading.encoding)
    with content.open("rb") as file:
        head = file.read(_MAX_ROW + 1)
    if len(head) > _MAX_ROW and b"\n" not in head and b"\r" not in head:
        return None  # before all of it is hashed
    sha256 = file_sha256(path) if before is None else before.sha256 if before.packed else None
    sorter = _Sorter(encoding, by_line=by_line)
    try:
        with content.open("rb") as file:
            sorter.copy = PrivateCopy(sorter.readable(split(_texts(file, encoding))), sha256)
    except (_NoRows, UnicodeError):
        return None
    return sorter


class _Sorter:
    """Parts the pieces; `good` counts those that can be read, the header among them. `by_line`: each is a line."""

    copy: PrivateCopy

    def __init__(self, encoding: Encoding, *, by_line: bool) -> None:
        self._encoding, self._by_line = encoding, by_line
        self.rows: list[UnreadableRow] = []
        self.good = self._size = 0
        self.bad_bytes = self.beyond_ascii = False

    def readable(self, pieces: Iterable[RawRow]) -> Iterator[bytes]:
        yield self._encoding.bom
        line, blanks = 1, False
        for text, reason in pieces:
            place = line if blanks or self._by_line else None  # where rows are lines, an editor's number is better
            line += 1 if self._by_line else len(_LINE_END.findall(text))
            blanks = blanks or not text.strip()
            if not reason:
                self.good += bool(text.strip())
                self.beyond_ascii = self.beyond_ascii or not text.isascii()
                yield text.encode(self._encoding.codec, "surrogateescape")
                continue
            number = self.good + len(self.rows) + 1
            self.bad_bytes = self.bad_bytes or bool(_BAD_BYTE.search(text))
            shown = _BAD_BYTE.sub(_escape, text).replace("\0", r"\x00").rstrip("\r\n")
            self.rows.append(UnreadableRow(number, shown, reason, place))
            self._size += len(text)
            if len(self.rows) > MAX_UNREADABLE or self._size > _MAX_TEXT:
                raise _NoRows

    def result(self, reading: Reading) -> Readable | None:
        if not self.rows or len(self.rows) >= self.good:
            return None
        return Readable(reading._replace(copy=self.copy), tuple(self.rows))


def _csv_pieces(texts: Iterator[str], kind: str, named: str | None) -> Iterator[RawRow]:
    head = next(texts, "")
    sample = head[:SAMPLE_BYTES]
    said = None if named is None else named_delimiter(named)
    backslashes = has_backslashes(sample, said or ENDS)
    begin, delimiter = header_place(doubled(sample, said or ENDS) if backslashes else sample, kind, said)
    if len(next(records(head[begin:], delimiter), ([],))[0]) > MAX_COLUMNS:
        raise _NoRows  # no row is to blame
    yield from ((line, "") for line in head[:begin].splitlines(keepends=True))
    width = 0
    for text, fields in _records(head[begin:], texts, delimiter, backslashes=backslashes):
        blank = not text.strip("\r\n") and width != 1
        reason = _bad_text(text)
        if not blank and not width:
            if reason:
                raise _NoRows  # it is the header: without it, a row of data would be taken for one
            width = fields
        if not reason and not blank and fields != width:
            reason = f"{fields} {plural(fields, 'field')} where the header has {width}"
        yield text, reason


def _records(head: str, texts: Iterator[str], delimiter: str, *, backslashes: bool) -> Iterator[tuple[str, int]]:
    """Every record with its line end, and how many fields it has. The last one of a block may go on in the next."""
    rest = head
    while rest:
        more = next(texts, "")
        begin, last = 0, ("", 0)
        plain = doubled(rest, delimiter) if backslashes else rest
        for cells, _, end in records(plain, delimiter):
            if begin:
                yield last
            begin, last = end, (rest[begin:end], len(cells))
        text = last[0]
        if len(text) > _MAX_ROW or (
            not more and plain[len(plain) - len(text) :].count('"') % 2 and "\n" in text.strip()
        ):
            raise _NoRows  # a quote is opened and never closed
        if more:
            rest = text + more
        else:
            yield last
            return


def _line_pieces(texts: Iterator[str], path: Path) -> Iterator[RawRow]:
    rest, number = "", 0
    for text in texts:
        *lines, rest = (rest + text).split("\n")
        if len(rest) > _MAX_ROW:
            raise _NoRows
        for number, line in enumerate(lines, start=number + 1):  # noqa: B020 - it counts on
            yield f"{line}\n", _why_no_object(line, number, path)
    yield rest, _why_no_object(rest, number + 1, path)


def _why_no_object(line: str, number: int, path: Path) -> str:
    text = line.strip()
    if not text or (reason := _bad_text(text)):
        return reason if text else ""
    try:
        item = parse_line(text.encode(), number, path)
        refuse_double_keys(text.encode(), number, path)
        refuse_lone_surrogates(item, number, path)
    except DataError as error:
        return error.message.removeprefix(f"{path}, line {number}: ").rstrip(".")
    return ""


def _bad_text(text: str) -> str:
    if found := _BAD_BYTE.search(text):
        return f"the byte {_escape(found)} is no text in the file's encoding"
    return "a NUL byte" if "\0" in text else ""


def _escape(found: re.Match[str]) -> str:
    return f"\\x{ord(found[0]) - 0xDC00:02x}"


def _texts(file: BinaryIO, encoding: Encoding) -> Iterator[str]:
    """The text after the byte order mark, in blocks; bytes that are none stand for themselves as lone surrogates."""
    file.seek(len(encoding.bom))
    decoder = codecs.getincrementaldecoder(encoding.codec)("surrogateescape")
    while block := file.read(_BLOCK):
        if text := decoder.decode(block):
            yield text
    if text := decoder.decode(b"", final=True):
        yield text
