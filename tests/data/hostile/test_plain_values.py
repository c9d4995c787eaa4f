"""Tables as plain values: every type comes back as it went, and no damaged byte gets past the reader."""

import json
import random
from decimal import Decimal

import pyarrow as pa
import pytest

from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.data.hostile.plain import read_plain, write_plain
from orchestrator.data.hostile.type_names import named

EVERYTHING = pa.table(
    {
        "text": ["a", None, "ccc"],
        "large text": pa.array(["a", None, "b"], pa.large_string()),
        "bytes": [b"x", None, b""],
        "small": pa.array([1, None, -3], pa.int8()),
        "float": [1.5, float("nan"), None],
        "half": pa.array([1.5, None, 2.0], pa.float16()),
        "bool": [True, None, False],
        "nothing": pa.nulls(3),
        "zoned": pa.array([1, 2, None], pa.timestamp("us", "Europe/Vienna")),
        "moment": pa.array([1, 2, None], pa.timestamp("ms")),
        "day": pa.array([1, None, 3], pa.date32()),
        "time": pa.array([1, None, 3], pa.time64("us")),
        "span": pa.array([1, None, 3], pa.duration("s")),
        "money": pa.array([Decimal("1.10"), None, Decimal("-2.00")], pa.decimal128(10, 2)),
        "wide money": pa.array([Decimal("1.10"), None, Decimal("-2.00")], pa.decimal256(50, 2)),
        "fixed": pa.array([b"ab", None, b"cd"], pa.binary(2)),
        "list": pa.array([["x", None], None, []], pa.list_(pa.field("element", pa.string()))),
        "pair": pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int16(), 2)),
        "map": pa.array([[("k", 1)], None, [("a", None)]], pa.map_(pa.string(), pa.int64())),
        "nested": pa.array(
            [{"a": 1, "b": [{"c": "x"}]}, None, {"a": None, "b": None}],
            pa.struct([("a", pa.int64()), ("b", pa.list_(pa.struct([("c", pa.string())])))]),
        ),
    }
)


@pytest.mark.parametrize(
    "table",
    [
        EVERYTHING,
        EVERYTHING.slice(1),
        EVERYTHING.slice(1, 1),
        EVERYTHING.slice(0, 0),
        pa.concat_tables([EVERYTHING, EVERYTHING.slice(1)]),
        pa.table({}),
    ],
    ids=["whole", "rest", "one", "none", "two chunks", "no columns"],
)
def test_every_type_comes_back(table: pa.Table) -> None:
    """Schema and values are those that went in, of slices and of several chunks, too."""
    back = read_plain(write_plain(table))
    assert back.schema.equals(table.schema)
    assert str(back.to_pylist()) == str(table.to_pylist())
    back.validate(full=True)


@pytest.mark.parametrize("at", [0, 3, 8])
def test_values_lie_where_arrow_wants_them(at: int) -> None:
    """Wherever the bytes begin in what came: a value that no processor can load at once is never made."""
    came = memoryview(bytes(at) + write_plain(EVERYTHING))
    back = read_plain(came[at:])
    assert str(back.to_pylist()) == str(EVERYTHING.to_pylist())
    numbers = [column.chunk(0).buffers()[1] for column in back.columns if pa.types.is_primitive(column.type)]
    assert numbers
    assert [one.address % 8 for one in numbers if one is not None] == [0] * len(numbers)


def test_damage_is_refused_or_harmless() -> None:
    """With any bits changed it is refused with a sentence, or is a table that is valid in full."""
    draw = random.Random(11)  # noqa: S311 - a test must do the same every time
    good = write_plain(EVERYTHING)
    refused = 0
    for _ in range(3000):
        damaged = bytearray(good)
        if draw.random() < 0.2:
            del damaged[draw.randrange(len(good)) :]
        for _ in range(draw.randint(1, 6)):
            if damaged:
                damaged[draw.randrange(len(damaged))] ^= 1 << draw.randrange(8)
        try:
            read_plain(bytes(damaged)).validate(full=True)
        except HostileOutput:
            refused += 1
    assert 1000 < refused < 3000


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"rows":3', '"rows":4'),
        ("Europe/Vienna", "../etc/passwd"),
        ('["moment",', '["zoned" ,'),
        ('"int8"', '"intX"'),
        ('"nodes":[[3,[1,16,4]', '"nodes":[[3,[1,99,4]'),
        ('"nodes":[[3,[1,16,4]', '"nodes":[[3,[1,16,1]'),
        ('"nodes":[[3,[1,16,4]', '"nodes":[[9,[1,16,4]'),
    ],
    ids=["rows", "zone", "name", "type", "offsets", "text", "length"],
)
def test_a_lie_in_the_header_is_refused(before: str, after: str) -> None:
    """Another number of rows, a zone that is a path, two columns of one name, an unknown type, other sizes."""
    good = write_plain(EVERYTHING)
    assert before.encode() in good
    with pytest.raises(HostileOutput):
        read_plain(good.replace(before.encode(), after.encode(), 1))


def test_a_view_is_not_taken() -> None:
    """Types that the format does not have are refused where it is written."""
    with pytest.raises(HostileOutput, match="not accepted"):
        write_plain(pa.table({"a": pa.array(["x"], pa.string_view())}))


@pytest.mark.parametrize("entries", [[{"key": None, "value": 1}], [None]], ids=["no key", "no entry"])
def test_a_map_without_its_keys_is_refused(entries: list[object]) -> None:
    """Arrow aborts the process that makes one, which is the one that applies functions, or the service's worker."""
    kind = pa.map_(pa.string(), pa.int64())
    pair = pa.struct([("key", pa.string()), ("value", pa.int64())])

    def as_map(rows: list[object]) -> bytes:
        """Lists of pairs, which say of themselves that they are maps."""
        said = json.dumps(named(pa.list_(pair)), separators=(",", ":")).encode()
        good = write_plain(pa.table({"m": pa.array(rows, pa.list_(pair))}))
        size = int.from_bytes(good[:4], "little")
        values = good[4 + size + -(4 + size) % 8 :]
        header = good[4 : 4 + size].replace(said, json.dumps(named(kind), separators=(",", ":")).encode())
        made = len(header).to_bytes(4, "little") + header
        return made + bytes(-len(made) % 8) + values

    assert read_plain(as_map([[{"key": "k", "value": 1}]])).to_pylist() == [{"m": [("k", 1)]}], "the control"
    with pytest.raises(HostileOutput, match="a map without its keys"):
        read_plain(as_map([entries]))
