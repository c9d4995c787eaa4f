"""A verdict says what the candidate did to the sample, so that a later apply can be held against it."""

import hashlib

import pyarrow as pa

from orchestrator.core.effects import ColumnEffect
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Verdict
from orchestrator.data.record_tables import row_of, table_of
from orchestrator.gate.verifier import Verifier

CITIES = [" Rome", "Rome", "Oslo", " Oslo ", "Lima"] * 80
STRIP = """CONTRACT = {"modifies": ["city"]}
def detect(df):
    return df["city"] != df["city"].str.strip()
def strip(df):
    'Clean.'
    return df.assign(city=df["city"].str.strip())
"""
WIDE = STRIP.replace('return df["city"] != df["city"].str.strip()', 'return df["city"].str.startswith(" R")')
RECORD = """CONTRACT = {"shape": "record", "modifies": ["city"]}
def strip(record):
    'Clean.'
    return {**record, "city": record["city"].strip()}
"""
DROPS = """CONTRACT = {"modifies": [], "drops_rows": true}
def drops(df):
    'Clean.'
    return df[df["city"] != "Lima"]
""".replace("true", "True")


def cities(count: int, start: int = 0) -> pa.Table:
    return pa.table({"id": [str(start + row) for row in range(count)], "city": CITIES[:count]})


def verdict(gate: Verifier, source: str, sample: Sample) -> Verdict:
    return gate.verify(VerifyRequest(source, sample, quick=True))


def test_all_rows_of_the_sample_are_counted(gate: Verifier) -> None:
    """Those on which the laws are tried and the rest: cells, changes, values that became one, rows without a flag."""
    made = verdict(gate, STRIP, Sample(cities(300), cities(20, 1000)))
    assert made.effects is not None
    assert (made.effects.rows, made.effects.dropped, made.effects.unflagged) == (300, 0, 0)
    assert made.effects.columns == (ColumnEffect(name="city", cells=300, changed=120, distinct=5, lost=2),)


def test_digests_of_two_functions_cannot_be_compared(gate: Verifier) -> None:
    """Each function has a salt of its own, and the same one when it is judged again on the same rows."""
    sample = Sample(cities(300), cities(20, 1000))
    trim = STRIP.replace("def strip", "def trim")
    made = [verdict(gate, source, sample).baseline for source in (STRIP, trim, STRIP)]
    one, other, again = (baseline.model_dump(mode="json") for baseline in made if baseline is not None)
    assert one == again
    assert hashlib.sha256().hexdigest() not in (one["salt"], other["salt"])
    [digests], [others] = ([column["categories"]["counts"] for column in base["columns"]] for base in (one, other))
    assert digests
    assert not digests.keys() & others.keys()


def test_what_detect_misses_is_counted(gate: Verifier) -> None:
    """A detect that flags only some of what is changed says so in the evidence."""
    made = verdict(gate, WIDE, Sample(cities(100), cities(20, 1000)))
    assert made.effects is not None
    assert made.effects.unflagged == 20


def test_records_and_dropped_rows(gate: Verifier) -> None:
    """Functions of records are counted alike, and so are rows that go."""
    rows = table_of([row_of(row) for row in cities(100).to_pylist()], ("id", "city"))
    made = verdict(gate, RECORD, Sample(rows, rows.slice(0, 20)))
    assert made.effects is not None
    assert [(one.name, one.changed) for one in made.effects.columns] == [("city", 40)]
    made = verdict(gate, DROPS, Sample(cities(100), cities(20, 1000)))
    assert made.effects is not None
    assert (made.effects.rows, made.effects.dropped) == (100, 20)


def test_what_the_rows_looked_like_is_kept(gate: Verifier) -> None:
    """Patterns and counts of the columns that it reads or changes, digests of few categories, and not one cell."""
    made = verdict(gate, STRIP, Sample(cities(300), cities(20, 1000)))
    assert made.baseline is not None
    assert (made.baseline.rows, made.baseline.flagged, made.baseline.touched) == (300, 120, 120)
    [city] = made.baseline.columns
    assert city.kinds.counts == {"Aa": 180, " Aa": 60, " Aa ": 60}
    assert city.changed is not None
    assert city.changed.counts == {" Aa": 60, " Aa ": 60}
    assert city.made is not None
    assert city.made.counts == {"Aa": 300}
    assert city.categories is not None
    assert sorted(city.categories.counts.values()) == [60] * 5
    assert not any(name in made.baseline.model_dump_json() for name in ("Rome", "Oslo", "Lima"))


def test_a_rejected_function_has_no_baseline(gate: Verifier) -> None:
    """It is never applied, so that nothing is to be held against it."""
    made = verdict(gate, STRIP.replace(".strip())\n", ".upper())\n"), Sample(cities(60), cities(20, 1000)))
    assert made.baseline is None


def test_it_survives_json(gate: Verifier) -> None:
    """The evidence of today reads back as it was; a verdict from before has none."""
    made = verdict(gate, STRIP, Sample(cities(60), cities(20, 1000)))
    assert Verdict.model_validate_json(made.model_dump_json()) == made
    old = made.model_copy(update={"effects": None, "baseline": None})
    assert not {"effects", "baseline"} & set(old.model_dump(mode="json"))
