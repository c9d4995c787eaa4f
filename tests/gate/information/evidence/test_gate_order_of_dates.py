"""Dates that can be of two months are read in an order that something shows, or they are held."""

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.verifier import Verifier

PARTS = [(n % 12 + 1, n * 5 % 12 + 1) for n in range(24)]
ISO = '''"""Dates in two forms."""
import re
CONTRACT = {"modifies": ["start"]}
def _one(v):
    m = re.fullmatch(r"(\\d\\d)/(\\d\\d)/(\\d{4})", v) if isinstance(v, str) else None
    return f"{m[3]}-{m[2]}-{m[1]}" if m else v
def iso(df):
    """ISO, the day first."""
    return df.assign(start=df["start"].map(_one))
'''


def dates(sign: str, *, month_first: bool) -> list[Change]:
    return [
        (
            f"{one:02}{sign}{other:02}{sign}2024",
            f"2024-{one:02}-{other:02}" if month_first else f"2024-{other:02}-{one:02}",
        )
        for one, other in PARTS
    ]


@pytest.mark.parametrize("sign", ["/", "-"])
@pytest.mark.parametrize("month_first", [True, False])
def test_an_order_that_nothing_shows_is_held(sign: str, *, month_first: bool) -> None:
    """One of two functions that contradict each other would be wrong, and nobody can say which."""
    assert [one.kind for one in suspicions(dates(sign, month_first=month_first))] == ["value-misread"]


@pytest.mark.parametrize("month_first", [True, False])
def test_a_date_of_the_column_or_of_a_witness_shows_the_order(*, month_first: bool) -> None:
    """One with a day above 12, or one that an example reads; the other order is held."""
    changed, turned = (dates("/", month_first=first) for first in (month_first, not month_first))
    sure = ("03/25/2024" if month_first else "25/03/2024", "2024-03-25")
    assert suspicions([*changed, sure]) == []
    assert suspicions(changed, [changed[1]]) == []
    assert suspicions([*turned, sure])
    assert suspicions(turned, [changed[1]])


def test_a_part_that_is_always_the_same_is_the_day() -> None:
    firsts = [(f"01/{month:02}/2024", f"2024-{month:02}-01") for month in range(1, 13)]
    assert suspicions(firsts) == []
    assert suspicions([(before, f"2024-01-{before[3:5]}") for before, _ in firsts])


def test_full_stops_stand_behind_days() -> None:
    assert suspicions(dates(".", month_first=False)) == []
    assert suspicions(dates(".", month_first=True))


@pytest.mark.parametrize(
    ("instruction", "held"), [("Make start ISO.", True), ("Make start ISO; the day comes first.", False)]
)
def test_an_instruction_says_the_order(gate: Verifier, instruction: str, *, held: bool) -> None:
    cells = [before for before, _ in dates("/", month_first=False)] * 3
    table = pa.table({"start": cells, "id": [f"A{n}" for n in range(len(cells))]})
    request = VerifyRequest(ISO, Sample(table.slice(0, 50), table.slice(50)), instruction=instruction, quick=True)
    assert gate.verify(request).held is held


def test_an_example_says_the_order(gate: Verifier) -> None:
    cells = [before for before, _ in dates("/", month_first=False)] * 3
    table = pa.table({"start": cells, "id": [f"A{n}" for n in range(len(cells))]})
    shown = Example(input={"start": "03/04/2024", "id": "A"}, output={"start": "2024-04-03", "id": "A"})
    assert gate.verify(
        VerifyRequest(ISO, Sample(table.slice(0, 50), table.slice(50)), examples=[shown], quick=True)
    ).passed
