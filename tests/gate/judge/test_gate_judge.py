"""The judge takes nothing for granted: whatever a child wrote, it answers."""

import random
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.jobs import ChildResult, Ended
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sample
from orchestrator.gate.inputs.case_planner import CasePlanner, Stage
from orchestrator.gate.inputs.example_case import example_case
from orchestrator.gate.judge import judge_entry
from orchestrator.gate.judge.judge_entry import both
from orchestrator.gate.judge.protocol import JudgeRequest, pack, unpack
from orchestrator.gate.judge.sample_evidence import MAX_CHANGES
from orchestrator.sandbox.containers.local import LocalSandbox

ROWS = pa.table({"city": [" Rome", "Oslo", None, "Lima "], "n": [1, 2, None, 4]})
SOURCE = '''
def f(df):
    """Strip."""
    return df.assign(city=df["city"].str.strip())
'''
CANDIDATE = Candidate(source=SOURCE, name="f", contract=Contract(modifies=("city",)))
EXAMPLES = example_case(CANDIDATE, (), ROWS.schema)


@pytest.fixture(scope="module")
def honest(local_sandbox: LocalSandbox) -> tuple[Stage, tuple[ChildResult, ...]]:
    stage = CasePlanner(CANDIDATE, Sample(ROWS, ROWS), Policy(), 1).first(EXAMPLES)
    return stage, local_sandbox.run(stage.job).children


def answer(stage: Stage, children: tuple[ChildResult, ...]) -> dict[str, Any]:
    request = JudgeRequest(candidate=CANDIDATE, policy=Policy().gate).with_examples(EXAMPLES)
    return unpack(both(request.packed([(stage, children)])))[0]


def failures(stage: Stage, children: tuple[ChildResult, ...]) -> list[str]:
    return [check["id"] for check in answer(stage, children)["checks"] if check["outcome"] == "fail"]


def test_honest_output_passes(honest: tuple[Stage, tuple[ChildResult, ...]]) -> None:
    """The positive control: what the guest really wrote breaks no law."""
    assert failures(*honest) == []


def test_changes_are_counted_each_once(honest: tuple[Stage, tuple[ChildResult, ...]]) -> None:
    """By column and cells, the most frequent first, with the whole of the first row."""
    made = answer(*honest)
    found = {
        (one["first"]["input"][0]["city"], one["first"]["output"][0]["city"], one["rows"]) for one in made["changes"]
    }
    assert found == {(" Rome", "Rome", 1), ("Lima ", "Lima", 1)}
    assert {one["column"] for one in made["changes"]} == {"city"}
    assert [
        one["first"]["input"][0]["n"] for one in made["changes"] if one["first"]["input"][0]["city"] == "Lima "
    ] == [4]


def test_equal_changes_are_one_with_their_count(local_sandbox: LocalSandbox) -> None:
    """However many rows have it: a person reads it once. No more than some are kept."""
    cells = [" a"] * 7 + ["b "] * 3 + [f" {letter}" for letter in "cdefghijkl"]
    rows = pa.table({"city": cells, "n": list(range(len(cells)))})
    stage = CasePlanner(CANDIDATE, Sample(rows, rows), Policy(), 1).first(example_case(CANDIDATE, (), rows.schema))
    made = answer(stage, local_sandbox.run(stage.job).children)["changes"]
    counts = [(one["first"]["output"][0]["city"], one["rows"]) for one in made]
    assert counts[:2] == [("a", 7), ("b", 3)]
    assert len(counts) == MAX_CHANGES


@pytest.mark.parametrize("ended", [e for e in Ended if e is not Ended.OK])
def test_bad_end_fails_even_with_perfect_output(ended: Ended, honest: tuple[Stage, tuple[ChildResult, ...]]) -> None:
    """How a child ended is the supervisor's word; complete records do not outweigh it."""
    stage, children = honest
    first = ChildResult(ended, children[0].output, wall_s=9.9)
    assert "executed" in failures(stage, (first, *children[1:]))


def test_the_output_of_another_job_fails(
    honest: tuple[Stage, tuple[ChildResult, ...]], local_sandbox: LocalSandbox
) -> None:
    """Records that were written for other cases do not pass for those of this job."""
    stage, children = honest
    planner = CasePlanner(CANDIDATE, Sample(ROWS, ROWS), Policy(), 1)
    other = local_sandbox.run(planner.confirm(stage.job.children[0].cases[0].input).job).children
    assert "executed" in failures(stage, (*other, *children[len(other) :]))
    assert failures(stage, children) == []


def test_damaged_bytes_never_break_the_judge(honest: tuple[Stage, tuple[ChildResult, ...]]) -> None:
    """Cut off, doubled, or with changed bytes: the judge answers, and what is damaged does not pass unseen."""
    stage, children = honest
    draw = random.Random(7)  # noqa: S311 - a test must do the same every time
    good = children[0].output
    for _ in range(150):
        damaged = bytearray(good)
        match draw.randrange(3):
            case 0:
                del damaged[draw.randrange(len(good)) :]
            case 1:
                damaged += good[: draw.randrange(1, len(good))]
            case _:
                for _ in range(draw.randint(1, 40)):
                    damaged[draw.randrange(len(good))] ^= 1 << draw.randrange(8)
        checks = answer(stage, (ChildResult(Ended.OK, bytes(damaged)), *children[1:]))["checks"]
        assert checks[0]["id"] == "executed"
        if len(damaged) != len(good):
            assert checks[0]["outcome"] == "fail"


def test_packet_round_trip_and_refusals() -> None:
    """A packet comes back as it went in; a cut or padded one is refused."""
    packet = pack({"a": 1}, [b"x", b""])
    assert unpack(packet) == ({"a": 1}, [b"x", b""])
    for broken in (b"", packet[:-1], packet + b"x", b"\0\0\0\2[]"):
        with pytest.raises(ValueError, match=r".+"):
            unpack(broken)


def test_the_warming_walk_is_judged_like_a_real_reply() -> None:
    """What warms the judge's processes is read without a complaint, so every part of the judge has really run."""
    verdict, _ = unpack(judge_entry.warm())
    assert {check["id"]: check["outcome"] for check in verdict["checks"]}["pure"] == "pass"
    assert all(check["outcome"] != "fail" for check in verdict["checks"])
