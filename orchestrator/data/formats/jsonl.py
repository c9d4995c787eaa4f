"""Reads and writes JSON Lines: one object per line. Called through `data.formats`.

One pass over the file finds columns and types (a key may first occur in the last line); it checks every line, so that
nothing is half done when line 900,000 is broken. Rows are written from their source text: key order, missing keys,
number formats and spacing stay, and only cells that changed are put in anew.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa

from orchestrator.core.errors import DataError
from orchestrator.data.formats.atomic import atomic_file
from orchestrator.data.formats.base import BATCH_ROWS, Batch, Dataset, Writer
from orchestrator.data.formats.json_values import column_type, from_cell, kind_of, to_cell
from orchestrator.data.formats.text_source import TextSource, find_encoding
from orchestrator.data.text import clean_text

_MAX_LINE = 8 * 2**20
_MAX_COLUMNS = 2_000


class _Scan(NamedTuple):
    schema: pa.Schema
    rows: int
    spaced: bool  # "a": 1 rather than "a":1
    ascii: bool  # é was written as \u00e9
    line_end: bytes
    final_line_end: bool


class JsonlDataset(Dataset):
    """A JSONL file. Lists and objects appear as their JSON text and are lists and objects again when written."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "jsonl")
        self._encoding = find_encoding(path)
        if self.rows == 0:
            raise DataError(f"{path} holds no rows.", advice="Check how it was made; it needs one object per line.")

    @property
    def schema(self) -> pa.Schema:
        schema: pa.Schema = self.scan.schema
        return schema

    @property
    def bom(self) -> bytes:
        return self._encoding.bom if self._encoding.codec == "utf-8" else b""

    def read(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        lines = self._lines()
        schema = self.schema
        while part := list(islice(lines, rows)):
            objects = [_parse(line, number, self.path) for number, line in part]
            columns = [pa.array([to_cell(o.get(f.name), f.type) for o in objects], f.type) for f in schema]
            yield Batch(pa.table(columns, schema=schema), [line for _, line in part])

    @cached_property
    def rows(self) -> int:
        return self.scan.rows

    @cached_property
    def scan(self) -> _Scan:
        """What one pass over the file finds."""
        kinds: dict[str, set[str]] = {}
        rows = 0
        spaced, escaped, last = True, False, b""
        for number, line in self._lines():
            item = _parse(line, number, self.path)
            rows += 1
            for name, value in item.items():
                kinds.setdefault(name, set()).add(kind_of(value))
            if rows == 1:
                spaced = b'": ' in line or b'":' not in line
            escaped = escaped or (rows <= 1000 and b"\\u" in line)
            last = line
        if len(kinds) > _MAX_COLUMNS:
            raise DataError(f"{self.path} has {len(kinds)} different keys; {_MAX_COLUMNS} columns can be read.")
        del last
        schema = pa.schema([(name, column_type(found)) for name, found in kinds.items()])
        return _Scan(schema, rows, spaced, escaped, *self._line_ends())

    def _line_ends(self) -> tuple[bytes, bool]:
        source = TextSource(self.path, self._encoding)
        try:
            head = source.read(2**20)
        finally:
            source.close()
        with self.path.open("rb") as file:
            file.seek(-1, 2)
            final = file.read() in (b"\n", b"\0")
        return b"\r\n" if b"\r\n" in head else b"\n", final

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """Every line that is not blank, with its number."""
        source = TextSource(self.path, self._encoding)
        try:
            number, rest = 0, b""
            while block := source.read(2**20):
                *whole, rest = (rest + block).split(b"\n")
                for line in whole:
                    number += 1
                    if stripped := line.strip():
                        yield number, stripped
                if len(rest) > _MAX_LINE:
                    raise DataError(
                        f"{self.path}, line {number + 1}: the line is longer than {_MAX_LINE // 2**20} MiB.",
                        advice="JSON Lines needs one object per line; is this a JSON array?",
                    )
            if stripped := rest.strip():
                yield number + 1, stripped
        except OSError as error:
            raise DataError(f"{self.path} cannot be read: {error.strerror or error}.") from error
        finally:
            source.close()


def _parse(line: bytes, number: int, path: Path) -> dict[str, Any]:
    try:
        item = json.loads(line, object_pairs_hook=_no_duplicates)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else clean_text(str(error), 100)
        column = f", column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise DataError(
            f"{path}, line {number}{column}: no JSON object: {reason}.",
            advice='JSON Lines needs one object per line, like {"name": "Ann"}.',
        ) from None
    if not isinstance(item, dict):
        raise DataError(
            f"{path}, line {number}: a {type(item).__name__} instead of an object.",
            advice='JSON Lines needs one object per line, like {"name": "Ann"}.',
        )
    if "" in item:
        raise DataError(f"{path}, line {number}: a key is empty.", advice="Give every value a name.")
    return item


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key '{twice}' occurs twice")
    return made


@contextmanager
def jsonl_writer(path: Path, like: Dataset, schema: pa.Schema) -> Iterator[Writer]:
    """A writer of one object per row. Raises OutputError; the file appears at the end of the block."""
    with atomic_file(path) as file:
        writer = _JsonlWriter(file, like, schema)
        yield writer
        writer.finish()


class _JsonlWriter:
    def __init__(self, file: BinaryIO, like: Dataset, schema: pa.Schema) -> None:
        scan = like.scan if isinstance(like, JsonlDataset) else None
        self._file = file
        self._dropped = [field for field in like.schema if field.name not in schema.names]
        self._types = {field.name: field.type for field in like.schema}
        self._ascii = scan.ascii if scan else False
        self._separators = (", ", ": ") if scan is None or scan.spaced else (",", ":")
        self._line_end = scan.line_end if scan else b"\n"
        self._final = scan.final_line_end if scan else True
        self._started = False
        if isinstance(like, JsonlDataset):
            file.write(like.bom)

    def write(self, table: pa.Table, raw: Sequence[bytes] | None = None) -> None:
        rows = table.to_pylist()
        lines = (
            [self._dump(row) for row in rows]
            if raw is None
            else [self._renew(row, source) for row, source in zip(rows, raw, strict=True)]
        )
        if not lines:
            return
        if self._started:
            self._file.write(self._line_end)
        self._file.write(self._line_end.join(lines))
        self._started = True

    def finish(self) -> None:
        if self._final and self._started:
            self._file.write(self._line_end)

    def _renew(self, row: dict[str, Any], source: bytes) -> bytes:
        """The source line itself, or with those cells replaced that differ."""
        item: dict[str, Any] = json.loads(source)
        same = True
        for name, cell in row.items():
            before = item.get(name)
            kind = self._types.get(name)
            if (None if kind is None else to_cell(before, kind)) != cell:
                item[name] = from_cell(cell, before)
                same = False
        for field in self._dropped:
            same = item.pop(field.name, self) is self and same
        return source if same else self._dump(item)

    def _dump(self, item: dict[str, Any]) -> bytes:
        return json.dumps(item, ensure_ascii=self._ascii, separators=self._separators, default=str).encode()
