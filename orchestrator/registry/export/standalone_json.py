"""Reads, cleans and writes JSON and JSON Lines in an exported `cleaning_functions.py`, into which it is copied.

It follows the rules of `data/formats`: rows are written from their own text, and only what differs is replaced.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, BinaryIO

import pandas as pd

# --- parts ---
from orchestrator.data.formats.json.json_cells import from_cell
from orchestrator.data.formats.json.json_key_kinds import KeyKinds, as_the_others
from orchestrator.data.formats.json.json_members import constant_in, renewed
from orchestrator.data.formats.json.json_scan import Element, JsonScan
from orchestrator.registry.export.standalone_files import Source, batches

# --- end of parts ---
# ── JSON: a first pass finds columns and types, a second one cleans; rows are written from their own text ──

_STYLE_LINES = 1_000


def clean_json(source: Source, kind: str, clean: Callable[[pd.DataFrame], pd.DataFrame], target: BinaryIO) -> None:
    """Clean the rows as tables of some thousand. Raises ValueError."""
    rows = _Rows(source, kind)

    def cleaned(lines: list[str]) -> list[str]:
        items = [json.loads(line) for line in lines]
        columns = {n: _json_series([_cell(i.get(n), t) for i in items], t) for n, t in rows.types.items()}
        made = clean(pd.DataFrame(columns))
        return list(_changed(made, lines, items, rows))

    rows.write(target, cleaned)


def clean_json_records(
    source: Source, kind: str, clean_record: Callable[[dict[str, Any]], dict[str, Any]], target: BinaryIO
) -> None:
    """Clean each row as a record: lists and objects as such, missing keys missing; unchanged rows stay."""
    rows = _Rows(source, kind)

    def cleaned(line: str) -> str:
        item = json.loads(line)
        if not _is_finite(item):
            raise ValueError(f"a row cannot be read as a record, for it holds a number beyond 1.8e308: {line[:200]}")
        made = clean_record({name: item[name] for name in rows.types if name in item})
        if not _is_finite(made):
            raise ValueError(f"a row of the result holds a number that JSON has not: {line[:200]}")
        new = {n: v for n, v in made.items() if n not in item or json.dumps(v) != json.dumps(item[n])}
        if not new and made.keys() == item.keys():
            return line
        return renewed(line, item, {n: v for n, v in item.items() if n in made} | new, rows.dumps)

    rows.write(target, lambda lines: [cleaned(line) for line in lines])


def _changed(cleaned: pd.DataFrame, lines: list[str], items: list[dict[str, Any]], rows: "_Rows") -> Iterator[str]:
    """The lines of the rows that are left, with the cells replaced that differ."""
    types = rows.types
    names = [str(name) for name in cleaned.columns]
    columns = [[None if pd.isna(v) else v for v in cleaned.iloc[:, i].tolist()] for i in range(len(names))]
    for row, *cells in zip(cleaned.index, *columns, strict=True):
        item = items[row]
        dropped = [name for name in types if name not in names and name in item]
        changed = {
            name: cell for name, cell in zip(names, cells, strict=True)
            if (_cell(item.get(name), types[name]) if name in types else None) != cell
        }  # fmt: skip
        values = {name: from_cell(cell, item.get(name)) for name, cell in changed.items()}
        after = item | {n: as_the_others(v, item.get(n), rows.kinds.get(n)) for n, v in values.items()}
        kept = {name: value for name, value in after.items() if name not in dropped}
        made = renewed(lines[row], item, kept, rows.dumps) if changed or dropped else lines[row]
        if constant := constant_in(made):
            raise ValueError(f"a row of the result holds {constant}, which JSON has no number for: {made[:200]}")
        yield made


class _Rows:
    """The rows of a file, as often as they are wanted: their texts, columns and types, and how they are written."""

    def __init__(self, source: Source, kind: str) -> None:
        self._source, self._document = source, kind == "json"
        self._keys = _list_of_rows(source) if self._document else ()
        self._start, self._end, self._gap = -1, 0, ""
        self._last = ""
        kinds: dict[str, set[str]] = {}
        most = KeyKinds()
        first, escaped = "", False
        for count, line in enumerate(self.texts()):
            first = first or line
            escaped = escaped or (count < _STYLE_LINES and "\\u" in line)
            for name, value in _object_in(line, count + 1).items():
                kinds.setdefault(name, set()).add(_json_kind(value))
                most.look(name, value)
        if not first:
            raise ValueError("there are no rows")
        self.types = {name: _json_type(found - {"null"}) for name, found in kinds.items()}
        self.kinds = most.found()
        separators = (", ", ": ") if '": ' in first or '":' not in first else (",", ":")
        self.dumps = json.JSONEncoder(ensure_ascii=escaped, separators=separators, default=str).encode

    def texts(self) -> Iterator[str]:
        if not self._document:
            for line in self._source.lines(newline="\n"):
                self._last = line
                if text := line.strip(" \t\n\r\v\f"):
                    yield text
            return
        for element in _elements(self._source):
            if element.keys == self._keys:
                self._start = element.start if self._start < 0 else self._start
                self._end, self._gap = element.end, self._gap or element.gap
                yield element.text

    def write(self, target: BinaryIO, cleaned: Callable[[list[str]], list[str]]) -> None:
        """Clean and write all rows, with what stands before, between and after them."""
        target.write(self._source.bom if self._source.codec == "utf-8" else b"")
        if self._document:
            self._copy(target, 0, max(self._start, 0))
        gap, started = (self._gap or ",\n") if self._document else self._line_end(), False
        for part in batches(self.texts(), len):
            for line in cleaned(part):
                target.write(((gap if started else "") + line).encode())
                started = True
        if self._document:
            self._copy(target, self._end, 2**62)
        elif started and self._last.endswith("\n"):
            target.write(gap.encode())

    def _line_end(self) -> str:
        with self._source.text() as text:
            return "\r\n" if text.read(2**20).partition("\n")[0].endswith("\r") else "\n"

    def _copy(self, target: BinaryIO, start: int, end: int) -> None:
        """The part of the document between these places, which count bytes of UTF-8."""
        at = 0
        with closing(_Utf8(self._source)) as document:
            while at < end and (block := document.read(2**20)):
                target.write(block[max(0, start - at) : max(0, end - at)])
                at += len(block)


class _Utf8:
    """The text of a file as UTF-8, whatever its encoding. `read` may give some bytes more than it is asked for."""

    def __init__(self, source: Source) -> None:
        self._text = source.text()
        self.close = self._text.close

    def read(self, size: int) -> bytes:
        return self._text.read(size).encode()


def _elements(source: Source) -> Iterator[Element]:
    with closing(_Utf8(source)) as document:
        yield from JsonScan(document).elements()


def _list_of_rows(source: Source) -> tuple[str, ...]:
    """The keys that lead to the one list of objects in the document."""
    with source.text() as text:
        if text.read(4096).lstrip()[:1] == "[":
            return ()
    found: dict[tuple[str, ...], bool] = {}
    for element in _elements(source):
        found[element.keys] = found.get(element.keys, True) and element.kind is dict
    lists = [keys for keys, objects in found.items() if objects]
    if len(lists) != 1:
        raise ValueError(f"it holds {len(lists)} lists of objects and not one; `cleanroom apply --path` can choose")
    return lists[0]


def _object_in(line: str, number: int) -> dict[str, Any]:
    """The object that the row is. Raises ValueError for anything else, and for a key that occurs twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise ValueError(f"row {number}: a key occurs twice")
        return dict(pairs)

    try:
        item = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"row {number}: {error}") from None
    except RecursionError:
        raise ValueError(f"row {number}: it is nested too deeply") from None
    if constant := constant_in(line):
        raise ValueError(f"row {number}: it holds {constant}, which is not JSON; write null, or a text")
    if not isinstance(item, dict):
        raise ValueError(f"row {number}: JSON Lines needs one object per line, and JSON a list of objects")  # noqa: TRY004 - of a file
    if "\\ud" in line.lower() and (half := re.search("[\ud800-\udfff]", json.dumps(item, ensure_ascii=False))):
        raise ValueError(f"row {number}: a text holds {half[0]!a}, which is not a character; remove it")
    if line.count('":') != len(item):  # nested, or a key twice
        json.loads(line, object_pairs_hook=once)
    return item


