"""Arrow tables out of hostile bytes: every bomb and lie of the abuse corpus, with its positive control."""

import struct
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.data.hostile.arrow_tables import Caps, read_table, write_table
from orchestrator.data.hostile.hostile_output import HostileOutput


def stream(table: Any, **options: Any) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def test_round_trip() -> None:
    """Every type that a cleaned table needs comes through unchanged."""
    table = pa.table(
        {
            "text": ["a", None, "é\0"],
            "int": pa.array([1, 2, None], pa.int32()),
            "float": [1.5, float("inf"), None],
            "flag": [True, False, None],
            "money": pa.array([Decimal("1.10"), None, Decimal("-2.00")], pa.decimal128(10, 2)),
            "day": pa.array([1, 2, None], pa.date32()),
            "at": pa.array([1, 2, None], pa.timestamp("us", "Europe/Berlin")),
            "took": pa.array([1, 2, None], pa.duration("s")),
            "nothing": pa.nulls(3),
            "list": [["a"], [], None],
            "nested": [{"a": [1]}, None, {"a": None}],
        }
    )
    assert read_table(write_table(table)).equals(table)
    assert read_table(write_table(table.slice(1, 1))).equals(table.slice(1, 1))
    assert read_table(write_table(table.schema.empty_table())).num_rows == 0


def test_many_batches() -> None:
    """A table in several batches is one table."""
    table = pa.concat_tables([pa.table({"a": [i]}) for i in range(5)])
    assert read_table(write_table(table)).equals(table)


def test_dictionary_becomes_plain() -> None:
    """A categorical column arrives as its values."""
    table = pa.table({"a": pa.array(["x", "y", None, "x"]).dictionary_encode()})
    got = read_table(stream(table))
    assert got.schema.field("a").type == pa.string()
    assert got["a"].to_pylist() == ["x", "y", None, "x"]


def test_metadata_is_stripped() -> None:
    """Forged pandas metadata cannot hide a column as the index."""
    metadata = {"pandas": '{"index_columns": ["a"], "columns": [], "column_indexes": []}'}
    table = pa.table({"a": [1, 2], "b": [3, 4]}).replace_schema_metadata(metadata)
    got = read_table(stream(table))
    assert got.schema.metadata is None
    assert list(got.to_pandas(use_threads=False).columns) == ["a", "b"]


@pytest.mark.parametrize("codec", ["zstd", "lz4"])
def test_compression_is_refused(codec: str) -> None:
    """A compressed body is refused before anything is unpacked: 12 kB can be 400 MB."""
    table = pa.table({"a": pa.array([0] * 1_000_000)})
    assert len(stream(table, compression=codec)) < 100_000
    with pytest.raises(HostileOutput, match="compressed"):
        read_table(stream(table, compression=codec))


def test_null_bomb() -> None:
    """Two thousand million rows in six hundred bytes are refused by what the metadata claims."""
    bomb = stream(pa.table({"a": pa.nulls(2_000_000_000)}))
    assert len(bomb) < 1000
    with pytest.raises(HostileOutput, match="more than 2000000 rows"):
        read_table(bomb)
    with pytest.raises(HostileOutput, match="cells"):
        read_table(stream(pa.table({f"c{i}": pa.nulls(1_000_000) for i in range(100)})))


def test_nested_null_bomb() -> None:
    """A list whose items are null and free of charge counts by its items."""
    items = pa.ListArray.from_arrays(pa.array([0, 2_000_000_000], pa.int32()), pa.nulls(2_000_000_000))
    with pytest.raises(HostileOutput, match="cells"):
        read_table(stream(pa.table({"a": items})))


def test_dictionary_bomb() -> None:
    """Many indices into one long value are refused before they unfold."""
    values = pa.array(["x" * 1_000_000])
    bomb = pa.DictionaryArray.from_arrays(pa.array([0] * 100_000, pa.int8()), values)
    with pytest.raises(HostileOutput, match="unfolds"):
        read_table(stream(pa.table({"a": bomb})))


def test_many_columns() -> None:
    """200,000 columns are refused."""
    schema = pa.schema([pa.field(f"c{i}", pa.null()) for i in range(200_000)])
    with pytest.raises(HostileOutput):
        read_table(stream(schema.empty_table()))


def test_many_batches_are_capped() -> None:
    """A stream of endless tiny batches ends at the cap."""
    table = pa.concat_tables([pa.table({"a": [1]})] * 20)
    with pytest.raises(HostileOutput, match="batches"):
        read_table(write_table(table), Caps(batches=10))
    assert read_table(write_table(table), Caps(batches=20)).num_rows == 20


def test_size_is_capped() -> None:
    """More bytes than allowed are refused unread."""
    with pytest.raises(HostileOutput, match="larger"):
        read_table(b"x" * 1001, Caps(bytes=1000))


def _deep(levels: int) -> pa.DataType:
    kind = pa.int8()
    for _ in range(levels):
        kind = pa.list_(kind)
    return kind


