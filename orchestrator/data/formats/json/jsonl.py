"""Reads and writes JSON Lines: one object per line. Called through `data.formats`.

One pass over the file finds columns and types (a key may first occur in the last line); it checks every line, so that
no work has begun when line 900,000 is broken. Rows are written from their source text: key order, missing keys,
number formats and spacing stay, and only changed cells are replaced.
"""

import json
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.errors import DataError, OutputError
from orchestrator.data.cells import differing, plain, whole_rows
from orchestrator.data.formats.format_interface import BATCH_BYTES, BATCH_ROWS, Batch, Dataset, Reading, Writer
from orchestrator.data.formats.input_file import open_input
from orchestrator.data.formats.json.json_cells import from_cell
from orchestrator.data.formats.json.json_key_kinds import KeyKinds, as_the_others
from orchestrator.data.formats.json.json_lines import parse_line, refuse_double_keys, refuse_lone_surrogates
from orchestrator.data.formats.json.json_members import constant_in, renewed
from orchestrator.data.formats.json.json_values import column_type, kind_of, to_cell
from orchestrator.data.formats.json.stored_as_texts import StoredAsTexts
from orchestrator.data.formats.output_file import output_file
from orchestrator.data.formats.text_source import TextSource, find_encoding
from orchestrator.data.record_tables import ABSENT, is_records, present, value_of
from orchestrator.data.text import clean_text

_MAX_LINE = 8 * 2**20
_MAX_COLUMNS = 2_000
_STYLE_LINES = 1_000
_LINE_ENDS = re.compile(rb"[ \t]*[\r\n][ \t\r\n]*")


class _Scan(NamedTuple):
    schema: pa.Schema
    rows: int
    spaced: bool  # "a": 1 rather than "a":1
    escaped: bool  # é was written as \\u00e9
    huge: tuple[str, ...]  # columns with whole numbers beyond 64 bits, which are text
    kinds: dict[str, type]  # by key: as what a text is written that becomes one, as `KeyKinds` says
    as_texts: tuple[str, ...]  # what is said of numbers and truth values that are texts


