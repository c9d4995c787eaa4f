"""Writes CSV and TSV in a given dialect, a column at a time. Called through `data.formats`.

Arrow's CSV writer is fast, but knows one line end and either quotes everything or nothing. So cells are quoted here,
column by column, and characters that Arrow would reject are replaced by control bytes that are not in the data; one
pass over the bytes puts them back.
"""

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from orchestrator.core.errors import OutputError
from orchestrator.data.cells import as_text
from orchestrator.data.formats.csv.csv_backslash import escaped
from orchestrator.data.formats.csv.csv_dialect import Dialect, Quoting
from orchestrator.data.formats.format_interface import Batch, Writer
from orchestrator.data.formats.output_file import output_file

_PIECE_ROWS = 65_536
_CONTROLS = (1, 2, 3, 4, 5, 6, 7, 8, 14, 15, 16, 17, 18, 19)


@contextmanager
def csv_writer(path: Path, dialect: Dialect, schema: pa.Schema) -> Iterator[Writer]:
    """A writer of `schema`'s columns. Raises OutputError; the file appears at the end of the block."""
    with output_file(path) as file:
        writer = _CsvWriter(file, dialect, tuple(schema.names), path)
        yield writer
        writer.finish()


class _CsvWriter:
    def __init__(self, file: BinaryIO, dialect: Dialect, names: tuple[str, ...], path: Path) -> None:
        self._file = file
        self._dialect = dialect
        self._names = names
        self._path = path
        self._end = dialect.line_end.encode()
        self._encoder = codecs.getincrementalencoder(dialect.encoding.codec)()
        self._held = self._header()  # the last line end is held back until it is known whether another row follows
        file.write(dialect.encoding.bom)
        self._emit(dialect.preamble.encode())

    def write(self, table: pa.Table, source: Batch | None = None) -> None:  # noqa: ARG002 - CSV needs no source
        for start in range(0, table.num_rows, _PIECE_ROWS):
            self._put(self._lines(table.slice(start, _PIECE_ROWS)))

    def finish(self) -> None:
        held = self._held
        if not self._dialect.final_line_end and held.endswith(self._end):
            held = held[: -len(self._end)]
        self._emit(held)

    def _put(self, data: bytes) -> None:
        self._emit(self._held)
        self._emit(data[: -len(self._end)])
        self._held = data[-len(self._end) :]

    def _emit(self, data: bytes) -> None:
        if self._dialect.encoding.codec != "utf-8":
            try:
                data = self._encoder.encode(data.decode("utf-8"))
            except UnicodeEncodeError as error:
                character = error.object[error.start]
                raise OutputError(
                    f"{self._path}: the character {character!a} does not exist in {self._dialect.encoding.codec}.",
                    advice="Convert the input to UTF-8 first.",
                ) from None
        self._file.write(data)

    def _header(self) -> bytes:
        if self._names == self._dialect.header:
            return self._dialect.header_bytes + self._end
        stored = [pa.array([self._dialect.stored_name(name)]) for name in self._names]
        names = pa.table(stored, names=list(self._names))
        return self._lines(names)

    def _lines(self, table: pa.Table) -> bytes:
        columns = [_Column(table.column(name)) for name in self._names]
        cells = [
            self._cells(self._dialect.quoting(name), column, alone=len(columns) == 1)
            for name, column in zip(self._names, columns, strict=True)
        ]
        specials = [b'"', self._dialect.delimiter.encode(), b"\n", b"\r"]
        if not any(column.has(special) for column in cells for special in specials):
            return self._written(cells)
        stand_ins = _stand_ins(columns, self._dialect.delimiter)
        if stand_ins is None:
            return self._slow(cells)
        data = self._written([_hide(column, specials, stand_ins) for column in cells])
        return data.translate(bytes.maketrans(stand_ins, b"".join(specials)))

    def _written(self, cells: list["_Column"]) -> bytes:
        """By Arrow, which takes no cell that would need quotes."""
        sink = pa.BufferOutputStream()
        options = csv.WriteOptions(include_header=False, delimiter=self._dialect.delimiter, quoting_style="none")
        csv.write_csv(pa.table([column.array for column in cells], names=list(self._names)), sink, options)
        data: bytes = sink.getvalue().to_pybytes()
        return data if self._end == b"\n" else data.replace(b"\n", self._end)

    def _slow(self, cells: list["_Column"]) -> bytes:
        """For data that holds so many control bytes that too few are free as replacements."""
        rows = zip(*(column.array.to_pylist() for column in cells), strict=True)
        line_end = self._dialect.line_end
        return "".join(self._dialect.delimiter.join(row) + line_end for row in rows).encode()

    def _cells(self, quoting: Quoting, column: "_Column", *, alone: bool) -> "_Column":
        """The column with quotes where the dialect has them, and where a cell needs them."""
        masks = list(self._needing_quotes(column))
        if quoting.text or quoting.blank or alone:
            blank = pc.equal(column.array, "")
            masks += [pc.invert(blank)] if quoting.text else []
            masks += [blank] if quoting.blank or alone else []
        if not masks:
            return column
        doubled = self._with_quotes(column)
        quoted = pc.binary_join_element_wise('"', doubled, '"', "")
        return _Column(pc.if_else(reduce(pc.or_, masks), quoted, column.array))

    def _with_quotes(self, column: "_Column") -> Any:
        """The cells as they stand between quotes."""
        if self._dialect.backslashes:
            return pa.array([escaped(cell) for cell in column.array.to_pylist()], pa.string())
        return pc.replace_substring(column.array, '"', '""') if column.has(b'"') else column.array

    def _needing_quotes(self, column: "_Column") -> Iterator[Any]:
        for special in (self._dialect.delimiter, "\n", "\r"):
            if column.has(special.encode()):
                yield pc.match_substring(column.array, special)
        if column.has(b'"'):
            yield (pc.starts_with if self._dialect.bare_quotes else pc.match_substring)(column.array, '"')


class _Column:
    """One column as one text array, with its bytes for quick searches."""

    def __init__(self, values: Any) -> None:
        text = as_text(values)
        self.array = text.fill_null("") if text.null_count else text  # missing becomes blank
        buffer = self.array.buffers()[2]
        self._data = b"" if buffer is None else buffer.to_pybytes()
        self._held: dict[bytes, bool] = {}

    def has(self, special: bytes) -> bool:
        """Whether the bytes may occur in a cell: the buffer may hold more than the column's rows, never less."""
        if special not in self._held:
            self._held[special] = special in self._data
        return self._held[special]


def _stand_ins(columns: list[_Column], delimiter: str) -> bytes | None:
    """Four control bytes that no column holds, and that part none; or None."""
    taken = delimiter.encode()
    free = bytes(byte for byte in _CONTROLS if byte not in taken and not any(c.has(bytes([byte])) for c in columns))
    return free[:4] if len(free) >= 4 else None


def _hide(column: _Column, specials: list[bytes], stand_ins: bytes) -> _Column:
    array = column.array
    for special, stand_in in zip(specials, stand_ins, strict=True):
        if column.has(special):
            array = pc.replace_substring(array, special.decode(), chr(stand_in))
    return column if array is column.array else _Column(array)
