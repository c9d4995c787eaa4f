"""Plain text and Markdown: a row for each paragraph, in the one column `text`. Called through `data.formats`.

What stands between paragraphs (blank lines, page breaks, line ends) belongs to no cell and is written back as it was,
so that a file of which no cell changes keeps every byte. In Markdown that is also true of the blanks in front of a
paragraph: they say to which item of a list it belongs, so no function may take them away. A very long paragraph is cut
at the end of a sentence; a block of code between ``` or ~~~ is a row, whatever stands in it. Code that is set in by
four blanks is a part of the row before it: there everybody sees that it is code.
"""

import codecs
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from orchestrator.core.errors import DataError, OutputError
from orchestrator.data.formats.csv.csv_dialect import SAMPLE_BYTES, records, sniff_delimiter
from orchestrator.data.formats.documents.sentences import SENTENCE_END, holds_sentences
from orchestrator.data.formats.encoding_guess import encoding_guess
from orchestrator.data.formats.format_interface import BATCH_BYTES, BATCH_ROWS, Batch, Dataset, Reading, Writer
from orchestrator.data.formats.looks_like import json_of
from orchestrator.data.formats.output_file import output_file
from orchestrator.data.formats.text_source import Encoding, TextSource, find_encoding

COLUMN = "text"
LONGEST = 8_000  # characters of a row that could end with a sentence
_MOST = 64_000  # of a row without any such place
_BLOCK = 2**18
_SCHEMA = pa.schema([(COLUMN, pa.string())])
_LINE_END = re.compile(r"\r\n|\n|\f|\r(?!\Z)")  # a carriage return at the very end may be half of one
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_BLANK_LINES = re.compile(r"(?:[ \t]*+[\r\n\f])*+")
_INDENT = re.compile(r"[ \t]*+")
_CODE = re.compile(r" {4}| {0,3}\t")
_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]")
_UNLEVELLED = ("text", "pdf")  # kinds in which blanks in front say nothing
_BREAK = re.compile(r"[\r\n\f]")
_WORD_END = re.compile(r"(?<=\s)(?=\S)")


def is_prose(path: Path, reading: Reading) -> bool:
    """Whether a `.txt` file holds sentences and no table: ends of sentences, and lines of different numbers of cells.

    One in another encoding is looked at in that which it seems to have, so that the right reader says what is wrong.
    """
    content = path if reading.copy is None else reading.copy.path
    try:
        head = _head(path, content, find_encoding(content, reading.encoding))
        if head is None and (guess := encoding_guess(content)):
            head = _head(path, content, find_encoding(content, guess))
    except (DataError, OSError):
        return False
    if head is None:
        return False
    if json_of(head):
        return False
    delimiter = sniff_delimiter(head)
    counts = [len(cells) for cells, _, _ in records(head, delimiter) if len(cells) > 1 or cells[0].value.strip()][:200]
    return holds_sentences(head, counts)


def _head(path: Path, content: Path, encoding: Encoding) -> str | None:
    """What the file begins with; None where that is not of the encoding."""
    try:
        with closing(TextSource(path, encoding, content)) as source:
            return source.read(SAMPLE_BYTES).decode("utf-8", "ignore")
    except DataError:
        return None


