"""The messages between verifier, decoder and judge: a JSON header, followed by the bytes that it names, as blobs.

The request is a `JudgeRequest`: the cases as they were sent and the bytes that came back, unread by the host. It has
two steps (`data.disposable.two_steps`): what children wrote goes to `decoding` alone, with the ops that were asked and
nothing else; all the rest goes to the judge, with what the decoder said.
"""

import hashlib
import json
import struct
from collections.abc import Sequence
from typing import Any

from pydantic import Field

from orchestrator.core.candidate import Candidate, Contract, Example, ExampleSource
from orchestrator.core.conventions import ColumnConvention
from orchestrator.core.jobs import ChildResult, Ended, Op
from orchestrator.core.policy import ColumnRule, GatePolicy
from orchestrator.core.value import Value
from orchestrator.data.disposable.two_steps import join, with_decoded
from orchestrator.gate.fitted.agreement import AgreedAnswers
from orchestrator.gate.inputs.case_planner import Stage
from orchestrator.gate.inputs.example_case import ExampleCase

AnsweredStage = tuple[Stage, Sequence[ChildResult]]

MAX_HEADER = 8 * 2**20
DECODE = "decode"
"""The function that takes the first step (`decoding`)."""
AS_IT_CAME, DECODED, BROKEN = b"\0", b"\1", b"\2"
"""What follows in the answer about a child: its own bytes, records of plain values, or why there are none."""
STATES, ATTEMPTS = b"F", b"A"
"""What the judge's part begins with when it is about what a fitted candidate learns, or about attempts at a smaller
example. All others begin with the length of their header, never with one of these bytes."""
_LENGTH = struct.Struct(">I")
_SIZE = struct.Struct(">Q")


def pack(header: dict[str, Any], blobs: Sequence[bytes] = ()) -> bytes:
    """`u32 header length`, the header with the blobs' lengths in it, then the blobs."""
    text = json.dumps({**header, "blobs": [len(blob) for blob in blobs]}).encode()
    return b"".join([_LENGTH.pack(len(text)), text, *blobs])


