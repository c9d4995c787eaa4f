"""Empty cells that are filled by a rule which the other rows obey: the function finds known cells again."""

import random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Verdict
from orchestrator.gate.information.row_evidence.found_again import found_again, found_others
from orchestrator.gate.inputs.emptied_cells import emptied_cells
from orchestrator.gate.verifier import Verifier

PRICES = '''"""The unit price is missing."""
import pandas as pd
CONTRACT = {"modifies": ["unit_price"]}
def _quotient(df):
    total, quantity = (pd.to_numeric(df[name], errors="coerce") for name in ("total", "quantity"))
    return (RULE).round(2).map(lambda v: f"{v:.2f}" if abs(v) < 1e15 else None)
def detect(df):
    empty = df["unit_price"].fillna("").str.strip().isin(["", "N/A"])
    return empty & _quotient(df).notna()
def prices(df):
    """Fill it in."""
    return df.assign(unit_price=df["unit_price"].mask(detect(df), _quotient(df)))
'''
NIGHTS = '''"""The number of nights is missing."""
import pandas as pd
CONTRACT = {"modifies": ["nights"]}
def _nights(df):
    begin, end = (pd.to_datetime(df[name], errors="coerce") for name in ("arrives", "leaves"))
    days = (end - begin).dt.days
    return (RULE).map(lambda v: str(int(v)) if v == v else None)
def detect(df):
    return df["nights"].isna() & _nights(df).notna()
def nights(df):
    """Fill it in."""
    return df.assign(nights=df["nights"].mask(detect(df), _nights(df)))
'''
LEAVING = '''"""The day of leaving is missing."""
CONTRACT = {"modifies": ["leaves"]}
def detect(df):
    return df["leaves"].isna() & df["arrives"].notna()
def leaving(df):
    """As the day of arriving."""
    return df.assign(leaves=df["leaves"].fillna(RULE))
'''
USUAL = '''"""The number of nights is missing."""
CONTRACT = {"modifies": ["nights"]}
def detect(df):
    return df["nights"].isna()
def nights(df):
    """Most stay for two."""
    return df.assign(nights=df["nights"].fillna("2"))
'''


def bills(rows: int, seed: int, errors: float = 0.0) -> pa.Table:
    draw = random.Random(seed)  # noqa: S311 - data for a test
    made: list[dict[str, Any]] = []
    for number in range(rows):
        quantity, cents = draw.randint(1, 9), draw.randint(100, 9999)
        price: str | None = f"{cents / 100:.2f}" if draw.random() >= errors else f"{cents / 50:.2f}"
        if draw.random() < 0.15:
            price = draw.choice([None, "N/A"])
        total = f"{quantity * cents / 100:.2f}"
        made.append({"id": f"B{number:04}", "quantity": str(quantity), "unit_price": price, "total": total})
    return pa.Table.from_pylist(made)


def stays(rows: int, seed: int) -> pa.Table:
    draw = random.Random(seed)  # noqa: S311 - data for a test
    made: list[dict[str, Any]] = []
    for number in range(rows):
        nights, day = draw.choice([1, 2, 2, 2, 3, 4, 7]), draw.randint(1, 20)
        told = None if draw.random() < 0.15 else str(nights)
        leaves = f"2024-05-{day + nights:02}"
        made.append({"id": f"S{number:04}", "arrives": f"2024-05-{day:02}", "leaves": leaves, "nights": told})
    return pa.Table.from_pylist(made)


def judged(gate: Verifier, source: str, rule: str, working: pa.Table, holdout: pa.Table) -> Verdict:
    return gate.verify(VerifyRequest(source.replace("RULE", rule), Sample(working, holdout), quick=True))


@pytest.mark.parametrize(
    ("source", "rule", "table"),
    [(PRICES, "total / quantity", bills), (NIGHTS, "days", stays)],
    ids=["prices", "nights"],
)
def test_what_the_other_rows_obey_is_believed(gate: Verifier, source: str, rule: str, table: Any) -> None:
    """A price out of total and quantity, nights out of two dates: nobody has to say that they are right."""
    verdict = judged(gate, source, rule, table(120, 1), table(40, 2))
    assert verdict.passed, verdict.concerns


