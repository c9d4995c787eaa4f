"""Rows and columns that a function removes are doubted, unless somebody asked for it or they hold nothing."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from orchestrator.core.candidate import Candidate, Contract, Example, ExampleSource
from orchestrator.core.policy import GatePolicy
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.gate.candidate_file import read
from orchestrator.gate.checks import keeps_information, touches_only_declared
from orchestrator.gate.checks.removed import removed_rows
from orchestrator.gate.information.beyond_shown.rows_not_shown import rows_not_shown
from orchestrator.gate.inputs.example_case import example_case
from orchestrator.gate.judge.observations import CaseObservation, Observations, OpResult
from orchestrator.gate.verifier import Verifier

ROWS: list[dict[str, str | None]] = [
    {"city": "Oslo", "note": "test", "id": "1"},
    {"city": "city", "note": "note", "id": "2"},
    {"city": " ", "note": None, "id": None},
    {"city": "Rome", "note": None, "id": "4"},
]
DROPS_ROWS = Contract(modifies=(), drops_rows=True)
DROPS_NOTE = Contract(modifies=(), drops=("note",))


def observed(
    contract: Contract, rows: Sequence[int], columns: Sequence[str], instruction: str = "", *shown: Example
) -> Observations:
    """What a function leaves of the table: these rows and columns. `shown`: a user's examples."""
    given = pa.Table.from_pylist(ROWS, pa.schema([(name, pa.string()) for name in ROWS[0]]))
    result = OpResult("returned", table=given.take(list(rows)).select(list(columns)), index=np.array(rows, np.int64))
    candidate = Candidate(source="", name="f", contract=contract)
    used = example_case(candidate, shown, given.schema).used
    return Observations(
        contract=contract,
        has_detect=False,
        policy=GatePolicy(),
        cases={"working": CaseObservation("working", given, contract, {"f": result})},
        instruction=instruction,
        examples=used,
        sources=[ExampleSource.USER] * len(used),
    )


def rows_dropped(kept: Sequence[int], instruction: str = "", *shown: Example) -> int:
    """How many rows are in doubt where only these are left."""
    made = keeps_information.check(observed(DROPS_ROWS, kept, list(ROWS[0]), instruction, *shown))
    return sum(one.rows for one in made.concerns if one.kind == "rows-dropped") if made else 0


def column_dropped(instruction: str = "", *shown: Example) -> bool:
    """Whether it is in doubt that the column `note` goes."""
    made = touches_only_declared.check(observed(DROPS_NOTE, range(4), ("city", "id"), instruction, *shown))
    return made is not None and made.outcome is Outcome.HOLD


def test_of_a_row_that_goes_the_cell_it_goes_for_is_shown_first(gate: Verifier) -> None:
    """A terminal shows six columns, and the one that the function looks at was behind them."""
    source = '''
"""Rows of tests."""
CONTRACT = {"modifies": [], "drops_rows": True}


def no_tests(df):
    """Without rows of tests."""
    return df[df["who"] != "test"]
'''
    other = {f"other_{n}": ["x"] * 60 for n in range(7)}
    rows = pa.table({**other, "who": ["test" if n % 9 == 0 else f"P{n}" for n in range(60)]})
    [concern] = gate.verify(VerifyRequest(source, Sample(rows.slice(0, 45), rows.slice(45)), quick=True)).concerns
    assert concern.kind == "rows-dropped"
    assert concern.counterexample is not None
    assert next(iter(concern.counterexample.input[0])) == "who"


def test_a_row_with_values_is_doubted_when_it_goes() -> None:
    """One row is enough. A row without a value, and a line of headings among the rows, may go."""
    assert rows_dropped([1, 2, 3]) == 1
    assert rows_dropped([0, 3]) == 0


@pytest.mark.parametrize(
    ("instruction", "doubted"),
    [
        ("Drop the rows whose note is test.", 0),
        ("Clean the cities. Please remove test rows", 0),
        ("Delete rows without an id or a note.", 1),
        ("Do not drop test rows.", 1),
        ("The note test marks a row.", 1),
        ("Remove all rows except those whose note is test.", 1),
        ("Remove rows unless the note is test.", 1),
        ("Delete rows with a note other than test", 1),
        ("Remove every row whose note is not test", 1),
        ("Drop rows whose city is test.", 1),
        ("Drop rows with an id over 1", 1),
        ("Drop rows whose note is nothing but test", 0),
    ],
)
def test_an_instruction_speaks_for_the_rows_that_it_names(instruction: str, doubted: int) -> None:
    """By a value of theirs, or by a column that is empty there; and it has to say that they go, and not that they stay.

    Where it names a column the value is one of that; a limit names no value.
    """
    assert rows_dropped([1, 2, 3], instruction) == doubted


