"""Missing values differ from themselves: a `detect` that flags them for that reason alone is no reason to reject."""

from datetime import UTC, datetime

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.conventions import ColumnConvention, Conventions
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import Outcome, Verdict
from orchestrator.gate import candidate_file
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.gate.verifier import Verifier

TRIM = '''
CONTRACT = {"modifies": ["city"]}

def detect(df):
    return df["city"].str.strip() != df["city"]

def trim_city(df):
    """Strip blanks."""
    return df.assign(city=df["city"].str.strip())
'''
TRIM_TWO = '''
CONTRACT = {"modifies": ["city", "state"]}

def detect(df):
    return (df["city"].str.strip() != df["city"]) | (df["state"].str.strip() != df["state"])

def trim_both(df):
    """Strip blanks."""
    return df.assign(city=df["city"].str.strip(), state=df["state"].str.strip())
'''
FILL_SOME = '''
CONTRACT = {"modifies": ["city"]}

def detect(df):
    return df["city"].isna()

def fill_city(df):
    """Bonn where the state is BW."""
    out = df.copy()
    out.loc[out["city"].isna() & (out["state"] == "BW"), "city"] = "Bonn"
    return out
'''
HALF_TRIM = TRIM.replace('df.assign(city=df["city"].str.strip())', 'df.assign(city=df["city"].str.lstrip())')
NULL_WORDS = '''
CONTRACT = {"modifies": ["city"]}

def detect(df):
    return df["city"].isin(["N/A", "unknown"])

def null_words(df):
    """Null for words that say nothing."""
    out = df.copy()
    out.loc[detect(out), "city"] = None
    return out
'''
CITIES = [" Rome", "Oslo", None, "Bonn ", None, "N/A", "Ulm", "unknown", " Graz ", "Linz"]
STATES = ["BW ", "BY", "BW", None, None, " NW", "HE", "BE", "BW", "SN"]


def sample(cities: list[str | None] = CITIES) -> Sample:
    rows = pa.table({"city": pa.array(cities * 6, pa.string()), "state": pa.array(STATES * 6, pa.string())})
    return Sample(rows.slice(0, 40), rows.slice(40))


def failures(verdict: Verdict) -> list[str]:
    return [check.id for check in verdict.failures]


@pytest.mark.parametrize("source", [TRIM, TRIM_TWO])
def test_null_is_no_issue_left_over(gate: Verifier, source: str) -> None:
    """What pandas flags only because null is not null is forgiven, in one column and in two."""
    assert failures(gate.verify(VerifyRequest(source, sample()))) == []


@pytest.mark.parametrize("source", [FILL_SOME, HALF_TRIM])
def test_issues_left_over_are_still_seen(gate: Verifier, source: str) -> None:
    """A function that fills some nulls must fill all that it flags, and blanks that stay are flagged rightly."""
    assert "effective" in failures(gate.verify(VerifyRequest(source, sample(), quick=True)))


def promoted(source: str) -> Promoted:
    verdict = ScriptedGate().verify(VerifyRequest(source, sample()))
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate_file.read(source), evidence=evidence, order=1, promoted_at=datetime.now(UTC))


def test_a_cell_that_becomes_null_brings_no_issue_back(gate: Verifier) -> None:
    """A later function may empty cells although the earlier `detect` flags null."""
    rows = sample([city if city is None else city.strip() for city in CITIES])
    assert failures(gate.verify(VerifyRequest(NULL_WORDS, rows, promoted=[promoted(TRIM)]))) == []


NAMED = '''
CONTRACT = {"modifies": ["answer"]}

def name_missing(df):
    """One word where nobody answered."""
    return df.assign(answer=df["answer"].where(~df["answer"].isin(["Unknown", "n/a"]), "UNANSWERED"))
'''


def test_a_declared_word_for_nothing_is_a_witness_for_every_other_one(gate: Verifier) -> None:
    """Where the conventions say what stands for a missing value, `Unknown` may become it; another answer may not."""
    answers = ["White", "Asian", "Black", "Unknown", "n/a", "Hispanic"] * 10
    rows = pa.table({"answer": answers})
    declared = Conventions(columns={"answer": ColumnConvention(null="UNANSWERED")})
    sample = Sample(rows, rows.slice(0, 12))

    def judged(source: str, conventions: Conventions | None) -> Verdict:
        return gate.verify(VerifyRequest(source, sample, quick=True, conventions=conventions))

    assert judged(NAMED, declared).passed
    assert [one.kind for one in judged(NAMED, None).concerns] == ["word-replaced"]
    assert [one.kind for one in judged(NAMED.replace("n/a", "Hispanic"), declared).concerns] == ["word-replaced"]