def _is_finite(item: dict[str, Any]) -> bool:
    """Whether JSON has all numbers of the record."""
    try:
        json.dumps(item, allow_nan=False, default=str)
    except ValueError:
        return False
    return True


def _json_kind(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return "int" if abs(value) <= 2**53 else "big" if -(2**63) <= value < 2**63 else "text"
    return {type(None): "null", bool: "bool", float: "float"}.get(type(value), "text")


def _json_type(found: set[str]) -> str:
    if found in ({"int"}, {"big"}, {"int", "big"}):
        return "int"
    return "float" if found in ({"float"}, {"int", "float"}) else "bool" if found == {"bool"} else "text"


def _json_series(values: list[Any], kind: str) -> "pd.Series[Any]":
    missing = any(value is None for value in values)
    dtype = {"int": "Int64" if missing else "int64", "bool": "boolean" if missing else "bool", "float": "float64"}
    return pd.Series(values, dtype=dtype.get(kind, "str"))


def _cell(value: Any, kind: str) -> Any:
    """A JSON value as a cell of its column; lists, objects and mixed values are text that holds JSON."""
    if value is None or kind not in ("text", "float") or (kind == "text" and isinstance(value, str)):
        return value
    return float(value) if kind == "float" else json.dumps(value, ensure_ascii=False)
