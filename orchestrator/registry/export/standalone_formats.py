"""Reads, cleans and writes whole files in an exported `cleaning_functions.py`. `export` copies this text into it.

It follows the rules of `data/formats` in plain Python: the same cells, the same bytes.
"""

import codecs
import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd

Clean = Callable[[pd.DataFrame], pd.DataFrame]
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def _decode(data: bytes) -> tuple[str, str, bytes]:
    """The text, its codec and its byte order mark."""
    bom, codec = next(((bom, codec) for bom, codec in _BOMS if data.startswith(bom)), (b"", "utf-8"))
    text = data[len(bom) :].decode(codec)
    if "\0" in text:
        raise ValueError("there is a NUL byte; this is no text file")
    return text, codec, bom


# ── CSV: every cell is text, a blank is the empty text; delimiter, quoting, line ends and encoding are kept ──


def _clean_csv(data: bytes, kind: str, clean: Clean) -> bytes:
    text, codec, bom = _decode(data)
    head = text if len(text.encode()) < 2**18 else text.encode()[: 2**18].decode(errors="ignore")
    delimiter = "\t" if kind == "tsv" else _delimiter(head)
    sample = [record for record, _ in zip(_records(head, delimiter), range(500), strict=False)]
    header, line_end, end = sample[0]
    stored = [_value(cell) for cell in header]
    if not any(name.strip() for name in stored):
        raise ValueError("no column has a name in the header")
    names = _own_names(stored)
    csv.field_size_limit(2**31 - 1)
    lines = csv.reader(io.StringIO(text[end:], newline=""), delimiter=delimiter)
    rows = [row or [""] for row in lines if row or len(names) == 1]
    ragged = next((number for number, row in enumerate(rows, start=2) if len(row) != len(names)), None)
    if rows and text.count('"') % 2 and any(c in rows[-1][-1] for c in "\r\n"):
        raise ValueError(f"row {len(rows) + 1}: a quote is opened and never closed")
    if ragged is not None or not text[end:].strip("\r\n"):
        raise ValueError(f"row {ragged} has not as many fields as the header" if ragged else "there are no rows")
    columns = [pd.Series(list(column), dtype="str") for column in zip(*rows, strict=True)]
    cleaned = clean(pd.concat(columns, axis=1, keys=names))
    seen = [r for r, _, _ in (sample[1:] if head == text else sample[1:-1]) if len(r) == len(names)]
    bare = any('"' in cell for row in seen for cell in row if not cell.startswith('"'))
    styles = {name: _style([row[i] for row in seen], header[i], delimiter) for i, name in enumerate(names)}

    def line(row: Any, style: list[tuple[bool, bool]]) -> str:
        return delimiter.join(
            _quoted(cell, *style[i], delimiter, bare=bare, alone=len(row) == 1) for i, cell in enumerate(row)
        )

    order = [str(name) for name in cleaned.columns]
    style = [styles.get(name, (False, False)) for name in order]
    titles = [stored[names.index(name)] if name in names else name for name in order]
    first = text[: end - len(line_end)] if order == names else line(titles, style)
    body = zip(*(_texts(cleaned.iloc[:, i]) for i in range(len(order))), strict=True)
    made = (line_end or "\n").join([first, *(line(row, style) for row in body)])
    final = line_end if text.endswith(("\n", "\r")) else ""
    return bom + (made + final).encode(codec)


def _own_names(header: list[str]) -> list[str]:
    """The names under which columns are read that have none, or the same one twice: those that pandas gives."""
    made: list[str] = []
    for place, stored in enumerate(header):
        base = stored if stored.strip() else f"Unnamed: {place}"
        name, number = base, 0
        while name in made or (name in header and name != stored):
            number += 1
            name = f"{base}.{number}"
        made.append(name)
    return made


def _records(text: str, delimiter: str) -> Iterator[tuple[list[str], str, int]]:
    """The records as they stand, quotes included, each with its line end and the position after it."""
    d = re.escape(delimiter)
    pattern = re.compile(rf'("(?:[^"]|"")*+"?[^{d}\r\n]*+|[^{d}\r\n]*+)({d}|\r\n|\n|\r|\Z)')
    at, cells = 0, list[str]()
    while at < len(text) or cells:
        found = pattern.match(text, at)
        if found is None:
            return
        cells.append(found[1])
        at = found.end()
        if found[2] != delimiter:
            yield cells, found[2], at
            cells = []


def _delimiter(head: str) -> str:
    """The delimiter with which most of the first records have as many fields as the header."""
    best, best_score = ",", (0.0, 0)
    for delimiter in ",;\t|":
        records = zip(_records(head, delimiter), range(100), strict=False)
        counts = [len(cells) for (cells, _, _), _ in records if len(cells) > 1 or _value(cells[0])]
        if counts and counts[0] > 1:
            best_score, best = max(
                (best_score, best), ((sum(c == counts[0] for c in counts) / len(counts), counts[0]), delimiter),
                key=lambda pair: pair[0],
            )  # fmt: skip
    return best


def _value(cell: str) -> str:
    if not cell.startswith('"'):
        return cell
    end = cell.rfind('"')
    return cell[1:end].replace('""', '"') + cell[end + 1 :] if end > 0 else cell[1:]


