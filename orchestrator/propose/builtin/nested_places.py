"""What stands inside of lists and objects, as columns: `"1,234.00 "` in `{"price": "1,234.00 "}` is a cell like others.

In a table of JSON or CSV rows a list or an object is the text of its JSON. Its places become tables: one whose rows are
those of the column, and one for each kind of list, whose rows are the items.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from orchestrator.propose.builtin.working_rows import Cell, TextColumn, WorkingRows

MAX_PLACES = 60  # of one table; where there are more, many keys are names of things, as in a table of its own
_USUAL = 0.25  # of the rows have a place, there
_LEVELS = 30
_MOSTLY = 0.5  # of the texts in a column are lists or objects
_CODE = re.compile(r"\s*0\d+\s*")


class _Bare(str):
    """A number, true or false, as it is written."""

    __slots__ = ()


@dataclass(frozen=True)
class NestedTable:
    """Places of one column. `label`: what it is called; `names`: the column of `rows` for each place.

    `bare`: places where most values are numbers, or true and false, so that a text that becomes one is written as such.
    """

    label: str
    names: dict[str, str]
    bare: frozenset[str]
    rows: WorkingRows


def holds_json(column: TextColumn) -> bool:
    """Whether most texts of the column are lists and objects."""
    return column.learnt(holds_json, lambda one: one.may_be(_is_bracketed) and bool(_values(one)))


def nested_tables(column: TextColumn) -> list[NestedTable]:
    """What the rules can look at inside of the column's lists and objects."""
    return column.learnt(nested_tables, _read) if holds_json(column) else []


def _inside(cell: str, fixes: "dict[str, Callable[[str], str | None]]", bare: list[str]) -> str:
    """The JSON of a list or an object with the texts at these places repaired, and all else as it is written."""
    try:
        if cell[:1] not in ("[", "{") or not isinstance(json.loads(cell, parse_int=str), list | dict):
            return cell
    except (ValueError, RecursionError):
        return cell
    made: list[str] = []
    done, path = 0, []
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[][{},]', cell):
        sign = token[0]
        if sign in "[{":
            path.append("[]" if sign == "[" else "")
        elif sign in "]}":
            path.pop()
        elif sign == ",":
            path[-1] = "[]" if path[-1] == "[]" else ""
        elif path[-1] == "":
            path[-1] = "." + json.loads(sign)
        elif len(path) <= 30 and (place := "".join(path)) in fixes:
            text = json.loads(sign)
            new = fixes[place](text)
            if new != text:
                made += [cell[done : token.start()], _as_json(new, place in bare)]
                done = token.end()
    return "".join([*made, cell[done:]])


def _as_json(new: str | None, bare: bool) -> str:
    """A text in JSON; without quotes where it is a plain number, true or false, and others of its place are."""
    if new is None or (bare and re.fullmatch(r"true|false|-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?", new)):
        return "null" if new is None else new
    return json.dumps(new, ensure_ascii=re.search("[\ud800-\udfff]", new) is not None)


def _read(column: TextColumn) -> list[NestedTable]:
    tables: dict[str, list[dict[str, Cell]]] = {"": []}
    for value in _values(column):
        tables[""].append({})
        _collect(value, "", tables[""][-1], tables)
    return [made for group, rows in tables.items() if (made := _table(column.name, group, rows)) is not None]


def _values(column: TextColumn) -> list[Any]:
    """The lists and objects, row by row; None for anything else. None at all where most texts are no JSON."""
    values = [_value(cell) for cell in column.cells]
    known = sum(isinstance(value, list | dict) for value in values)
    return values if known >= _MOSTLY * column.filled else []


def _value(cell: Cell) -> Any:
    try:
        return json.loads(cell, parse_int=_Bare, parse_float=_Bare) if cell and _is_bracketed(cell) else None
    except (ValueError, RecursionError):
        return None


def _is_bracketed(text: str) -> bool:
    return text[:1] + text[-1:] in ("[]", "{}")


def _collect(value: Any, place: str, row: dict[str, Cell], tables: dict[str, list[dict[str, Cell]]]) -> None:
    """Put the value into the row, and the items of lists into rows of their own tables."""
    if isinstance(value, dict) and place.count(".") + place.count("[]") < _LEVELS:
        for key, inner in value.items():
            _collect(inner, f"{place}.{key}", row, tables)
    elif isinstance(value, list) and place.count(".") + place.count("[]") < _LEVELS:
        for item in value:
            own: dict[str, Cell] = {}
            tables.setdefault(f"{place}[]", []).append(own)
            _collect(item, f"{place}[]", own, tables)
    elif isinstance(value, str):
        row[place] = value
    elif isinstance(value, bool):
        row[place] = _Bare("true" if value else "false")


def _table(column: str, group: str, rows: list[dict[str, Cell]]) -> NestedTable | None:
    """The places of one kind of rows that hold texts; None where there are none. Of very many, those that most have."""
    counts = Counter(place for row in rows for place in row)
    usual = {place for place, count in counts.most_common(MAX_PLACES) if count >= _USUAL * len(rows)}
    seen = [place for place in counts if place in usual or len(counts) <= MAX_PLACES]
    held = {place: [cell for row in rows if (cell := row.get(place)) is not None] for place in seen}
    texts = {place: cells for place, cells in held.items() if not all(isinstance(cell, _Bare) for cell in cells)}
    short = {place: place[len(group) :].lstrip(".") or column for place in texts}
    names = short if len(set(short.values())) == len(short) else {place: column + place for place in texts}
    columns = tuple(TextColumn(name, [row.get(place) for row in rows]) for place, name in names.items())
    bare = frozenset(place for place, cells in texts.items() if _is_bare(cells))
    return NestedTable(column + group, names, bare, WorkingRows(columns, len(rows))) if names else None


def _is_bare(cells: list[str]) -> bool:
    """Whether most values are no texts, and no text is a code with a zero in front."""
    own = sum(isinstance(cell, _Bare) for cell in cells)
    return 2 * own > len(cells) and not any(_CODE.fullmatch(cell) for cell in cells)


def places_of(table: NestedTable, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The places of these columns, each with its column."""
    return ((place, name) for place, name in table.names.items() if name in names)
