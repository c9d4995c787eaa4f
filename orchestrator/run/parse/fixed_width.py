"""Writes a parser for a file of fixed width: columns at the same characters in each line. Called by `parser_choice`.

Columns are where a line of dashes draws them, else where not all lines of the beginning have a blank, or as wide as
`--widths` says. What it writes is source text as anybody could have written it, and it is judged as such: nothing here
is trusted.
"""

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise

from orchestrator.core.errors import DataError, UsageError
from orchestrator.data.formats.text_source import binary_kind
from orchestrator.data.raw_file import RawFile

_SAMPLE_BYTES = 256 * 2**10
_MIN_LINES = 3
_ADVICE = "Say how wide the columns are, as in --widths 8,20,6, or name a parser with --parser."
_DASHES = re.compile(r"[-=]+(?: +[-=]+)+")
_NO_WIDTH = "\f\ufeff"
_RULE = re.compile(r"[-=_+|\s]*")
_SOURCE = '''"""Fixed width: {count} columns at the same characters in each line."""

CONTRACT = {{"shape": "parser", "columns": {names!r}}}
PLACES = {places!r}
HEADER = {header!r}
NO_WIDTH = {no_width!r}  # a new page, the mark of the encoding


def _row(line):
    text = line.decode({codec!r}).rstrip("\\r\\n").lstrip(NO_WIDTH)
    if not text.strip("-=_+| \\t\\f\\x1a"):
        return None
    if "\\t" in text[: PLACES[-1][0]]:
        raise ValueError(f"there is a tab, and nothing says how wide it is: {{text[:60]!r}}")
    start = 0
    cells = []
    for begin, end in PLACES:
        if text[start:begin].strip(" "):
            raise ValueError(f"there is text between columns, at character {{start + 1}} to {{begin}}: {{text[:60]!r}}")
        cells.append(text[begin:end].strip(" ") or None)
        start = len(text) if end is None else end
    if text[start:].strip(" "):
        raise ValueError(f"there is text after the last column: {{text[:80]!r}}")
    return dict(zip(CONTRACT["columns"], cells))


def parse(data, state, last):
    """A row for each line; blank lines, lines of dashes and the header are none. The state: whether it has begun."""
    rows = []
    at = 0
    while at < len(data):
        end = data.find(b"\\n", at) + 1 or (len(data) if last else 0)
        if not end:
            break
        is_header = HEADER and not state and data[at:end].strip() != b""
        rows.append((end - at, None if is_header else _row(data[at:end])))
        state = state or data[at:end].strip() != b""
        at = end
    return rows, state
'''


def fixed_width_parser(file: RawFile, widths: str | None = None, encoding: str | None = None) -> str:
    """The source of a parser for the file. Raises UsageError, DataError where no columns can be found."""
    said = None if widths is None else _said(widths)
    lines = _lines(file, encoding or "utf-8", fewest=_MIN_LINES if said is None else 1)
    places = said or _drawn(lines) or _found(lines)
    lines = [line for line in lines if not _RULE.fullmatch(line)]
    if len(places) < 2:
        raise DataError(f"{file}: no character is blank in all lines, so no columns can be found.", advice=_ADVICE)
    header = _header(lines, places)
    names = header or unnamed(len(places))
    return _SOURCE.format(
        count=len(places),
        names=names,
        places=places,
        header=bool(header),
        codec=encoding or "utf-8",
        no_width=_NO_WIDTH,
    )


def unnamed(columns: int) -> list[str]:
    """The names of columns where the file has none."""
    return [f"column_{number}" for number in range(1, columns + 1)]


def _lines(file: RawFile, encoding: str, fewest: int) -> list[str]:
    with file.open() as opened:
        head = opened.read(_SAMPLE_BYTES)
    if kind := binary_kind(head):
        advice = "A table or document is read without a parser, by `apply` and the others; a packed file by its name."
        raise DataError(f"{file} is no text but {kind}, by its first bytes.", advice=advice)
    if len(head) == _SAMPLE_BYTES:
        head = head[: head.rfind(b"\n") + 1]
    try:
        text = head.decode(encoding)
        if not "\n\n".encode(encoding).endswith(b"\n\n"):
            raise DataError(
                f"{file}: lines of text in {encoding} cannot be found.", advice="Convert it to UTF-8 first."
            )
    except (UnicodeDecodeError, LookupError) as error:
        raise DataError(f"{file} cannot be read as text: {error}.", advice="Name its --encoding.") from None
    lines = [line.rstrip().lstrip(_NO_WIDTH).rstrip("\x1a") for line in text.split("\n")]
    lines = [line for line in lines if line]
    if len(lines) < fewest:
        raise DataError(f"{file} has too few lines to find columns in them.", advice=_ADVICE)
    return lines


def _drawn(lines: Sequence[str]) -> list[tuple[int, int | None]]:
    """The columns that a line of dashes near the top draws, as exports of databases have one; else none."""
    rule = next((line for line in lines[:3] if _DASHES.fullmatch(line)), "")
    runs = [(run.start(), run.end()) for run in re.finditer(r"[-=]+", rule)]
    return [*runs[:-1], (runs[-1][0], None)] if runs else []


def _found(lines: Sequence[str]) -> list[tuple[int, int | None]]:
    """First character and end of each column: runs of characters that some line has."""
    longest = max(map(len, lines))
    blank = [all(line[at : at + 1] in ("", " ") for line in lines) for at in range(longest)]
    starts = [at for at in range(longest) if not blank[at] and (at == 0 or blank[at - 1])]
    ends: list[int | None] = [at for at in range(1, longest) if blank[at] and not blank[at - 1]]
    return list(zip(starts, [*ends, None], strict=True))


def _said(widths: str) -> list[tuple[int, int | None]]:
    try:
        sizes = [int(width) for width in widths.split(",")]
    except ValueError:
        sizes = []
    if len(sizes) < 2 or min(sizes) < 1:
        raise UsageError(f"{widths!r} is no list of widths of two columns or more.", advice="For example 8,20,6.")
    return list(pairwise([0, *accumulate(sizes)]))


def _header(lines: Sequence[str], places: Sequence[tuple[int, int | None]]) -> list[str]:
    """The names in the first line, where it holds no digit and below one of them are mostly numbers; else none.

    A column that is blank in all lines needs no name: it is a gap.
    """
    first, *rest = [[line[start:end].strip() for start, end in places] for line in lines]
    gaps = [not name and not any(cells) for name, *cells in zip(first, *rest, strict=True)]
    first = [f"column_{number}" if gap else name for number, (name, gap) in enumerate(zip(first, gaps, strict=True), 1)]
    named = [name for name, gap in zip(first, gaps, strict=True) if not gap]
    if not all(named) or any(c.isdigit() for name in named for c in name) or len({*first}) < len(first):
        return []
    for column in zip(*rest, strict=True):
        cells = [cell for cell in column if cell]
        if cells and sum(any(c.isdigit() for c in cell) for cell in cells) > 0.9 * len(cells):
            return first
    return []
