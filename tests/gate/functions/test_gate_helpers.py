"""A candidate that uses the helper modules is judged as any other, and may use them as they are and no more."""

from collections.abc import Callable

import pyarrow as pa
import pytest

from orchestrator.core.policy import ScreenPolicy
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome, Verdict
from orchestrator.data.helper_modules import helpers_of
from orchestrator.gate import candidate_file, screen
from orchestrator.gate.verifier import Verifier

MODULE = "cleanroom_dates_v1"
GOOD = f'''"""Days are not ISO dates."""
from {MODULE} import parse_date
CONTRACT = {{"modifies": ["day"]}}
def detect(df):
    return df["day"].map(lambda v: parse_date(v, "DMY") not in (None, v)).astype(bool)
def iso_days(df):
    """Write the days as ISO dates."""
    return df.assign(day=df["day"].map(lambda v: parse_date(v, "DMY") or v).astype(df["day"].dtype))
'''
WRONG = GOOD.replace('parse_date(v, "DMY") or v', 'parse_date(v, "DMY") or ""')
SWAPS = f'''"""Swaps the helper after its first call, so that later tables are read in another order."""
import {MODULE}
CONTRACT = {{"modifies": ["day"]}}
REAL = {MODULE}.parse_date
def iso_days(df):
    """Write the days as ISO dates."""
    out = df.assign(day=df["day"].map(lambda v: {MODULE}.parse_date(v, "DMY") or v).astype(df["day"].dtype))
    if len(df):
        vars({MODULE})["parse_date"] = lambda v, _: REAL(v, "MDY")
    return out
'''
RECORD = f'''"""Days are not ISO dates."""
from {MODULE} import parse_date
CONTRACT = {{"shape": "record", "modifies": ["day"]}}
def iso_days(record):
    """Write the day as an ISO date."""
    return record | {{"day": parse_date(record["day"], "DMY") or record["day"]}} if "day" in record else record
'''


def table(rows: int, start: int = 0) -> pa.Table:
    days = [f"{n % 28 + 1}.{n % 12 + 1}.{1990 + n % 30}" if n % 3 else "soon" for n in range(start, start + rows)]
    return pa.table({"day": days, "n": [str(n) for n in range(start, start + rows)]})


@pytest.fixture
def ask(gate: Verifier) -> Callable[..., Verdict]:
    sample = Sample(table(120), table(40, 120))
    return lambda source, **more: gate.verify(VerifyRequest(source, sample, quick=True, **more))


@pytest.mark.parametrize("source", [GOOD, RECORD])
def test_a_function_with_a_helper_passes_and_says_which(ask: Callable[..., Verdict], source: str) -> None:
    """The verdict has the hash of the text that it was run with."""
    verdict = ask(source)
    assert verdict.passed, [check.detail for check in verdict.failures]
    assert verdict.helpers == helpers_of(GOOD)
    assert [*verdict.helpers] == [MODULE]


def test_a_wrong_function_with_a_helper_fails_as_any_other(ask: Callable[..., Verdict]) -> None:
    """That a helper is proved says nothing of how it is used."""
    assert ask(WRONG).verdict is Outcome.FAIL


def test_a_helper_that_is_swapped_between_calls_breaks_a_law(ask: Callable[..., Verdict]) -> None:
    """Without the screen, too: it is state, and results are compared across processes."""
    verdict = ask(SWAPS, screen=False)
    assert verdict.verdict is Outcome.FAIL
    assert {check.id for check in verdict.failures} & {
        "stateless",
        "split-invariant",
        "order-equivariant",
        "deterministic",
    }


@pytest.mark.parametrize(
    "line",
    [
        f"{MODULE}.parse_date = len",
        f"del {MODULE}.parse_date",
        f"{MODULE}.re.compile('x')",
        f"{MODULE}._MONTHS",
        f"vars({MODULE})",
        f"x = {MODULE}",
        f"setattr({MODULE}, 'parse_date', len)",
        f"{MODULE}.parse_date.__code__",
        f"{MODULE}.parse_date.__globals__",
        "import frozen_module",
        "import wire",
        "import cleanroom_dates_v99",
        f"from {MODULE} import re",
    ],
)
def test_the_screen_refuses_all_but_the_functions_of_a_helper(line: str) -> None:
    """Not its imports, its tables, its insides, the guest's own modules, or a version that is not there."""
    source = f'"""Issue."""\nimport {MODULE}\ndef f(df):\n    """Do."""\n    {line}\n    return df\n'
    assert screen.problems(candidate_file.read(source), ScreenPolicy())


def test_a_policy_can_do_without_helpers() -> None:
    """Imports that do not name them refuse them."""
    assert screen.problems(candidate_file.read(GOOD), ScreenPolicy()) == []
    imports = tuple(name for name in ScreenPolicy().imports if not name.startswith("cleanroom"))
    assert MODULE in screen.problems(candidate_file.read(GOOD), ScreenPolicy(imports=imports))[0]