def test_an_instruction_about_empty_cells_speaks_for_rows_that_have_them() -> None:
    """Not for others."""
    assert rows_dropped([0, 1, 2], "Drop rows without a note.") == 0
    assert rows_dropped([0, 1, 2], "Drop rows without a city.") == 1


def test_an_example_without_a_row_afterwards_settles_rows() -> None:
    """The user shows that a row goes."""
    assert rows_dropped([1, 2, 3], "", Example(input={"note": "test"}, output=None)) == 0
    assert rows_dropped([1, 2, 3], "", Example(input={"note": "test"}, output={"note": "test"})) == 1


def test_a_column_with_values_is_doubted_when_it_goes() -> None:
    """The instruction settles it, if it says that just this column goes."""
    assert column_dropped()
    assert not column_dropped("Remove the column note.")
    assert column_dropped("Remove the column city.")
    assert column_dropped("The note is never to be dropped.")


def test_an_example_that_lacks_the_column_settles_it() -> None:
    """One that leaves out other columns as well only says what the function is about."""
    row = {"city": "Oslo", "note": "x", "id": "1"}
    assert not column_dropped("", Example(input=row, output={"city": "Oslo", "id": "1"}))
    assert column_dropped("", Example(input=row, output={"city": "Oslo"}))
    undeclared = observed(
        Contract(drops=("note",)), range(4), ("city", "id"), "", Example(input=row, output={"city": "Oslo"})
    )
    made = touches_only_declared.check(undeclared)
    assert made is not None
    assert made.outcome is Outcome.HOLD


def test_a_column_that_is_empty_in_the_sample_is_doubted_too() -> None:
    """The rest of the file may have values there."""
    given: dict[str, list[Any]] = {"city": ["Oslo", "Rome"], "note": [None, ""]}
    table = pa.table({name: pa.array(cells, pa.string()) for name, cells in given.items()})
    seen = {"f": OpResult("returned", table=table.select(["city"]), index=np.arange(2))}
    cases = {"working": CaseObservation("working", table, DROPS_NOTE, seen)}
    made = touches_only_declared.check(Observations(DROPS_NOTE, False, GatePolicy(), cases))
    assert made is not None
    assert made.outcome is Outcome.HOLD


@pytest.mark.parametrize(
    ("gone", "doubted"),
    [({"cancelled"}, 0), ({"cancelled", "on hold"}, 4), ({"open", "paid", "cancelled", "on hold"}, 12)],
)
def test_an_example_of_a_row_that_goes_speaks_for_its_state_alone(gone: set[str], doubted: int) -> None:
    """Where the rows that go have a state that no other has, a row with another one was not shown to go."""
    states = ["open", "paid", "cancelled", "on hold", "cancelled"] * 4
    given = pa.table({"status": states, "id": [f"A{n}" for n in range(len(states))]})
    kept = np.array([n for n, state in enumerate(states) if state not in gone], np.int64)
    case = CaseObservation(
        "working", given, DROPS_ROWS, {"f": OpResult("returned", table=given.take(pa.array(kept)), index=kept)}
    )
    shown = Example(input={"status": "cancelled", "id": "A2"}, output=None)
    seen = Observations(
        contract=DROPS_ROWS, instruction="", has_detect=False, policy=GatePolicy(), cases={"working": case},
        examples=[shown], sources=[ExampleSource.USER],
    )  # fmt: skip
    assert len(removed_rows(case, seen)) == doubted


