"""Values through one session of every Sandbox, the fake and the real one alike: exact, or refused with reasons."""

import datetime as dt
from decimal import Decimal

import pyarrow as pa
import pytest

from orchestrator.core.jobs import Op
from orchestrator.core.ports import SandboxSession
from tests.sandbox.sandbox_jobs import IDENTITY, run_one

VALUES = pa.table({
    "i8": pa.array([1, None, -128], pa.int8()),
    "u64": pa.array([2**64 - 1, 0, None], pa.uint64()),
    "big": pa.array([2**53 + 1, None, -(2**63)], pa.int64()),
    "plain": pa.array([1, 2, 3], pa.int16()),
    "flag": pa.array([True, None, False]),
    "sure": pa.array([True, True, False]),
    "f32": pa.array([0.1, None, -0.0], pa.float32()),
    "nan": pa.array([float("nan"), 1.0, float("inf")], pa.float64()),
    "text": pa.array(["ä\x00", None, ""]),
    "long": pa.array(["a", "b", None], pa.large_string()),
    "day": pa.array([dt.date(1600, 2, 29), None, dt.date(9999, 12, 31)]),
    "time": pa.array([dt.time(1, 2, 3, 4), None, dt.time(0)], pa.time64("us")),
    "second": pa.array([0, None, 10**10], pa.timestamp("s")),
    "zoned": pa.array([0, None, 10**12], pa.timestamp("ns", "Europe/Berlin")),
    "length": pa.array([1, None, 3], pa.duration("ms")),
    "money": pa.array([Decimal("0.10"), None, Decimal("99999999999999999.99")], pa.decimal128(20, 2)),
    "bytes": pa.array([b"\xff", None, b""]),
    "list": pa.array([[1, None], None, []], pa.list_(pa.int32())),
    "struct": pa.array([{"a": 1, "b": "x"}, None, {"a": None}], pa.struct({"a": pa.int64(), "b": pa.string()})),
    "none": pa.nulls(3),
})  # fmt: skip


@pytest.mark.parametrize("name", VALUES.column_names)
def test_untouched_values_come_back_exactly(session: SandboxSession, name: str) -> None:
    """The identity function gives back every value and every type."""
    table = VALUES.select([name])
    made = run_one(session, IDENTITY, table=table).table()
    assert made.schema.equals(table.schema)
    if name == "nan":
        assert str(made.to_pylist()) == str(table.to_pylist())
    else:
        assert made.equals(table)


def test_a_changed_type_is_not_hidden(session: SandboxSession) -> None:
    """A column that became another kind of value goes out in its new type, a loss-free one in its old."""
    table = pa.table({"n": pa.array([1, 2], pa.int32()), "m": pa.array([1, 2], pa.int32()), "t": ["1", "2"]})
    source = (
        "def f(df):\n"
        "    return df.assign(n=df['n'].astype(str), m=df['m'].astype('int64') + 2**40, t=df['t'].astype(object))\n"
    )
    made = run_one(session, source, table=table).table()
    assert made.schema.types == [pa.string(), pa.int64(), pa.string()]


@pytest.mark.parametrize(("least", "kind"), [(0, pa.int64()), (2, pa.int64()), (-1, pa.float64())])
def test_integers_that_an_assignment_made_floats_are_integers(
    session: SandboxSession, least: int, kind: pa.DataType
) -> None:
    """pandas makes floats of integers that might be missing, even where none is; real fractions stay floats."""
    table = pa.table({"n": pa.array([1, 2, 3])})
    fractions = "/ 2" if least < 0 else ""
    source = (
        "def f(df):\n    out = df.copy()\n"
        f"    out.loc[out['n'] < {least}, 'n'] = None\n    out['n'] = out['n'] {fractions}\n    return out\n"
    )
    assert run_one(session, source, table=table).table().schema.field("n").type == kind


def test_the_index_travels_in_front(session: SandboxSession) -> None:
    """Dropped and moved rows are seen by the index column; another index than integers gives -1."""
    kept = run_one(session, "def f(df): return df.iloc[[3, 0]]\n")
    assert pa.ipc.open_stream(kept.record.body).read_all()["__index__"].to_pylist() == [3, 0]
    named = run_one(session, "def f(df): return df.set_index('city', drop=False).rename_axis(None)\n")
    assert pa.ipc.open_stream(named.record.body).read_all()["__index__"].to_pylist() == [-1] * 4


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("return None", "a NoneType instead of a DataFrame"),
        ("return df.to_dict()", "a dict instead of a DataFrame"),
        ("return df['city']", "a Series instead of a DataFrame"),
        ("return type('Frame', (type(df),), {})(df)", "a Frame instead of a DataFrame"),
        ("df['o'] = [1, 'a', 2, 3]; return df", "column 'o'"),
        ("df['o'] = [object()] * 4; return df", "column 'o'"),
        ("df['o'] = __import__('pandas').Series(['\\ud800'] * 4, dtype=object); return df", "column 'o'"),
        ("df['o'] = __import__('pandas').period_range('2020', periods=4); return df", "column 'o'"),
        ("df.columns = ['a', 'a']; return df", "several columns called 'a'"),
        ("df.columns = ['a', 1]; return df", "not a str"),
        ("df.columns = __import__('pandas').Index(['\\ud800', 'b'], dtype=object); return df", "no valid Unicode"),
        ("df['__index__'] = 1; return df", "reserved"),
    ],
)
def test_what_is_no_table_is_refused(session: SandboxSession, body: str, why: str) -> None:
    """A return value that Arrow cannot carry exactly is unserialisable, with what is wrong."""
    record = run_one(session, f"def f(df):\n    {body}\n").record
    assert (record.status, record.body) == ("unserialisable", b"")
    assert why in record.error


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("True", "one bool per row"),
        ("[True]", "1 values for 4 rows"),
        ("[1, 0, 1, 0]", "not bool"),
        ("['a', True, 1, 2]", "not all bool"),
    ],
)
def test_detect_must_be_one_bool_per_row(session: SandboxSession, value: str, why: str) -> None:
    """A mask of another length or of other values is refused."""
    record = run_one(session, f"def detect(df): return {value}\n", ops=(Op.DETECT,)).record
    assert record.status == "unserialisable"
    assert why in record.error


def test_what_a_mask_leaves_open_is_not_flagged(session: SandboxSession) -> None:
    """A comparison with a missing value gives one; pandas selects no row by it, and so does nobody here."""
    answer = run_one(session, "def detect(df): return [True, None, False, None]\n", ops=(Op.DETECT,))
    assert answer.table()["detect"].to_pylist() == [True, False, False, False]


@pytest.mark.parametrize("value", ["df['city'].isna()", "df['city'].isna().to_numpy()", "list(df['city'].isna())"])
def test_detect_may_be_any_kind_of_mask(session: SandboxSession, value: str) -> None:
    """Series, array and list of bool are masks."""
    answer = run_one(session, f"def detect(df): return {value}\n", ops=(Op.DETECT,))
    assert answer.table()["detect"].to_pylist() == [False, False, True, False]
