"""How a CSV file is written: delimiter, quoting, line ends. Found in its head; kept when it is written again.

Called by the CSV reader and writer. Quoting is learnt per column, since exporters quote per type: some quote every
text but no number, some quote everything but blanks.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from orchestrator.data.formats.column_names import own_names
from orchestrator.data.formats.csv.csv_preamble import before_header, likely_delimiters
from orchestrator.data.formats.text_source import Encoding

SAMPLE_BYTES = 2**18
MAX_COLUMNS = 2_000
_SAMPLE_RECORDS = 500
FILLED_UP = re.compile(r"\S {2,}(?=\S)")  # by blanks, as what stands in columns of fixed width
_NEARLY_ALL = 0.9


@dataclass(frozen=True, slots=True)
class Quoting:
    """Whether cells that need no quotes have them: those with text, and blank ones."""

    text: bool = False
    blank: bool = False


@dataclass(frozen=True, slots=True)
class Dialect:
    """What is needed to write a cell as it was."""

    delimiter: str = ","
    encoding: Encoding = field(default_factory=Encoding)
    line_end: str = "\n"
    mixed_line_ends: bool = False  # seen in the head of the file; all are written as that of the header
    final_line_end: bool = True
    bare_quotes: bool = False  # a quote inside a cell is not escaped: 5" pipe
    backslashes: bool = False  # a quote inside a quoted cell is written with one (`csv_backslash`)
    header: tuple[str, ...] = ()  # the names under which columns are read
    stored: tuple[str, ...] = ()  # those that stand in the file
    header_bytes: bytes = b""  # as it was, without line end
    preamble: str = ""  # the lines before the header
    columns: tuple[Quoting, ...] = ()

    @classmethod
    def plain(cls, kind: str) -> "Dialect":
        """The default dialect, when there is no source file to follow."""
        return cls(delimiter="\t" if kind == "tsv" else ",")

    def stored_name(self, name: str) -> str:
        """What the file calls a column."""
        return self.stored[self.header.index(name)] if name in self.header else name

    def quoting(self, name: str) -> Quoting:
        return self.columns[self.header.index(name)] if name in self.header else Quoting()


class CsvField:
    """One field: its value, and whether it was in quotes."""

    __slots__ = ("quoted", "value")

    def __init__(self, text: str) -> None:
        self.quoted = text.startswith('"')
        self.value = text
        if self.quoted:
            end = text.rfind('"')
            self.value = text[1:end].replace('""', '"') + text[end + 1 :] if end > 0 else text[1:]


@lru_cache
def _pattern(delimiter: str) -> re.Pattern[str]:
    d = re.escape(delimiter)
    return re.compile(rf'("(?:[^"]|"")*+"?[^{d}\r\n]*+|[^{d}\r\n]*+)({d}|\r\n|\n|\r|\Z)')


def records(text: str, delimiter: str) -> Iterator[tuple[list[CsvField], str, int]]:
    """The records in the text, each with its line end and the position after it. Blank lines are records, too."""
    pattern = _pattern(delimiter)
    at = 0
    cells: list[CsvField] = []
    while at < len(text) or cells:
        found = pattern.match(text, at)
        if found is None:  # every text matches; a guard against an endless loop
            return
        cells.append(CsvField(found[1]))
        at = found.end()
        if found[2] != delimiter:
            yield cells, found[2], at
            cells = []


@lru_cache
def _whole_records(delimiter: bytes) -> re.Pattern[bytes]:
    d = re.escape(delimiter)
    cell = rb'(?:"(?:[^"]|"")*+"[^%b\r\n]*+|(?!")[^%b\r\n]*+)' % (d, d)
    return re.compile(rb"(?:%b(?:%b%b)*+(?:\r\n|\n|\r(?!\Z)))*+" % (cell, d, cell))


def end_of_records(data: bytes, delimiter: str) -> int:
    """The position after the last record in the data that is complete; slower than counting quotes, but exact."""
    found = _whole_records(delimiter.encode()).match(data)
    return found.end() if found else 0


def header_place(text: str, kind: str, named: str | None = None) -> tuple[int, str]:
    """Where the header begins in the text, as a number of characters, and the delimiter: as named, or guessed."""
    delimiters, share = likely_delimiters(text, kind, named)
    begin, delimiter = before_header(text, delimiters, _values)
    return begin, delimiter or sniff_delimiter(text[begin:], delimiters, share)


def _values(text: str, delimiter: str) -> Iterator[tuple[list[str], int]]:
    return (([cell.value for cell in cells], end) for cells, _, end in records(text, delimiter))


def sniff_delimiter(text: str, delimiters: str = ",;\t|", share: float = 0.0) -> str:
    """The delimiter with which most records have as many fields as the first: more than one, and in this share."""
    best, best_score = delimiters[0], (share, 0)
    for delimiter in delimiters:
        counts = [len(cells) for cells, _, _ in _head(text, delimiter, 100) if len(cells) > 1 or cells[0].value]
        if not counts or counts[0] < 2:
            continue
        score = (sum(count == counts[0] for count in counts) / len(counts), counts[0])
        if score > best_score:
            best, best_score = delimiter, score
    return best


def unusual_delimiter(text: str) -> str:
    """A sign that is no usual delimiter, and stands in the header as often as in each of the lines below; else ""."""
    header, *lines = text.splitlines()[:50]
    signs = (sign for sign in header if sign.isascii() and not sign.isalnum() and sign not in " _-.'\"/\\()")
    return next((s for s in signs if len(lines) > 1 and all(line.count(s) == header.count(s) for line in lines)), "")


def is_of_fixed_width(text: str, names: tuple[str, ...]) -> bool:
    """Whether blanks fill up the one name, or nearly all lines twice: no delimiter parts such columns."""
    if len(names) == 1:
        return FILLED_UP.search(names[0]) is not None
    lines = [line for line in text.splitlines()[:50] if line.strip()]
    return len(lines) > 2 and sum(len(FILLED_UP.findall(line)) > 1 for line in lines) >= _NEARLY_ALL * len(lines)


def learn(text: str, delimiter: str, encoding: Encoding, *, whole: bool) -> tuple[Dialect, int]:
    """The dialect of the text, and the number of characters up to the end of the header.

    `whole` is False when the text is only the head of the file: its last record may be cut off and is then ignored.
    """
    sample = _head(text, delimiter, _SAMPLE_RECORDS)
    header_cells, line_end, end = sample[0]
    complete = sample if whole else sample[:-1]
    rows = [cells for cells, _, _ in complete[1:] if len(cells) == len(header_cells)]
    dialect = Dialect(
        delimiter=delimiter,
        encoding=encoding,
        line_end=line_end or "\n",
        mixed_line_ends=len({found for _, found, _ in complete if found}) > 1,
        bare_quotes=any('"' in cell.value for cells in rows for cell in cells if not cell.quoted),
        header=own_names([cell.value for cell in header_cells]),
        stored=tuple(cell.value for cell in header_cells),
        header_bytes=text[: end - len(line_end)].encode(),
        columns=tuple(_quoting([row[i] for row in rows], header_cells[i], delimiter) for i in range(len(header_cells))),
    )
    return dialect, end


def _head(text: str, delimiter: str, count: int) -> list[tuple[list[CsvField], str, int]]:
    return [record for record, _ in zip(records(text, delimiter), range(count), strict=False)]


def first_rows(text: str, delimiter: str, count: int) -> list[list[str]]:
    """The cells of the first records that are not blank, and have as many fields as the first such one."""
    rows = [values for cells, _, _ in _head(text, delimiter, count) if any(values := [cell.value for cell in cells])]
    return [values for values in rows if len(values) == len(rows[0])]


def _quoting(cells: list[CsvField], header: CsvField, delimiter: str) -> Quoting:
    blanks = [cell.quoted for cell in cells if not cell.value]
    texts = [cell.quoted for cell in cells if cell.value and not _needs(cell.value, delimiter)]
    text = sum(texts) * 2 > len(texts) if texts else header.quoted and any(cell.quoted for cell in cells)
    return Quoting(text=text, blank=sum(blanks) * 2 > len(blanks) if blanks else text)


def _needs(value: str, delimiter: str) -> bool:
    return '"' in value or delimiter in value or "\n" in value or "\r" in value
