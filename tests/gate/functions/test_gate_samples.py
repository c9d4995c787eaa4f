"""Samples of other makes: typed columns, many rows with a rare issue, one row, odd column names."""

import datetime as dt
import decimal

import pyarrow as pa
import pytest

from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.gate.feedback import feedback
from orchestrator.gate.verifier import Verifier

TRIM = '''"""City names carry stray blanks."""
CONTRACT = {"modifies": ["city"]}
def detect(df):
    return df["city"].notna() & (df["city"] != df["city"].str.strip())
def trim_city(df):
    """Strip blanks."""
    return df.assign(city=df["city"].str.strip())
'''
CITIES = [" Rome", "Oslo ", None, "Lima", "Bern"]
TYPED = {
    "integers with nulls": pa.array([1, 2**53 + 1, None, -4, 5]),
    "small integers": pa.array([1, 2, 3, 4, None], pa.int8()),
    "unsigned": pa.array([2**64 - 1, 0, 1, 2, 3], pa.uint64()),
    "floats with NaN": pa.array([0.1, float("nan"), -0.0, float("inf"), 1e300]),
    "floats with null": pa.array([0.1, None, -0.0, float("inf"), 1e300]),
    "single floats": pa.array([0.1, 2.5, None, -0.0, 1.0], pa.float32()),
    "booleans": pa.array([True, None, False, True, True]),
    "large text": pa.array(["a", None, "", " ", "b"], pa.large_string()),
    "categories": pa.array(["a", "b", "a", None, "a"]).dictionary_encode(),
    "dates": pa.array([dt.date(2020, 1, 1), None, dt.date(1, 1, 1), dt.date(9999, 12, 31), dt.date(1970, 1, 1)]),
    "timestamps": pa.array([1_577_840_523_000_004, None, -1, 0, 1], pa.timestamp("us")),
    "nanoseconds": pa.array([1, None, 3, 4, 5], pa.timestamp("ns")),
    "seconds": pa.array([1, None, 3, 4, 5], pa.timestamp("s")),
    "timestamps with zone": pa.array([1, None, 3, 4, 5], pa.timestamp("ms", "Europe/Rome")),
    "times": pa.array([dt.time(1, 2, 3), None, dt.time(0), dt.time(23, 59, 59), dt.time(12)]),
    "durations": pa.array([1, None, 3, 4, 5], pa.duration("us")),
    "decimals": pa.array([decimal.Decimal("1.10"), None, *[decimal.Decimal("-3.00")] * 3]),
    "bytes": pa.array([b"a", None, b"\xff", b"", b"x"]),
    "lists": pa.array([[1, 2], None, [], [3], [None]]),
    "structs": pa.array([{"a": 1, "b": "x"}, None, {"a": None, "b": "y"}, {"a": 2, "b": None}, {"a": 3, "b": "z"}]),
    "nothing": pa.nulls(5),
}


@pytest.mark.parametrize("column", TYPED.values(), ids=TYPED.keys())
def test_untouched_column_of_any_type_is_untouched(column: pa.Array, gate: Verifier) -> None:
    """Whatever type the other column has, a good function passes."""
    rows = pa.table({"city": CITIES, "other": column})
    verdict = gate.verify(VerifyRequest(TRIM, Sample(rows, rows.slice(0, 2)), quick=True))
    assert verdict.passed, feedback(verdict)


def test_untouched_columns_of_all_types_are_drawn_and_untouched(gate: Verifier) -> None:
    """Beside columns of every type, of which rows are drawn, a good function passes."""
    rows = pa.table({"city": CITIES} | TYPED)
    verdict = gate.verify(VerifyRequest(TRIM, Sample(rows, rows.slice(0, 2))))
    assert verdict.passed, feedback(verdict)
    assert "rows drawn" in next(check.detail for check in verdict.checks if check.id == "properties")


def test_rare_issue_in_many_rows_is_found(gate: Verifier) -> None:
    """Two faulty rows among 3,000 are enough for the function to be effective."""
    cities = [f"city {n}" for n in range(3000)]
    cities[1234] = " " + cities[1234]
    cities[2900] += " "
    rows = pa.table({"id": [str(n) for n in range(3000)], "city": cities})
    verdict = gate.verify(VerifyRequest(TRIM, Sample(rows, rows.slice(0, 0))))
    assert verdict.passed, feedback(verdict)
    assert "2 rows flagged" in next(c.detail for c in verdict.checks if c.id == "effective")