@pytest.mark.parametrize(
    "kind",
    [
        pa.run_end_encoded(pa.int32(), pa.string()),
        pa.string_view(),
        pa.list_view(pa.int8()),
        pa.map_(pa.string(), pa.string()),
        pa.binary(16),
        pa.list_(pa.int8(), 4),
        pa.month_day_nano_interval(),
        pa.uuid(),
        pa.json_(),
        pa.bool8(),
        pa.decimal256(40, 2),
        pa.timestamp("us", "../../etc/passwd\0"),
        pa.struct([pa.field("a", pa.int8()), pa.field("a", pa.int8())]),
        _deep(5),
        pa.list_(pa.dictionary(pa.int8(), pa.string())),
    ],
    ids=str,
)
def test_types_that_are_not_accepted(kind: pa.DataType) -> None:
    """Types that no cleaned table needs, or that readers are known to trip over, are refused by the schema alone."""
    with pytest.raises(HostileOutput, match="type"):
        read_table(stream(pa.schema([pa.field("a", kind)]).empty_table()))


def test_unions_are_refused() -> None:
    """A union is refused, too (Arrow makes no empty one, so it stands apart)."""
    union = pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])])
    with pytest.raises(HostileOutput, match="type"):
        read_table(stream(pa.table({"a": union})))


def test_unknown_extension_type() -> None:
    """An extension type that nobody registered travels as field metadata and is refused, too."""
    field = pa.field("a", pa.string(), metadata={"ARROW:extension:name": "evil", "ARROW:extension:metadata": ""})
    with pytest.raises(HostileOutput, match="type"):
        read_table(stream(pa.schema([field]).empty_table()))


def test_same_name_twice() -> None:
    """Two columns of one name are refused: half of all code looks at the first, half at the last."""
    with pytest.raises(HostileOutput, match="two columns"):
        read_table(stream(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])))


def _offsets(data: bytes, good: tuple[int, ...], bad: tuple[int, ...]) -> bytes:
    old, new = struct.pack(f"<{len(good)}i", *good), struct.pack(f"<{len(bad)}i", *bad)
    assert data.count(old) == 1
    return data.replace(old, new)


@pytest.mark.parametrize("bad", [(0, 2**30, 4, 6), (0, -5, 4, 6), (0, 4, 2, 6), (0, 2, 4, 2**30), (-8, 2, 4, 6)])
def test_bad_offsets(bad: tuple[int, ...]) -> None:
    """Offsets that point outside their data, the middle ones too, are found before anyone follows them."""
    plain = stream(pa.table({"a": ["ab", "cd", "ef"]}))
    read_table(plain)
    with pytest.raises(HostileOutput, match="broken"):
        read_table(_offsets(plain, (0, 2, 4, 6), bad))


def test_bad_utf8() -> None:
    """Text that is no UTF-8 is refused."""
    with pytest.raises(HostileOutput, match="broken"):
        read_table(stream(pa.table({"a": ["abcdefgh"]})).replace(b"abcdefgh", b"abc\xff\xfefgh"))


def test_decimal_beyond_its_precision() -> None:
    """A decimal with more digits than its type says is refused."""
    plain = stream(pa.table({"a": pa.array([Decimal("1234.56")], pa.decimal128(6, 2))}))
    value = (123456).to_bytes(16, "little")
    with pytest.raises(HostileOutput, match="broken"):
        read_table(plain.replace(value, (10**30).to_bytes(16, "little")))


def test_rows_that_are_not_there() -> None:
    """A batch that claims more rows than its buffers hold is refused."""
    plain = stream(pa.table({"a": pa.array([1, 2, 3], pa.int64())}))
    with pytest.raises(HostileOutput):
        read_table(plain.replace(struct.pack("<q", 3), struct.pack("<q", 1_000_000)))


def test_file_format_and_others_are_refused() -> None:
    """Only the stream format is read: not Arrow files, not pickles, not nothing."""
    sink = pa.BufferOutputStream()
    table = pa.table({"a": [1]})
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    for data in (bytes(sink.getvalue()), b"\x80\x05K\x01.", b"", b"\0" * 100, write_table(table) + b"more"):
        with pytest.raises(HostileOutput):
            read_table(data)


def _seeds() -> list[bytes]:
    nested = pa.array([["a", "b"], None, ["c"]])
    table = pa.table({"a": ["x", None, "yz"], "b": [1, 2, None], "n": nested})
    category = pa.table({"d": pa.array(["p", "q", "p"]).dictionary_encode()})
    return [write_table(table), stream(category)]


@pytest.mark.parametrize("seed", range(2))
def test_any_changed_byte_is_harmless(seed: int) -> None:
    """Every single-byte lie in a stream gives a valid table or HostileOutput, never anything else."""
    data = _seeds()[seed]
    refused = 0
    for at in range(len(data)):
        for value in (0x00, 0x01, 0x7F, 0x80, 0xFF):
            if data[at] == value:
                continue
            try:
                table = read_table(data[:at] + bytes([value]) + data[at + 1 :])
            except HostileOutput:
                refused += 1
            else:
                table.validate(full=True)
                table.to_pylist()
    assert refused > len(data)
    for cut in range(len(data)):
        try:
            read_table(data[:cut])
        except HostileOutput:
            continue
        assert cut >= len(data) - 8