@pytest.mark.parametrize(
    ("stays", "instruction", "doubted"),
    [
        ({"status": "paid", "id": "A1"}, "drop rows whose status is paid or late", 2),  # and its copy
        ({"status": "paid"}, "drop rows whose status is paid or late", 0),  # no whole row
        ({"status": "open", "id": "A0"}, "drop rows whose status is paid or late", 0),
        ({"status": "paid", "id": "A1"}, "", 4),
    ],
)
def test_an_example_of_a_row_that_stays_is_heard_where_only_rows_are_dropped(
    stays: dict[str, str], instruction: str, doubted: int
) -> None:
    """It is of a column that another function cleans, and still shows the row afterwards."""
    given = pa.table({"status": ["open", "paid", "paid", "late", "open", "late"], "id": [*("A0", "A1", "A1"), *"345"]})
    kept = np.array([0, 4], np.int64)
    result = OpResult("returned", table=given.take(pa.array(kept)), index=kept)
    case = CaseObservation("working", given, DROPS_ROWS, {"f": result})
    candidate = read("CONTRACT = {'modifies': [], 'drops_rows': True}\ndef f(df):\n    return df\n")
    told = example_case(candidate, [Example(input=stays, output={"id": "#1"})], given.schema)
    assert told.table is None
    seen = Observations(
        contract=DROPS_ROWS, instruction=instruction, has_detect=False, policy=GatePolicy(), cases={"working": case},
        declared=told.declared,
    )  # fmt: skip
    assert len(removed_rows(case, seen)) == doubted


def dropping(
    column: Sequence[str | None], gone: set[str | None], instruction: str, *shown: Example
) -> tuple[CaseObservation, Observations]:
    """A function that drops these values, of whole rows."""
    given = pa.table({"grade": pa.array(column, pa.string()), "id": [f"A{n}" for n in range(len(column))]})
    kept = np.array([n for n, value in enumerate(column) if value not in gone], np.int64)
    case = CaseObservation(
        "working", given, DROPS_ROWS, {"f": OpResult("returned", table=given.take(pa.array(kept)), index=kept)}
    )
    seen = Observations(
        contract=DROPS_ROWS, instruction=instruction, has_detect=False, policy=GatePolicy(), cases={"working": case},
        examples=shown, sources=[ExampleSource.USER] * len(shown),
    )  # fmt: skip
    return case, seen


GRADES = ["A", "B", "C", "F", "W", "I", "NaN", None, "-1", "1"]


@pytest.mark.parametrize(
    ("gone", "instruction", "doubted"),
    [
        ({"W"}, "Drop rows whose grade is W.", 0),
        ({"W", "I"}, "drop rows whose grade is w or i", 0),
        ({"F"}, 'Remove every row with the grade "F", please', 0),
        ({"A"}, "Drop each row that has a grade I dislike, F", 1),  # an article
        ({"I"}, "Drop each row that has a grade I dislike", 1),
        ({"W"}, "Drop rows with W", 1),  # of no column
        ({"F"}, "Drop rows whose grade is not F", 1),
        ({"NaN"}, "drop rows whose grade is NaN", 0),
        ({"NaN", None}, "drop rows whose grade is NaN", 0),
        ({"NaN"}, "drop rows that are NaN", 1),
        ({"1"}, "drop rows whose grade is -1", 1),
        ({"-1"}, "drop rows whose grade is 1", 1),
        ({"1"}, "drop rows whose grade is over 1", 1),
    ],
)
def test_a_single_letter_and_a_word_for_nothing_are_named_with_their_column(
    gone: set[str | None], instruction: str, doubted: int
) -> None:
    """Without the column, and as an article, a letter says nothing."""
    assert len(removed_rows(*dropping(GRADES, gone, instruction))) == doubted


@pytest.mark.parametrize(
    ("instruction", "doubted"),
    [
        ("drop rows whose grade is passed or withdrawn", 0),
        ("drop rows whose grade is passed", 2),
        ("drop rows whose grade is withdrawn", 0),
        ("drop rows whose grade is unsold", 2),
        ("", 2),
    ],
)
def test_an_instruction_speaks_beside_an_example_of_a_row_that_goes(instruction: str, doubted: int) -> None:
    """What the example shows is asked for as well, whatever the instruction says."""
    column = ["sold", "passed", "withdrawn", "sold", "sold", "withdrawn", "sold", "sold"]
    shown = Example(input={"grade": "passed", "id": "A1"}, output=None)
    assert len(removed_rows(*dropping(column, {"passed", "withdrawn"}, instruction, shown))) == doubted