def unpack(message: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """The header and the blobs. Raises ValueError when the message is not whole."""
    if len(message) < _LENGTH.size:
        raise ValueError("the message is too short")
    (size,) = _LENGTH.unpack_from(message)
    if size > MAX_HEADER:
        raise ValueError("the header is too long")
    at = _LENGTH.size + size
    header = json.loads(message[_LENGTH.size : at])
    lengths = header.pop("blobs", None) if isinstance(header, dict) else None
    if lengths is None:
        raise ValueError("the message has no header")
    blobs = []
    for length in lengths:
        if type(length) is not int or length < 0 or at + length > len(message):
            raise ValueError("the message is cut off")
        blobs.append(message[at : at + length])
        at += length
    if at != len(message):
        raise ValueError("bytes follow the message")
    return header, blobs


def framed(outputs: Sequence[bytes]) -> bytes:
    """What the decoder says of each child, one after the other."""
    return b"".join(part for output in outputs for part in (_SIZE.pack(len(output)), output))


def unframed(decoded: bytes, count: int) -> list[bytes]:
    """The parts of `framed`. Raises ValueError when there are more or fewer, or when one is cut off."""
    parts, at = [], 0
    while at < len(decoded):
        if at + _SIZE.size > len(decoded):
            raise ValueError("the decoder's answer is cut off")
        end = at + _SIZE.size + _SIZE.unpack_from(decoded, at)[0]
        parts.append(decoded[at + _SIZE.size : end])
        at = end
    if at != len(decoded) or len(parts) != count:
        raise ValueError("the decoder's answer is not what was asked")
    return parts


class SentCase(Value):
    """A case as it was sent; `input` is the number of a blob."""

    id: str
    ops: tuple[Op, ...]
    echo: bool
    input: int


class ChildReply(Value):
    """How a child ended, and what it was asked."""

    ended: Ended
    wall_s: float
    cases: tuple[SentCase, ...]


class WrittenBy(Value):
    """What the decoder must know of a child to read what it wrote."""

    ops: tuple[tuple[Op, ...], ...]
    echo: tuple[bool, ...]
    complete: bool

    @classmethod
    def of(cls, child: ChildReply) -> "WrittenBy":
        """The part of a reply's description that says which records are due."""
        return cls(
            ops=tuple(case.ops for case in child.cases),
            echo=tuple(case.echo for case in child.cases),
            complete=child.ended is Ended.OK,
        )


class JudgeRequest(Value):
    """What the judge is asked about one candidate.

    `sources`: whose each of `examples` is. `declared`: what is shown and not run; `instruction`: the user's words;
    `agreed`: what the rows themselves support; `conventions`: of the columns that it modifies. `asked`: the columns
    of `adds` that the user wants. `matter`: the columns that a counterexample in a wide table shows first.
    `reads`: those that it is about or that its source names. `problems`: examples that do not fit the columns.
    `kinds`: of records, the kinds of values that each key has in the sample, where no case is the sample. `orders`:
    which rows a case holds, by its id. `facts`: numbers from earlier answers and measurements. `done`: checks that
    need not be judged. `team`: the team's checks are asked elsewhere. `final`: the confirming container has run.
    `salt`: of the digests in the evidence; of this function and these rows alone.
    """

    candidate: Candidate
    policy: GatePolicy
    examples: tuple[Example, ...] = ()
    sources: tuple[ExampleSource, ...] = ()
    numbers: tuple[int, ...] = ()
    declared: tuple[Example, ...] = ()
    instruction: str = ""
    agreed: dict[str, AgreedAnswers] = Field(default_factory=dict)
    conventions: dict[str, ColumnConvention] = Field(default_factory=dict)
    asked: tuple[str, ...] = ()
    matter: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    kinds: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    orders: dict[str, list[int]] = Field(default_factory=dict)
    facts: dict[str, int] = Field(default_factory=dict)
    promoted: tuple[str, ...] = ()
    promoted_contracts: tuple[Contract, ...] = ()
    duplicate_of: str = ""
    done: tuple[str, ...] = ()
    rules: dict[str, ColumnRule] = Field(default_factory=dict)
    team: bool = False
    final: bool = False
    salt: str = ""
    children: tuple[ChildReply, ...] = ()

    @property
    def names_taken(self) -> bool:
        """Whether its source or its name is that of a promoted function."""
        return bool(self.duplicate_of) or self.candidate.name in self.promoted

    def with_examples(self, examples: ExampleCase) -> "JudgeRequest":
        """The same with the examples that concern the candidate."""
        update = {
            "examples": examples.used,
            "sources": examples.sources,
            "numbers": examples.numbers,
            "declared": examples.declared,
            "instruction": examples.instruction,
            "agreed": examples.agreed,
            "conventions": examples.conventions,
            "problems": examples.problems,
        }
        return self.model_copy(update=update)

    def packed(self, answered: Sequence[AnsweredStage], mark: bytes = b"") -> bytes:
        """The message about what these stages sent and got; inputs that several cases share are in it once.

        `mark` stands in front of the judge's part.
        """
        blobs: dict[int, tuple[int, bytes]] = {}

        def place(blob: bytes) -> int:
            return blobs.setdefault(id(blob), (len(blobs), blob))[0]

        children: list[ChildReply] = []
        outputs: list[bytes] = []
        orders = dict(self.orders)
        for stage, results in answered:
            orders |= stage.orders
            for child, result in zip(stage.job.children, results, strict=True):
                cases = tuple(
                    SentCase(id=c.id, ops=c.ops, echo=c.echo_input, input=place(c.input)) for c in child.cases
                )
                children.append(ChildReply(ended=result.ended, wall_s=result.wall_s, cases=cases))
                outputs.append(result.output)
        named = self.candidate.model_copy(update={"source": "", "issue": "", "docstring": ""})  # the judge needs none
        salt = hashlib.sha256(f"{self.candidate.sha256} {orders.get('lot')}".encode()).hexdigest()
        update = {"candidate": named, "children": tuple(children), "orders": orders, "salt": salt}
        whole = self.model_copy(update=update)
        own = mark + pack(whole.model_dump(mode="json"), [blob for _, blob in blobs.values()])
        if self.candidate.contract.shape.by_row:  # JSON Lines: nothing that an unsafe parser would have to read
            return with_decoded(own, framed([AS_IT_CAME + output for output in outputs]))
        asked = [WrittenBy.of(child).model_dump(mode="json") for child in children]
        return join(DECODE, pack({"children": asked}, outputs), own)

    @classmethod
    def unpacked(cls, own: bytes) -> "tuple[JudgeRequest, list[bytes]]":
        """The request and its blobs, of the judge's part. Raises ValueError for an invalid message."""
        header, blobs = unpack(own)
        return cls.model_validate(header), blobs
