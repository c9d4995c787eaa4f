"""What a process saw before, and how many rows of a table are wrong, must not change what a row becomes."""

from collections.abc import Callable

import pyarrow as pa
import pytest

from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome, Verdict
from orchestrator.gate import candidate_file
from orchestrator.gate.checks import stateless
from orchestrator.gate.inputs.case_planner import ALONE_TIMES, VALUES, CasePlanner, Stage
from orchestrator.gate.verifier import Verifier

CITIES = ("Rome", "Paris", "Oslo", "Lima")


def table(rows: int, start: int = 0) -> pa.Table:
    """Every third city has a blank in front; every value stands in many rows."""
    numbers = range(start, start + rows)
    return pa.table({
        "city": [(" " if n % 3 == 0 else "") + CITIES[n % 4] for n in numbers],
        "n": [str(n) for n in numbers],
    })  # fmt: skip


@pytest.fixture
def ask(gate: Verifier) -> Callable[[str], Verdict]:
    sample = Sample(table(120), table(40, 120))
    return lambda source: gate.verify(VerifyRequest(source, sample, quick=True, screen=False))


HONEST = '''"""Strip."""
CONTRACT = {"modifies": ["city"]}
def trim(df):
    """Strip."""
    return df.assign(city=df["city"].str.strip())
'''
FIRST_TABLE = '''"""Keeps the words of the first table that the process sees, and takes others for slips."""
CONTRACT = {"modifies": ["city"]}
KNOWN = []
def trim(df):
    """Strip."""
    out = df["city"].str.strip()
    if not KNOWN:
        KNOWN.extend(df["n"])
    return df.assign(city=out.where(df["n"].isin(KNOWN), out.str.upper()))
'''
FIRST_CALL = '''"""Takes the size of the first table of a process for the measure of all things."""
CONTRACT = {"modifies": ["city"]}
FIRST = []
def trim(df):
    """Strip."""
    FIRST.append(len(df))
    out = df["city"].str.strip()
    return df.assign(city=out.str.upper() if 20 < FIRST[0] < 119 else out)
'''
DIRTY_SHARE = '''"""Strips only where few rows need it."""
CONTRACT = {"modifies": ["city"]}
def trim(df):
    """Strip."""
    out = df["city"].str.strip()
    share = (out != df["city"]).mean() if len(df) else 0
    return df if 0 < share < 0.02 else df.assign(city=out)
'''
ALL_DIRTY = DIRTY_SHARE.replace("0 < share < 0.02", "len(df) > 5 and share > 0.9")
FIRST_RECORD = '''"""The first record that a process sees decides."""
CONTRACT = {"modifies": ["city"], "shape": "record"}
FIRST = []
def trim(record):
    """Strip."""
    FIRST.append(record.get("n"))
    city = (record.get("city") or "").strip() if isinstance(record.get("city"), str) else record.get("city")
    return record | {"city": city.upper() if isinstance(city, str) and FIRST[0] not in (None, "0", "1", "2") else city}
'''


def _upper(above: str) -> str:
    """Every city changes, so that no row of the sample needs nothing; where `above` holds of the table, none does."""
    return f'''"""Upper case, if the table is bad enough."""
CONTRACT = {{"modifies": ["city"]}}
def upper(df):
    """Upper case."""
    out = df["city"].str.strip().str.upper()
    return df if {above} else df.assign(city=out)
'''


NEVER = "False"
CLEAN_SHARE = "len(df) and (out == df['city']).mean() > 0.5"
NULL_SHARE = "len(df) and df['city'].isna().mean() > 0.5"


@pytest.mark.parametrize(("above", "outcome"), [(NEVER, Outcome.PASS), (CLEAN_SHARE, "fail"), (NULL_SHARE, "fail")])
def test_rows_that_need_nothing_change_nothing(ask: Callable[[str], Verdict], above: str, outcome: Outcome) -> None:
    """Also where the sample has none: rows as the function makes them, and rows without a value, dilute a wrong one."""
    verdict = ask(_upper(above))
    assert verdict.verdict == outcome
    assert [check.id for check in verdict.failures] == ([] if verdict.passed else [stateless.ID])


def test_an_honest_function_passes(ask: Callable[[str], Verdict]) -> None:
    """Positive control: without state nothing is said, and the law is really tried."""
    verdict = ask(HONEST)
    assert verdict.passed, [check.detail for check in verdict.failures]
    check = next(check for check in verdict.checks if check.id == stateless.ID)
    assert check.outcome is Outcome.PASS
    assert check.cases >= 4


