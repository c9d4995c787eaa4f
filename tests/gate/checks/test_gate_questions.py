"""What a person is asked about a held function: enough to settle it, each change once, and mistakes among them."""

import random
from collections.abc import Sequence
from datetime import date
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Question, Verdict
from orchestrator.data.record_tables import row_of, table_of
from orchestrator.gate.verifier import Verifier

KINDS = {
    "Vollzeit": "full-time", "FT": "full-time", "Teilzeit": "part-time", "PT": "part-time", "Minijob": "marginal",
    "Werkstudent": "student", "freiberuflich": "freelance", "befristet": "fixed-term",
}  # fmt: skip
MAPPING = '''"""Contracts are said in two languages."""
CONTRACT = {"modifies": ["kind"]}
WORDS = WORDS_HERE
def detect(df):
    return df["kind"].isin(list(WORDS))
def kinds(df):
    """One language."""
    return df.assign(kind=df["kind"].replace(WORDS))
'''
PENCE = '''"""Fares are in pounds or in pence."""
CONTRACT = {"modifies": ["fare"]}
PENCE = r"^([0-9]{1,6})p$"
def detect(df):
    return df["fare"].str.match(PENCE).fillna(False).astype(bool)
def pounds(df):
    """Pounds."""
    pence = df["fare"].str.extract(PENCE, expand=False).astype(float)
    return df.assign(fare=df["fare"].mask(detect(df), (pence / FACTOR).map("{:.2f}".format)))
'''
SIZES = '''"""The size stands in the name."""
CONTRACT = {"adds": ["size"]}
def sizes(df):
    """A column of its own."""
    return df.assign(size=df["article"].str.extract(r"\\b(XS|S|M|L|XL)$", expand=False))
'''
FLAGS = '''"""Flags are letters."""
CONTRACT = {"shape": "record", "modifies": ["flags"]}
WORDS = {"HT": "raised", "TF": "lowered", "OB": "usual"}
def detect(record):
    flags = record.get("flags")
    return isinstance(flags, list) and any(isinstance(flag, str) and flag in WORDS for flag in flags)
def words(record):
    """Words."""
    if not detect(record):
        return record
    return {**record, "flags": [WORDS.get(str(flag), flag) for flag in record["flags"]]}
'''


COUNT = '''"""Nobody counts the flags."""
CONTRACT = {"shape": "record", "adds": ["raised"], "modifies": []}
def detect(record):
    return "raised" not in record
def count(record):
    """Count them."""
    flags = record.get("flags")
    return {**record, "raised": len(flags) if isinstance(flags, list) else None}
'''


GROUPS = '''"""Ages stand in groups."""
import pandas as pd
CONTRACT = {"modifies": ["group"]}
def _groups(df):
    ages = pd.to_numeric(df["age"], errors="coerce")
    return pd.cut(ages, [-1, LAST, 64, 200], labels=["child", "adult", "senior"]).astype(object)
def detect(df):
    return df["group"].isin([""]) & _groups(df).notna()
def groups(df):
    """Fill them in."""
    return df.assign(group=df["group"].mask(detect(df), _groups(df)))
'''


def jobs(rows: int, seed: int, words: Sequence[str] = (*KINDS, "full-time", "part-time")) -> pa.Table:
    draw = random.Random(seed)  # noqa: S311 - data for a test
    made = [{"id": f"J{number:04}", "kind": draw.choice(words)} for number in range(rows)]
    return pa.Table.from_pylist(made)


def fares(rows: int, seed: int) -> pa.Table:
    draw = random.Random(seed)  # noqa: S311 - data for a test
    pence = [draw.randint(100, 900) for _ in range(rows)]
    said = [f"{one}p" if draw.random() < 0.3 else f"{one / 100:.2f}" for one in pence]
    return pa.table({"id": [f"F{number:04}" for number in range(rows)], "fare": said})


def judged(gate: Verifier, source: str, tables: Sequence[pa.Table], answers: Sequence[Question] = ()) -> Verdict:
    examples = tuple(Example(input=one.input, output=one.output) for one in answers)
    return gate.verify(VerifyRequest(source, Sample(*tables), examples=examples, quick=True))


def mapping(words: dict[str, str]) -> str:
    return MAPPING.replace("WORDS_HERE", repr(words))


def changes(verdict: Verdict) -> list[tuple[Any, Any]]:
    return [question.cells for question in verdict.questions]


def test_every_word_of_a_mapping_is_asked_once(gate: Verifier) -> None:
    """A concern shows one word; the questions show all, and whoever confirms them has settled it."""
    tables = jobs(200, 1), jobs(60, 2)
    verdict = judged(gate, mapping(KINDS), tables)
    assert verdict.held
    assert sorted(changes(verdict)) == sorted(KINDS.items())
    assert judged(gate, mapping(KINDS), tables, verdict.questions).passed


