"""Telling cleaning from loss: numbers, spellings, words for nothing."""

import decimal
import difflib
import time
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from orchestrator.core.candidate import Contract, Example, ExampleSource
from orchestrator.core.policy import GatePolicy
from orchestrator.core.verdict import Outcome
from orchestrator.gate.checks.keeps_information import check
from orchestrator.gate.information.null_tokens import holds_something
from orchestrator.gate.information.similarity import SIMILAR, clusters, ratio
from orchestrator.gate.information.value_kinds.number_parsing import loses_precision, reading
from orchestrator.gate.judge.observations import CaseObservation, Observations, OpResult

ROW = list[Any]


def judged(
    before: ROW,
    after: ROW,
    *,
    flags: list[bool] | None = None,
    examples: tuple[Example, ...] = (),
    source: ExampleSource = ExampleSource.USER,
) -> str:
    """What the check says of one column, "" when it is content."""
    kind = pa.array(before).type
    contract = Contract(modifies=("c",))
    seen = {"f": OpResult("returned", table=pa.table({"c": pa.array(after, kind)}), index=np.arange(len(after)))}
    if flags is not None:
        seen["detect"] = OpResult("returned", flags=np.array(flags, dtype=np.bool_))
    case = CaseObservation("working", pa.table({"c": pa.array(before, kind)}), contract, seen)
    sources = [source] * len(examples)
    view = Observations(
        contract, flags is not None, GatePolicy(), {"working": case}, examples=examples, sources=sources
    )
    result = check(view)
    assert result is not None
    assert (result.outcome is Outcome.PASS) is not bool(result.detail)
    return result.detail


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["N/A", "null", "-", "Rome"], [None, "", None, "Rome"]),
        (["#REF!", "(none)", " ? ", "***"], [None, None, "", ""]),
        (["€1,234.50", "1.234,50 €", "12.0 oz", "0,5"], ["1234.50", "1234.50", "12", "0.5"]),
        (["4.999999999999", "1e3"], ["5", "1000"]),
        (["USA", "U.S.A.", "usa", "United States"] * 3, ["United States"] * 12),
        (["California", "Calif.", "CA", "Texas", "TX"] * 2, ["CA", "CA", "CA", "TX", "TX"] * 2),
        (["yes", "Y", "1", "TRUE", "no", "N", "0"], ["true"] * 4 + ["false"] * 3),
        (["yes", "Y", "1", "TRUE"], ["true"] * 4),
        (["ja", "oui", "\u0434\u0430", "J", "nein", "non", "\u043d\u0435\u0442"], ["yes"] * 4 + ["no"] * 3),
        (["M", "male", "Male", "F", "fem."], ["Male", "Male", "Male", "Female", "Female"]),
        (["2021-03-04", "03/04/2021", "4 Mar 2021"] * 2, ["2021-03-04"] * 6),
        (["(555) 123-4567", "555.123.4567", "+1 555 123 4567"], ["+15551234567"] * 3),
        (["Doe, John", "John Doe", "JOHN DOE"], ["John Doe"] * 3),
        (["shiped", "shipped", "shippd", "Shipped"], ["shipped"] * 4),
        (["shipped"] * 30 + ["Versand"], ["shipped"] * 31),
        ([f"{n} kg" for n in range(50)], [f"{n}" for n in range(50)]),
        ([" a", "a ", "a"], ["a", "a", "a"]),
        (["caf\u00e9", "cafe\u0301"], ["caf\u00e9", "caf\u00e9"]),
        (["\\\\xc2\\\\xa0Ulm", "\\xc2\\xa0Bern", "Ulm", "Bern"] * 9, ["Ulm", "Bern", "Ulm", "Bern"] * 9),
    ],
)
def test_cleaning_keeps_information(before: ROW, after: ROW) -> None:
    """Spellings may meet, words for nothing may go, units and separators may go."""
    assert judged(before, after) == ""


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        (["Rome", "Oslo"], ["", "Oslo"], "empty"),
        (["Rome", "Oslo"], [None, None], "empty"),
        (["12.99", "3.50"], ["12", "3"], "precision"),
        (["$1,234.56", "5.00"], ["1235", "5.00"], "precision"),
        ([12.345, 1.0], [12.35, 1.0], "precision"),
        (["shipped", "pending", "returned"] * 5, ["shipped"] * 15, "became 1"),
        (["New York", "Newark", "Nashville", "Oslo", "Omaha", "Orlando"], ["N", "N", "N", "O", "O", "O"], "became 2"),
        (
            [f"20{y:02}-0{m}-11" for y in range(20) for m in range(1, 9)],
            [f"20{y:02}" for y in range(20) for _ in range(8)],
            "became",
        ),
        ([f"item {n}" for n in range(100)], [f"item {n % 10}" for n in range(100)], "became 10"),
        ([str(n) for n in range(100)], ["0"] * 100, "became 1"),
        (["M", "F"] * 10, ["M"] * 20, "became 1"),
        (["yes", "no"] * 10, ["true"] * 20, "became 1"),
        (["555-123-4567", "555-987-6543", "555-111-2222"], ["555", "555", "555"], "became 1"),
    ],
)
def test_loss_is_seen(before: ROW, after: ROW, word: str) -> None:
    """Emptied cells, rounded numbers and values that become one are loss."""
    assert word in judged(before, after)


