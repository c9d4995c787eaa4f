"""Decoding and judging are two processes: whoever takes over the first has no part in the verdict."""

import json

import pyarrow as pa
import pytest

from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.disposable.two_steps import join, own_and_decoded, two_steps
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.data.hostile.plain import read_plain, refused, write_plain
from orchestrator.gate.judge.decoding import decode
from orchestrator.gate.judge.judge_entry import ENTRY, both
from orchestrator.gate.judge.protocol import AS_IT_CAME, BROKEN, framed, unframed, unpack
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox

TRIM = '''"""City names carry stray blanks."""
CONTRACT = {"modifies": ["city"]}
def trim_city(df):
    """Strip blanks."""
    return df.assign(city=df["city"].str.strip())
'''
ROWS = pa.table({"city": [" Rome", "Oslo", None, "Lima "] * 6, "n": [1, 2, None, 4] * 6})
SAMPLE = Sample(ROWS, ROWS)


class Spy:
    """The real process; keeps what is asked of it."""

    def __init__(self, inner: DisposableProcess) -> None:
        self._inner = inner
        self.requests: list[bytes] = []

    def call(self, request: bytes) -> bytes:
        self.requests.append(request)
        return self._inner.call(request)

    def close(self) -> None:
        """Nothing of its own to close."""


@pytest.fixture(scope="module")
def asked(local_sandbox: LocalSandbox) -> list[bytes]:
    """The requests of one verdict that passes."""
    with DisposableProcess(ENTRY) as process:
        spy = Spy(process)
        assert Verifier(local_sandbox, spy, Policy()).verify(VerifyRequest(TRIM, SAMPLE, quick=True)).passed
    return spy.requests


def test_the_decoder_is_told_the_ops_and_nothing_else(asked: list[bytes]) -> None:
    """No inputs, names of cases, examples, orders or contract go to the process that reads hostile bytes."""
    for request in asked:
        steps = two_steps(request)
        assert steps is not None
        header, outputs = unpack(bytes(steps.hostile))
        assert header.keys() == {"children"}
        assert {key for child in header["children"] for key in child} == {"ops", "echo", "complete"}
        assert len(outputs) == len(header["children"])
        assert b"working" not in bytes(steps.hostile)
        assert b'"working"' in bytes(steps.own) or b'"confirm"' in bytes(steps.own)


def test_the_judge_reads_no_byte_that_a_candidate_wrote(asked: list[bytes]) -> None:
    """What children wrote is in the decoder's part only; the judge's part holds the inputs that were sent."""
    for request in asked:
        steps = two_steps(request)
        assert steps is not None
        _, outputs = unpack(bytes(steps.hostile))
        for output in outputs:
            assert output
            assert output not in bytes(steps.own)
            body = output[4 + int.from_bytes(output[:4], "big") :][:200]
            assert body not in steps.second(decode(bytes(steps.hostile)))


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\0" * 40,
        framed([]),
        framed([b""]),
        framed([AS_IT_CAME + b"garbage"]),
        framed([b"\7verdict: pass"]),
        framed([BROKEN + b"\xff\x1b[31m"]),
        json.dumps({"checks": [{"id": "executed", "outcome": "pass"}]}).encode(),
    ],
)
def test_a_decoder_that_was_taken_over_cannot_write_the_verdict(said: bytes, asked: list[bytes]) -> None:
    """Whatever it answers, the judge finds that nothing was executed, or has no answer: never a pass."""
    steps = two_steps(asked[0])
    assert steps is not None
    honest = unpack(both(asked[0]))[0]["checks"][0]
    assert (honest["id"], honest["outcome"]) == ("executed", "pass")
    try:
        answer, _ = unpack(both(steps.second(said)))
    except ValueError:
        return
    assert answer["checks"][0]["id"] == "executed"
    assert answer["checks"][0]["outcome"] == "fail"


def test_a_decoder_that_says_nothing_gives_no_pass(local_sandbox: LocalSandbox) -> None:
    """Through the whole gate, with a decoder whose answer holds no child."""

    class Silent(Spy):
        def call(self, request: bytes) -> bytes:
            steps = two_steps(request)
            assert steps is not None
            return self._inner.call(steps.second(framed([])))

    with DisposableProcess(ENTRY) as process:
        verdict = Verifier(local_sandbox, Silent(process)).verify(VerifyRequest(TRIM, SAMPLE, quick=True))
    assert verdict.verdict is Outcome.INFRA


def test_steps_come_apart_as_they_were_joined() -> None:
    """Two steps are told from other requests, and a second step that is cut off is refused."""
    steps = two_steps(join("decode", b"hostile", b"own"))
    assert steps is not None
    assert (steps.function, bytes(steps.hostile), bytes(steps.own)) == ("decode", b"hostile", b"own")
    assert own_and_decoded(steps.second(b"said")) == (b"own", b"said")
    assert two_steps(b"\0\0\0\2{}") is None
    for broken in (b"", steps.second(b"")[:-1]):
        with pytest.raises(ValueError, match="cut off"):
            own_and_decoded(broken)
    for broken, count in ((framed([b"a"]), 2), (framed([b"a"])[:-1], 1), (framed([b"a"]) + b"x", 1)):
        with pytest.raises(ValueError, match="decoder"):
            unframed(broken, count)


def test_plain_values_refuse_what_they_say_they_refuse() -> None:
    """A refusal travels as one sentence; a table comes back as it went."""
    assert read_plain(write_plain(ROWS)).equals(ROWS)
    with pytest.raises(HostileOutput, match="too wide"):
        read_plain(refused("too wide"))