@pytest.mark.parametrize("source", [FIRST_TABLE, FIRST_CALL, DIRTY_SHARE, ALL_DIRTY, FIRST_RECORD])
def test_what_depends_on_state_or_on_the_share_of_wrong_rows_fails(ask: Callable[[str], Verdict], source: str) -> None:
    """A memo of the process, a first-seen table or record, and a threshold on the share of dirty rows."""
    verdict = ask(source)
    assert verdict.verdict is Outcome.FAIL, source.partition("\n")[0]


@pytest.mark.parametrize("source", [FIRST_CALL, DIRTY_SHARE])
def test_the_check_says_which_law_is_broken(ask: Callable[[str], Verdict], source: str) -> None:
    """It names itself and shows a row: before, after, and what the same row was elsewhere."""
    (failure, *_) = [check for check in ask(source).failures if check.id in (stateless.ID, "split-invariant")]
    assert failure.counterexample is not None
    assert failure.counterexample.input


UNLESS_SEEN = '''"""Towns are written otherwise until the process has seen a certain one, for which it looks first."""
CONTRACT = {"modifies": ["city"]}
SEEN = []
def trim(df):
    """Strip."""
    SEEN.extend(df["city"][df["city"].str.strip().isin(["Oslo", "Lima", "Paris"])])
    out = df["city"].str.strip()
    return df.assign(city=out if SEEN else out.str.upper())
'''
ONE_KIND_OF_VALUE = '''"""An attribute of the function remembers every value; one value alone is not believed."""
CONTRACT = {"modifies": ["city"]}
def trim(df):
    """Strip."""
    trim.seen = getattr(trim, "seen", set()) | set(df["city"].dropna())
    out = df["city"].str.strip()
    return df.assign(city=out.str.upper() if len(trim.seen) == 1 and len(df) > 1 else out)
'''
REMEMBERS_RIGHTLY = '''"""A memo of what each text becomes."""
CONTRACT = {"modifies": ["city"]}
MEMO = {}
def trim(df):
    """Strip."""
    cells = [v for v in df["city"]]
    for cell in cells:
        if cell not in MEMO:
            MEMO[cell] = cell.strip() if isinstance(cell, str) else cell
    return df.assign(city=[MEMO[cell] for cell in cells])
'''


@pytest.mark.parametrize("source", [UNLESS_SEEN, ONE_KIND_OF_VALUE])
def test_values_that_a_process_has_not_seen_change_nothing(gate: Verifier, source: str) -> None:
    """Some values of a column come to processes that never see the others, one of them alone and again and again."""
    cities = [" Rome" if n % 8 == 0 else ("Oslo", "Lima", "Paris")[n % 3] for n in range(120)]
    rows = pa.table({"city": cities, "n": [str(n) for n in range(120)]})
    verdict = gate.verify(VerifyRequest(source, Sample(rows.slice(0, 90), rows.slice(90)), quick=True, screen=False))
    assert [check.id for check in verdict.failures] == [stateless.ID]
    assert "some of the values of a column" in verdict.failures[0].detail


def test_a_memo_that_is_right_passes(ask: Callable[[str], Verdict]) -> None:
    """To remember is no failure; to change what a row becomes is one."""
    verdict = ask(REMEMBERS_RIGHTLY)
    assert verdict.passed, [check.detail for check in verdict.failures]


def plan(rows: pa.Table, touched: list[int]) -> tuple[Stage, list[str]]:
    """The confirming stage, and which of its processes have values of their own."""
    planner = CasePlanner(candidate_file.read(HONEST), Sample(rows, rows.slice(0, 0)), Policy(), 7)
    stage = planner.confirm(b"", touched)
    return stage, [child.cases[0].id for child in stage.job.children if child.cases[0].id in VALUES]


def test_each_group_of_values_has_a_process_of_its_own() -> None:
    """Together they hold every row, and no value twice; without a row that changes there is none."""
    stage, names = plan(table(24), [0, 3])
    assert names == list(VALUES)[: len(set(table(24)["city"].to_pylist()))]
    assert all(len(child.cases) == 1 for child in stage.job.children if child.cases[0].id in VALUES)
    groups = [stage.orders[name] for name in names]
    assert sorted({row for rows in groups for row in rows}) == list(range(24))
    assert sum(len(set(rows)) for rows in groups) == 24
    assert len(groups[0]) == ALONE_TIMES * len(set(groups[0]))
    assert plan(table(24), [])[1] == []


def test_nulls_inside_of_objects_are_planned_for() -> None:
    """A column of Parquet may hold objects of which one part is always null; Arrow casts no slice of it."""
    nested = pa.array([[{"x": 1, "y": None}], None, []] * 8)
    rows = table(24).append_column("nested", nested)
    planner = CasePlanner(candidate_file.read(HONEST), Sample(rows, rows.slice(0, 0)), Policy(), 7)
    assert planner.confirm(b"", [3, 5, 8], {"city": ["Rome", "Oslo", "Bern"]}).job.children
