"""Lines before the header of a CSV file: a title, comments, or the `sep=;` that spreadsheets write; its delimiters.

The lines are kept, and written back as they were. A line is taken for one only where it cannot be the header, since the
rows have another number of fields, and where a row below it looks like names. Many programs pad a title with blank
fields: then the row below must have a name for each column. Called by the readers of CSV.
`registry.export` puts this text into its file, so it imports nothing of the package.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice

_SEPARATOR = re.compile(r'"?sep=([^\w\s"]|\t)"?(?:\r\n|\n|\r)', re.IGNORECASE)
_MAX_LINES_BEFORE = 20
_SAMPLE_ROWS = 200
_LEAST = 2  # columns: of two, a title with one blank field may be a header
_SAME_WIDTH = 0.8  # this share of the rows has as many fields as the header
_NUMBER = re.compile(r"[\s\d.,:/+-]*")
_YEAR = re.compile(r"(?:19|20)\d\d")

_ESCAPE = re.compile(r"\\(?:t|x([0-9a-fA-F]{2}))")

Split = Callable[[str, str], Iterator[tuple[list[str], int]]]
"""The records of a text, given the text and a delimiter: the values, and the position after each."""


def named_delimiter(named: str) -> str:
    """The character that a user means: itself, or written as \\t or \\x1f. Raises ValueError for what can be none."""
    found = _ESCAPE.fullmatch(named)
    sign = named if found is None else chr(int(found[1], 16)) if found[1] else "\t"
    if len(sign) != 1 or not sign.isascii() or sign.isalnum() or sign in '"\\\r\n\0':
        raise ValueError(f"{named!a:.60} is no delimiter; name one character in quotes, for example ';', '|', '\\t'")
    return sign


def likely_delimiters(text: str, kind: str, named: str | None = None) -> tuple[str, float]:
    """The delimiters that a file may have, and the share of its rows that must have as many fields as the header.

    A TSV file without any tab is read as what it is, which is often CSV; where it is nothing, it has one column.
    """
    if named is not None:
        return named, 0.0
    if kind != "tsv":
        return ",;\t|", 0.0
    return ("\t", 0.0) if "\t" in text else ("\t,;|", _SAME_WIDTH)


def before_header(text: str, delimiters: str, split: Split) -> tuple[int, str | None]:
    """How many characters of the text stand before the header, and the delimiter where they tell it, else None."""
    said = _SEPARATOR.match(text)
    if said and said[1] in delimiters:
        return said.end(), said[1]
    ends = {delimiter: _end_of_title(list(islice(split(text, delimiter), _SAMPLE_ROWS))) for delimiter in delimiters}
    likely = {delimiter: end for delimiter, end in ends.items() if end is not None}
    if len(likely) != 1 or 0 in likely.values():
        return 0, None
    return next((end, delimiter) for delimiter, end in likely.items())


def _end_of_title(records: list[tuple[list[str], int]]) -> int | None:
    """The position after the lines that no header can be; 0 if the first one can be it, None if it cannot be told."""
    counts = Counter(len(values) for values, _ in records if any(values))
    width, rows = counts.most_common(1)[0] if counts else (0, 0)
    place = next((place for place, (values, _) in enumerate(records) if len(values) == width), 0)
    full = next((place for place, (values, _) in enumerate(records) if len(values) == width and all(values)), 0)
    if width > _LEAST and _may_be_padded([values for values, _ in records[:full]]):
        records = [(_unpadded(values), end) for values, end in records[:full]] + records[full:]
        place = full
    filled = sum(any(values) for values, _ in records[place:])
    if width < 2 or rows < 2 or rows < _SAME_WIDTH * filled:
        return None
    above = [values for values, _ in records[:place]]
    if not above:
        return 0
    header = records[place][0]
    below = [values for values, _ in records[place + 1 :] if len(values) == width]
    titles = [values for values in above if any(values)]
    named = not titles or (_are_titles(titles, width, above) and _are_names(header, below))
    return records[place - 1][1] if named and place <= _MAX_LINES_BEFORE else None


def _may_be_padded(above: list[list[str]]) -> bool:
    """Whether each row has one filled cell; or more, as with an account, that leave half of it blank, and a blank row
    ends them.
    """
    parted = bool(above) and not any(above[-1])
    half_blank = all(len(_unpadded(values)) * 2 <= len(values) or len(values) == 1 for values in above)
    return max((sum(map(bool, values)) for values in above), default=0) == 1 or (parted and half_blank)


def _unpadded(values: list[str]) -> list[str]:
    """The cells up to the last one that is filled."""
    filled = [place for place, value in enumerate(values) if value]
    return values[: filled[-1] + 1] if filled else values[:1]


def _are_titles(titles: list[list[str]], width: int, above: list[list[str]]) -> bool:
    """Comments, sentences, or what a blank line parts from the header: not a header of too few names."""
    if not any(above[-1]):
        return all(len(values) < width for values in titles)
    return all(values[0].startswith("#") or (len(values) == 1 and " " in values[0].strip()) for values in titles)


def _are_names(header: list[str], below: list[list[str]]) -> bool:
    """Whether these are names of columns: distinct, no numbers but years, and no cell of the column."""
    names = header[:-1] if not header[-1].strip() else header
    numbers = [name for name in names if _NUMBER.fullmatch(name)]
    if len(set(names)) < len(names) or len(numbers) == len(names) or not all(map(_YEAR.fullmatch, numbers)):
        return False
    return not any(name == values[column] for column, name in enumerate(names) for values in below)
