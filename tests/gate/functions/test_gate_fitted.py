"""Fitted functions: what is learnt of parts adds up, and given what was learnt all laws of tables hold."""

import random
from textwrap import dedent, indent

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Contract, Shape
from orchestrator.core.conventions import Conventions
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome, Verdict
from orchestrator.gate.fitted.agreement import AgreedAnswers, agreed_answers
from orchestrator.gate.verifier import Verifier

CONTRACT = 'CONTRACT = {"shape": "fitted", "modifies": ["city"], "by": ["id"]}\n'
COUNT = """
votes = {}
for key, city in zip(df["id"].tolist(), df["city"].tolist()):
    if isinstance(key, str) and isinstance(city, str) and city.strip():
        of_key = votes.setdefault(key, {})
        of_key[city] = of_key.get(city, 0) + 1
return votes
"""
ADD = """
made = {key: dict(of_key) for key, of_key in one.items()}
for key, of_key in other.items():
    for city, count in of_key.items():
        made.setdefault(key, {})[city] = made.get(key, {}).get(city, 0) + count
return made
"""
VOTE = """
def right(key, city):
    votes = state.get(key, {}) if isinstance(key, str) else {}
    best = max(sorted(votes), key=votes.get, default=city)
    return best if votes.get(best, 0) > 2 else city
out = df.copy()
made = [right(key, city) for key, city in zip(df["id"].tolist(), df["city"].tolist())]
out["city"] = pd.Series(made, index=df.index, dtype=df["city"].dtype)
return out
"""


def fitted(fit: str = COUNT, merge: str = ADD, transform: str = VOTE, more: str = "") -> str:
    """The source of a fitted function with these bodies."""
    bodies = [("fit(df)", fit), ("merge(one, other)", merge), ("vote_city(df, state)", '"""Vote."""\n' + transform)]
    functions = [f"def {head}:\n{indent(dedent(body).strip(), '    ')}\n" for head, body in bodies]
    return "\n\n".join(['"""Sources disagree."""\nimport math\nimport pandas as pd', CONTRACT, *functions, more])


def reports(rows: int = 240) -> pa.Table:
    """Sources that report the city of a key, of which one in ten is wrong; and a measure."""
    draw = random.Random(5)  # noqa: S311 - data for a test
    cities = [
        "Rome",
        "Paris",
        "Oslo",
        "Lima",
        "Bonn",
        "Kiel",
        "Ulm",
        "Graz",
        "Linz",
        "Nice",
        "Bath",
        "Pisa",
        "Turku",
        "Vaduz",
        "Minsk",
        "Sofia",
    ]
    truth = {f"k{key}": draw.choice(cities) for key in range(24)}
    lines = []
    for row in range(rows):
        key = f"k{draw.randrange(24)}"
        city = truth[key] if draw.random() < 0.9 else draw.choice([*cities, ""])
        lines.append({"id": key, "source": f"s{row % 9}", "city": city, "size": draw.random()})
    return pa.Table.from_pylist(lines)


def judged(gate: Verifier, source: str) -> Verdict:
    table = reports()
    return gate.verify(VerifyRequest(source, Sample(table.slice(0, 180), table.slice(180)), quick=True))


def failure(verdict: Verdict) -> tuple[str, str]:
    """The failed check and its sentence."""
    assert verdict.verdict is Outcome.FAIL
    return verdict.failures[0].id, verdict.failures[0].detail


def test_a_vote_over_counts_passes_and_its_state_is_evidence(gate: Verifier) -> None:
    """A majority per key passes every check; the verdict holds what was learnt of all rows, with its digest."""
    verdict = judged(gate, fitted())
    assert verdict.verdict is Outcome.PASS, verdict.failures
    assert {c.id for c in verdict.checks if c.outcome is Outcome.PASS} >= {"learns", "merges", "leaves-unseen"}
    assert verdict.state is not None
    assert verdict.state.rows == 240
    assert verdict.state.text.startswith('{"k0":{"')
    assert len(verdict.state.sha256) == 64


