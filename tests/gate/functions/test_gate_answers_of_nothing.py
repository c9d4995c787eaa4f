"""A word for nothing that most rows of a key give: a value, beside which the others support no other answer."""

import pyarrow as pa

from orchestrator.core.candidate import Contract, Shape
from orchestrator.core.ports import Sample
from orchestrator.gate.fitted.agreement import agreed_answers


def supported(texts_of: list[list[str]]) -> dict[str, list[str]]:
    """The supported answers by key, of keys with these texts, beside keys of which all rows agree."""
    told = [*texts_of, *([f"gate {letter} closed"] * 5 for letter in "abcdefghijklmnopqrst")]
    keys = [f"k{number}" for number, texts in enumerate(told) for _ in texts]
    table = pa.table({"flight": keys, "remark": [text for texts in told for text in texts]})
    contract = Contract(shape=Shape.FITTED, modifies=("remark",), by=("flight",))
    return agreed_answers(Sample(table, table.slice(0, 0)), contract)["remark"].answers


def test_two_rows_support_nothing_against_three_that_say_none() -> None:
    """A function that wrote the claim of a source and its copy over `none` was promoted without a word."""
    answers = supported([["none", "None", "none", "strike", "strike"], ["none", "unknown", "strike", "strike"]])
    assert "k0" not in answers
    assert answers["k1"] == ["text strike"]


def test_blanks_and_signs_say_nothing() -> None:
    """Where three rows are blank or hold a dash, what two rows say is supported as before."""
    answers = supported([["", "", "", "strike", "strike"], ["-", "-", "-", "strike", "strike"]])
    assert answers["k0"] == answers["k1"] == ["text strike"]