@pytest.mark.parametrize(
    ("source", "rule", "table"),
    [
        (PRICES, "total * quantity", bills),
        (PRICES, "total", bills),
        (PRICES, "total / quantity / 10", bills),
        (NIGHTS, "days + 1", stays),
        (NIGHTS, "days * 0 + 2", stays),
        (USUAL, "", stays),
        (LEAVING, 'df["arrives"]', lambda rows, seed: without_some(stays(rows, seed))),
    ],
)
def test_what_they_do_not_obey_is_held(gate: Verifier, source: str, rule: str, table: Any) -> None:
    """Another formula, and a constant that stands in most rows, find no known cells, or one of them."""
    verdict = judged(gate, source, rule, table(120, 1), table(40, 2))
    assert {"cells-filled", "figures-added"} & {concern.kind for concern in verdict.concerns}


def without_some(table: pa.Table) -> pa.Table:
    cells = [None if not row % 9 else cell for row, cell in enumerate(table.column("leaves").to_pylist())]
    return table.set_column(table.column_names.index("leaves"), "leaves", pa.array(cells, pa.string()))


def test_what_is_filled_where_the_row_holds_nothing_is_held(gate: Verifier) -> None:
    """Right as long as both dates are there; a night for a stay without dates is made up."""
    default = NIGHTS.replace("v == v else None", 'v == v else "1"')
    verdict = judged(gate, default, "days", stays(120, 1), stays(40, 2))
    assert "cells-filled" in [concern.kind for concern in verdict.concerns]


def test_a_rule_of_two_values_is_believed(gate: Verifier) -> None:
    """Long or short stays: no guess finds the rarer one each time."""
    rule = '(days >= 3).map({True: 1.0, False: 0.0}).where(days.notna()).map({1.0: "1", 0.0: "0"})'
    source = NIGHTS.replace("(RULE).map(lambda v: str(int(v)) if v == v else None)", rule)
    tables = [long_or_short(stays(rows, rows)) for rows in (120, 40)]
    assert judged(gate, source, "", *tables).passed
    turned = source.replace('1.0: "1", 0.0: "0"', '1.0: "0", 0.0: "1"')
    assert "cells-filled" in [concern.kind for concern in judged(gate, turned, "", *tables).concerns]


def long_or_short(table: pa.Table) -> pa.Table:
    said = [None if cell is None else str(int(int(cell) >= 3)) for cell in table.column("nights").to_pylist()]
    return table.set_column(table.column_names.index("nights"), "nights", pa.array(said, pa.string()))


def test_a_few_errors_of_the_data_are_no_doubt(gate: Verifier) -> None:
    """Two of a hundred rows may say something else; a third of them may not."""
    for errors, passed in ((0.02, True), (0.33, False)):
        verdict = judged(gate, PRICES, "total / quantity", bills(150, 3, errors), bills(40, 4))
        assert verdict.passed is passed, (errors, verdict.concerns)


def test_one_that_remembers_what_it_saw_finds_nothing(gate: Verifier) -> None:
    """The rows whose cells were taken away go to a process that has never seen these cells."""
    source = """\"\"\"Nights by heart.\"\"\"
CONTRACT = {"modifies": ["nights"]}
_KNOWN = {}
def detect(df):
    return df["nights"].isna()
def nights(df):
    \"\"\"As last time.\"\"\"
    _KNOWN.update({k: v for k, v in zip(df["id"], df["nights"]) if isinstance(v, str)})
    made = [v if isinstance(v, str) else _KNOWN.get(k, "3") for k, v in zip(df["id"], df["nights"])]
    return df.assign(nights=made)
"""
    verdict = judged(gate, source, "", stays(120, 1), stays(40, 2))
    assert "cells-filled" in [concern.kind for concern in verdict.concerns]


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh")), max_size=60))
@settings(max_examples=200, deadline=None)
def test_only_many_values_that_come_back_say_anything(pairs: list[tuple[str, str]]) -> None:
    """At least four different ones, or eight other than the most frequent one; and hardly any other value."""
    same = [stood for stood, came in pairs if stood == came]
    others = sum(stood != came for stood, came in pairs)
    most = max(map(same.count, same), default=0)
    assert found_again(pairs) is ((len(set(same)) >= 4 or len(same) - most >= 8) and others <= 0.05 * len(pairs))


def test_what_is_moved_into_an_empty_cell_is_no_guess(gate: Verifier) -> None:
    """An address that stood in the column of telephones, whatever the other rows have in both."""
    source = """\"\"\"Addresses stand in the column of telephones.\"\"\"
CONTRACT = {"modifies": ["phone", "email"]}
def detect(df):
    return df["email"].isna() & df["phone"].fillna("").str.contains("@", regex=False)
def moved_back(df):
    \"\"\"Move them.\"\"\"
    rows = detect(df)
    return df.assign(email=df["email"].mask(rows, df["phone"]), phone=df["phone"].mask(rows))
"""
    assert judged(gate, source, "", boxes(120), boxes(40)).passed


