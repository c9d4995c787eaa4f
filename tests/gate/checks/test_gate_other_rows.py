"""The rows of the sample beside those that the laws are tried on are evidence for them."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest

from orchestrator.core.candidate import Contract
from orchestrator.core.policy import GatePolicy
from orchestrator.gate.checks import keeps_information
from orchestrator.gate.judge.observations import CaseObservation, Observations, OpResult

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
