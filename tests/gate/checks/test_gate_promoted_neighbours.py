"""A promoted function that acts up cannot make an honest candidate fail, and an honest one still has its say."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import pyarrow as pa
import pytest

from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, CheckResult, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate import candidate_file
from orchestrator.gate.feedback import feedback
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox

UPPER = '''"""Shout."""
CONTRACT = {"modifies": ["city"]}
def upper_city(df):
    """Shout."""
    return df.assign(city=df["city"].where(df["id"] == "1", df["city"].str.upper()))
'''
TRIM = '''"""Trim."""
CONTRACT = {"modifies": ["city"]}
def detect(df):
    return df["city"] != df["city"].str.strip()
def trim(df):
    """Trim."""
    return df.assign(city=df["city"].str.strip())
'''
PAD = UPPER.replace("upper_city", "pad_city").replace("str.upper()", 'str.pad(10, "right")')
EVIL = '''"""Quiet by itself."""
import gc, random, sys, types
import pandas as pd
CONTRACT = {{"modifies": ["note"]}}
CALLS = []
{load}
def evil(df):
    """Quiet."""
    CALLS.append(1)
    {body}
'''
WRAP = """
def _spoil(df):
    return df.assign(city="spoilt")
for name, module in list(sys.modules.items()):
    for one in list(vars(module).values()) if name.startswith("candidate_") else ():
        if isinstance(one, types.FunctionType) and one.__name__ in ("trim", "detect"):
            one.__code__ = _spoil.__code__
"""
ROWS = pa.table({"id": ["1", "2", "3", "4"], "city": ["Rome", "Oslo", "Bonn", "Lima"], "note": ["a", "b", "c", "d"]})
SAMPLE = Sample(ROWS, ROWS.slice(0, 0))
QUIET = "return df.copy()"


@pytest.fixture
def judge(local_sandbox: LocalSandbox, disposable: DisposableProcess) -> Iterator[Verifier]:
    with closing(Verifier(local_sandbox, disposable, seed=lambda: 7)) as verifier:
        yield verifier


def promoted(*sources: str) -> list[Promoted]:
    made = []
    for order, source in enumerate(sources):
        candidate = candidate_file.read(source)
        verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
        evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
        made.append(Promoted(candidate=candidate, evidence=evidence, order=order, promoted_at=datetime.now(UTC)))
    return made


def composes(verdict: Verdict) -> CheckResult:
    return next(check for check in verdict.checks if check.id == "composes")


def verify(judge: Verifier, source: str, *others: str) -> Verdict:
    return judge.verify(VerifyRequest(source, SAMPLE, promoted=promoted(*others), quick=True))


@pytest.mark.parametrize(
    ("load", "body", "why"),
    [
        (WRAP, QUIET, ""),  # it rewrites its neighbour
        ("pd.Series.str = property(lambda self: 1 / 0)", QUIET, ""),  # it breaks pandas for its neighbours
        ("", "return df.assign(city='spoilt')", ""),  # before the candidate as after it
        ("", "return df.assign(city=df['city'].replace('OSLO', 'spoilt'))", "evil does not keep its own contract"),
        (
            "",
            "return df.assign(note=df['note'].where(df['city'] != 'OSLO', str(random.random())))",
            "evil is not the same twice",
        ),
        ("", "return df.assign(note=df['note'] + 'x' * (len(CALLS) > 1))", "evil is not the same twice"),
        ("", "return df.assign(note=df['note'] + 'x' * ('OSLO' in list(df['city'])))", "by more than what is in them"),
        ("", "return 1 / (len(CALLS) - 1)", "evil fails on rows that it had cleaned"),
        ("", "sys.exit()", "evil fails on rows that it had cleaned"),
        ("import os; os._exit(0)", QUIET, "evil fails on rows that it had cleaned"),
    ],
)  # fmt: skip
def test_an_honest_candidate_passes(judge: Verifier, load: str, body: str, why: str) -> None:
    """Whatever a promoted function does to its neighbours, to its process or to the candidate's rows."""
    evil = EVIL.format(load=load, body=body)
    for others in ((TRIM, evil), (evil, TRIM)):
        verdict = verify(judge, UPPER, *others)
        assert verdict.passed, feedback(verdict)
        assert why in composes(verdict).detail
        assert ("not believed" in composes(verdict).detail) is bool(why)


def test_an_honest_promoted_function_is_heard(judge: Verifier) -> None:
    """Negative control: where the candidate brings an issue back, it is refused, also beside a noisy neighbour."""
    noisy = EVIL.format(load="", body="return df.assign(city='spoilt')")
    for others in ((TRIM,), (TRIM, noisy), (noisy, TRIM)):
        verdict = verify(judge, PAD, *others)
        assert [check.id for check in verdict.failures] == ["composes"]
        assert "trim" in composes(verdict).detail
        assert composes(verdict).counterexample is not None


def test_an_objection_without_detect_is_heard(judge: Verifier) -> None:
    """A promoted function without a detect that undoes the candidate's work has it refused, by its name."""
    plain = TRIM.replace('def detect(df):\n    return df["city"] != df["city"].str.strip()\n', "")
    verdict = verify(judge, PAD, plain)
    assert [check.id for check in verdict.failures] == ["composes"]
    assert "trim changes 3 rows of its result again" in composes(verdict).detail
