"""Reads CSV and TSV: every cell is text, a blank is the empty text. Called through `data.formats`.

Arrow does the work; this module passes it checked UTF-8, some whole records at a time, and turns its errors into
sentences with file, row and column.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa
from pyarrow import csv

from orchestrator.core.errors import DataError, UsageError
from orchestrator.core.wording import KEEP_APART, plural
from orchestrator.data.formats.column_names import renaming_note
from orchestrator.data.formats.csv.csv_backslash import ENDS, doubled, has_backslashes
from orchestrator.data.formats.csv.csv_backslash import end_of_records as end_of_backslashed
from orchestrator.data.formats.csv.csv_dialect import (
    FILLED_UP,
    MAX_COLUMNS,
    SAMPLE_BYTES,
    Dialect,
    end_of_records,
    first_rows,
    header_place,
    is_of_fixed_width,
    learn,
    unusual_delimiter,
)
from orchestrator.data.formats.csv.csv_preamble import named_delimiter
from orchestrator.data.formats.format_interface import BATCH_ROWS, Batch, Dataset, Reading, regroup
from orchestrator.data.formats.input_file import open_input
from orchestrator.data.formats.looks_like import json_of
from orchestrator.data.formats.second_header import SAMPLE_ROWS, second_header_note
from orchestrator.data.formats.text_source import Encoding, TextSource, count_byte, find_encoding
from orchestrator.data.text import clean_text

_BLOCK = 2 * 2**20
_MAX_ROW = 8 * 2**20
_TITLE = "Delete the lines before the header, if that is what these are; otherwise put quotes around what is one cell."
_PAGE = re.compile(r"\s*<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_QUOTE = "Perhaps a quote in it is opened and never closed: close it, or double it if it belongs to the text."
_GUESSED = "That {!r} parts its columns is guessed: say --delimiter if it is another sign."
_RAGGED = "Correct this row (a cell that holds the delimiter needs quotes around it)."


class CsvDataset(Dataset):
    """A CSV or TSV file. Its dialect is read once; a writer uses `dialect` to write the same way."""

    def __init__(self, path: Path, reading: Reading, kind: str) -> None:
        super().__init__(path, kind, reading.copy)
        self._encoding = find_encoding(self.content, reading.encoding)
        self._named = None if reading.delimiter is None else _delimiter(reading.delimiter)
        self.dialect, self._header_bytes = self._look()
        self._blank_lines = _has_blank_line(self.dialect.preamble.encode())
        self._check_header()

    @property
    def schema(self) -> pa.Schema:
        return pa.schema([(name, pa.string()) for name in self.dialect.header])

    @property
    def notes(self) -> tuple[str, ...]:
        renamed = renaming_note(self.dialect.stored, self.dialect.header)
        alone = "it is read as one column: " if len(self.dialect.stored) == 1 else ""
        one = self._columns_in_it() and alone + self._columns_in_it()
        said = [self._preamble_note(), renamed, one, self._second_header, *self._odd()]
        return tuple(filter(None, said))

    def _odd(self) -> Iterator[str]:
        """What is not as the name of the file says, or is written otherwise than it was."""
        if self.format == "tsv" and self.dialect.delimiter != "\t" and self._named is None:
            yield f"it holds no tabs: its columns are parted by {self.dialect.delimiter!r}, and stay so"
        if self.dialect.backslashes:
            yield 'quotes inside of its cells are written \\", and stay so'
        if self.dialect.mixed_line_ends:
            yield "its lines do not all end alike: in what is written they end as the header does"

    def _columns_in_it(self) -> str:
        """How its columns may be parted, where it is read as one, or looks like columns of fixed width; else empty."""
        if self.sign:
            return f"if {self.sign!r} parts its columns, say --delimiter {self.sign!r}"
        return "if its columns are of fixed width, say --parser fixed-width" if self._fixed_width else ""

    def _preamble_note(self) -> str:
        """Says which lines stand before the header; not `sep=;`, which says nothing to a person."""
        lines = [line for line in self._preamble if not line.strip('"').lower().startswith("sep=")]
        if not lines:
            return ""
        more = f", and {len(lines) - 1} more" if lines[1:] else ""
        return f"before the header stands '{clean_text(lines[0], 40)}'{more}, which is kept as it is"

    @property
    def header_row(self) -> int:
        """The number of the row with the names, from 1: lines before it count."""
        return len(self._preamble) + 1

    @property
    def how_rows_count(self) -> str:
        """What a person must know to find a row by its number. Blank lines are known of what was read so far."""
        return f"the header is row {self.header_row}{', blank lines are not counted' if self._blank_lines else ''}"

    @property
    def _preamble(self) -> list[str]:
        return [line for line in self.dialect.preamble.splitlines() if line.strip()]

    def read(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        with self.watched():
            yield from (Batch(table) for table in regroup(self._tables(), rows))

    def _tables(self) -> Iterator[pa.Table]:
        done, last = 0, None
        with self._source() as source:
            source.push_back(source.read(self._header_bytes)[self._header_bytes :])
            for data in self._whole_records(source):
                table = self._parse(data, done)
                done += table.num_rows
                last = table if table.num_rows else last
                yield table
            self._check_last_quote(source, last, done)

    def _whole_records(self, source: TextSource) -> Iterator[bytes]:
        """The text in pieces that end where a record ends. Arrow could do this, but would read ahead in a thread."""
        rows, rest, line_end = 1, b"", b"\r" if self.dialect.line_end == "\r" else b"\n"
        while block := source.read(_BLOCK):
            data = rest + block if rest else block
            cut = data.rfind(line_end, 0, -1) + 1  # the last character may be half of a line end
            cut += data[cut : cut + 1] == b"\n"
            # An odd number: in the middle of a quoted cell, or there is a bare quote somewhere.
            escaped = self.dialect.backslashes and b'\\"' in data
            if escaped:
                text = data.decode(errors="surrogateescape")  # the last character may be cut
                cut = len(text[: end_of_backslashed(text, self.dialect.delimiter)].encode(errors="surrogateescape"))
            elif b'"' in data and data.count(b'"', 0, cut) % 2:
                cut = end_of_records(data, self.dialect.delimiter)
            if cut:
                whole = data[:cut]
                self._blank_lines = self._blank_lines or _has_blank_line(whole)
                rows += count_byte(whole, line_end)
                yield self._doubled(whole, source) if escaped else whole
            rest = data[cut:]
            if len(rest) > _MAX_ROW:
                self._too_long(rows + 1)
        if rest:
            yield self._doubled(rest, source) if self.dialect.backslashes else rest

    def _doubled(self, data: bytes, source: TextSource) -> bytes:
        made = doubled(data.decode(), self.dialect.delimiter).encode()
        source.quotes += count_byte(made, b'"') - count_byte(data, b'"')
        return made

    @contextmanager
    def _source(self) -> Iterator[TextSource]:
        source = TextSource(self.path, self._encoding, self.content, rows_apart=True)
        try:
            yield source
        finally:
            source.close()

    def _parse(self, data: bytes, done: int) -> pa.Table:
        wrong: list[Any] = []

        def keep(row: Any) -> str:
            wrong.append(row)
            return "error"

        names = list(self.dialect.header)
        if data[:1] in (b"\r", b"\n", b"") and not data.strip(b"\r\n") and len(names) > 1:
            return self.schema.empty_table()
        try:
            return csv.read_csv(
                pa.BufferReader(BOM_UTF8 * data.startswith(BOM_UTF8) + data),  # Arrow takes one off, and it is a cell's
                read_options=csv.ReadOptions(column_names=names, block_size=len(data) + 1, use_threads=False),
                parse_options=csv.ParseOptions(
                    delimiter=self.dialect.delimiter,
                    newlines_in_values=True,
                    ignore_empty_lines=len(names) > 1,
                    invalid_row_handler=keep,
                ),
                convert_options=csv.ConvertOptions(
                    column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False, check_utf8=False
                ),
            )
        except pa.ArrowInvalid as error:
            self._explain(error, wrong, done)

    def _look(self) -> tuple[Dialect, int]:
        with self._source() as source:
            head = source.read(SAMPLE_BYTES)
            whole = len(head) < SAMPLE_BYTES
        text = head.decode("utf-8", errors="ignore")
        if not text.strip():
            raise DataError(f"{self.path} is empty.", advice="It needs a header and at least one row.")
        if _PAGE.match(text):
            advice = "Check how it was fetched: it may be a page that asks for a password, or reports an error."
            raise DataError(f"{self.path} is no table but a web page, by its first bytes.", advice=advice)
        if kind := json_of(text):
            message = f"{self.path} is no table: it begins as {'JSON Lines' if kind == 'jsonl' else 'JSON'} does."
            raise DataError(message, advice=f"Say --format {kind}.")
        ends = self._named or ENDS
        backslashes = has_backslashes(text, ends)
        stands, text = text, doubled(text, ends) if backslashes else text
        begin, delimiter = header_place(text, self.format, self._named)
        dialect, end = learn(text[begin:], delimiter, self._encoding, whole=whole)
        self.sign = unusual_delimiter(text[begin:]) if len(dialect.stored) == 1 and self._named is None else ""
        self._fixed_width = self._named is None and is_of_fixed_width(stands, dialect.stored)
        header = stands[begin : begin + len(dialect.header_bytes.decode())]
        end += begin
        if whole and not text[end:].strip("\r\n"):
            raise DataError(f"{self.path} has a header but no rows.", advice="Check how it was made.")
        number = sum(bool(line.strip()) for line in stands[:begin].splitlines()) + 2
        self._second_header = second_header_note(number, first_rows(text[end:], delimiter, SAMPLE_ROWS))
        if not whole and end == len(text):
            self._check_width(dialect.header, " or more")
            self._too_long(1)
        dialect = replace(
            dialect,
            preamble=stands[:begin],
            header_bytes=header.encode(),
            backslashes=backslashes,
            final_line_end=self._ends_with_line_end(),
        )
        return dialect, len(text[:end].encode())

    def _ends_with_line_end(self) -> bool:
        width = 4 if "32" in self._encoding.codec else 2 if "16" in self._encoding.codec else 1
        with open_input(self.content, self.path) as file:
            file.seek(-width, 2)
            tail = file.read().decode(self._encoding.codec, errors="replace")
        return tail.endswith(("\n", "\r"))

    def _check_header(self) -> None:
        self._check_width(self.dialect.header)
        if not any(name.strip() for name in self.dialect.stored):
            message = f"{self.path}, row {self.header_row}: no column has a name."
            raise DataError(message, advice="Give it a header in the first row.")

    def _check_width(self, names: Sequence[str], more: str = "") -> None:
        if len(names) > MAX_COLUMNS:
            raise DataError(
                f"{self.path} has {len(names):,} columns{more}; at most {MAX_COLUMNS:,} can be read.",
                advice="Check the delimiter, and drop columns that are empty.",
            )

    def _explain(self, error: Exception, wrong: list[Any], done: int) -> NoReturn:
        if not wrong:
            raise DataError(f"{self.path} cannot be read as {self.format}: {clean_text(str(error), 200)}") from error
        row = wrong[0]
        advice = _TITLE if row.expected_columns == 1 else _QUOTE if re.search(r"[\r\n].", row.text) else _RAGGED
        if (said := self._columns_in_it()) and (self.sign or FILLED_UP.search(row.text)):
            advice = f"{said[0].upper()}{said[1:]}. Otherwise: {advice}"
        elif self._named is None:
            advice += f" {_GUESSED.format(self.dialect.delimiter)}"
        if row.expected_columns > 1:
            advice += f" {KEEP_APART}"
        fields = f"{row.actual_columns} {plural(row.actual_columns, 'field')}"
        raise DataError(
            f"{self.path}, row {done + row.number + self.header_row} ({self.how_rows_count}): {fields} "
            f"where the header has {row.expected_columns}: {clean_text(row.text, 80)}",
            advice=advice,
        ) from error

    def _too_long(self, row: int) -> NoReturn:
        raise DataError(
            f"{self.path}, in or after row {row}: a row is longer than {_MAX_ROW // 2**20} MiB, "
            "or a quote is opened and never closed.",
            advice="Check that it is a table of text; correct the quote or shorten the row.",
        )

    def _check_last_quote(self, source: TextSource, last: Any, done: int) -> None:
        """A quote without an end makes the rest of the file one cell; an odd number of quotes gives it away."""
        if last is None or source.quotes % 2 == 0:
            return
        cell = last.column(last.num_columns - 1)[last.num_rows - 1].as_py()
        if "\n" in cell or "\r" in cell:
            column = clean_text(self.dialect.header[-1], 80)
            raise DataError(
                f"{self.path}, row {done + 1}, column '{column}': a quote is opened and never closed.",
                advice="Add the closing quote, or double it if it belongs to the text.",
            )


def _has_blank_line(text: bytes) -> bool:
    return b"\n\n" in text or b"\n\r\n" in text or text[:1] == b"\n" or text[:2] == b"\r\n"


def _delimiter(named: str) -> str:
    try:
        return named_delimiter(named)
    except ValueError as error:
        said, _, advice = str(error).partition("; ")
        raise UsageError(f"{said}.", advice=f"{advice[0].upper()}{advice[1:]}.") from None


__all__ = ["CsvDataset", "Encoding"]
