"""Tables in as many pieces as a process of an applied function is given, and what it made of them. Called by
`function_runner`.

Several batches are the pieces where there are as many; else the largest are cut, which a function that treats each row
by itself does not notice. So every process looks the same, and costs a fork for all of its pieces.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from orchestrator.run.rows.contract import CheckedBatch


class Piece(NamedTuple):
    """Some rows of the table with this number; of no table where there were too few rows, and it is one once more."""

    of: int | None
    table: pa.Table


class Share(NamedTuple):
    """What one process is given: the number of its function, the places of its tables, and these in pieces."""

    function: int
    places: list[int]
    pieces: list[Piece]


def shared_out(given: Sequence[tuple[int, pa.Table]], count: int, most: int | None = None) -> list[Share]:
    """Tables for functions with these numbers, shared out to processes of so many pieces, of at most so many tables.

    Functions with the same tables get the same pieces of them.
    """
    most = most or count
    cut: dict[tuple[int, ...], list[Piece]] = {}
    shares = []
    for function in dict.fromkeys(number for number, _ in given):
        own = [place for place, (number, _) in enumerate(given) if number == function]
        for places in (own[at : at + most] for at in range(0, len(own), most)):
            tables = [given[place][1] for place in places]
            which = tuple(map(id, tables))
            if which not in cut:
                cut[which] = in_pieces(tables, count)
            shares.append(Share(function, places, cut[which]))
    return shares


def in_pieces(tables: Sequence[pa.Table], count: int) -> list[Piece]:
    """The rows of at most so many tables in just as many pieces, in their order."""
    pieces = [Piece(number, table) for number, table in enumerate(tables)]
    while len(pieces) < count:
        place = max(range(len(pieces)), key=lambda place: pieces[place].table.num_rows)
        of, table = pieces[place]
        half = table.num_rows // 2
        if not half:
            return [*pieces, *[Piece(None, table)] * (count - len(pieces))]
        pieces[place : place + 1] = [Piece(of, table.slice(0, half)), Piece(of, table.slice(half))]
    return pieces


def put_together(table: pa.Table, made: Sequence[CheckedBatch]) -> CheckedBatch:
    """What a function made of the table, by its pieces. Raises pa.ArrowException for types that do not fit."""
    if len(made) == 1:
        return replace(made[0], source=table)
    starts = np.cumsum([0, *(one.source.num_rows for one in made)])
    result = pa.concat_tables([one.table for one in made], promote_options="permissive").combine_chunks()
    changed = dict.fromkeys(name for one in made for name in one.masks)
    return replace(
        made[0],
        source=table,
        table=result,
        rows=np.concatenate([one.rows + start for one, start in zip(made, starts, strict=False)]),
        masks={name: np.concatenate([_mask(one, name) for one in made]) for name in changed},
        flags=None if made[0].flags is None else np.concatenate([one.flags for one in made]),
    )


def _mask(one: CheckedBatch, name: str) -> Any:
    return one.masks.get(name, np.zeros(one.table.num_rows, np.bool_))
