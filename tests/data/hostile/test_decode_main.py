"""What the disposable process hands back to apply: canonical tables, or one sentence."""

import json

import pyarrow as pa
import pytest

from orchestrator.data.hostile.arrow_tables import INDEX, write_table
from orchestrator.data.hostile.decode_entry import decode, read_decoded, request, warm
from orchestrator.data.hostile.hostile_output import HostileOutput


def output(body: bytes, **other: object) -> bytes:
    header = {"case": 0, "op": "f", "status": "returned", "error": "", "body": len(body), **other}
    text = json.dumps(header).encode()
    return len(text).to_bytes(4, "big") + text + body


def made_of(written: bytes) -> bytes:
    return decode(request(written, records=False, detect=False))


def test_table_comes_through() -> None:
    """A good record gives its table and the counts of changed cells."""
    warm()
    table = pa.table({INDEX: [0, 1], "a": ["x", None]})
    decoded = read_decoded(made_of(output(write_table(table), changed=[{"a": 1}])))
    assert decoded.table is not None
    assert decoded.table.equals(table)
    assert decoded.changed == ({"a": 1},)


def test_untouched_columns_are_the_source_s_own() -> None:
    """What was not sent back is taken from the table that was sent, in its place and with its type."""
    source = pa.table({"a": ["x", None], "b": pa.array([1, 2], pa.int16())})
    sent = pa.table({INDEX: [0, 1], "b": pa.nulls(2), "a": ["X", None]})
    decoded = read_decoded(made_of(output(write_table(sent), same=[1])), source)
    assert decoded.table is not None
    assert decoded.table.drop_columns([INDEX]).equals(source.set_column(0, "a", [["X", None]]).select(["b", "a"]))
    assert decoded.same == {"b"}


@pytest.mark.parametrize(
    ("same", "sent"),
    [
        ([0], pa.table({INDEX: [0, 1], "a": pa.nulls(2)})),
        ([2], pa.table({INDEX: [0, 1], "a": pa.nulls(2)})),
        ([1, 1], pa.table({INDEX: [0, 1], "a": pa.nulls(2)})),
        ([1], pa.table({INDEX: [0, 1], "a": ["x", "y"]})),
        ([1], pa.table({INDEX: [0, 1], "z": pa.nulls(2)})),
        ([1], pa.table({INDEX: [2], "a": pa.nulls(1)})),
        ([1], pa.table({INDEX: [-1], "a": pa.nulls(1)})),
        ([1], pa.table({INDEX: [0, 1, 1], "a": pa.nulls(3)})),
    ],
)
def test_a_false_claim_of_an_untouched_column_is_hostile(same: list[int], sent: pa.Table) -> None:
    """Only a place without values, of a column that was sent, in rows that it had, can stand for it."""
    with pytest.raises(HostileOutput):
        read_decoded(made_of(output(write_table(sent), same=same)), pa.table({"a": ["x", "y"]}))


@pytest.mark.parametrize("same", ["1", [-1], [True], [1.0], {"1": 1}, [2**60], list(range(4001))])
def test_places_that_are_none_are_hostile(same: object) -> None:
    """Places of columns are small numbers, in a list."""
    sent = write_table(pa.table({INDEX: [0], "a": pa.nulls(1)}))
    assert read_decoded(made_of(output(sent, same=same)), pa.table({"a": ["x"]})).error


def test_failures_are_sentences() -> None:
    """A record without a table says why, in words that are fit to be shown."""
    decoded = read_decoded(made_of(output(b"", status="raised", error="ValueError: \x1b[31mno")))
    assert (decoded.table, decoded.error) == (None, "ValueError: no")
    assert read_decoded(made_of(output(b"", status="missing"))).error == "it gave missing"


@pytest.mark.parametrize(
    "hostile",
    [
        b"",
        b"PASS",
        output(b"x" * 100),
        output(write_table(pa.table({"a": [1]}))),
        output(write_table(pa.table({INDEX: ["0"]}))),
        output(write_table(pa.table({INDEX: pa.array([None], pa.int64())}))),
        output(write_table(pa.table({"a": [1], INDEX: [0]}))),
        output(write_table(pa.table({INDEX: [0]}))) * 2,
    ],
)
def test_hostile_output_is_a_sentence(hostile: bytes) -> None:
    """Bytes that are no such record end in an error, not in a table and not in an exception."""
    decoded = read_decoded(made_of(hostile))
    assert decoded.table is None
    assert decoded.error.startswith("its output cannot be read")
