"""Who asks for a column says that it is wanted; what belongs in it, an example has to show."""

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome, Verdict
from orchestrator.gate.verifier import Verifier

NET = '''
"""Receipts need their net price."""
CONTRACT = {"modifies": [], "adds": ["net"]}


def net_prices(df):
    """The price without 19 % VAT."""
    return df.assign(net=(df["gross"] / 1.19).round(2))
'''
TAX = NET.replace("/ 1.19", "* 0.19")
ROWS = pa.table({"receipt": [f"R{n}" for n in range(80)], "gross": [1.19 * n + 11.9 for n in range(80)]})
ASKED = "Add a column net: the gross price without 19 % VAT."
SHOWN = Example(input={"receipt": "R9", "gross": 119.0}, output={"net": 100.0})


def judged(gate: Verifier, source: str, *shown: Example) -> Verdict:
    sample = Sample(ROWS.slice(0, 60), ROWS.slice(60))
    return gate.verify(VerifyRequest(source, sample, quick=True, instruction=ASKED, examples=shown))


@pytest.mark.parametrize("source", [NET, TAX], ids=["right", "wrong"])
def test_a_column_that_was_asked_for_is_held_until_an_example_shows_a_cell(gate: Verifier, source: str) -> None:
    """The instruction names the column, and not what the function computes; some rows are shown."""
    verdict = judged(gate, source)
    assert verdict.held
    assert [(one.kind, one.columns) for one in verdict.concerns] == [("unshown-column", ("net",))]
    shown = verdict.concerns[0].counterexample
    assert shown is not None
    assert len(shown.input) == len(shown.output) >= 1
    assert all("net" in row for row in shown.output)


def test_what_the_column_is_made_of_is_shown_first(gate: Verifier) -> None:
    """A person can tell whether a cell is right by those that the function reads, of a table with many columns."""
    other = {f"other_{n}": pa.array(["x"] * 80) for n in range(12)}
    rows = pa.table({**other, "gross": ROWS["gross"]})
    request = VerifyRequest(NET, Sample(rows.slice(0, 60), rows.slice(60)), quick=True, instruction=ASKED)
    verdict = gate.verify(request)
    shown = verdict.concerns[0].counterexample
    assert shown is not None
    assert set(shown.input[0]) == {"gross"}
    assert set(shown.output[0]) == {"gross", "net"}
    assert [next(iter(one.beside)) for one in verdict.questions] == ["gross"] * len(verdict.questions)


def test_an_example_of_one_cell_tells_the_right_function_from_the_wrong_one(gate: Verifier) -> None:
    """With it the one passes, and the other contradicts it."""
    assert judged(gate, NET, SHOWN).passed
    assert [check.id for check in judged(gate, TAX, SHOWN).failures] == ["examples"]


def test_the_own_example_of_a_function_is_said_not_to_count(gate: Verifier) -> None:
    """It shows a cell, and the sentence said that no example does."""
    own = NET.replace(
        '"adds": ["net"]', '"adds": ["net"], "examples": [{"input": {"gross": 119.0}, "output": {"net": 100.0}}]'
    )
    for source, words in (
        (own, "of the user or of a tester (the function's own count for nothing) shows"),
        (NET, "shows"),
    ):
        [concern] = judged(gate, source).concerns
        assert concern.detail == f"it fills the new column 'net', of which no example {words} a cell"


def test_an_example_whose_cell_is_empty_shows_nothing(gate: Verifier) -> None:
    """That a receipt without a price has no net price says nothing of the others."""
    nothing = Example(input={"receipt": "R9", "gross": None}, output={"net": None})
    assert [one.kind for one in judged(gate, NET, nothing).concerns] == ["unshown-column"]


def test_whoever_confirms_the_questions_settles_it(gate: Verifier) -> None:
    """A person is asked about cells of the column, of each form."""
    verdict = judged(gate, NET)
    answers = [Example(input=one.input, output=one.output) for one in verdict.questions]
    assert answers
    assert judged(gate, NET, *answers).passed


DETECTS = NET.replace(
    "def net",
    """def detect(df):
    return df["gross"].notna() if "net" not in df.columns else df["gross"].isna() & df["net"].notna()


def net""",
)


def test_what_only_adds_columns_is_not_said_to_be_precise(gate: Verifier) -> None:
    """A new column is new in every row, so nothing was compared with what `detect` flags."""
    verdict = judged(gate, DETECTS, SHOWN)
    assert verdict.passed
    precise = next(check for check in verdict.checks if check.id == "precise")
    assert (precise.outcome, precise.detail) == (Outcome.SKIP, "it only adds columns, which are new in every row")