def test_blanking_by_detect_is_for_the_few() -> None:
    """Where detect condemns a value and the function only blanks, a small part of the values may go."""
    ages = ["17", "18", "19", "20", "21", "22", "23", "147"]
    assert judged(ages, [*ages[:7], None]) != ""
    assert judged(ages, [*ages[:7], None], flags=[False] * 7 + [True]) == ""
    assert judged(ages, [None] * 8, flags=[True] * 8) != ""
    assert (
        judged(ages, ["17", "18", "19", "20", "21", "22", "twenty-three", None], flags=[False] * 6 + [True] * 2) != ""
    )


def test_placeholders_may_go_where_detect_flags_them() -> None:
    """Guest and nobody are no users, in any spelling, when detect says so; not all that a column holds may go."""
    users = ["guest", "GUEST", "nobody", "ada", "grace", "alan"]
    gone = [None, None, None, "ada", "grace", "alan"]
    flags = [True, True, True, False, False, False]
    assert judged(users, gone, flags=flags) == ""
    assert judged(users, gone) != ""
    assert judged(users, [None, None, None, None, None, "alan"], flags=[True] * 5 + [False]) != ""
    assert judged(users[:3], gone[:3], flags=flags[:3]) != ""


def test_numbers_for_missing_may_go() -> None:
    """-999 is written where there is no number; 17 is not."""
    assert judged([17, 18, -999, 20], [17, 18, None, 20]) == ""
    assert judged(["17", "18", "999", "-1"], ["17", "18", None, None]) == ""
    assert judged([17, 18, -999, 20], [None, 18, None, 20]) != ""
    assert judged([-999, -999], [None, None]) != ""


def test_only_witnesses_license_and_exactly_what_they_show() -> None:
    """A value that a witness blanks or merges may be; another one may not. Its own example shows nothing."""
    blank = (Example(input={"c": "999"}, output={"c": None}),)
    assert judged(["17", "999"], ["17", None], examples=blank) == ""
    assert judged(["17", "999"], [None, None], examples=blank) != ""
    merge = (Example(input={"c": "Deutschland"}, output={"c": "Germany"}),)
    assert judged(["Deutschland", "Germany"] * 5, ["Germany"] * 10, examples=merge) == ""
    assert judged(["France", "Germany"] * 5, ["Germany"] * 10, examples=merge) != ""
    rounding = (Example(input={"c": "12.99"}, output={"c": "12"}),)
    assert judged(["12.99", "3.5"], ["12", "3"], examples=rounding) == ""
    own = ExampleSource.OWN
    assert judged(["12.99", "3.5"], ["12", "3"], examples=rounding, source=own) != ""
    assert judged(["17", "999"], ["17", None], examples=blank, source=own) == judged(["17", "999"], ["17", None])
    assert judged(["Deutschland", "Germany"] * 5, ["Germany"] * 10, examples=merge, source=own) != ""


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234", "1234"), ("1.234", "1.234"), ("1,234.50 USD", "1234.50"), ("1.234,50", "1234.50"), ("0,5", "0.5"),
        ("0,579", "0.579"),
        ("1 234 567", "1234567"), ("$-12", "-12"), ("1'234.5", "1234.5"), (".5", "0.5"), ("12.5%", "12.5"),
        ("1’234.5", "1234.5"), ("5’11", None), ("12’34", None),
        ("2021-03-04", None), ("4.5/5", None), ("1.2.3", None), ("abc", None), ("", None),
        ("27 1/2 days", "27.5"), ("1½ cups", "1.5"), ("1 ¼", "1.25"), ("1½ to 2½", None),
        ("1 3/4", "1.75"), ("12 1/2/2020", None), ("-3 1/2", None), ("1/2", None),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(text: str, number: str | None) -> None:
    """Grouping, decimal commas, units and currency; None where there is no single number."""
    assert reading(text) == (None if number is None else decimal.Decimal(number))


