"""Candidates with evidence, as the gate would hand them in."""

from collections.abc import Callable
from typing import Any

import pytest

from orchestrator.core.candidate import Candidate, Contract, Example
from orchestrator.core.promoted import Evidence
from orchestrator.core.verdict import CandidateInfo, CheckResult, Concern, Counterexample, Outcome, Verdict
from tests.support.postgresql import postgresql

__all__ = ["postgresql"]

SOURCE = '''"""{issue}"""
CONTRACT = {{"shape": "table", "modifies": ["{column}"]}}
def _tidy(values):
    return values.str.strip()
def {name}(df):
    """Strip blanks from {column}."""
    out = df.copy()
    out["{column}"] = _tidy(out["{column}"])
    return out
'''

MakeCandidate = Callable[..., Candidate]
MakeEvidence = Callable[..., Evidence]


CONCERN = Concern(
    kind="figures-vanish",
    check="keeps-information",
    detail="the figures of '12 apples' are gone",
    settles="Confirm that '12 apples' becomes 'apples'.",
    columns=("city",),
    counterexample=Counterexample(input=({"city": "12 apples"},), output=({"city": "apples"},)),
    rows=3,
)


def make_candidate(
    name: str = "trim_city", column: str = "city", issue: str = "Stray blanks.", source: str = ""
) -> Candidate:
    example = Example(input={column: " x "}, output={column: "x"})
    return Candidate(
        source=source or SOURCE.format(name=name, column=column, issue=issue),
        name=name,
        issue=issue,
        docstring=f"Strip blanks from {column}.",
        contract=Contract(modifies=(column,), examples=(example,)),
    )


def make_evidence(candidate: Candidate, outcome: Outcome = Outcome.PASS, **more: Any) -> Evidence:
    verdict = Verdict(
        candidate=CandidateInfo.of(candidate),
        verdict=outcome,
        checks=(CheckResult(id="idempotent", outcome=outcome, detail="f(f(x)) equals f(x).", cases=3),),
        samples=(Counterexample(input=({"city": " a\ud800"},), output=({"city": "a"},)),),
        rows_changed=3,
        concerns=(CONCERN,) if outcome is Outcome.HOLD else (),
    )
    fields: dict[str, Any] = {"verdict": verdict, "policy_sha256": "0" * 64, "proposer": "builtin"}
    return Evidence(**(fields | more))


@pytest.fixture
def candidate() -> MakeCandidate:
    return make_candidate


@pytest.fixture
def evidence() -> MakeEvidence:
    return make_evidence
