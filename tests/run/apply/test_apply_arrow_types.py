"""Every type that a Parquet file can hold comes out of apply bit for bit where nobody touches it."""

from collections.abc import Callable, Iterator
from datetime import date, time
from decimal import Decimal
from typing import Any
from uuid import UUID

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.jobs import Limits
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Promoted
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile.arrow_tables import INDEX, restored
from orchestrator.data.hostile.decode_entry import ENTRY
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.run.apply.apply import apply_functions
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.run.apply.test_apply_data import promoted

Applied = Callable[[pa.Table, Promoted], pa.Table]
UNITS = ("s", "ms", "us", "ns")
TRIM = promoted("trim", 'out["city"] = out["city"].str.strip()', modifies=("city",))
DROP = promoted("drop", 'out = out[out["city"] != "Bonn"]', modifies=(), drops_rows=True)
TAGS = promoted("tags", 'out["tags"] = [t and [*t, "new"] for t in out["tags"]]', modifies=("tags",))


@pytest.fixture(scope="module")
def applied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Applied]:
    """Writes a table as Parquet, applies a function to it, and reads what came out."""
    folder = tmp_path_factory.mktemp("types")
    with LocalSandbox() as sandbox, DisposableProcess(ENTRY) as decoder:

        def run(table: pa.Table, function: Promoted) -> pa.Table:
            pq.write_table(table, folder / "in.parquet")
            access = SandboxAccess(sandbox, decoder, Limits())
            apply_functions(folder / "in.parquet", [function], folder / "out.parquet", access)
            return pq.read_table(folder / "out.parquet")

        yield run


def scalars() -> dict[str, pa.Array]:
    """Three values of each type, the second of them null: the smallest, the largest, what floats cannot hold."""
    integers = [getattr(pa, f"{sign}int{bits}")() for sign in ("", "u") for bits in (8, 16, 32, 64)]
    numbers = pa.array([1, None, 2**40], pa.int64())  # as seconds, a date beyond the year 9999
    texts: list[pa.DataType] = [pa.string(), pa.large_string(), pa.string_view()]
    made = [
        *(pa.array([1, None, 2 ** (kind.bit_width - str(kind).startswith("int")) - 1], kind) for kind in integers),
        *(pa.array([-0.0, None, float("nan")], kind) for kind in (pa.float16(), pa.float32(), pa.float64())),
        *(pa.array(["a", None, "longer than a view's prefix"], kind) for kind in texts),
        *(pa.array([b"\x00\xff", None, b""], kind) for kind in (pa.binary(), pa.large_binary(), pa.binary_view())),
        pa.array([b"abc", None, b"\0\0\0"], pa.binary(3)),
        pa.array([True, None, False]),
        *(pa.array([date(1, 1, 1), None, date(9999, 12, 31)], kind) for kind in (pa.date32(), pa.date64())),
        *(pa.array([time(1, 2, 3), None, time()], pa.time32(unit)) for unit in UNITS[:2]),
        *(pa.array([time(1, 2, 3), None, time()], pa.time64(unit)) for unit in UNITS[2:]),
        *(numbers.cast(pa.timestamp(unit, zone)) for unit in UNITS for zone in (None, "Europe/Berlin")),
        *(numbers.cast(pa.duration(unit)) for unit in UNITS),
        *(
            pa.array([Decimal("1.10"), None, Decimal("-9.99")], kind)
            for kind in (pa.decimal32(5, 2), pa.decimal64(12, 2), pa.decimal128(38, 2), pa.decimal256(70, 2))
        ),
        pa.array(["a", None, "a"], pa.dictionary(pa.int8(), pa.string())),
        pa.array([1, None, 1], pa.dictionary(pa.int16(), pa.int64())),
        pa.nulls(3),
    ]
    return {str(array.type): array for array in made}


def extensions() -> dict[str, pa.Array]:
    ids = pa.array([UUID(int=1).bytes, None, UUID(int=2).bytes], pa.binary(16))
    made = [pa.ExtensionArray.from_storage(pa.uuid(), ids)]
    made += [pa.ExtensionArray.from_storage(pa.json_(), pa.array(["{}", None, "[1]"]))]
    return {str(array.type): array for array in made}