def test_precision_is_about_decimals_only() -> None:
    """Scaling, percent and equal values in another form lose nothing."""
    assert not loses_precision("45%", "0.45")
    assert not loses_precision("1.50", "1.5")
    assert not loses_precision("12 oz", "354.88")
    assert not loses_precision("abc", "12")
    assert loses_precision("0.5", "0")
    assert loses_precision("-3.7", "-4")


def test_what_went_to_a_new_column_is_kept() -> None:
    """A house number that moves beside the street is no loss; one that vanishes is."""
    streets = [f"High Street {n}" for n in range(40)]
    for added, word in (([str(n) for n in range(40)], ""), ([None] * 40, "became 1")):
        contract = Contract(modifies=("c",), adds=("number",))
        result = pa.table({"c": ["High Street"] * 40, "number": pa.array(added, pa.string())})
        seen = {"f": OpResult("returned", table=result, index=np.arange(40))}
        case = CaseObservation("working", pa.table({"c": streets}), contract, seen)
        found = check(Observations(contract, False, GatePolicy(), {"working": case}))
        assert found is not None
        assert word in found.detail
        assert bool(word) == (found.outcome is not Outcome.PASS)


def test_clusters_counts_things_not_spellings() -> None:
    """Spellings of one thing count once, different things each."""
    assert clusters(["USA", "U.S.A.", "United States of America"], "USA") == 1
    assert clusters(["red", "green", "blue"], "blue") == 3
    assert clusters(["DE", "Deutschland", "Germany", "germany"], "DE") == 2


@pytest.mark.parametrize("value", ["Rome", "0", 0, False, "\U0001f44d", "x1"])
def test_real_values_hold_something(value: object) -> None:
    """Zero, False and an emoji say something."""
    assert holds_something(value)


@pytest.mark.parametrize("value", [None, "", " \u00a0", "N/A", "null", "---", "?", float("nan"), "(blank)", "<NA>"])
def test_words_for_nothing_hold_nothing(value: object) -> None:
    """Blank cells and the usual words and signs for nothing."""
    assert not holds_something(value)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("ab" * 30_000, "ba" * 30_000, True),
        ("a" * 60_000, "b" * 60_000, False),
        ("x" + "lorem ipsum" * 5_000, "lorem ipsum" * 5_000, True),
        ("lorem ipsum" * 5_000, "123456789 0" * 5_000, False),
        ("a" * 60_000, "a", False),
    ],
)
def test_long_cells_are_compared_in_bounded_time(one: str, other: str, alike: bool) -> None:
    """A cell of 60,000 characters costs the judge no more than one of 500."""
    started = time.process_time()
    assert (ratio(one, other) >= SIMILAR) is alike
    assert time.process_time() - started < 2


@pytest.mark.parametrize(("one", "other"), [("kitten", "sitting"), ("a" * 400, "ab" * 200), ("", "x"), ("xyz", "xyz")])
def test_short_cells_are_compared_as_before(one: str, other: str) -> None:
    """Up to the bound it is difflib's own ratio, wherever that can reach the threshold."""
    exact = difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()
    assert (ratio(one, other) >= SIMILAR) is (exact >= SIMILAR)