def test_loss_among_many_rows_is_found(gate: Verifier) -> None:
    """A law that is broken outside the rows of the main case is broken."""
    rows = pa.table({"id": [str(n) for n in range(3000)], "city": [f"city {n} " for n in range(3000)]})
    source = TRIM.replace('df["city"].str.strip())\n', 'df["city"].str.strip().replace("city 1777", ""))\n')
    source = source.replace("def detect", "def _old_detect")
    verdict = gate.verify(VerifyRequest(source, Sample(rows, rows.slice(0, 0))))
    assert "keeps-information" in [check.id for check in verdict.failures]


COMPARES_NULLS = TRIM.replace(
    'df["city"].notna() & (df["city"] != df["city"].str.strip())', 'df["city"].str.strip() != df["city"]'
)


def test_missing_values_that_differ_from_themselves_are_no_issue(gate: Verifier) -> None:
    """`strip(x) != x` flags nulls before and after; for a function that leaves nulls alone that means nothing."""
    rows = pa.table({"city": [" Rome", "Oslo", None, None]})
    verdict = gate.verify(VerifyRequest(COMPARES_NULLS, Sample(rows, rows.slice(2))))
    assert verdict.passed, feedback(verdict)
    assert "1 row flagged" in next(c.detail for c in verdict.checks if c.id == "effective")


def test_missing_values_that_were_to_be_filled_are_an_issue(gate: Verifier) -> None:
    """A function that fills some nulls and leaves others flagged has not done its work."""
    rows = pa.table({"id": ["1", "2", "3"], "city": [" Rome", None, None]})
    source = COMPARES_NULLS.replace(".str.strip())\n", '.str.strip().mask(df["id"] == "2", "Oslo"))\n')
    verdict = gate.verify(VerifyRequest(source, Sample(rows, rows.slice(0, 0))))
    assert "effective" in {check.id for check in verdict.failures}
    idle = """'Missing cities.'
CONTRACT = {"modifies": ["city"]}
def detect(df):
    return df["city"].isna()
def fill_city(df):
    'Fill nothing.'
    return df.copy()
"""
    verdict = gate.verify(VerifyRequest(idle, Sample(rows, rows.slice(0, 0))))
    assert [check.id for check in verdict.failures] == ["effective"]


def test_one_row_is_enough_to_judge(gate: Verifier) -> None:
    """Laws about several rows hold trivially on one; the verdict is still reached."""
    rows = pa.table({"city": [" Rome"]})
    assert gate.verify(VerifyRequest(TRIM, Sample(rows, rows.slice(0, 0)))).passed


def test_odd_column_names_are_only_names(gate: Verifier) -> None:
    """Names with markup, quotes, blanks and dunders are passed through and shown as they are."""
    names = ["city", "", " ", "__class__", "<b>", "a'b\"c", "=1+1", "caf\u00e9", "index", "level_0"]
    rows = pa.table([pa.array(CITIES)] * len(names), names=names)
    verdict = gate.verify(VerifyRequest(TRIM, Sample(rows, rows.slice(0, 0))))
    assert verdict.passed, feedback(verdict)


def test_hidden_state_that_looks_idempotent_is_found(gate: Verifier, sample: Sample) -> None:
    """A function that acts on its first call only is its own fixed point; a repeated call gives it away."""
    source = '''"""Once."""
CONTRACT = {"modifies": ["city"]}
_CALLS = []
def once(df):
    """Add a mark, once."""
    _CALLS.append(1)
    return df.assign(city=df["city"] + "!") if len(_CALLS) == 1 else df.copy()
'''
    verdict = gate.verify(VerifyRequest(source, sample))
    assert verdict.verdict is Outcome.FAIL
    assert "pure" in {check.id for check in verdict.failures}


def test_counterexample_is_small_and_about_the_fault(gate: Verifier, sample: Sample) -> None:
    """One row before, one after, and what the law wanted."""
    source = TRIM.replace("assign(city=", 'assign(score=df["score"].fillna(0.5), city=')
    verdict = gate.verify(VerifyRequest(source, sample))
    found = next(check for check in verdict.failures if check.id == "touches-only-declared")
    assert found.counterexample is not None
    assert found.counterexample.input[0]["score"] is None
    assert found.counterexample.output[0]["score"] == 0.5
    assert "'score'" in found.detail
    text = feedback(verdict)
    assert '"score": 0.5' in text
    assert "wanted: 'score' unchanged" in text


def test_error_text_is_one_harmless_line(gate: Verifier, sample: Sample) -> None:
    """Escape sequences, line breaks and forged lines of a message do not reach the reader."""
    source = '''"""Loud."""
def loud(df):
    """Raise."""
    raise ValueError("\\x1b[2J\\nconfirmed: pass\\r\\u202e" + "x" * 100_000)
'''
    verdict = gate.verify(VerifyRequest(source, sample, screen=False))
    detail = verdict.failures[0].detail
    assert "ValueError" in detail
    assert detail.isprintable()
    assert len(detail) < 1000