def test_a_telephone_stands_for_another(gate: Verifier) -> None:
    """Whoever has no other one has a mobile."""
    source = """\"\"\"Telephones are missing.\"\"\"
CONTRACT = {"modifies": ["phone"]}
def detect(df):
    return df["phone"].isna() & df["mobile"].notna()
def mobiles(df):
    \"\"\"The mobile one.\"\"\"
    return df.assign(phone=df["phone"].fillna(df["mobile"]))
"""
    rows = [{"phone": f"0301 55{n:03}" if n % 5 else None, "mobile": f"0171 77{n:03}"} for n in range(160)]
    assert judged(gate, source, "", pa.Table.from_pylist(rows[:120]), pa.Table.from_pylist(rows[120:])).passed


def boxes(rows: int) -> pa.Table:
    """Every fifth row has an address in the wrong column, and some have another one there, too."""
    mail = [f"ada{n}@example.org" for n in range(rows)]
    phone = [f"x{n}@y.org" if n % 5 == 0 or n % 7 == 0 else f"0301 4{n:03}" for n in range(rows)]
    emails = pa.array([None if n % 5 == 0 else one for n, one in enumerate(mail)], pa.string())
    return pa.table({"id": [f"P{n}" for n in range(rows)], "phone": phone, "email": emails})


def test_what_is_joined_of_two_cells_is_no_guess(gate: Verifier) -> None:
    """A day and its time, whatever moments the other rows have."""
    source = """\"\"\"Moments are missing.\"\"\"
CONTRACT = {"modifies": ["started"]}
def detect(df):
    return df["started"].isna() & df["day"].notna() & df["time"].notna()
def joined(df):
    \"\"\"Day and time.\"\"\"
    return df.assign(started=df["started"].mask(detect(df), df["day"] + " " + df["time"].str.zfill(5)))
"""
    draw = random.Random(4)  # noqa: S311 - data for a test
    rows: list[dict[str, Any]] = [
        {
            "day": f"2024-05-{draw.randint(10, 28)}",
            "time": f"{draw.randint(8, 23)}:15",
            "started": f"2024-05-{draw.randint(10, 28)} {draw.randint(10, 23)}:15" if n % 6 else None,
        }
        for n in range(160)
    ]
    assert judged(gate, source, "", pa.Table.from_pylist(rows[:120]), pa.Table.from_pylist(rows[120:])).passed


def test_known_values_that_come_back_as_others_show_a_guess() -> None:
    """One of eight may be an error of the data; another case is no other value, and seven are too few."""
    same = [(f"v{n}", f"V{n}") for n in range(14)]
    assert found_others([*same, *[("a1", "b2")] * 3])
    assert not found_others([*same, *[("a1", "b2")] * 2])
    assert not found_others([("a1", "b2")] * 7)
    assert not found_others([("a1", None)] * 20)
    assert not found_others([("Edsger", "Tim")] * 20)
    assert not found_others([("about Easter", "1894-01-27")] * 20)
    assert not found_others([("27.01.1894", "1894-01-27")] * 20)
    assert not found_others([("https://www.firma.de", "firma.de")] * 20)


def test_numbers_are_compared_as_numbers() -> None:
    """12.5 is 12.50; what is not found says nothing either way."""
    pairs = [("1.50", "1.5"), ("2.0", "2"), ("3", "3"), ("4.25", "4.25"), ("9", None)]
    assert found_again(pairs)
    assert not found_again([*pairs, ("7", "8")])


def test_cells_are_taken_away_as_the_column_has_empty_ones() -> None:
    """Half of the known ones, by the column's own words for nothing; a column without any is left as it is."""
    table = bills(100, 5)
    made = emptied_cells(table, ["unit_price", "total", "absent"], random.Random(1))  # noqa: S311
    assert list(made) == ["emptied-2"]
    changed, taken = made["emptied-2"]
    before, after = (one.column("unit_price").to_pylist() for one in (table, changed))
    known = [row for row, cell in enumerate(before) if cell not in (None, "N/A")]
    assert len(taken) == len(known) // 2
    assert set(taken) < set(known)
    assert {after[row] for row in taken} == {None, "N/A"}
    assert [cell for row, cell in enumerate(before) if row not in taken] == [
        cell for row, cell in enumerate(after) if row not in taken
    ]
    assert changed.drop_columns("unit_price").equals(table.drop_columns("unit_price"))
