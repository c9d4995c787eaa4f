"""Units that become ones for something else, heights that are none, doubts and underscores inside of texts."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

ASKED = [("call again", "call again")]


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        (
            "quantity-changed",
            ("male, 5' 6\" tall", "male, 5 ft 6 in tall"),
            ("male, 5' 6\" tall", "male, 5 m 6 cm tall"),
        ),
        (
            "quantity-changed",
            ("he ran 7'11\" far", "he ran 7 ft 11 in far"),
            ("he ran 7'30\" far", "he ran 7 ft 30 in far"),
        ),
        ("quantity-changed", ("at 5'10\" up", "at 5 ft 10 in up"), ("at 51\u00b05'10\" N", "at 51\u00b05 ft 10 in N")),
        ("quantity-changed", ("59 mg", "0.059 g"), ("59 mg", "59000 \u00b5L")),
        ("quantity-changed", ("4,68 \u20ac/kg", "4.68 EUR/kg"), ("4,68 \u20ac/l", "4.68 EUR/kg")),
        ("quantity-changed", ("14+1", "14 alive, 1 dead"), ("14+1?", "14 alive, 1 dead")),
    ],
)
def test_what_no_length_and_no_weight_is_does_not_become_one(kind: str, right: Change, wrong: Change) -> None:
    """Metres for feet, a time or an arc as a height, litres for kilograms, a doubtful number as a sure one."""
    assert kind not in {one.kind for one in suspicions([right, *ASKED])}
    assert kind in {one.kind for one in suspicions([wrong, *ASKED])}


def test_a_microlitre_is_a_unit() -> None:
    """1.5 ml is 1500 of them, and not 150."""
    volumes = [(f"{n}.5 ml", f"{n}500 \u00b5L") for n in range(1, 8)]
    assert suspicions([*volumes, ("250 ul", "250 \u00b5L"), ("empty", "empty")]) == []
    assert suspicions([*volumes, ("9.5 ml", "950 \u00b5L"), ("empty", "empty")])


def test_underscores_inside_of_texts_keep_words_apart() -> None:
    """`%FIRST_NAME%` as `*|FIRSTNAME|*`, where another name loses its underscore, too."""
    texts = [("Dear %FIRST_NAME%, hi", "Dear *|FIRST_NAME|*, hi"), ("for %LAST_NAME% today", "for *|LAST_NAME|* today")]
    assert "words-joined" not in {one.kind for one in suspicions(texts)}
    joined = [(before, after.replace("_", "")) for before, after in texts]
    assert "words-joined" in {one.kind for one in suspicions(joined)}


def test_no_number_falls_below_zero_unless_an_example_shows_it() -> None:
    """`2 (8 dead)` as `-6 alive, 8 dead`, where the example's number stays above."""
    shown = [("14 (2 dead)", "12 alive, 2 dead"), ("12+2", "12 alive, 2 dead")]
    litters = [(f"{n} (2 dead)", f"{n - 2} alive, 2 dead") for n in range(12, 19)]
    assert suspicions([*litters, *ASKED], shown) == []
    assert suspicions([*litters, ("2 (8 dead)", "-6 alive, 8 dead"), *ASKED], shown)
