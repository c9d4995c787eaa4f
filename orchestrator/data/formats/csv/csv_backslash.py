"""Quotes inside of cells that a backslash escapes, as Spark and MySQL write them. Called by the readers of CSV.

What is read is turned into the usual form, doubled quotes, of the same length. Another backslash is a character like
any other, and two of them stay two, so that a cell that nobody changes is written as it was.
`registry.export` puts this text into its file, so it imports nothing of the package.
"""

import re
from collections.abc import Iterable, Iterator

_CELL = r'"(?:[^"\\]|\\.|"")*+"'
_OPEN = r'"(?:[^"\\]|\\.|""|\\\Z)*+(?:"|\Z)'
_USUAL = re.compile(r'"(?:[^"]|"")*+"')
_PAIR = re.compile(r"(?s)\\(.)")
ENDS = ",;\t|"
_BEFORE_A_QUOTE = re.compile(r'(?<!\\)(?:\\\\)*\\(?="|\Z)')  # an odd number of backslashes


def has_backslashes(text: str, delimiters: str = ENDS) -> bool:
    """Whether quoted cells have quotes that only a backslash keeps from being their end, and none has doubled ones."""
    if '\\"' not in text or '\\"' in re.sub(rf"(?s)(?<![^{re.escape(delimiters)}\r\n]){_OPEN}", "", text):
        return False
    found = False
    for cell in _quoted_cells(text, delimiters, _CELL):
        inner = cell[0][1:-1]
        if '"' not in inner:
            continue
        usual = _USUAL.match(text, cell.start())
        if '""' in _PAIR.sub("", inner) or not _ends(text, cell.end(), delimiters):
            return False
        found = found or usual is None or not _ends(text, usual.end(), delimiters)
    return found


def doubled(text: str, delimiters: str = ENDS) -> str:
    """The text with doubled quotes in quoted cells; the last one may go on behind the text."""
    if '\\"' not in text:
        return text
    parts, at = [], 0
    for cell in _quoted_cells(text, delimiters, _OPEN):
        parts += [text[at : cell.start()], _PAIR.sub(lambda pair: '""' if pair[1] == '"' else pair[0], cell[0])]
        at = cell.end()
    return "".join([*parts, text[at:]])


def escaped(value: str) -> str:
    """What stands between the quotes of a cell; an own backslash keeps no quote from being one, nor from the end."""
    return _BEFORE_A_QUOTE.sub(lambda found: found[0] + "\\", value).replace('"', '\\"')


def end_of_records(text: str, delimiter: str) -> int:
    """The position after the last record in the text that is complete."""
    d = re.escape(delimiter)
    cell = rf'(?:{_CELL}[^{d}\r\n]*+|(?!")[^{d}\r\n]*+)'
    found = re.compile(rf"(?s)(?:{cell}(?:{d}{cell})*+(?:\r\n|\n|\r(?!\Z)))*+").match(text)
    return found.end() if found else 0


def doubled_lines(lines: Iterable[str], delimiter: str) -> Iterator[str]:
    """The same for a file, line by line; a record of several lines is one text."""
    waiting = ""
    for line in lines:
        waiting += line
        if '\\"' not in waiting or end_of_records(waiting, delimiter) == len(waiting):
            yield doubled(waiting, delimiter)
            waiting = ""
    yield from [doubled(waiting, delimiter)] if waiting else []


def _quoted_cells(text: str, ends: str, cell: str) -> "Iterator[re.Match[str]]":
    return re.finditer(rf"(?s)(?<![^{re.escape(ends)}\r\n]){cell}", text)


def _ends(text: str, place: int, delimiters: str) -> bool:
    return text[place : place + 1] in ("", *delimiters, "\r", "\n")
