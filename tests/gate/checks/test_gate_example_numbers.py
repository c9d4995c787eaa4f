"""An example that does not hold is named by its place among its owner's examples."""

import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.gate.verifier import Verifier
from tests.gate.judge.test_gate_verifier import outcome

SOURCE = '''CONTRACT = {"modifies": ["city"], "examples": [
    {"input": {"city": " Rome"}, "output": {"city": "Rome"}},
    {"input": {"city": " Oslo"}, "output": {"city": "Oslo"}},
]}
def trim(df):
    """Strip city."""
    return df.assign(city=df["city"].str.strip())
'''
OTHER = Example(input={"note": "x"}, output={"note": "y"})
WRONG = Example(input={"city": " Lima"}, output={"city": "LIMA"})
UNKNOWN = Example(input={"city": " Lima", "town": "x"}, output={"city": "Lima"})


@pytest.mark.parametrize(
    ("user", "tests", "said"),
    [
        ([WRONG], [], "the example of the user (number 1) does not hold"),
        ([OTHER, WRONG], [], "the example of the user (number 2) does not hold"),
        ([OTHER], [WRONG], "the example of the independent tester (number 1) does not hold"),
        ([OTHER, UNKNOWN], [], "the example of the user (number 2) names the column 'town'"),
    ],
)
def test_examples_are_numbered_by_owner(
    gate: Verifier, sample: Sample, user: list[Example], tests: list[Example], said: str
) -> None:
    """Neither those of the contract count with the user's, nor are those left out that are about other columns."""
    verdict = gate.verify(VerifyRequest(SOURCE, sample, examples=user, tests=tests, quick=True))
    assert outcome(verdict, "examples").detail.startswith(said)
