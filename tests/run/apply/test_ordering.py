"""Both orders are tried, with the real guest and the real disposable process."""

from collections.abc import Callable, Iterator
from contextlib import closing

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.run.apply.function_runner import FunctionRunner
from orchestrator.run.apply.ordering import OrderTrials

ROWS = pa.table({"city": [" bonn", "KIEL", " n/a"], "name": ["a ", "b", "c"]})
Follow = Callable[[list[Promoted], Promoted], tuple[str, ...]]


@pytest.fixture(scope="module")
def follow(access: SandboxAccess) -> Iterator[Follow]:
    with closing(FunctionRunner(access)) as runner:
        trials = OrderTrials(runner)
        yield lambda promoted, new: trials.must_follow(ROWS, promoted, new)


def function(name: str, body: str, *columns: str, drops_rows: bool = False) -> Promoted:
    source = f"def {name}(df):\n    out = df.copy()\n    {body}\n    return out\n"
    candidate = Candidate(source=source, name=name, contract=Contract(modifies=columns, drops_rows=drops_rows))
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted.model_validate(
        {"candidate": candidate, "evidence": evidence, "order": 1, "promoted_at": "2026-01-01"}
    )


TRIM = function("trim", 'out["city"] = out["city"].str.strip()', "city")
NULLS = function("nulls", 'out["city"] = out["city"].replace({"n/a": None})', "city")
TITLE = function("title", 'out["city"] = out["city"].str.title()', "city")
NAMES = function("names", 'out["name"] = out["name"].str.strip()', "name")
FEWER = function("fewer", 'out = out[out["city"] != "n/a"]', drops_rows=True)


def test_functions_that_commute_leave_the_order_free(follow: Follow) -> None:
    """Trimming and casing, and functions of different columns, may change places."""
    assert follow([TRIM], TITLE) == ()
    assert follow([TRIM, TITLE], NAMES) == ()
    assert follow([], TRIM) == ()


def test_a_function_that_needs_an_earlier_one_says_which(follow: Follow) -> None:
    """A null word with a blank before it is only seen once the blank is gone; unrelated functions are not named."""
    assert follow([NAMES, TRIM], NULLS) == ("trim",)


def test_dropped_rows_count_as_a_difference(follow: Follow) -> None:
    """Which rows are dropped depends on whether they were trimmed before."""
    assert follow([NAMES, TRIM], FEWER) == ("trim",)


def test_a_function_that_fails_on_some_rows_is_tried_on_the_others(follow: Follow) -> None:
    """It fails on what nobody has trimmed: without a trim before it that row is lost."""
    fails = function("fails", 'assert not out["city"].str.lower().str.startswith(" n").any()', "city")
    assert follow([NAMES, TRIM], fails) == ("trim",)
    assert follow([NAMES, TITLE], fails) == ()


def test_a_function_that_may_see_all_columns_is_tried(follow: Follow) -> None:
    """What it takes from a column that it names and does not change counts as well."""
    body = 'out["name"] = [str(row["city"]) for row in df.to_dict("records")]'
    assert follow([TRIM], function("sees", body, "name")) == ("trim",)