def beyond() -> dict[str, pa.Array]:
    """Values for which Python has none: a year of seven figures, a time of day to the nanosecond."""
    days = {str(kind): pa.array([2**31 - 1, None, 0], pa.date32()).cast(kind) for kind in (pa.date32(), pa.date64())}
    return {f"{name} beyond": array for name, array in days.items()} | {
        "time beyond": pa.array([1, None, 86_399_999_999_999], pa.time64("ns"))
    }


def nested(name: str, array: pa.Array) -> Iterator[pa.Array]:
    """Lists, structs and maps of the type, with nulls and empty ones; lists of structs."""
    twice = pa.nulls(6) if pa.types.is_null(array.type) else pa.concat_arrays([array, array])
    offsets = pa.array([0, 2, 2, 6], pa.int32())
    yield pa.ListArray.from_arrays(offsets, twice)
    yield pa.LargeListArray.from_arrays(pa.array([0, None, 2, 6], pa.int64()), twice)
    yield pa.FixedSizeListArray.from_arrays(twice, 2)
    yield pa.StructArray.from_arrays([array, array], ["x", "y"], mask=pa.array([False, False, True]))
    yield pa.MapArray.from_arrays(offsets, pa.array(list("abcdef")), twice)
    if "view" not in name:  # Parquet's writer cannot
        yield pa.ListArray.from_arrays(pa.array([0, 1, 1, 3], pa.int32()), pa.StructArray.from_arrays([array], ["x"]))


def every_type() -> pa.Table:
    columns = {"city": pa.array([" Köln", "Bonn", "Ulm "])} | scalars() | beyond() | extensions()
    columns |= {str(made.type): made for name, array in scalars().items() for made in nested(name, array)}
    return pa.table(columns)


def stored(table: pa.Table) -> pa.Table:
    """The table as Parquet itself keeps it: seconds are milliseconds there, for example."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    return pq.read_table(pa.BufferReader(sink.getvalue()))


def printed(column: pa.ChunkedArray) -> str:
    """All values as Arrow prints them: NaN is itself, 0.0 is not -0.0, and no value is beyond Python."""
    return str(column.combine_chunks())


@pytest.mark.parametrize(("function", "rows"), [(TRIM, (0, 1, 2)), (DROP, (0, 2))])
def test_what_nobody_touches_comes_back_bit_for_bit(applied: Applied, function: Promoted, rows: Any) -> None:
    """Every type, alone, in lists, structs and maps, is the same after apply, also where rows are dropped."""
    result = applied(every_type(), function)
    table = stored(every_type())
    assert table.num_columns > 250
    assert result.schema.names == table.schema.names
    for name in table.schema.names[1:]:
        wanted = pa.concat_tables([table.select([name]).slice(row, 1) for row in rows]).column(name)
        assert printed(result.column(name)) == printed(wanted), name
        assert result.schema.field(name) == table.schema.field(name)


def test_lists_with_nulls_inside_can_be_changed(applied: Applied) -> None:
    """A function may change a list column; the type stays, and so do other nested columns."""
    scores = pa.array([[("a", 1)], None, [("b", None)]], pa.map_(pa.string(), pa.int32()))
    table = pa.table({"tags": [["a", None], None, []], "scores": scores})
    result = applied(table, TAGS)
    assert result.column("tags").to_pylist() == [["a", None, "new"], None, []]
    assert result.schema.field("tags").type == pa.list_(pa.field("element", pa.string()))
    assert result.column("scores").combine_chunks() == scores


@pytest.mark.parametrize("index", [[1, 0], [0, 3], [-1, 0], [0, 0], [0, None]])
def test_rows_that_cannot_be_the_inputs_are_refused(index: list[int | None]) -> None:
    """A placeholder in a shorter table stands for rows that rise and are in the input, or for nothing."""
    source = pa.table({"a": [1, 2, 3]})
    answered = pa.table({INDEX: pa.array(index, pa.int64()), "a": pa.nulls(2)})
    with pytest.raises(HostileOutput, match="another length"):
        restored(answered, [1], source)
    rising = answered.set_column(0, INDEX, pa.array([0, 2], pa.int64()))
    assert restored(rising, [1], source).column("a").to_pylist() == [1, 3]
