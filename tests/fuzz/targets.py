"""What is fuzzed: one function for each reader of bytes that a sandbox sent.

A target returns when the bytes were refused in the one way that is allowed, or when what was made of them keeps the
reader's promises. Anything else that it raises is a finding. Called by the hypothesis tests, by the replay of the
corpus and by `coverage_guided.py`.
"""

import json
import time
from collections.abc import Callable
from decimal import Decimal

import pyarrow as pa

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.errors import GuestProtocolError
from orchestrator.core.jobs import Case, Child, ChildResult, Ended, Job, Limits, Op, Program
from orchestrator.core.policy import GatePolicy
from orchestrator.data.hostile.arrow_tables import INDEX, Caps, read_table, write_table
from orchestrator.data.hostile.decode_entry import decode, read_decoded, request
from orchestrator.data.hostile.hostile_output import HostileOutput, strict_json
from orchestrator.data.hostile.ipc_walk import walk
from orchestrator.data.hostile.reply import INPUT, MAX_NAMES, read_records
from orchestrator.gate.inputs.case_planner import Stage
from orchestrator.gate.inputs.example_case import example_case
from orchestrator.gate.judge.judge_entry import both
from orchestrator.gate.judge.protocol import JudgeRequest
from orchestrator.sandbox.containers.wire import MAX_BODIES, read_ready, read_reply

Target = Callable[[bytes], None]

CAPS = Caps(bytes=2**20, rows=10_000, columns=50, cells=100_000, batches=16)
JOB = Job(
    (Program("f", ""),),
    (
        Child((Case("a", b"", (Op.F, Op.FF)),), Limits(output_bytes=4096)),
        Child((Case("b", b""),), Limits(output_bytes=64)),
    ),
)
OPS = ((Op.F, Op.FF), (Op.DETECT, Op.DETECT_F))
EVERY_TYPE = pa.table(
    {
        "text": ["a", " b", None],
        "large": pa.array(["x", None, "y"], pa.large_string()),
        "bytes": [b"a", None, b"\xff"],
        "int": pa.array([1, 2, None], pa.int32()),
        "big": pa.array([1, 2**63 - 1, -(2**63)], pa.int64()),
        "unsigned": pa.array([1, None, 2**64 - 1], pa.uint64()),
        "float": [1.5, float("nan"), None],
        "flag": [True, False, None],
        "money": pa.array([Decimal("1.10"), None, Decimal("-2.00")], pa.decimal128(10, 2)),
        "day": pa.array([1, 2, None], pa.date32()),
        "date": pa.array([86_400_000, 0, None], pa.date64()),
        "clock": pa.array([1, 2, None], pa.time32("s")),
        "fine": pa.array([1, 2, None], pa.time64("ns")),
        "at": pa.array([1, 2, None], pa.timestamp("us", "Europe/Berlin")),
        "naive": pa.array([1, 2, None], pa.timestamp("ns")),
        "took": pa.array([1, 2, None], pa.duration("s")),
        "nothing": pa.nulls(3),
        "kind": pa.array(["x", "y", "x"]).dictionary_encode(),
        "list": [["a"], [], None],
        "nested": [{"a": [1]}, None, {"a": None}],
    }
)
INPUT_TABLE = pa.table(
    {
        name: EVERY_TYPE[name].cast(pa.string()) if name == "kind" else EVERY_TYPE[name]
        for name in EVERY_TYPE.column_names
    }
)


def _receive(data: bytes) -> Callable[[int, float], bytes]:
    """Hands the bytes out in pieces whose sizes follow from the bytes themselves."""
    view = memoryview(data)
    at = 0

    def receive(most: int, _: float) -> bytes:
        nonlocal at
        size = min(most, 1 + (data[at] if at < len(data) else 0))
        part = bytes(view[at : at + size])
        at += len(part)
        return part

    return receive


def ready(data: bytes) -> None:
    """The guest's first frame."""
    try:
        said = read_ready(_receive(data), time.monotonic() + 60)
    except GuestProtocolError:
        return
    assert all(len(word) <= 40 for word in (said.python, said.pandas, said.pyarrow))


