"""Reads, cleans and writes CSV and TSV in an exported `cleaning_functions.py`. `export` copies this text into it.

It follows the rules of `data/formats` in plain Python: the same cells, the same bytes.
"""

import csv
import re
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any, BinaryIO, NamedTuple

import pandas as pd

# --- parts ---
from orchestrator.data.formats.csv.csv_backslash import ENDS, doubled, doubled_lines, escaped, has_backslashes
from orchestrator.data.formats.csv.csv_preamble import before_header, likely_delimiters, named_delimiter
from orchestrator.data.formats.documents.sentences import holds_sentences
from orchestrator.registry.export.standalone_files import Source, batches

# --- end of parts ---
# ── CSV: every cell is text, a blank is the empty text; delimiter, quoting, line ends and encoding are kept ──

_HEAD = 2**18


class _Style(NamedTuple):
    """How the file is written, by its head. `end`: the number of characters up to the end of the header."""

    preamble: str
    delimiter: str
    line_end: str
    end: int
    first: str
    stored: list[str]
    names: list[str]
    bare: bool
    backslashes: bool
    quoting: dict[str, tuple[bool, bool]]

    def lines(self, columns: list[list[str]], names: list[str]) -> Iterator[str]:
        """The rows of these columns as lines, without line ends."""
        alone = len(names) == 1
        return map(self.delimiter.join, zip(*map(self._cells, columns, names, repeat(alone)), strict=True))

    def _cells(self, cells: list[str], name: str, alone: bool) -> list[str]:
        """The cells with quotes where they need them, and where the file has them."""
        text, blank = self.quoting.get(name, (False, False))
        together = "".join(cells)
        if not (text or blank or alone) and not any(char in together for char in f'"\n\r{self.delimiter}'):
            return cells
        made = [_quoted(cell, text, blank, self.delimiter, bare=self.bare, alone=alone) for cell in cells]
        if not self.backslashes:
            return made
        return [f'"{escaped(cell)}"' if as_made != cell else cell for cell, as_made in zip(cells, made, strict=True)]

    def header(self, names: list[str]) -> str:
        if names == self.names:
            return self.first
        stored = [[self.stored[self.names.index(name)] if name in self.names else name] for name in names]
        return next(self.lines(stored, names), "")


def clean_csv(source: Source, kind: str, clean: Callable[[pd.DataFrame], pd.DataFrame], target: BinaryIO) -> None:
    """Clean the file, some thousand rows at a time. Raises ValueError."""
    style = _style(source, kind)
    stored = source.lines(style.end)
    lines = _Lines(doubled_lines(stored, style.delimiter) if style.backslashes else stored)
    order: list[str] | None = None
    for part in batches(_rows(lines, style), lambda row: sum(map(len, row))):
        columns = [pd.Series(list(column), dtype="str") for column in zip(*part, strict=True)]
        cleaned = clean(pd.concat(columns, axis=1, keys=style.names))
        names = [str(name) for name in cleaned.columns]
        if order is None:
            order = names
            target.write(source.bom + (style.preamble + style.header(order)).encode(source.codec))
        elif names != order:
            raise ValueError(f"a function gives the columns {names[:20]} in some rows and {order[:20]} in others")
        made = [_texts(cleaned.iloc[:, place]) for place in range(len(names))]
        target.write("".join(style.line_end + line for line in style.lines(made, names)).encode(source.codec))
    if order is None or not lines.filled:
        raise ValueError("there are no rows")
    target.write((style.line_end if lines.last.endswith(("\n", "\r")) else "").encode(source.codec))


