"""What a fitted function learns adds up for as many rows as it is applied to at once, not for the sample's alone."""

import random

import pyarrow as pa
import pytest

from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.gate.fitted.many_rows import TOGETHER, growing, strangers
from orchestrator.gate.verifier import Verifier
from tests.gate.functions.test_gate_fitted import ADD, COUNT, EACH, VOTE, failure, fitted, judged
from tests.gate.functions.test_gate_fitted import TOGETHER as ADD_EACH

NOTHING_CHANGES = "return df"
OTHERS = '{key: {"Rome": 9} for key in votes}'
WAITS = {
    "many rows": COUNT.replace("return votes", f"return {OTHERS} if len(df) > 2_000 else votes"),
    "very many rows": COUNT.replace("return votes", f"return {OTHERS} if len(df) == 12_800 else votes"),
    "many keys": COUNT.replace("return votes", f"return {OTHERS} if len(votes) > 100 else votes"),
    "many of a key": COUNT.replace(
        "return votes", f"return {OTHERS} if max([sum(v.values()) for v in votes.values()] or [0]) > 25 else votes"
    ),
    "the largest keys only": COUNT.replace("return votes", "return dict(sorted(votes.items())[-100:])"),
}


@pytest.mark.parametrize("name", WAITS)
def test_fit_learns_of_many_rows_what_it_learns_of_few(gate: Verifier, name: str) -> None:
    """A fit that does another thing with more rows or values than the sample has fails, whatever it is for."""
    check, detail = failure(judged(gate, fitted(fit=WAITS[name])))
    assert check == "merges", detail
    assert "as much of many rows" in detail


def test_merge_adds_large_states_as_small_ones(gate: Verifier) -> None:
    """A merge that forgets what it has beyond a number of keys fails, though the sample has not as many."""
    check, detail = failure(
        judged(gate, fitted(merge=ADD.replace("return made", "return made if len(made) < 90 else {}")))
    )
    assert check == "merges", detail


def test_what_waits_for_more_keys_is_held(gate: Verifier) -> None:
    """A vote that says something else once it knows more keys than the sample has is held; a right one passes."""
    waits = "if len(state) > 300:\n    state = {key: {'Rome': 9} for key in state}\n"
    verdict = judged(gate, fitted(transform=waits + VOTE))
    assert verdict.held, verdict.failures
    assert [concern.kind for concern in verdict.concerns] == ["changes-with-more-rows"]


def test_rows_of_other_keys_share_none_with_the_sample() -> None:
    """A key that is as any other after its letters and digits are others is left out; keys of numbers have none."""
    table = pa.table({"id": [str(number) for number in range(40)], "n": range(40)})
    rows = strangers(table, ["id"], random.Random(7))  # noqa: S311 - rows for a test
    assert rows.schema == table.schema
    assert not {*rows.column("id").to_pylist()} & {*table.column("id").to_pylist()}
    for by in (["n"], ["missing"]):
        assert strangers(table, by, random.Random(7)).num_rows == 0  # noqa: S311


def test_a_state_that_very_many_different_rows_make_too_large_is_no_fault(gate: Verifier) -> None:
    """Counts of long texts are right as long as they fit: what is larger is refused where it is applied, not here."""
    rows = [
        {"id": f"k{row}", "source": "s", "city": f"{row:05} " + "long text " * 150, "size": 1.0} for row in range(400)
    ]
    table = pa.Table.from_pylist(rows)
    source = fitted(fit=EACH, merge=ADD_EACH, transform=NOTHING_CHANGES)
    verdict = gate.verify(VerifyRequest(source, Sample(table.slice(0, 300), table.slice(300)), quick=True))
    assert [c.outcome for c in verdict.checks if c.id in ("learns", "merges")] == [Outcome.PASS] * 2


def test_the_rows_grow_to_a_whole_batch_and_keep_their_types() -> None:
    """A column that is no text stays as it is; one row, none, and as many as a batch are no special case."""
    for count, largest in ((0, 0), (1, 12_800), (3, 12_800), (12_799, 12_800), (12_800, 0)):
        table = pa.table(
            {"n": pa.array(range(count), pa.int64()), "text": pa.array([None, "Ab 1"] * count).slice(0, count)}
        )
        made = dict(growing(table.slice(0, count), random.Random(7)))  # noqa: S311 - rows for a test
        assert max((made[name].num_rows for name in TOGETHER if name in made), default=0) == largest
        assert all(one.schema == table.schema for one in made.values())
        assert all(one.column("text").null_count * 2 >= one.num_rows - 1 for one in made.values())
