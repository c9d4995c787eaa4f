"""Decodes what candidates wrote, in a process of its own, into plain values for the judge. The first of two steps.

It is told which ops were asked of each child, and nothing else: no inputs, no examples, no names. Whoever takes it over
can say what a candidate returned, as the candidate itself can, and has no part in the verdict. Called through
`judge_entry`.
"""

from orchestrator.data.hostile.arrow_tables import read_table
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.data.hostile.plain import refused, write_plain
from orchestrator.data.hostile.reply import OpRecord, read_records, written
from orchestrator.gate.judge.protocol import BROKEN, DECODED, WrittenBy, framed, unpack


def decode(request: bytes) -> bytes:
    """For each child its records, with plain values for bodies, or one sentence that says why they cannot be read.

    Raises ValueError for an invalid request.
    """
    header, outputs = unpack(request)
    tables = _Tables()
    children = [WrittenBy.model_validate(each) for each in header["children"]]
    return framed([_child(child, output, tables) for child, output in zip(children, outputs, strict=True)])


def _child(child: WrittenBy, output: bytes, tables: "_Tables") -> bytes:
    try:
        records = read_records(output, child.ops, echo=child.echo, complete=child.complete)
    except HostileOutput as error:
        return BROKEN + str(error).encode()
    return DECODED + b"".join(written(record, tables.plain(record)) for record in records)


class _Tables:
    """The plain values of bodies; equal bodies are decoded once."""

    def __init__(self) -> None:
        self._known: dict[bytes, bytes] = {}

    def plain(self, record: OpRecord) -> bytes:
        if record.status != "returned" and not record.body:
            return b""
        if record.body not in self._known:
            self._known[record.body] = _plain(record.body)
        return self._known[record.body]


def _plain(body: bytes) -> bytes:
    try:
        return write_plain(read_table(body))
    except HostileOutput as error:
        return refused(str(error))