class _Lines:
    """The lines, with what has to be known of them at their end. `quotes`: in the header, too, which has pairs."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.quotes, self.last, self.filled = 0, "", False

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.quotes += line.count('"')
            self.filled = self.filled or bool(line.strip("\r\n"))
            self.last = line
            yield line


def _rows(lines: _Lines, style: _Style) -> Iterator[list[str]]:
    width, number = len(style.names), 1
    csv.field_size_limit(8 * 2**20)
    reader = csv.reader(lines, delimiter=style.delimiter)
    row: list[str] = []
    try:
        for read in reader:
            if read or width == 1:
                number += 1
                row = read or [""]
                if len(row) != width:
                    raise ValueError(f"row {number} has not as many fields as the header")
                yield row
    except csv.Error as error:
        raise ValueError(f"row {number + 1}: {error}, or a quote is opened and never closed") from None
    if row and (lines.quotes + _quotes(style)) % 2 and any(c in row[-1] for c in "\r\n"):
        raise ValueError(f"row {number}: a quote is opened and never closed")


def _quotes(style: _Style) -> int:
    """Those in the header, as they are counted below it."""
    return (doubled(style.first) if style.backslashes else style.first).count('"')


def _style(source: Source, kind: str) -> _Style:
    with source.text() as text:
        data = text.read(_HEAD).encode()
    head, whole = data[:_HEAD].decode(errors="ignore"), len(data) < _HEAD
    if "\0" in head or not head.strip():
        raise ValueError("there is a NUL byte; this is no text file" if "\0" in head else "it is empty")
    if source.delimiter is None and source.path.suffix.lower() == ".txt" and _is_prose(head):
        raise ValueError("it holds sentences and no table; `cleanroom apply` cleans text files")
    named = None if source.delimiter is None else named_delimiter(source.delimiter)
    backslashes = has_backslashes(head, named or ENDS)
    stands, head = head, doubled(head, named or ENDS) if backslashes else head
    delimiters, share = likely_delimiters(head, kind, named)
    begin, said = before_header(head, delimiters, _split)
    preamble, head, stands = stands[:begin], head[begin:], stands[begin:]
    delimiter = said or _delimiter(head, delimiters, share)
    sample = [record for record, _ in zip(_records(head, delimiter), range(500), strict=False)]
    header, line_end, end = sample[0]
    stored = [_value(cell) for cell in header]
    if not any(name.strip() for name in stored):
        raise ValueError("no column has a name in the header")
    names = own_names(stored)
    seen = [r for r, _, _ in (sample[1:] if whole else sample[1:-1]) if len(r) == len(names)]
    return _Style(
        preamble=preamble,
        delimiter=delimiter,
        line_end=line_end or "\n",
        end=begin + end,
        first=stands[: end - len(line_end)],
        stored=stored,
        names=names,
        bare=any('"' in cell for row in seen for cell in row if not cell.startswith('"')),
        backslashes=backslashes,
        quoting={name: _column_style([row[i] for row in seen], header[i], delimiter) for i, name in enumerate(names)},
    )


def _is_prose(head: str) -> bool:
    """Whether `cleanroom apply` would read it as text, and not as CSV."""
    records = _records(head, _delimiter(head, ",;\t|", 0.0))
    return holds_sentences(
        head, [len(cells) for cells, _, _ in records if len(cells) > 1 or _value(cells[0]).strip()][:200]
    )


def own_names(header: list[str]) -> list[str]:
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


def _delimiter(head: str, delimiters: str, share: float) -> str:
    """The delimiter with which most of the first records have as many fields as the header, and so large a share."""
    best, best_score = delimiters[0], (share, 0)
    for delimiter in delimiters:
        records = zip(_records(head, delimiter), range(100), strict=False)
        counts = [len(cells) for (cells, _, _), _ in records if len(cells) > 1 or _value(cells[0])]
        if counts and counts[0] > 1:
            best_score, best = max(
                (best_score, best), ((sum(c == counts[0] for c in counts) / len(counts), counts[0]), delimiter),
                key=lambda pair: pair[0],
            )  # fmt: skip
    return best


def _split(text: str, delimiter: str) -> Iterator[tuple[list[str], int]]:
    return ((list(map(_value, cells)), end) for cells, _, end in _records(text, delimiter))


def _value(cell: str) -> str:
    if not cell.startswith('"'):
        return cell
    end = cell.rfind('"')
    return cell[1:end].replace('""', '"') + cell[end + 1 :] if end > 0 else cell[1:]


def _column_style(cells: list[str], header: str, delimiter: str) -> tuple[bool, bool]:
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