class ProseDataset(Dataset):
    """A text file as paragraphs. `raw` of a batch: each paragraph with what stands around it, in UTF-8."""

    def __init__(self, path: Path, kind: str, reading: Reading) -> None:
        super().__init__(path, kind, reading.copy)
        self.encoding: Encoding = find_encoding(self.content, reading.encoding)
        if next(self._pieces(), None) is None:
            raise DataError(f"{path} holds no text.", advice="Check how it was made.")

    @property
    def schema(self) -> pa.Schema:
        return _SCHEMA

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"read as text: a row for each paragraph, in the column '{COLUMN}'",)

    def read(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        part: list[str] = []
        size = 0
        with self.watched():
            for piece in self._pieces():
                part.append(piece)
                size += len(piece)
                if len(part) >= rows or size >= BATCH_BYTES:
                    yield self._batch(part)
                    part, size = [], 0
        if part:
            yield self._batch(part)

    def parts(self, piece: str) -> tuple[str, str, str]:
        """What stands before the text of a piece, the text, and what stands after it."""
        before = _BLANK_LINES.match(piece)
        start = before.end() if before else 0
        if self._levelled and (indent := _INDENT.match(piece, start)):
            start = indent.end()
        last = len(piece.rstrip(" \t\r\n\f"))
        after = _BREAK.search(piece, max(start, last))
        end = after.start() if after else len(piece)
        return piece[:start], piece[start:end], piece[end:]

    @property
    def _levelled(self) -> bool:
        """Whether blanks in front of a paragraph say what it is."""
        return self.format not in _UNLEVELLED

    def _batch(self, pieces: list[str]) -> Batch:
        texts = [self.parts(piece)[1] for piece in pieces]
        table = pa.table([pa.array(texts, pa.string())], schema=_SCHEMA)
        return Batch(table, [piece.encode() for piece in pieces])

    def _pieces(self) -> Iterator[str]:
        """The paragraphs, each with what is blank after it; together they are the file. Raises DataError."""
        held = ""
        for piece in self._paragraphs():
            if held.strip() and piece.strip():
                yield held
                held = ""
            held += piece
        if held.strip():
            yield held

    def _paragraphs(self) -> Iterator[str]:
        """The file in pieces, some of them blank."""
        lines: list[str] = []
        fence, size, ended, listed = "", 0, False, False
        for line in self._lines():
            opening = _FENCE.match(line)
            if not fence and line.strip() and not _CODE.match(line):
                listed = bool(_ITEM.match(line)) or (listed and (not ended or line[0] in " \t"))
            code = self._levelled and not listed and lines and _CODE.match(line)
            if (line.strip() and ended and not code) or (opening and lines and not fence) or size > _MOST:
                yield from _shortened("".join(lines), code=bool(fence))
                lines, size, ended = [], 0, False
            lines.append(line)
            size += len(line)
            if fence:
                closed = opening is not None and opening[1].startswith(fence) and not line.strip(" \t\r\n\f`~")
                fence, ended = ("", True) if closed else (fence, False)
            elif opening:
                fence = opening[1]
            else:
                ended = ended or not line.strip() or line.endswith("\f")
        yield from _shortened("".join(lines), code=bool(fence))

    def _lines(self) -> Iterator[str]:
        """The lines with their ends; a line without an end is given in parts of `_MOST` characters or more."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        held = ""
        with closing(TextSource(self.path, self.encoding, self.content)) as source:
            while block := source.read(_BLOCK):
                held += decoder.decode(block)
                start = 0
                for end in _LINE_END.finditer(held):
                    yield held[start : end.end()]
                    start = end.end()
                held = held[start:]
                if len(held) > _MOST:
                    yield held[:-1]
                    held = held[-1]
        if held:
            yield held


def _shortened(piece: str, *, code: bool) -> Iterator[str]:
    """The piece, cut at ends of sentences where it is too long, else between words."""
    while len(piece) > LONGEST and not code and not _FENCE.match(piece.lstrip("\r\n\f")):
        ends = [found.end() for found in SENTENCE_END.finditer(piece, 0, LONGEST)]
        ends = ends or [found.end() for found in _WORD_END.finditer(piece, 0, _MOST)]
        end = ends[-1] if ends else _MOST
        if not piece[:end].strip() or not piece[end:].strip():
            break
        yield piece[:end]
        piece = piece[end:]
    yield piece


@contextmanager
def prose_writer(path: Path, like: Dataset, schema: pa.Schema) -> Iterator[Writer]:
    """A writer of paragraphs in the encoding of `like`. Raises OutputError; the file appears when the block ends."""
    if schema.names != [COLUMN]:
        raise OutputError(
            f"{path.name} can hold one column '{COLUMN}' and no other, but there is {', '.join(schema.names[:5])}.",
            advice="Write CSV, JSON Lines or Parquet.",
        )
    with output_file(path) as file:
        yield _ProseWriter(file, path, like if isinstance(like, ProseDataset) else None)


class _ProseWriter:
    def __init__(self, file: BinaryIO, path: Path, like: ProseDataset | None) -> None:
        self._file, self._path, self._like = file, path, like
        encoding = Encoding() if like is None else like.encoding
        self._codec = encoding.codec
        file.write(encoding.bom)

    def write(self, table: pa.Table, source: Batch | None = None) -> None:
        """Append the paragraphs; one that is null is left out, with the blank lines after it."""
        texts = table.column(COLUMN).to_pylist()
        raw = [None] * len(texts) if source is None or source.raw is None else source.raw
        for text, piece in zip(texts, raw, strict=True):
            known = None if piece is None or self._like is None else self._like.parts(piece.decode())
            before, _, after = known or ("", "", "\n\n")
            if text is not None:
                self._emit(f"{before}{text}{after}")

    def _emit(self, text: str) -> None:
        try:
            self._file.write(text.encode(self._codec))
        except UnicodeEncodeError as error:
            raise OutputError(
                f"{self._path}: the character {text[error.start]!a} does not exist in {self._codec}.",
                advice="Convert the input to UTF-8 first.",
            ) from None