@pytest.mark.parametrize(
    ("instruction", "outcome"),
    [
        ("drop rows whose grade is closed or merged", Outcome.PASS),
        ("drop rows whose grade is closed", Outcome.HOLD),
        ("drop rows whose grade is merged", Outcome.FAIL),
        ("", Outcome.FAIL),
    ],
)
def test_most_rows_may_go_where_the_instruction_names_them(instruction: str, outcome: Outcome) -> None:
    """Those that it does not name count towards the limit."""
    column = ["open", "closed", "closed", "closed", "closed", "closed", "merged", "open"]
    _, seen = dropping(column, {"closed", "merged"}, instruction)
    made = keeps_information.check(seen)
    assert made is not None
    assert made.outcome is outcome


def test_a_row_that_shares_some_cells_with_the_headings_is_no_line_of_them() -> None:
    """A ship that is called Port stays; a number of the row tells nothing."""
    rows = [{"ship": "ship", "port": "port", "berth": berth, "id": f"{n}"} for n, berth in enumerate(["3", "berth"])]
    rows += [{"ship": "Ada", "port": "Oslo", "berth": "3", "id": f"9{n}"} for n in range(4)]
    given, kept = pa.Table.from_pylist(rows), np.arange(2, 6, dtype=np.int64)
    result = OpResult("returned", table=given.slice(2), index=kept)
    case = CaseObservation("working", given, DROPS_ROWS, {"f": result})
    seen = Observations(
        contract=DROPS_ROWS, instruction="", has_detect=False, policy=GatePolicy(), cases={"working": case}
    )
    assert removed_rows(case, seen) == [0]


CANCELLED, NO_NUMBER = {"status": "cancelled", "total": "5"}, {"status": "open", "total": None}
LOW, BOTH = {"status": "open", "total": "-3"}, {"status": "late", "total": "0"}


@pytest.mark.parametrize(
    ("shown", "row", "stay", "held"),
    [
        ({"mail": "test@test.com"}, {"mail": "u7@a.com"}, [{"mail": f"u{n}@a.com"} for n in range(8)], True),
        ({"mail": "test@test.com"}, {"mail": "li@test.com"}, [{"mail": f"u{n}@a.com"} for n in range(8)], False),
        ({"mail": "test@test.com"}, {"mail": "ann@contest.com"}, [{"mail": f"u{n}@a.com"} for n in range(8)], True),
        (
            CANCELLED,
            {"status": "cancelled", "total": "9"},
            [{"status": "open", "total": f"{n}"} for n in range(8)],
            False,
        ),
        (NO_NUMBER, {"status": "late", "total": ""}, [{"status": "open", "total": f"{n}"} for n in range(8)], False),
        (LOW, {"status": "late", "total": "-7"}, [{"status": "open", "total": f"{n}"} for n in range(8)], False),
        (LOW, {"status": "late", "total": "-1"}, [{"status": "open", "total": f"{n}"} for n in range(8)], True),
        (
            BOTH,
            {"status": "late", "total": "0"},
            [*(BOTH | {"status": "open"},) * 4, *(BOTH | {"total": "1"},) * 4],
            False,
        ),
        (
            BOTH,
            {"status": "late", "total": "3"},
            [*(BOTH | {"status": "open"},) * 4, *(BOTH | {"total": "1"},) * 4],
            True,
        ),
        (
            {"start": "9", "end": "3"},
            {"start": "5", "end": "1"},
            [{"start": f"{n}", "end": "9"} for n in range(9)],
            False,
        ),
        ({"day": "2011-05-01"}, {"day": "2014-05-01"}, [{"day": f"201{n}-06-01"} for n in range(4, 10)], True),
        ({"day": "2014-05-31"}, {"day": "2014-05-01"}, [{"day": f"201{n}-06-01"} for n in range(4, 10)], False),
    ],
)
def test_an_example_speaks_for_rows_that_have_in_common_with_it_what_no_other_has(
    shown: dict[str, Any], row: dict[str, Any], stay: list[dict[str, Any]], held: bool
) -> None:
    """A word, a state, no number, one as low, an end before its beginning, two things together; not that it goes."""
    assert bool(rows_not_shown([row], stay, [shown])) is held
    assert not rows_not_shown([shown], stay, [shown])
