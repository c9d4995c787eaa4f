"""Tables are cut so that every process gets as many, and what was made of the pieces is put together again."""

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from orchestrator.core.policy import TABLES_OF_A_PROCESS
from orchestrator.core.ports import SandboxAccess
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile import decode_entry
from orchestrator.run.apply.function_runner import FunctionFailed, FunctionRunner
from orchestrator.run.apply.pieces import in_pieces, shared_out
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.run.apply.test_batch_grouping import function

if TYPE_CHECKING:
    from orchestrator.core.promoted import Promoted

DROPS = '''
"""Rows without a number."""
CONTRACT = {"shape": "table", "modifies": ["a"], "drops_rows": True}
def detect(df):
    """True where a row has the issue."""
    return df["n"].isna() | (df["a"] != df["a"].str.strip())
def drops(df):
    """Drop them, and strip the others."""
    out = df[df["n"].notna()].copy()
    out["a"] = out["a"].str.strip()
    return out
'''
FAILS = '''
"""Fails on one row."""
CONTRACT = {"shape": "table", "modifies": ["a"]}
def fails(df):
    """Upper case, but not of everything."""
    if (df["n"] == 5).any():
        raise ValueError("five")
    return df.assign(a=df["a"].str.upper())
'''


@pytest.fixture
def access() -> Iterator[SandboxAccess]:
    with LocalSandbox() as sandbox, DisposableProcess(decode_entry.ENTRY) as decoder:
        yield SandboxAccess(sandbox, decoder)


def table(rows: int) -> pa.Table:
    numbers = pa.array([None if row % 3 == 0 else row for row in range(rows)], pa.int16())
    return pa.table({"a": [f" {row}"[row % 2 :] for row in range(rows)], "n": numbers})


@pytest.mark.parametrize("rows", [[0], [1], [2], [3], [10], [12, 3], [1, 1], [5, 0, 7], [2, 2, 2, 2]])
def test_every_process_gets_as_many_tables(rows: list[int]) -> None:
    """The pieces of a table are its rows in their order; where there are too few rows, one piece is there again."""
    tables = [table(count) for count in rows]
    pieces = in_pieces(tables, TABLES_OF_A_PROCESS)
    assert len(pieces) == TABLES_OF_A_PROCESS
    for number, whole in enumerate(tables):
        assert pa.concat_tables([piece.table for piece in pieces if piece.of == number]).equals(whole)
    assert sum(rows) < TABLES_OF_A_PROCESS or 0 in rows or all(piece.of is not None for piece in pieces)


def test_functions_with_the_same_tables_get_the_same_pieces() -> None:
    """So that a piece is sent once for all of them; no process has two functions."""
    tables = [table(count) for count in (4, 5, 6, 7, 8)]
    shares = shared_out([(number, one) for number in range(2) for one in tables], 4)
    assert [(share.function, share.places) for share in shares] == [
        (0, [0, 1, 2, 3]), (0, [4]), (1, [5, 6, 7, 8]), (1, [9]),
    ]  # fmt: skip
    assert shares[0].pieces is shares[2].pieces
    assert shares[1].pieces is shares[3].pieces


def test_rows_that_are_dropped_in_pieces_are_told_by_their_places_in_the_whole(access: SandboxAccess) -> None:
    """Table, places, changed cells and flags are those of the whole table."""
    drops, whole = function(DROPS), table(11)
    kept = [row for row in range(11) if row % 3]
    with closing(FunctionRunner(access, [drops], detect=True)) as runner:
        (made,) = runner.run_each([(drops, whole)])
        again = runner.run(drops, whole, 10.0)
    for one in (made, again):
        assert one is not None
        assert one.source is whole
        assert one.rows.tolist() == kept
        assert one.table.to_pydict() == {"a": [str(row) for row in kept], "n": kept}
        assert one.table.schema == whole.schema
        assert one.masks["a"].tolist() == [row % 2 == 0 for row in kept]
        assert one.flags.tolist() == [row % 3 == 0 or row % 2 == 0 for row in range(11)]


def test_a_table_of_which_one_piece_fails_fails_alone(access: SandboxAccess) -> None:
    """The other tables of the process keep their results."""
    fails: Promoted = function(FAILS)
    with closing(FunctionRunner(access, [fails])) as runner:
        made = runner.run_each([(fails, table(4)), (fails, table(9)), (fails, table(2))])
        assert [one is None for one in made] == [False, True, False]
        with pytest.raises(FunctionFailed, match="five"):
            runner.run(fails, table(9), 10.0)
