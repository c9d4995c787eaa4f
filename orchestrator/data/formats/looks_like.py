"""What a text looks like whose name says another format. Called by the readers of tables and of JSON, for a refusal."""

import re
from collections.abc import Iterator

_LIST = re.compile(r"\s*\[\s*\{\s*[\"}]")
_OBJECT = re.compile(r"\s*\{\s*\"")
_BY_COLUMN = re.compile(r'\s*\{\s*"((?:[^"\\]|\\.)*)"\s*:\s*\{\s*"[0-9]+"\s*:')
_SPLIT = re.compile(r'\s*\{\s*"columns"\s*:\s*\[')
_RECORDS = 'df.to_json(FILE, orient="records") writes rows'
_TURNED = "[(.[keys_unsorted[0]] | keys_unsorted[]) as $row | map_values(.[$row])]"
_DELIMITERS = ",;\t|"


def json_of(text: str) -> str:
    """`json` or `jsonl` where the head of a table begins as such, else empty: no header begins with such signs."""
    if _LIST.match(text):
        return "json"
    if not _OBJECT.match(text):
        return ""
    return "jsonl" if next(_lines(text)).endswith("}") else "json"


def table_of(text: str) -> str:
    """`csv` or `tsv` where what shall be JSON begins with a line of several words or quoted texts, else empty."""
    first = next(_lines(text), "")
    if not first or first[0] in "{[" or not any(sign in first for sign in _DELIMITERS):
        return ""
    return "tsv" if "\t" in first else "csv"


def columns_of(text: str) -> str:
    """What to do where JSON begins as pandas writes a table column by column; else empty."""
    if _SPLIT.match(text):
        return f"It holds columns, as pandas writes them: {_RECORDS}."
    by_column = _BY_COLUMN.match(text)
    if by_column is None or by_column[1].isdecimal():
        return ""
    return f"It holds columns, as pandas writes them by default: {_RECORDS}, and jq '{_TURNED}' turns this file."


def _lines(text: str) -> Iterator[str]:
    return (stripped for line in text.splitlines() if (stripped := line.strip()))