FILLED = NAMED.replace('.where(~df["answer"].isin(["Unknown", "n/a"]), "UNANSWERED")', '.replace("", "UNANSWERED")')


def test_a_declared_word_for_nothing_is_a_witness_for_empty_cells(gate: Verifier) -> None:
    """Where the conventions say what stands for a missing value, empty cells may become it, but no answer."""
    rows = pa.table({"answer": ["White", "Asian", "", "Black", "", "Hispanic"] * 10})
    declared = Conventions(columns={"answer": ColumnConvention(null="UNANSWERED")})

    def raised(source: str, conventions: Conventions | None) -> list[str]:
        request = VerifyRequest(source, Sample(rows, rows.slice(0, 12)), quick=True, conventions=conventions)
        return [one.kind for one in gate.verify(request).concerns]

    assert raised(FILLED, declared) == []
    assert raised(FILLED, None) == ["cells-filled"]
    assert raised(FILLED.replace("UNANSWERED", "White"), declared) == ["cells-filled"]


def test_another_emptied_cell_than_that_of_an_example_is_a_doubt(gate: Verifier) -> None:
    """Without the example it fails; where the user wants cells emptied, somebody can say whether this is one."""
    source = (
        'CONTRACT = {"modifies": ["usage"]}\n'
        "def empty_usage(df):\n"
        '    """Null for what was not read."""\n'
        '    return df.assign(usage=df["usage"].where(~df["usage"].isin(["n/a", "not read"]), None))\n'
    )
    cells = [*map(str, range(100, 130)), "n/a", "not read", "not read"]
    rows = pa.table({"id": [*map(str, range(len(cells)))], "usage": cells})
    bare = gate.verify(VerifyRequest(source, Sample(rows, rows.slice(0, 9)), quick=True))
    assert bare.verdict == Outcome.FAIL
    example = Example(input={"usage": "n/a"}, output={"usage": None})
    shown = gate.verify(VerifyRequest(source, Sample(rows, rows.slice(0, 9)), examples=(example,), quick=True))
    assert shown.verdict == Outcome.HOLD, shown.failures
    assert {one.kind for one in shown.concerns} == {"cells-emptied"}


@pytest.mark.parametrize(
    ("gone", "outcome"),
    [("'-999', '-999,0'", Outcome.PASS), ("'-999', '-9,99'", Outcome.HOLD), ("'-999', 'N.A. yet'", Outcome.HOLD)],
)
def test_a_number_written_otherwise_is_emptied_as_that_of_an_example(
    gate: Verifier, gone: str, outcome: Outcome
) -> None:
    """-999,0 is -999; another number, and words, are what no example shows."""
    source = (
        'CONTRACT = {"modifies": ["level"]}\n'
        "def empty_level(df):\n"
        '    """Null for what the probe did not read."""\n'
        f'    return df.assign(level=df["level"].where(~df["level"].isin([{gone}]), None))\n'
    )
    cells = [*(f"{n},5" for n in range(20, 50)), *["-999", "-999,0", "-9,99", "N.A. yet"] * 2]
    rows = pa.table({"id": [*map(str, range(len(cells)))], "level": cells})
    example = Example(input={"level": "-999"}, output={"level": None})
    found = gate.verify(VerifyRequest(source, Sample(rows, rows.slice(0, 9)), examples=(example,), quick=True))
    assert found.verdict == outcome, (found.failures, found.concerns)


@pytest.mark.parametrize(("gone", "outcome"), [("No answer", Outcome.PASS), ("nil known", Outcome.HOLD)])
def test_a_question_that_was_not_answered_is_emptied_as_one_that_was_not_asked(
    gate: Verifier, gone: str, outcome: Outcome
) -> None:
    """Nobody knows the answer of either; that none are known is an answer."""
    source = (
        'CONTRACT = {"modifies": ["allergies"]}\n'
        "def empty_allergies(df):\n"
        '    """Null where nobody knows."""\n'
        f'    return df.assign(allergies=df["allergies"].where(~df["allergies"].isin(["not asked", "{gone}"]), None))\n'
    )
    cells = ["nuts", "pollen", "latex", "wasps; bees", "not asked", gone] * 6
    rows = pa.table({"id": [*map(str, range(len(cells)))], "allergies": cells})
    example = Example(input={"allergies": "not asked"}, output={"allergies": None})
    found = gate.verify(VerifyRequest(source, Sample(rows, rows.slice(0, 9)), examples=(example,), quick=True))
    assert found.verdict == outcome, (found.failures, found.concerns)
