"""Words that a column may hold next month do not become words of the sample that they are no spellings of."""

import random

import numpy as np
import pyarrow as pa
import pytest

from orchestrator.core.candidate import Contract, Example
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.gate.information.similarity import SIMILAR, key, ratio
from orchestrator.gate.judge.observations import CaseObservation, OpResult
from orchestrator.gate.properties.fresh_words import fresh_words, replaced_words
from orchestrator.gate.verifier import Verifier

CITIES = ["Bonn", "Kiel", "Trier", "New York", "Bad Ems"]
NEAREST = '''"""Stray blanks and slips."""
import difflib
KNOWN = ["Bonn", "Kiel", "Trier", "New York", "Bad Ems"]
CONTRACT = {"modifies": ["city"]}
def _one(v):
    if not isinstance(v, str):
        return v
    near = difflib.get_close_matches(v.strip(), KNOWN, 1, CUTOFF)
    return near[0] if near else v.strip()
def city(df):
    """The nearest city."""
    return df.assign(city=df["city"].map(_one))
'''


def request(cutoff: str, *examples: Example) -> VerifyRequest:
    cells = [(f" {city}" if n % 3 else city) for n in range(12) for city in CITIES]
    table = pa.table({"city": cells, "id": [f"A{n}" for n in range(len(cells))]})
    return VerifyRequest(
        NEAREST.replace("CUTOFF", cutoff), Sample(table.slice(0, 45), table.slice(45)), examples=examples
    )


@pytest.mark.parametrize(("cutoff", "outcome"), [("0.3", Outcome.HOLD), ("0.85", Outcome.PASS)])
def test_the_nearest_word_of_a_list_is_held_where_it_is_far(gate: Verifier, cutoff: str, outcome: Outcome) -> None:
    """On the sample both functions do the same; one that believes spellings alone is right next month, too."""
    verdict = gate.verify(request(cutoff))
    assert verdict.verdict is outcome
    assert {one.kind for one in verdict.concerns} == ({"word-replaced"} if outcome is Outcome.HOLD else set())
    assert all("made up by the gate for this trial" in one.settles for one in verdict.concerns), "it is not in the data"


def test_a_witness_who_shows_a_word_replaced_settles_it(gate: Verifier) -> None:
    shown = Example(input={"city": "Kassel", "id": "A0"}, output={"city": "Kiel", "id": "A0"})
    assert gate.verify(request("0.3", shown)).verdict is Outcome.PASS


def test_fresh_words_are_built_like_those_of_the_column_and_unlike_each() -> None:
    chance = random.Random(3)  # noqa: S311 - nothing here is a secret
    known, fresh = fresh_words([*CITIES, "A7", "x", "Bonn "], chance)
    assert known == CITIES
    assert len(fresh) >= 3
    assert all(ratio(key(word), key(city)) < SIMILAR for word in fresh for city in CITIES)
    assert all(word.istitle() for word in fresh)
    assert fresh_words(CITIES[:4], chance) == ([], [])


def test_words_of_rows_that_are_dropped_are_laid_beside_none() -> None:
    """Fewer rows come back than went in."""
    given = pa.table({"city": [*CITIES, "Kassel"]})
    contract = Contract(modifies=("city",), drops_rows=True)
    result = OpResult("returned", table=given.slice(0, 2), index=np.arange(2, dtype=np.int64))
    case = CaseObservation("fresh~0", given, contract, {"f": result})
    assert replaced_words(case, "city", len(CITIES), []) == []
