"""Makes records that samples rarely hold: empty, null, of the wrong type, deep, huge, odd. Called by `case_planner`.

Data without a schema can hold any of this; a function of records must leave alone what it does not know.
"""

from collections.abc import Mapping
from itertools import cycle
from typing import Any

import pyarrow as pa

from orchestrator.core.candidate import Contract, Shape
from orchestrator.data.record_tables import ABSENT, MARK, RecordRow, cell_of, kind_of, table_of, value_of
from orchestrator.gate.information.text_changes.text_cut import is_prose
from orchestrator.gate.inputs.edge_tables import BLANKS, ODD_TEXT

_DEPTH = 50
_LENGTHS = (300, 1_000, 5_000, 20_000)
_LONG = 100_000
_NUMBERS = (0, 1, -1, 2**53 + 1, 2**63, -(2**63), 10**30, 0.0, -0.0, 0.1, 1.7e308, 5e-324)
_OTHERS: tuple[Any, ...] = (
    True,
    False,
    None,
    [],
    {},
    [""],
    [None, 1, "a"],
    {"": None},
    {"a": {"b": [1, {"c": " x "}]}},
)


def _deep(depth: int) -> Any:
    value: Any = " x "
    for level in range(depth):
        value = [value] if level % 2 else {"inner": value}
    return value


_Cells = tuple[str | None, ...]
_ODD: tuple[Any, ...] = (*ODD_TEXT, *_NUMBERS, *_OTHERS, _deep(_DEPTH), f"{MARK}1")
_ODD_CELLS: _Cells = (*(cell_of(value) for value in _ODD), ABSENT)
_ODD_TEXT_CELLS: _Cells = tuple(cell_of(text) for text in (*ODD_TEXT, f"{MARK}1"))


def nulls(table: pa.Table, contract: Contract) -> pa.Table:
    """Records in which every value is null, and for functions of records one without keys, and ones that lack a key."""
    names = table.column_names
    rows: list[RecordRow] = [dict.fromkeys(names)]
    if contract.shape is Shape.RECORD:
        rows += [{}, *({name: None for name in names if name != missing} for missing in _named(table, contract))]
        first = {name: table.column(name)[0].as_py() for name in names} if table.num_rows else {}
        rows += [{name: cell for name, cell in first.items() if name != gone} for gone in _named(table, contract)]
    return table_of(rows, names)


def blanks(table: pa.Table) -> pa.Table:
    """Every text empty or white space; the rest as in the sample."""
    columns = dict.fromkeys([name for name in table.column_names if _holds(table, name, "text")], BLANKS)
    return _made(table, columns, len(BLANKS))


def odd(table: pa.Table, contract: Contract) -> pa.Table:
    """Unusual and huge texts, extreme numbers, values of other types; each column starts at another place of the list.

    A function of texts is only ever given texts, in its columns.
    """
    if contract.shape is Shape.TEXT:
        return _made(table, dict.fromkeys(_named(table, contract), _ODD_TEXT_CELLS), len(_ODD_TEXT_CELLS))
    rows = len(_ODD_CELLS)
    columns: dict[str, _Cells] = {}
    for position, name in enumerate(table.column_names):
        shift = (7 * position) % rows
        columns[name] = _ODD_CELLS[shift:] + _ODD_CELLS[:shift]
    return _made(table, columns, rows)


def long_texts(table: pa.Table, contract: Contract) -> pa.Table:
    """Rows whose texts are many of the sample's, a line each; where the sample is prose, one as long as a book."""
    columns: dict[str, _Cells] = {}
    for name in _named(table, contract):
        texts = [value for cell in table.column(name).to_pylist() if isinstance(value := value_of(cell), str) and value]
        lines = [text for _, text in zip(range(_LONG), cycle(texts), strict=False)]
        lengths = (*_LENGTHS, _LONG if is_prose(texts) else _LENGTHS[-1])
        made = ["\n".join(lines)[:length] for length in lengths] if texts else []
        columns[name] = tuple(cell_of(text) for text in made) or (None,) * len(lengths)
    return _made(table, columns, len(_LENGTHS) + 1)


def _named(table: pa.Table, contract: Contract) -> list[str]:
    """The columns that the contract names, or all."""
    return [name for name in contract.modifies or () if name in table.column_names] or table.column_names[:20]


def _holds(table: pa.Table, name: str, kind: str) -> bool:
    return any(kind_of(cell) == kind for cell in table.column(name).to_pylist())


def _made(table: pa.Table, columns: Mapping[str, _Cells], rows: int) -> pa.Table:
    """A record table of `rows` rows: the given columns' cells, the sample's own in turn elsewhere."""
    cells = {
        name: columns[name] if name in columns else [own[row % len(own)] for row in range(rows)]
        for name in table.column_names
        if (own := table.column(name).to_pylist() or [None])
    }
    return table_of([{name: cells[name][row] for name in cells} for row in range(rows)], table.column_names)