def _style(cells: list[str], header: str, delimiter: str) -> tuple[bool, bool]:
    """Whether text, and whether blanks, stand in quotes in this column without need."""
    values = [(_value(cell), cell.startswith('"')) for cell in cells]
    blanks = [quoted for value, quoted in values if not value]
    texts = [quoted for value, quoted in values if value and not any(c in value for c in f'"\n\r{delimiter}')]
    text = sum(texts) * 2 > len(texts) if texts else header.startswith('"') and any(quoted for _, quoted in values)
    return text, sum(blanks) * 2 > len(blanks) if blanks else text


def _quoted(value: str, text: bool, blank: bool, delimiter: str, *, bare: bool, alone: bool) -> str:
    quote = value.startswith('"') if bare else '"' in value
    needed = quote or any(c in value for c in f"\n\r{delimiter}") or (text if value else blank or alone)
    return '"' + value.replace('"', '""') + '"' if needed else value


def _texts(series: "pd.Series[Any]") -> list[str]:
    if not isinstance(series.dtype, pd.StringDtype):
        import pyarrow as pa

        values = pa.array(series, from_pandas=True).cast(pa.string()).to_pylist()
        return ["" if value is None else value for value in values]
    return ["" if value is pd.NA or value != value else value for value in series.tolist()]  # noqa: PLR0124 - NaN


# --- json members ---
from orchestrator.data.formats.json_members import renewed  # noqa: E402 - `export` puts that module's text here

# --- end of json members ---


# ── JSON Lines: rows are written from their own line, only changed cells are replaced ──


def _clean_jsonl(data: bytes, _kind: str, clean: Clean) -> bytes:
    text, codec, bom = _decode(data)
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    items: list[dict[str, Any]] = [json.loads(line) for line in lines]
    if not items or not all(isinstance(item, dict) for item in items):
        raise ValueError("JSON Lines needs one object per line")
    kinds: dict[str, set[str]] = {}
    for item in items:
        for name, value in item.items():
            kinds.setdefault(name, set()).add(_json_kind(value))
    types = {name: _json_type(found - {"null"}) for name, found in kinds.items()}
    frame = pd.DataFrame({n: _json_series([_cell(i.get(n), t) for i in items], t) for n, t in types.items()})
    cleaned = clean(frame)
    names = [str(name) for name in cleaned.columns]
    dumps = _dumper(lines)
    columns = [[None if pd.isna(v) else v for v in cleaned.iloc[:, i].tolist()] for i in range(len(names))]
    made = []
    for row, *cells in zip(cleaned.index, *columns, strict=True):
        item = items[row]
        dropped = [name for name in types if name not in names and name in item]
        changed = {
            name: cell for name, cell in zip(names, cells, strict=True)
            if (_cell(item.get(name), types[name]) if name in types else None) != cell
        }  # fmt: skip
        if not changed and not dropped:
            made.append(lines[row])
            continue
        after = item | {name: _json_value(cell, item.get(name)) for name, cell in changed.items()}
        kept = {name: value for name, value in after.items() if name not in dropped}
        made.append(renewed(lines[row], item, kept, dumps))
    return _json_lines(made, text, codec, bom)


def clean_json_records(data: bytes, clean_record: Callable[[dict[str, Any]], dict[str, Any]]) -> bytes:
    """Clean each line as a record: lists and objects as such, missing keys missing; unchanged lines stay."""
    text, codec, bom = _decode(data)
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    items: list[dict[str, Any]] = [json.loads(line) for line in lines]
    names = list(dict.fromkeys(name for item in items for name in item))
    dumps = _dumper(lines)
    made = []
    for line, item in zip(lines, items, strict=True):
        cleaned = clean_record({name: item[name] for name in names if name in item})
        new = {n: v for n, v in cleaned.items() if n not in item or json.dumps(v) != json.dumps(item[n])}
        same = not new and cleaned.keys() == item.keys()
        kept = {n: v for n, v in item.items() if n in cleaned} | new
        made.append(line if same else renewed(line, item, kept, dumps))
    return _json_lines(made, text, codec, bom)


def _dumper(lines: list[str]) -> Callable[[Any], str]:
    """Writes values as the lines are written: with or without blanks, with or without escapes."""
    separators = (", ", ": ") if '": ' in lines[0] or '":' not in lines[0] else (",", ":")
    ascii_only = any("\\u" in line for line in lines[:1000])
    return json.JSONEncoder(ensure_ascii=ascii_only, separators=separators, default=str).encode


def _json_lines(lines: list[str], text: str, codec: str, bom: bytes) -> bytes:
    line_end = "\r\n" if "\r\n" in text[: 2**20] else "\n"
    final = line_end if lines and text.endswith("\n") else ""
    return (bom if codec == "utf-8" else b"") + (line_end.join(lines) + final).encode()


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


def _json_value(cell: Any, before: Any) -> Any:
    """A cell as the JSON value that it stands for; `before` is what stood there."""
    if isinstance(cell, str) and before is not None and not isinstance(before, str):
        try:
            made = json.loads(cell)
        except ValueError:
            return cell
        return made if isinstance(made, type(before)) else cell
    if isinstance(cell, float) and isinstance(before, int) and not isinstance(before, bool) and cell.is_integer():
        return int(cell)
    return cell


# --- parquet ---
from orchestrator.registry.export.standalone_parquet import clean_parquet  # noqa: E402 - `export` puts that module's text here

# --- end of parquet ---


CLEANERS = {"csv": _clean_csv, "tsv": _clean_csv, "jsonl": _clean_jsonl, "parquet": clean_parquet}
