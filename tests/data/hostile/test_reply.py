"""Records out of hostile bytes: the envelope of docs/wire.md, and every way to forge it."""

import json
import time
from typing import Any

import pytest

from orchestrator.core.jobs import Op
from orchestrator.data.hostile.hostile_output import HostileOutput, strict_json
from orchestrator.data.hostile.reply import read_records

CASES = [(Op.F, Op.FF), (Op.DETECT,)]


def record(header: dict[str, Any] | bytes, body: bytes = b"") -> bytes:
    raw = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(raw).to_bytes(4, "big") + raw + body


def head(case: Any = 0, op: str = "f", body: Any = 0, **other: Any) -> dict[str, Any]:
    made = {"case": case, "op": op, "status": "returned", "type": "DataFrame", "dtypes": [], "error": ""}
    return {**made, "wall_s": 0.5, "changed": [], "body": body, **other}


def good() -> bytes:
    return record(head(body=3), b"abc") + record(head(op="ff")) + record(head(case=1, op="detect"))


def test_reads_what_the_guest_writes() -> None:
    """Records come back in order with their bodies and the parts of their headers."""
    first = record(head(body=3, dtypes=[["a", None, "str"]], changed=[{"a": 2}]), b"abc")
    records = read_records(first + record(head(op="ff", status="raised", error="ValueError: no")), [(Op.F, Op.FF)])
    assert [(r.case, r.op, r.status) for r in records] == [(0, "f", "returned"), (0, "ff", "raised")]
    assert records[0].body == b"abc"
    assert records[0].dtypes[0].after == "str"
    assert records[0].changed == ({"a": 2},)
    assert records[1].error == "ValueError: no"
    assert len(read_records(good(), CASES)) == 3


def test_the_echoed_input_follows_the_first_op() -> None:
    """The input comes back after the first op where it was asked for, and nowhere else."""
    output = record(head()) + record(head(op="input", body=1), b"x") + record(head(op="ff"))
    assert [r.op for r in read_records(output, [(Op.F, Op.FF)])] == ["f", "input", "ff"]
    assert [r.op for r in read_records(output, [(Op.F, Op.FF)], echo=[True])] == ["f", "input", "ff"]
    with pytest.raises(HostileOutput):
        read_records(output, [(Op.F, Op.FF)], echo=[False])
    with pytest.raises(HostileOutput):
        read_records(record(head()), [(Op.F,)], echo=[True])
    with pytest.raises(HostileOutput):
        read_records(record(head()) + record(head(op="ff")) + record(head(op="input")), [(Op.F, Op.FF)])


@pytest.mark.parametrize("cut", range(1, 400, 7))
def test_cut_output(cut: int) -> None:
    """Output that ends early is hostile, unless the child was stopped: then the whole records in front count."""
    output = good()[:-cut] if cut < len(good()) else b""
    with pytest.raises(HostileOutput):
        read_records(output, CASES)
    assert len(read_records(output, CASES, complete=False)) < 3


@pytest.mark.parametrize(
    "output",
    [
        good() + b"x",
        good() + record(head()),
        record(head()) + record(head()) + record(head(case=1, op="detect")),
        record(head(op="ff")) + record(head()) + record(head(case=1, op="detect")),
        record(head(case=1, op="detect")),
        record(head(case=7)),
        record(head(case=True)),
        record(head(op="promote")),
        record(head(status="passed")),
        record(head(status="raised", body=1), b"x"),
        record(head(body=-1)),
        record(head(body=2**62)),
        record(head(body=1.0)),
        record(head(body=True)),
        record(head(verdict="pass")),
        record(head(wall_s=-1)),
        record(head(wall_s="1")),
        record(head(error=["x"])),
        record(head(type={"x": 1})),
        record(head(dtypes=[["a", "b"]])),
        record(head(dtypes=[["\ud800", "a", "b"]])),
        record(head(changed=[{"a": -1}])),
        record(head(changed=[["a"]])),
        record(b"[]"),
        record(b"{}"),
        record(b"not json"),
        record(b"\xff\xfe"),
        b"\xff\xff\xff\xff",
        b"\0\0\0\0",
    ],
)
def test_forged_envelope(output: bytes) -> None:
    """Anything but the records that were asked for, in their order and form, is hostile."""
    with pytest.raises(HostileOutput):
        read_records(output, CASES)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 50 + "1" + "}" * 50,
        "NaN",
        "[Infinity]",
        "-Infinity",
        '{"a": 1, "a": 2}',
        '{"x": {"a": 1, "a": 2}}',
        "9" * 5000,
        "1" + "0" * 18,
        "1e999",
        "1." + "0" * 100,
        "{",
        "",
    ],
)
def test_json_traps(text: str) -> None:
    """JSON that parsers disagree on, or choke on, is refused quickly."""
    started = time.process_time()
    with pytest.raises(HostileOutput):
        strict_json(text.encode())
    assert time.process_time() - started < 1


def test_brackets_inside_strings_are_no_nesting() -> None:
    """An error message full of brackets is still read."""
    assert strict_json(json.dumps({"error": '["' * 500}).encode()) == {"error": '["' * 500}


def test_text_is_fit_to_be_shown() -> None:
    """Escape sequences, forged lines, bidirectional marks and lone surrogates do not reach a message."""
    error = "\x1b[31mred\x1b]0;title\x07\r\nINFO promoted\u202e\ud800\x00" + "x" * 5000
    (got,) = read_records(record(head(status="raised", error=error)), [(Op.F,)])
    assert got.error.startswith("red INFO promoted\ufffdxxx")
    assert len(got.error) == 2000
    got.error.encode("utf-8")
