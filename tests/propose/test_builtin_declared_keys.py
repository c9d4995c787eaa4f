"""The built-in rule for what the user declares: rows that agree in some columns agree in another."""

import pandas as pd

from orchestrator.core.conventions import Conventions
from tests.propose.builtin_help import settle


def asked(**by: list[str]) -> Conventions:
    return Conventions.model_validate({"columns": {name: {"settled_by": keys} for name, keys in by.items()}})


def test_a_declared_key_settles_several_columns_in_one_function() -> None:
    """Thousands of keys are no hindrance; blanks and words for nothing have no vote, and are filled."""
    groups = [number // 4 for number in range(8_000)]
    keys = [f"k{group}" for group in groups]
    right = {"price": [f"{group}.50" for group in groups], "sort": ["AB"[group % 2] for group in groups]}
    dirty = pd.DataFrame({"key": keys, **right})
    dirty.loc[3::40, "price"] = "9.99"
    dirty.loc[5::40, "price"] = ""
    dirty.loc[6::40, "sort"] = "n/a"
    dirty.loc[7::40, "sort"] = "n/a"
    dirty.loc[9::40, "sort"] = "C"
    cleaned, emitted = settle(dirty, conventions=asked(price=["key"], sort=["key"]))
    assert {name: list(cleaned[name]) for name in right} == right
    assert [one.candidate.name for one in emitted][-1] == "agree_on_price_and_1_more"


def test_a_tie_a_lone_row_and_a_row_without_a_key_stay() -> None:
    """The most frequent text is none where two are as frequent, or it is there once."""
    rows = [("a", "b", "1"), ("a", "b", "2"), ("a", "c", "3"), ("", "b", "4"), ("", "b", "4"), ("", "b", "5")]
    frame = pd.DataFrame(rows, columns=["one", "other", "value"])
    cleaned, _ = settle(frame, conventions=asked(value=["one", "other"]))
    pd.testing.assert_frame_equal(cleaned, frame)


def test_a_column_with_a_declared_key_settles_others_as_before() -> None:
    """What settles a name is declared; the name and the town still put right a slip in the number that settles them."""
    frame = pd.DataFrame(
        [
            [f"{1000 + row % 8}", f"Clinic {'abcdefgh'[row % 8] * 5}", f"Town {'pqrstuvw'[row % 8] * 5}"]
            for row in range(160)
        ],
        columns=["number", "name", "town"],
    )
    right = frame.copy()
    frame.loc[3, "number"], frame.loc[12, "name"] = "1x03", "Clinic eeexe"
    cleaned, _ = settle(frame, conventions=asked(name=["number"]))
    pd.testing.assert_frame_equal(cleaned, right)