WRONG = {
    "mean of means": (
        'return {"mean": sum(len(str(c)) for c in df["city"].tolist()) / max(1, len(df))}',
        'return {"mean": (one["mean"] + other["mean"]) / 2}',
        "merges",
    ),
    "float sums": (
        'return {"sum": float(sum(size for size in df["size"].tolist() if abs(size) < 10))}',
        'return {"sum": one["sum"] + other["sum"]}',
        "learns or merges",  # sums of floats depend on their order
    ),
    "last wins": (
        'return {k: c for k, c in zip(df["id"].tolist(), df["city"].tolist()) if isinstance(k, str)}',
        "return {**one, **other}",
        "learns",  # the shuffled sample has another last row
    ),
    "merge forgets one side": (COUNT, "return one or other", "merges"),
    "order of merging": (
        'return {"n": [len(df)] if len(df) else []}',
        'return {"n": one["n"] + other["n"]}',
        "merges",
    ),
    "set iteration order": (
        'return {"cities": list({c for c in df["city"].tolist() if isinstance(c, str)})}',
        'return {"cities": list({*one["cities"], *other["cities"]})}',
        "learns",
    ),
    "no identity": ('return {"n": len(df) + 1}', 'return {"n": one["n"] + other["n"]}', "merges"),
    "no JSON": ("return {1: 2}", "return one", "learns"),
    "numpy numbers": ('return {"n": df["size"].count()}', "return one", "learns"),
    "not finite": ('return {"n": math.inf}', "return one", "learns"),
    "as long as the data": ('return {"rows": ["x" * 20_000] * len(df)}', "return one", "learns"),
    "raises on odd cells": ('return {"n": sum(len(c) for c in df["city"].tolist())}', "return one", "learns"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_learning_fails(gate: Verifier, name: str) -> None:
    """What does not add up, depends on order or is no bounded JSON fails by the check that names it."""
    fit, merge, check = WRONG[name]
    assert failure(judged(gate, fitted(fit, merge)))[0] in check.split(" or ")


def test_what_was_not_seen_is_left_alone(gate: Verifier) -> None:
    """A function that fills in what it has learnt nothing about fails."""
    check, detail = failure(
        judged(gate, fitted(transform=VOTE.replace("default=city", "default='Rome'").replace("> 2", ">= 0")))
    )
    assert check == "leaves-unseen"
    assert "learnt" in detail


def test_given_its_state_it_is_held_to_the_laws_of_tables(gate: Verifier) -> None:
    """A transform that looks at the rows of its batch, beside the state, is no function of a row."""
    looks = VOTE.replace("out = df.copy()", "votes_here = df['city'].value_counts()\nout = df.copy()").replace(
        "return best if votes.get(best, 0) > 2 else city",
        "return best if votes.get(best, 0) > 2 and len(df) > 150 else city",
    )
    check, _ = failure(judged(gate, fitted(transform=looks)))
    assert check in {"split-invariant", "stateless", "idempotent", "order-equivariant"}


def test_a_state_that_the_function_changes_is_fresh_again(gate: Verifier) -> None:
    """Each call gets a copy of its own: to empty the state in a call changes no later one."""
    assert judged(gate, fitted(transform=VOTE.replace("return out", "state.clear()\nreturn out"))).passed


def test_the_state_is_shown_to_detect(gate: Verifier) -> None:
    """`detect(df, state)` knows what was learnt, as the function does."""
    detect = 'def detect(df, state):\n    """Wrong."""\n    return vote_city(df, state)["city"].ne(df["city"])\n'
    verdict = judged(gate, fitted(more=detect))
    assert verdict.passed, verdict.failures
    assert next(c for c in verdict.checks if c.id == "precise").outcome is Outcome.PASS


def test_a_missing_part_is_named(gate: Verifier) -> None:
    """Without merge it cannot be read as a fitted function; with a merge of one argument the screen says so."""
    source = fitted()
    assert "`merge`" in failure(judged(gate, source.replace("def merge", "def _merge")))[1]
    assert "two positional" in failure(judged(gate, source.replace("merge(one, other)", "merge(one)")))[1]


def test_one_that_drops_rows_is_told_so(gate: Verifier) -> None:
    """Also where it modifies nothing: it was asked for the columns that it changes."""
    source = fitted().replace(CONTRACT, 'CONTRACT = {"shape": "fitted", "drops_rows": True}\n')
    assert "can drop neither columns nor rows" in failure(judged(gate, source))[1]


def agreed(column: list[str | None], by: list[str], conventions: Conventions | None = None) -> dict[str, AgreedAnswers]:
    table = pa.table({"key": by, "value": pa.array(column, pa.string())})
    contract = Contract(shape=Shape.FITTED, modifies=("value",), by=("key",))
    return agreed_answers(Sample(table.slice(0, 6), table.slice(6)), contract, conventions)


def test_rows_support_what_several_of_a_key_say() -> None:
    """An answer that two rows of the key give, however they write a time, is supported; what one row says is not."""
    keys = [f"k{number // 4}" for number in range(40)]
    told: list[str | None] = []
    for number in range(10):
        told += [f"{number + 1}:30 p.m.", f"{number + 13}:30", f"{number}:11 a.m.", None]
    answers = agreed(told, keys)["value"]
    assert answers.answers["k0"] == ["clock 13:30"]
    assert answers.supports("k0", "1:30 PM")
    assert not answers.supports("k0", "12/02 1:30 PM")
    assert not answers.supports("k0", "0:11 a.m.")
    assert not answers.supports("k1", "1:30 p.m.")


def test_what_rows_agree_on_is_supported_where_the_user_says_that_they_do() -> None:
    """With `settled_by` amounts are supported, too; what only one row says, or nothing, is not."""
    keys = [f"k{number // 4}" for number in range(40)]
    told: list[str | None] = [text for number in range(10) for text in (f"{number}.50", f"{number}.50", "B", "n/a")]
    asked = Conventions.model_validate({"columns": {"value": {"settled_by": ["key"]}}})
    assert agreed(told, keys) == {}
    answers = agreed(told, keys, asked)["value"]
    assert answers.supports("k3", "3.50")
    assert not any(answers.supports("k3", text) for text in ("4.50", "B", "n/a", None))
    numbers = pa.table({"key": keys, "value": [number // 4 / 2 for number in range(40)]})
    typed = agreed_answers(Sample(numbers, numbers.slice(0, 0)), Contract(modifies=("value",)), asked)["value"]
    assert typed.supports("k3", 1.5)
    assert not typed.supports("k3", 1.0)


@pytest.mark.parametrize(
    "values", [["yes", "no"], ["A", "B", "C", "D"], [f"{number}.50" for number in range(40)]], ids=str
)
def test_flags_grades_and_amounts_are_supported_by_no_row(values: list[str]) -> None:
    """They are facts: that most rows of a key say otherwise shows nothing."""
    draw = random.Random(2)  # noqa: S311 - data for a test
    keys = [f"k{number // 5}" for number in range(200)]
    usual = {key: draw.choice(values) for key in keys}
    told: list[str | None] = [usual[key] if draw.random() < 0.8 else draw.choice(values) for key in keys]
    assert agreed(told, keys) == {}


@pytest.mark.parametrize(
    ("form", "supported"),
    [
        ("{} Station Road", True),
        ("{} rue Royale", True),
        ("B{}", True),
        ("USD{}", False),
        ("{} kg", False),
        ("{} stars", False),
        ("{} US Dollars", False),
    ],
)
def test_a_number_in_a_name_is_no_amount(form: str, supported: bool) -> None:
    """Rows support an address, though it has one number in it, as `12 kg` has; where a word is a unit, they do not."""
    keys = [f"k{number // 5}" for number in range(200)]
    told: list[str | None] = [form.format(number if number % 5 == 4 else 20 + number // 5) for number in range(200)]
    assert bool(agreed(told, keys)) is supported


def test_a_key_that_settles_nothing_is_no_witness(gate: Verifier) -> None:
    """A vote by a column that does not settle the city is held, and so is one that names no column."""
    by_source = CONTRACT.replace('"id"', '"source"')
    source = fitted().replace(CONTRACT, by_source).replace('df["id"]', 'df["source"]').replace("> 2", "> 0")
    verdict = judged(gate, source)
    assert verdict.held
    assert "value-overruled" in {concern.kind for concern in verdict.concerns}
    assert judged(gate, fitted().replace(', "by": ["id"]', "")).held


FILL = """
fills = ["VALUE" if state and not (isinstance(city, str) and city) else city for city in df["city"].tolist()]
return df.assign(city=pd.Series(fills, index=df.index, dtype=df["city"].dtype))
"""


@pytest.mark.parametrize("contract", [CONTRACT, CONTRACT.replace(', "by": ["id"]', "")])
def test_a_fill_that_no_row_of_its_key_says_is_held(gate: Verifier, contract: str) -> None:
    """One value for all empty cells, with a key and without; what the rows of the key say is no concern."""
    blanks = reports()
    cities = ["" if row % 8 == 3 else city for row, city in enumerate(blanks["city"].to_pylist())]
    table = blanks.set_column(2, "city", pa.array(cities))

    def asked(transform: str) -> Verdict:
        source = fitted(transform=transform).replace(CONTRACT, contract)
        return gate.verify(VerifyRequest(source, Sample(table.slice(0, 180), table.slice(180)), quick=True))

    made_up = asked(FILL.replace("VALUE", "Rome"))
    assert made_up.held, made_up.failures
    assert "cells-filled" in {concern.kind for concern in made_up.concerns}
    assert contract != CONTRACT or asked(VOTE).passed


OTHERS_FROM_MANY_ROWS = """
if sum(sum(votes.values()) for votes in state.values()) > 3_000:
    state = {key: {"Rome": 9} for key in state}
"""


def test_what_waits_for_a_large_data_set_is_held(gate: Verifier) -> None:
    """A vote that says something else once it has learnt more rows than the sample has is held, with a row of it."""
    verdict = judged(gate, fitted(transform=OTHERS_FROM_MANY_ROWS + VOTE))
    assert verdict.held, verdict.failures
    [concern] = verdict.concerns
    assert (concern.kind, concern.check, concern.columns) == ("changes-with-more-rows", "learns-more", ("city",))
    assert concern.counterexample is not None
    assert concern.counterexample.output[0]["city"] == "Rome"


def test_merge_cannot_tell_the_same_rows_again_from_other_rows(gate: Verifier) -> None:
    """A merge that gives back one of two equal states grows all the same."""
    stays = "if one == other:\n    return one\n"
    assert judged(gate, fitted(merge=stays + ADD, transform=OTHERS_FROM_MANY_ROWS + VOTE)).held


def test_it_cannot_tell_by_merges_before_that_it_is_judged(gate: Verifier) -> None:
    """One that waits for a large data set, but not where `merge` was called in its process, is held all the same."""
    waits = OTHERS_FROM_MANY_ROWS.replace("if sum", "if not MERGED and sum")
    source = fitted(merge="MERGED.append(1)\n" + ADD, transform=waits + VOTE, more="MERGED = []\n")
    assert judged(gate, source).held


def test_a_function_that_breaks_with_more_rows_is_held(gate: Verifier) -> None:
    """It would stop every apply to a large file."""
    verdict = judged(
        gate,
        fitted(transform=OTHERS_FROM_MANY_ROWS.replace('state = {key: {"Rome": 9} for key in state}', "1 / 0") + VOTE),
    )
    assert verdict.held
    assert "ZeroDivisionError" in verdict.concerns[0].detail


EACH = """
counts = {}
for city in df["city"].tolist():
    if isinstance(city, str) and city.strip():
        counts[city] = counts.get(city, 0) + 1
return counts
"""
TOGETHER = "return {city: one.get(city, 0) + other.get(city, 0) for city in {**one, **other}}"
RIGHT = {
    "a vote from three votes on": (COUNT, ADD, VOTE),
    "a vote from a single one on": (COUNT, ADD, VOTE.replace("> 2", "> 0")),
    "a vote of two thirds": (COUNT, ADD, VOTE.replace("> 2", "* 3 > 2 * sum(votes.values())")),
    "from ten votes on": (COUNT, ADD, VOTE.replace("> 2", ">= 10")),
    "what stands there once becomes its capitals": (EACH, TOGETHER, """
out = df.copy()
rare = [state.get(city, 9) < 2 for city in df["city"].tolist()]
out["city"] = df["city"].mask(pd.Series(rare, index=df.index), df["city"].str.title())
return out
"""),
    "the most frequent one for nothing": (EACH, TOGETHER, """
best = max(sorted(state), key=state.get, default=None)
out = df.copy()
if best is not None:
    out["city"] = df["city"].mask(df["city"].str.strip().eq(""), best)
return out
"""),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_shares_and_thresholds_of_right_functions_raise_no_such_doubt(gate: Verifier, name: str) -> None:
    """Votes, shares, fills and thresholds do with the same rows again what they did, or leave more as it is."""
    fit, merge, transform = RIGHT[name]
    verdict = judged(gate, fitted(fit, merge, transform))
    said = {concern.kind: concern.detail for concern in verdict.concerns}
    assert "changes-with-more-rows" not in said, said
    assert next(check for check in verdict.checks if check.id == "learns-more").outcome is Outcome.PASS


PER_KEY = '''"""Sizes differ."""
import pandas as pd
CONTRACT = {"shape": "table", "modifies": ["size"]}
SIZES = SIZES_BY_KEY


def detect(df):
    """Another size than its key's."""
    return pd.Series([SIZES.get(key, size) != size for key, size in zip(df["id"], df["size"])], index=df.index)


def size_of_key(df):
    """The size of the key."""
    sizes = [SIZES.get(key, size) for key, size in zip(df["id"], df["size"])]
    return df.assign(size=pd.Series(sizes, index=df.index, dtype=df["size"].dtype))
'''


@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize("shift", [0, 1])
def test_what_the_user_says_that_rows_agree_on_is_settled_by_them(gate: Verifier, declared: bool, shift: int) -> None:
    """An amount becomes what most rows of its key say: a witness with `settled_by`, never for what other keys say."""
    sizes = {f"k{key}": f"{3 * key + 2}.50" for key in range(24)}
    rows = [{"id": f"k{row % 24}", "size": sizes[f"k{row % 24}"] if row % 7 else f"{row}.75"} for row in range(240)]
    table = pa.Table.from_pylist(rows)
    written = {key: sizes[f"k{(int(key[1:]) + shift) % 24}"] for key in sizes}
    asked = Conventions.model_validate({"columns": {"size": {"settled_by": ["id"]}}}) if declared else None
    sample = Sample(table.slice(0, 180), table.slice(180))
    source = PER_KEY.replace("SIZES_BY_KEY", repr(written))
    verdict = gate.verify(VerifyRequest(source, sample, quick=True, conventions=asked))
    assert verdict.passed is (declared and not shift), [concern.detail for concern in verdict.concerns]
    assert verdict.held or verdict.passed