class JsonlDataset(Dataset):
    """A JSONL file. Lists and objects appear as their JSON text and are lists and objects again when written."""

    kind, form = "jsonl", "one object per line"

    def __init__(self, path: Path, reading: Reading) -> None:
        super().__init__(path, self.kind, reading.copy)
        self._encoding = find_encoding(self.content)
        self._ends: set[bool] = set()
        if self.rows == 0:
            raise DataError(f"{path} holds no rows.", advice=f"Check how it was made; it needs {self.form}.")
        if not self.scan.schema.names:
            raise DataError(f"{path}: no object has a key.", advice="Check how it was made; its rows hold no value.")

    @property
    def schema(self) -> pa.Schema:
        schema: pa.Schema = self.scan.schema
        return schema

    @property
    def bom(self) -> bytes:
        return self._encoding.bom if self._encoding.codec == "utf-8" else b""

    def read(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        lines = self._lines()
        with self.watched():
            while part := self._some(lines, rows):
                objects = [parse_line(line, number, self.path) for number, line in part]
                columns = [_column([o.get(f.name) for o in objects], f.type) for f in self.schema]
                yield Batch(pa.table(columns, schema=self.schema), [line for _, line in part])

    @cached_property
    def rows(self) -> int:
        return self.scan.rows

    @property
    def notes(self) -> tuple[str, ...]:
        names = [f"column '{clean_text(name, 40)}'" for name in self.scan.huge[:5]]
        said = [f"{', '.join(names)}: whole numbers beyond 64 bits are read as text"] if names else []
        if self._encoding.codec != "utf-8":
            said.append(f"it is stored in {self._encoding.codec}; what is written is UTF-8, as JSON is")
        if len(self._ends) > 1:
            said.append("its lines do not all end alike: in what is written they end as the first one does")
        return (*said, *self.scan.as_texts)

    @cached_property
    def scan(self) -> _Scan:
        """The result of one pass over the file."""
        kinds: dict[str, set[str]] = {}
        huge: dict[str, None] = {}
        most, as_texts = KeyKinds(), StoredAsTexts()
        rows, spaced, escaped = 0, True, False
        for number, line in self._lines():
            rows += 1
            if rows == 1:
                spaced = b'":' not in line or b'": ' in line
            escaped = escaped or (rows <= _STYLE_LINES and b"\\u" in line)
            item = parse_line(line, number, self.path)
            if line.count(b'":') != len(item):  # nested, or the same key twice
                refuse_double_keys(line, number, self.path)
            if b"\\ud" in line or b"\\uD" in line:
                refuse_lone_surrogates(item, number, self.path)
            for name, value in item.items():
                if name not in kinds:
                    self._check_name(name, number, len(kinds))
                    kinds[name] = set()
                kinds[name].add(kind := kind_of(value))
                most.look(name, value)
                as_texts.look(name, value, number)
                if kind == "text" and isinstance(value, int):
                    huge[name] = None
        schema = pa.schema([(name, column_type(found)) for name, found in kinds.items()])
        return _Scan(schema, rows, spaced, escaped, tuple(huge), most.found(), as_texts.told())

    @cached_property
    def line_end(self) -> tuple[bytes, bool]:
        """The line end, and whether the last line has one."""
        with closing(TextSource(self.path, self._encoding, self.content)) as source:
            head = source.read(2**20)
        with open_input(self.content, self.path) as file:
            file.seek(-min(2, file.seek(0, 2)), 2)
            tail = file.read()
        return b"\r\n" if head.partition(b"\n")[0].endswith(b"\r") else b"\n", b"\n" in tail

    def _check_name(self, name: str, number: int, count: int) -> None:
        if not name.strip():
            raise DataError(f"{self.path}, line {number}: a key is empty.", advice="Give every value a name.")
        if count >= _MAX_COLUMNS:
            raise DataError(
                f"{self.path}, line {number}: at most {_MAX_COLUMNS:,} keys can be read, and here is one more.",
                advice="Put what varies from row to row into a list, or leave out keys that nobody needs.",
            )

    @staticmethod
    def _some(lines: Iterator[tuple[int, bytes]], rows: int) -> list[tuple[int, bytes]]:
        """The next lines: `rows` of them, or fewer if they are long."""
        part: list[tuple[int, bytes]] = []
        size = 0
        for entry in lines:
            part.append(entry)
            size += len(entry[1])
            if len(part) >= rows or size >= BATCH_BYTES:
                break
        return part

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """Every line that is not blank, with its number."""
        with closing(TextSource(self.path, self._encoding, self.content, rows_apart=True)) as source:
            number, rest = 0, b""
            while block := source.read(2**20):
                *whole, rest = (rest + block).split(b"\n")
                for number, line in enumerate(whole, start=number + 1):  # noqa: B020 - it counts on
                    if stripped := line.strip():
                        self._ends.add(line.endswith(b"\r"))
                        yield number, stripped
                if len(rest) > _MAX_LINE:
                    raise DataError(
                        f"{self.path}, line {number + 1}: the line is longer than {_MAX_LINE // 2**20} MiB.",
                        advice="JSON Lines needs one object per line; is this a JSON array?",
                    )
            if stripped := rest.strip():
                yield number + 1, stripped


def _column(values: list[Any], kind: pa.DataType) -> pa.Array:
    try:
        return pa.array(values, kind)
    except (pa.ArrowException, TypeError):  # a text column holds several kinds of values
        return pa.array([to_cell(value, kind) for value in values], kind)


@contextmanager
def jsonl_writer(path: Path, like: Dataset, schema: pa.Schema) -> Iterator[Writer]:
    """A writer of one object per row. Raises OutputError; the file appears at the end of the block."""
    with output_file(path) as file:
        writer = JsonlWriter(file, like, schema)
        yield writer
        writer.finish()


class JsonlWriter:
    """Writes rows; also record tables, when their source is one too."""

    def __init__(self, file: BinaryIO, like: Dataset, schema: pa.Schema) -> None:
        model = like if isinstance(like, JsonlDataset) else None
        self._file = file
        self._dropped = [name for name in like.columns if name not in schema.names]
        self._escaped = model.scan.escaped if model else False
        self._kinds = model.scan.kinds if model else {}
        self._separators = (", ", ": ") if model is None or model.scan.spaced else (",", ":")
        self._line_end, self._final = model.line_end if model else (b"\n", True)
        self._started = False
        self._compact = True  # a row that takes several lines in its source is one line here
        if model:
            file.write(model.bom)

    def write(self, table: pa.Table, source: Batch | None = None) -> None:
        if not table.num_rows:
            return
        if source is None or source.raw is None:
            lines = [self._dump(row) for row in whole_rows(table)]
        else:
            lines = self._renewed(table, source.table, list(source.raw))
        if self._compact:
            lines = [_LINE_ENDS.sub(rb"", line) if b"\n" in line else line for line in lines]
        if self._started:
            self._file.write(self._line_end)
        self._file.write(self._line_end.join(lines))
        self._started = True

    def finish(self) -> None:
        if self._final and self._started:
            self._file.write(self._line_end)

    def _renewed(self, table: pa.Table, before: pa.Table, lines: list[bytes]) -> list[bytes]:
        """The source lines, with those cells replaced that differ. Both tables hold records, or neither does."""
        records = is_records(table)
        new_cells = present if records else pc.is_valid
        changes: dict[int, dict[str, Any]] = {row: {} for row in range(len(lines))} if self._dropped else {}
        for name in table.column_names:
            column = table.column(name)
            mask = differing(before.column(name), column) if name in before.column_names else new_cells(column)
            if mask is not None:
                rows = pc.indices_nonzero(mask)
                for row, cell in zip(rows.to_pylist(), column.take(rows).to_pylist(), strict=True):
                    changes.setdefault(row, {})[name] = cell
        for row, cells in changes.items():
            text = lines[row].decode()
            item: dict[str, Any] = json.loads(text)
            gone = {*self._dropped, *(name for name, cell in cells.items() if records and cell == ABSENT)}
            kept = {name: cell for name, cell in cells.items() if name not in gone}
            new = {n: value_of(c) if records else self._value(n, c, item.get(n)) for n, c in kept.items()}
            after = {name: value for name, value in item.items() if name not in gone} | new
            lines[row] = _checked(renewed(text, item, after, self._text))
        return lines

    def _value(self, name: str, cell: Any, before: Any) -> Any:
        return as_the_others(from_cell(cell, before), before, self._kinds.get(name))

    def _dump(self, item: dict[str, Any]) -> bytes:
        return _checked(self._text(item))

    def _text(self, value: Any) -> str:
        return json.dumps(value, ensure_ascii=self._escaped, separators=self._separators, default=plain)


def _checked(text: str) -> bytes:
    if constant := constant_in(text):
        raise OutputError(
            f"A row of the result holds {constant}, which JSON has no number for: {clean_text(text, 200)}",
            advice="Write CSV or Parquet, or use a function that leaves such a cell empty.",
        )
    return text.encode()
