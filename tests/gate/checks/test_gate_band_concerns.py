"""A word of an added column that comes back further up the scale which decides it is for a person to see."""

import numpy as np
import pyarrow as pa
import pytest

from orchestrator.core.candidate import Contract, Example
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.gate.checks.changed_columns.band_concerns import KIND, band_concerns
from orchestrator.gate.information.row_evidence.bands import band_come_back, band_without_word
from orchestrator.gate.judge.observations import CaseObservation, OpResult
from orchestrator.gate.verifier import Verifier
from tests.gate.age_bands import AGES, SOURCE, TABLE

RIGHT = "'child' if a < 18 else 'adult' if a < 65 else 'senior'"
WRONG = "'child' if a < 18 else 'adult' if a < 25 else 'child' if a < 50 else 'senior'"
CHILD, MIDDLE = ((age, word) for age, word in (("9", "child"), ("30", "child")))


def example(age: str, band: str) -> Example:
    return Example(input={"id": "P1", "age": age}, output={"id": "P1", "age": age, "band": band})


@pytest.mark.parametrize(
    ("limits", "shown", "held"),
    [(RIGHT, CHILD, False), (WRONG, CHILD, True), (WRONG, MIDDLE, False)],
)
def test_a_band_that_comes_back_is_held(gate: Verifier, limits: str, shown: tuple[str, str], *, held: bool) -> None:
    """Until an example shows a row of it; one of another band says nothing of it."""
    request = VerifyRequest(
        SOURCE.replace("LIMITS", limits), Sample(TABLE.slice(0, 70), TABLE.slice(70)), examples=(example(*shown),)
    )
    verdict = gate.verify(request)
    assert bool([one for one in verdict.concerns if one.kind == KIND]) is held
    assert verdict.verdict == (Outcome.HOLD if held else Outcome.PASS), (verdict.failures, verdict.concerns)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["low"] * 10 + ["normal"] * 10 + ["high"] * 10, False),
        (["night"] * 6 + ["day"] * 12 + ["evening"] * 6 + ["night"] * 6, False),
        (["low"] * 10 + ["normal"] * 5 + ["low"] * 5 + ["high"] * 10, True),
        (["normal", "odd"] * 15, False),
        (["low"] * 10 + ["normal"] * 10 + ["low"] * 10, False),
        (["low"] * 10 + ["normal"] * 1 + ["low"] * 9 + ["high"] * 10, False),
        (["low"] * 10 + ["normal"] * 10 + ["high"] * 4 + ["normal"] + ["high"] * 5, True),
        (["low"] * 10 + ["normal"] * 10 + ["high"] * 9 + ["normal"], False),
        ([None, "low"] * 5 + ["normal"] * 10 + [None, "high"] * 5, False),
    ],
)
def test_only_a_scale_has_bands(words: list[str | None], *, found: bool) -> None:
    """A word for both ends, two words, and words that no number decides are none of a scale that is wrong."""
    assert (band_come_back(words, list(range(30))) is not None) is found


def test_numbers_that_do_not_decide_the_words_show_nothing() -> None:
    """Two rows of one number with two words."""
    words = ["low"] * 10 + ["normal"] * 5 + ["low"] * 5 + ["high"] * 10
    assert band_come_back([*words, "high"], [*range(30), 3]) is None


@pytest.mark.parametrize(
    ("words", "numbers", "found"),
    [
        (["low"] * 10 + ["normal"] * 10 + ["high"] * 6 + [""] * 3, [*range(29)], (26, 28)),
        (["low"] * 10 + ["normal"] * 10 + [None] * 4 + ["high"] * 6, [*range(30)], (20, 23)),
        (["low"] * 10 + ["normal"] * 10 + ["high"] * 6 + [""] * 3, [*range(26), 997, 998, 999], None),
        ([""] * 3 + ["low"] * 10 + ["normal"] * 10 + ["high"] * 6, [*range(-3, 26)], None),
        (["low", "", "low"] * 5 + ["normal"] * 10 + ["high"] * 5, [*range(30)], None),
        (["low"] * 10 + ["high"] * 10 + [""] * 4, [*range(24)], None),
    ],
)
def test_numbers_of_a_scale_that_get_no_word_are_found(
    words: list[str | None], numbers: list[int], found: tuple[int, int] | None
) -> None:
    """Not those far off or below zero, single ones among others, or one side of two."""
    band = band_without_word(words, numbers)
    assert (band and (int(band.low), int(band.high))) == found


@pytest.mark.parametrize(("age", "band", "found"), [("9", "child", True), ("84", "", False), ("84", None, False)])
def test_an_example_without_a_word_settles_the_numbers_around_it(age: str, band: str | None, *, found: bool) -> None:
    """One with a word, of another band, does not."""
    words = ["child" if one < 18 else "adult" if one < 65 else "senior" if one < 82 else "" for one in AGES]
    result = TABLE.append_column("band", pa.array(words))
    made = OpResult("returned", table=result, index=np.arange(TABLE.num_rows))
    case = CaseObservation("working", TABLE, Contract(modifies=(), adds=("band",)), {"f": made})
    shown = Example(input={"id": "P1", "age": age}, output={"band": band})
    assert bool([*band_concerns(case, "keeps-information", [shown])]) is found