def reply(data: bytes) -> None:
    """The guest's answer to a job of two children."""
    try:
        said = read_reply(_receive(data), time.monotonic() + 60, JOB)
    except GuestProtocolError:
        return
    assert len(said.children) == len(JOB.children)
    for result, child in zip(said.children, JOB.children, strict=True):
        assert len(result.output) <= child.limits.output_bytes
        assert result.cpu_s >= 0
        assert result.wall_s >= 0
    assert sum(len(result.output) for result in said.children) <= MAX_BODIES


def records(data: bytes) -> None:
    """What a child wrote, whether it came to its end or was stopped."""
    for complete in (True, False):
        try:
            found = read_records(data, OPS, complete=complete)
        except HostileOutput:
            continue
        answered = [(record.case, record.op) for record in found if record.op != INPUT]
        asked = [(number, str(op)) for number, ops in enumerate(OPS) for op in ops]
        assert answered == asked[: len(answered)]
        assert len(answered) == len(asked) or not complete
        for record in found:
            assert type(record.case) is int
            assert len(record.error) <= 2000
            assert len(record.dtypes) <= MAX_NAMES
            f"{record.type} {record.error}".encode()  # fit for a log


def header(data: bytes) -> None:
    """JSON without surprises."""
    try:
        value = strict_json(data)
    except HostileOutput:
        return
    assert json.loads(json.dumps(value, allow_nan=False)) == value


def stream(data: bytes) -> None:
    """The frames of an Arrow stream, read in plain Python."""
    try:
        frames = list(walk(data, CAPS.batches))
    except HostileOutput:
        return
    assert len(frames) <= CAPS.batches
    assert all(frame.rows >= 0 and min(frame.nodes, default=0) >= 0 for frame in frames)


def table(data: bytes) -> None:
    """An Arrow table; what is accepted can be written, read again and looked at."""
    try:
        made = read_table(data, CAPS)
    except HostileOutput:
        return
    assert made.num_rows <= CAPS.rows
    assert made.num_columns <= CAPS.columns
    assert not made.schema.metadata
    again = write_table(made)
    assert write_table(read_table(again)) == again
    for column in made.columns:
        if not is_calendar(column.type):
            column.to_pylist()


def is_calendar(kind: pa.DataType) -> bool:
    """Whether values of the type may lie outside Python's calendar, which is no fault of a table."""
    if pa.types.is_nested(kind):
        return any(is_calendar(kind.field(number).type) for number in range(kind.num_fields))
    return bool(pa.types.is_temporal(kind))


def decoded(data: bytes) -> None:
    """What apply makes of a child's output: a table or a sentence, never an exception."""
    found = read_decoded(decode(request(data, records=False, detect=False)))
    assert (found.table is None) == bool(found.error)


def answer(data: bytes) -> None:
    """What the host makes of the disposable process's answer, should that have been taken over."""
    try:
        found = read_decoded(data)
    except HostileOutput:
        return
    assert (found.table is None) == bool(found.error)
    assert isinstance(found.error, str)
    assert found.table is None or found.table.column_names[0] == INDEX


def judged(data: bytes) -> None:
    """The judge on a child's output: it answers, whatever the bytes are."""
    candidate = Candidate(source="", name="f", contract=Contract())
    given = write_table(INPUT_TABLE)
    cases = (Case("working", given, (Op.F, Op.FF), echo_input=False), Case("repeat", given, (Op.F,)))
    job = Job((Program("f", ""),), (Child(cases),))
    examples = example_case(candidate, (), INPUT_TABLE.schema)
    for ended in (Ended.OK, Ended.KILLED):
        request = JudgeRequest(candidate=candidate, policy=GatePolicy()).with_examples(examples)
        both(request.packed([(Stage(job), (ChildResult(ended, data),))]))


def judged_table(data: bytes) -> None:
    """The judge on a child that returned this table for every op."""
    judged(b"".join(record(case, op, data) for case, op in ((0, "f"), (0, "ff"), (1, "f"))))


def record(case: int, op: str, body: bytes) -> bytes:
    """One record as a child writes it."""
    text = json.dumps({"case": case, "op": op, "status": "returned", "error": "", "body": len(body)}).encode()
    return len(text).to_bytes(4, "big") + text + body


def indexed(made: pa.Table) -> bytes:
    """The stream of the table with row numbers in front, as a child writes it."""
    return write_table(made.add_column(0, INDEX, pa.array(range(made.num_rows), pa.int64())))


TARGETS: dict[str, Target] = {
    one.__name__: one for one in (ready, reply, records, header, stream, table, decoded, answer, judged, judged_table)
}
