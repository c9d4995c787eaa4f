"""Two values that many rows hold do not become one as if one were a slip; ways of spelling and rare slips do."""

from collections.abc import Sequence

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.gate.checks.changed_columns.frequent_values import frequent_values_merged
from orchestrator.gate.verifier import Verifier

SOURCE = """CONTRACT = {"modifies": ["job"]}
def detect(df):
    return df["job"] == "Trainee"
def one_job(df):
    'Write jobs alike.'
    return df.assign(job=df["job"].replace("Trainee", "Trainer"))
"""


def merged(one: str, other: str, rows: Sequence[int] = (40, 60)) -> str:
    before = [one] * rows[0] + [other] * rows[1] + ["Manager"] * 50
    found = frequent_values_merged(before, [other if cell == one else cell for cell in before], [])
    return found.detail if found else ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Trainee", "Trainer"), ("C", "C++"), ("Cefalin", "Cefazolin"), ("Jon", "John"), ("Müller", "Miller"),
        ("vegan", "vegetarian"), ("cefazolin", "cefalexin"), ("paid", "prepaid"), ("male", "female"),
    ],
)  # fmt: skip
def test_two_frequent_words_that_are_nearly_alike_are_two_things(one: str, other: str) -> None:
    """Either may be right, and so the change is held; a rare one is a slip, as far as this goes."""
    assert merged(one, other) == f"{one!r} becomes {other!r}, and many rows hold each of them"
    assert not merged(one, other, (3, 60))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cancelled", "canceled"), ("Colour", "Color"), ("grey", "gray"), ("organisation", "organization"),
        ("BOOK", "Book"), ("books", "book"), ("e-mail", "email"), ("Mueller", "Müller"), ("St.", "Street"),
        ("adress", "address"), ("NY", "New York"), ("18 to 29", "18-29"), ("E. Timor", "East Timor"),
        ("Jr Analyst", "Junior Analyst"),
        ("Govt", "Government"), ("mail", "email"), ("York", "New York"), ("Engineering", "Engineer"),
        ("Eng", "England"),
        ("KÃ¶ln", "Köln"), ("HR - Human Resources", "Human Resources"),
    ],
)  # fmt: skip
def test_ways_to_spell_one_word_may_be_frequent(one: str, other: str) -> None:
    """Of several countries, cases, numbers, or written out."""
    assert not merged(one, other)


def test_what_a_witness_shows_of_frequent_values_is_believed(gate: Verifier) -> None:
    """The whole verdict: held, and passed with the user's example of the same word."""
    rows = pa.table({"job": ["Trainee", "Trainer", "Manager"] * 60})
    sample = Sample(rows.slice(0, 120), rows.slice(120))
    held = gate.verify(VerifyRequest(SOURCE, sample, quick=True))
    assert held.verdict is Outcome.HOLD
    assert "many rows hold each of them" in held.concerns[0].detail
    example = Example(input={"job": "Trainee"}, output={"job": "Trainer"})
    assert gate.verify(VerifyRequest(SOURCE, sample, quick=True, examples=(example,))).verdict is Outcome.PASS


@pytest.mark.parametrize(
    ("one", "other"),
    [("home & garden", "Home and Garden"), ("a(at)uni.edu", "a@uni.edu"), ("Toys &Games", "toys and games")],
)
def test_two_ways_to_write_the_same_may_both_be_frequent(one: str, other: str) -> None:
    assert merged(one, other) == ""
