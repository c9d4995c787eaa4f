"""The rows of the sample beside those that the laws are tried on are evidence for them."""

import random
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest

from orchestrator.core.candidate import Contract
from orchestrator.core.policy import GatePolicy
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.gate.checks import keeps_information
from orchestrator.gate.judge.observations import CaseObservation, Observations, OpResult
from orchestrator.gate.verifier import Verifier

CONTRACT = Contract(modifies=("county",))
SLIP = ["cxllman", "jefferson", "houston", "marion"]
OTHERS = ["cullman", "jefferson", "houston", "cullman", "marion"]


def case(name: str, county: Sequence[str], corrected: Sequence[str]) -> CaseObservation:
    before, after = (pa.table({"county": pa.array(list(cells), pa.string())}) for cells in (county, corrected))
    index = np.arange(len(county), dtype=np.int64)
    return CaseObservation(name, before, CONTRACT, {"f": OpResult("returned", table=after, index=index)})


def kinds(*cases: CaseObservation) -> set[str]:
    """What is suspected of a function where these are the cases."""
    by_name = {one.id: one for one in cases}
    made = keeps_information.check(
        Observations(contract=CONTRACT, instruction="", has_detect=False, policy=GatePolicy(), cases=by_name)
    )
    return {one.kind for one in made.concerns} if made else set()


def test_a_word_that_only_the_other_rows_have_is_known() -> None:
    few = case("working", SLIP, ["cullman", *SLIP[1:]])
    assert kinds(few) == {"word-replaced"}
    assert not kinds(few, case("rest", OTHERS, OTHERS))


@pytest.mark.parametrize("rest", [["jefferson", "houston"], ["cxllmxn", "houston"]])
def test_other_rows_without_the_word_settle_nothing(rest: list[str]) -> None:
    assert kinds(case("working", SLIP, ["cullman", *SLIP[1:]]), case("rest", rest, rest)) == {"word-replaced"}


def test_columns_that_were_exchanged_are_known_by_the_other_rows() -> None:
    """Three rows of the laws say too little of what stands in which column; twenty others say it."""
    contract = Contract(modifies=("email", "city"))

    def both(name: str, before: list[tuple[str, str]], after: list[tuple[str, str]]) -> CaseObservation:
        tables = (
            pa.table({"email": [row[0] for row in rows], "city": [row[1] for row in rows]}) for rows in (before, after)
        )
        given, made = tables
        index = np.arange(len(before), dtype=np.int64)
        return CaseObservation(name, given, contract, {"f": OpResult("returned", table=made, index=index)})

    right = [(f"{town}@example.com", town.title()) for town in _towns(24)]
    few = both("working", [right[0][::-1], *right[1:4]], right[:4])
    assert kinds(few)
    assert not kinds(few, both("rest", right[4:], right[4:]))


def _towns(count: int) -> list[str]:
    """Made-up names that are far from one another."""
    draw = random.Random(11)  # noqa: S311 - data for a test
    return ["".join(draw.choice("bdfgklmnprst") + draw.choice("aeiou") for _ in range(4)) for _ in range(count)]


@pytest.mark.parametrize("known", [True, False])
def test_what_the_first_container_saw_is_evidence_for_the_held_out_rows(gate: Verifier, known: bool) -> None:
    """Each name stands in one row only: of those that the held-out slips are of, half are not among the 200 rows."""
    towns = _towns(400)
    held, slipped = towns[100:140], towns[:20]
    spoilt = {town[:3] + "x" + town[4:]: town for town in [*held, *slipped]}
    seen = [town for town in towns if known or town not in held] + [town[:3] + "x" + town[4:] for town in slipped]
    random.Random(3).shuffle(seen)  # noqa: S311 - data for a test
    unseen = [town[:3] + "x" + town[4:] for town in held] + towns[300:360]
    tables = [pa.table({"town": cells, "number": list(range(len(cells)))}) for cells in (seen, unseen)]
    source = f'''CONTRACT = {{"modifies": ["town"]}}
SLIPS = {spoilt!r}


def clean_town(df):
    """Correct slips in town."""
    out = df.copy()
    out["town"] = out["town"].map(lambda cell: SLIPS.get(cell, cell))
    return out
'''
    verdict = gate.verify(VerifyRequest(source, Sample(*tables), quick=True))
    assert verdict.verdict is (Outcome.PASS if known else Outcome.HOLD), verdict.concerns
