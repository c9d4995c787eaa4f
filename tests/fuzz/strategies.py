"""What the fuzz tests draw: whole messages of each kind, and the same with a few lies in them."""

import json
import random
import struct
from collections.abc import Callable
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from orchestrator.data.hostile.decode_entry import decode, request
from tests.fuzz.targets import EVERY_TYPE, INPUT_TABLE, indexed, record

# Numbers at which lengths, offsets and counts go wrong.
EDGES = (0, 1, -1, 2, 3, 4, 7, 8, 16, 255, 256, 2**15 - 1, 2**16, 2**30, 2**31 - 1, -(2**31), 2**40, 2**62, -(2**63))


def frame(header: object, bodies: bytes = b"") -> bytes:
    """A length-prefixed header and what follows it."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(4, "big") + text + bodies


READY = frame({"version": 1, "ready": True, "python": "3.11.2", "pandas": "3.1.1", "pyarrow": "26.0.1"})
_CHILD = {"ended": "ok", "cpu_s": 0.01, "wall_s": 0.01, "peak_bytes": 1000, "body": 5}
_REPLY = {"version": 1, "children": [_CHILD, _CHILD | {"ended": "timeout", "body": 0}], "swept": 0, "reusable": True}
REPLY = frame(_REPLY, b"bytes")
RECORDS = record(0, "f", b"abc") + record(0, "ff", b"") + record(1, "detect", b"x") + record(1, "detect_f", b"")
HEADER = json.dumps({"case": 0, "error": '["{' * 20, "dtypes": [["a", None, "int64"]], "wall_s": 1.5}).encode()
ANSWER = decode(request(record(0, "f", indexed(INPUT_TABLE)), records=False, detect=False))


def stream(table: pa.Table) -> bytes:
    """An Arrow stream of the table as it is, dictionaries included."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    made: bytes = sink.getvalue().to_pybytes()
    return made


def seeds() -> dict[str, list[bytes]]:
    """Good input for each target, from which both fuzzers start."""
    tables = [EVERY_TYPE, *(EVERY_TYPE.select([name]) for name in EVERY_TYPE.column_names)]
    streams = [stream(one) for one in tables]
    with_rows = [indexed(INPUT_TABLE), *(indexed(INPUT_TABLE.select([name])) for name in INPUT_TABLE.column_names)]
    whole = b"".join(record(case, op, with_rows[0]) for case, op in ((0, "f"), (0, "ff"), (1, "f")))
    return {
        "ready": [READY],
        "reply": [REPLY],
        "records": [RECORDS, record(0, "f", b"") + record(0, "input", b"x") + record(0, "ff", b"")],
        "header": [HEADER],
        "stream": streams,
        "table": streams,
        "decoded": [record(0, "f", one) for one in with_rows],
        "answer": [ANSWER, frame({"error": "no"})],
        "judged": [whole, record(0, "f", with_rows[0])],
        "judged_table": with_rows,
    }


def mutate(data: bytes, draw: random.Random) -> bytes:
    """A few lies: bytes and numbers replaced, copied over each other, taken out."""
    made = bytearray(data)
    for _ in range(draw.choice((1, 1, 1, 2, 2, 3, 5))):
        if not made:
            break
        _lie(made, draw)
    return bytes(made)


def _lie(made: bytearray, draw: random.Random) -> None:
    at = draw.randrange(len(made))
    kind = draw.random()
    if kind < 0.35:
        made[at] = draw.choice((0, 1, 127, 128, 255, draw.randrange(256)))
    elif kind < 0.55:
        made[at - at % 4 : at - at % 4 + 4] = struct.pack("<i", draw.choice(EDGES[:16]))
    elif kind < 0.75:
        made[at - at % 8 : at - at % 8 + 8] = struct.pack("<q", draw.choice(EDGES))
    elif kind < 0.85:
        made[at] ^= 1 << draw.randrange(8)
    elif kind < 0.95:
        other, size = draw.randrange(len(made)), draw.choice((1, 4, 8, 16))
        made[at : at + size] = made[other : other + size]
    else:
        del made[at - at % 8 : at - at % 8 + 8]


def mutated(good: list[bytes]) -> st.SearchStrategy[bytes]:
    """One of these with a few lies in it."""
    return st.builds(mutate, st.sampled_from(good), st.randoms(use_true_random=False))


_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
JSON: st.SearchStrategy[Any] = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def _replaced(good: dict[str, Any], make: Callable[[dict[str, Any]], bytes]) -> st.SearchStrategy[bytes]:
    """The header with some of its fields replaced by anything that JSON can say."""
    changes = st.dictionaries(st.sampled_from([*good, "other"]), JSON, max_size=3)
    return changes.map(lambda change: make(good | change))


def replies() -> st.SearchStrategy[bytes]:
    """Replies whose header, or whose first child, says something else."""
    of_child = _replaced(_CHILD, lambda child: frame(_REPLY | {"children": [child, _CHILD]}, b"bytes" * 2))
    return of_child | _replaced(_REPLY, lambda header: frame(header, b"bytes"))


def record_outputs() -> st.SearchStrategy[bytes]:
    """A child's output whose first record says something else."""
    good = {"case": 0, "op": "f", "status": "returned", "type": "", "dtypes": [], "error": "", "wall_s": 0.1}
    good |= {"changed": [], "body": 3}
    return _replaced(good, lambda header: frame(header, b"abc") + RECORDS[len(record(0, "f", b"abc")) :])


def answers() -> st.SearchStrategy[bytes]:
    """Answers of a disposable process that was taken over."""
    return _replaced({"error": "", "changed": []}, lambda header: frame(header, indexed(INPUT_TABLE)))


_INTS = {1: 8, 2: 16, 4: 32, 8: 64}
_TYPES = (
    pa.date32(), pa.date64(), pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns"),
    *(pa.timestamp(unit) for unit in ("s", "ms", "us", "ns")), pa.timestamp("us", "Europe/Berlin"),
    *(pa.duration(unit) for unit in ("s", "ms", "us", "ns")),
    pa.int8(), pa.uint8(), pa.int64(), pa.uint64(), pa.float32(), pa.float64(), pa.float16(), pa.bool_(),
)  # fmt: skip


@st.composite
def typed_columns(draw: st.DrawFn) -> pa.Array:
    """Three values of any plain type, made of any bits."""
    kind = draw(st.sampled_from(_TYPES))
    width = max(1, kind.bit_width // 8)
    raw = b"".join(draw(st.sampled_from(EDGES)).to_bytes(9, "little", signed=True)[:width] for _ in range(3))
    valid = draw(st.sampled_from((None, b"\x05")))
    buffers = [None if valid is None else pa.py_buffer(valid), pa.py_buffer(raw)]
    return pa.Array.from_buffers(kind, 3, buffers)


def typed_tables() -> st.SearchStrategy[bytes]:
    """The input with one column of another type or of impossible values."""

    def swap(name: str, column: pa.Array) -> bytes:
        return indexed(INPUT_TABLE.set_column(INPUT_TABLE.column_names.index(name), name, column))

    return st.builds(swap, st.sampled_from(INPUT_TABLE.column_names), typed_columns())