@pytest.mark.parametrize("word", sorted(KINDS))
def test_a_mistake_in_a_mapping_is_among_the_questions(gate: Verifier, word: str) -> None:
    """Whichever word it is about: a list from which the wrong change is missing would be confirmed."""
    wrong = {**KINDS, word: "retired"}
    assert (word, "retired") in changes(judged(gate, mapping(wrong), (jobs(200, 1), jobs(60, 2))))


def test_numbers_of_one_form_are_asked_about_by_some(gate: Verifier) -> None:
    """Sixty fares in pence need not be read one by one: a few rows show the wrong factor."""
    verdict = judged(gate, PENCE.replace("FACTOR", "10"), (fares(200, 3), fares(60, 4)))
    assert verdict.held
    assert 2 <= len(verdict.questions) <= 20
    assert all(float(after) == int(before[:-1]) / 10 for before, after in changes(verdict))


def test_cells_that_are_filled_are_shown_with_their_rows(gate: Verifier) -> None:
    """Nothing becomes `adult` in many rows: several of them are shown, and a wrong bound is among these."""
    ages = [{"id": f"P{n}", "age": str(n % 90), "group": ""} for n in range(180)]
    table = pa.Table.from_pylist(ages)
    verdict = judged(gate, GROUPS.replace("LAST", "40"), (table.slice(0, 140), table.slice(140)))
    assert verdict.held
    rows = [(question.beside["age"], question.cells[1]) for question in verdict.questions]
    assert all(sum(group == one for _, group in rows) >= 4 for one in ("child", "adult", "senior"))
    assert any(18 <= int(age) <= 40 for age, group in rows if group == "child")


def test_new_column_that_nobody_asked_for(gate: Verifier) -> None:
    """Its cells are asked about, those of each form; whoever confirms them wants the column."""
    articles = [f"Shirt {number} {size}" for number in range(40) for size in ("S", "M", "XL")]
    tables = pa.table({"article": articles}), pa.table({"article": articles[:20]})
    verdict = judged(gate, SIZES, tables)
    assert {question.output["size"] for question in verdict.questions} == {"S", "M", "XL"}
    assert judged(gate, SIZES, tables, verdict.questions).passed


def test_records_are_asked_about_as_they_are(gate: Verifier) -> None:
    """The list before and after, with the rest of the record."""
    draw = random.Random(5)  # noqa: S311 - data for a test
    words = ["HT", "TF", "OB", "raised", "lowered"]
    rows = [{"id": number, "flags": [draw.choice(words) for _ in range(2)]} for number in range(120)]
    tables = [table_of([row_of(row) for row in part], ["id", "flags"]) for part in (rows[:90], rows[90:])]
    verdict = judged(gate, FLAGS, tables)
    assert verdict.held
    assert all(set(question.input) == {"id", "flags"} for question in verdict.questions)
    assert judged(gate, FLAGS, tables, verdict.questions).passed


def test_keys_that_records_get_are_asked_about(gate: Verifier) -> None:
    """No question was made of them: a person could not settle them, and no tester was asked."""
    rows = [{"id": number, "flags": ["HT"] * (number % 4)} for number in range(80)]
    tables = [table_of([row_of(row) for row in part], ["id", "flags"]) for part in (rows[:60], rows[60:])]
    verdict = judged(gate, COUNT, tables)
    assert {(len(question.input["flags"]), question.output["raised"]) for question in verdict.questions} == {
        (number, number) for number in range(4)
    }
    assert judged(gate, COUNT, tables, verdict.questions).passed


def test_dates_of_a_typed_column_are_asked_as_texts(gate: Verifier) -> None:
    """An example is JSON, which has no dates; given back, the texts are read as dates again."""
    table = jobs(200, 1)
    typed = table.append_column("since", pa.array([date(2020, 1, 1 + n % 28) for n in range(200)]))
    verdict = judged(gate, mapping(KINDS), (typed.slice(0, 150), typed.slice(150)))
    assert verdict.questions
    assert all(str(question.input["since"]).startswith("2020-01-") for question in verdict.questions)
    assert judged(gate, mapping(KINDS), (typed.slice(0, 150), typed.slice(150)), verdict.questions).passed


def test_nothing_is_asked_of_what_passes_or_fails(gate: Verifier) -> None:
    """No answer changes a verdict that is no doubt."""
    tables = jobs(200, 1), jobs(60, 2)
    trims = mapping({" full-time": "full-time"})
    assert judged(gate, trims, (jobs(200, 1, [" full-time", "full-time"]), tables[1])).questions == ()
    gone = mapping(dict.fromkeys(KINDS, "x")).replace("df.assign(", "df.head(3).assign(")
    failed = judged(gate, gone, tables)
    assert failed.failures
    assert failed.questions == ()


def test_the_same_questions_are_asked_again(gate: Verifier) -> None:
    """What is drawn by lot depends on the changes alone, so that a replay shows the same."""
    tables = fares(200, 3), fares(60, 4)
    source = PENCE.replace("FACTOR", "10")
    assert judged(gate, source, tables).questions == judged(gate, source, tables).questions
