"""What a cell is read as, where the others of its column or the cell itself show that it is something else."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

MARCH = [(f"2024-03-0{day}",) * 2 for day in range(1, 9)]
SLASHES = [f"0{day}/03/2024" for day in range(1, 7)]
STOPS = [f"0{day}.03.2024" for day in range(1, 7)]
SCORES = [(score, score) for score in ("88", "42", "91", "67", "73")]
FRACTIONS = [(share, share) for share in ("0.88", "0.42", "0.91", "0.67", "0.73")]
NAMES = [(name, name) for name in ("Anna", "Bob", "Carl", "Zo\u00eb")]
TIMES = [("2024-03-01 10:00:00", "2024-03-01 10:00:00Z"), ("2024-03-01 11:00:00", "2024-03-01 11:00:00Z")]
ZONED = ("2024-03-01 09:00:00Z", "2024-03-01 09:00:00Z")
MAGNITUDES = [(f"{kind} {number}.2",) * 2 for kind in ("Mw", "mb", "ML") for number in range(2, 6)]
ANGSTROMS = [(f"{n}.41", f"{n}.41") for n in range(4, 12)]
LONG_S = "Un\u017fere Rei\u017fe nach Paris, die Me\u017f\u017fe war \u017fehr gut."


def kinds(*cells: Change, shown: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, shown)}


@pytest.mark.parametrize(
    ("kind", "cells", "shown"),
    [
        ("separator-moved", [("1,021.94", "1.021.94"), ("1546,83", "1546.83")], ("9,999.50", "9.999.50")),
        ("value-misread", [("2024-04-14", "24-04-14"), ("2024-05-01", "24-05-01")], ("2023-01-02", "23-01-02")),
        ("scale-changed", [*SCORES, ("67%", "0.67"), ("5%", "0.05")], ("50%", "0.50")),
        (
            "quantity-changed",
            [("250kcal/1046kJ", "250 kJ / 1046 kcal"), ("9kcal/40kJ", "9 kJ / 40 kcal")],
            ("5kcal/21kJ", "5 kJ / 21 kcal"),
        ),
        ("quantity-changed", TIMES, ("2024-03-02 08:00:00", "2024-03-02 08:00:00Z")),
        ("word-replaced", [*NAMES, ("Jos\u00e9", "Josef")], ("Jos\u00e9", "Josef")),
        ("words-added", [*MAGNITUDES, ("3.6", "ML 3.6")], ("4.4", "ML 4.4")),
        ("case-changed", [(LONG_S, LONG_S.replace("\u017f", "S"))], None),
        ("separator-moved", [("30 bis 60", "30/60"), ("12/3", "12/3")], ("4 bis 9", "4/9")),
        ("mark-lost", [("see fig. 11 there", "see FIG. . 11 there")], ("in fig. 2 too", "in FIG. . 2 too")),
        ("figures-lost", [("U2 0870", "U870"), ("LH 0100", "LH100")], ("U2 0123", "U123")),
        ("scale-changed", [*ANGSTROMS, *((f"0.{n}9 nm", f"0.{n}9") for n in range(3, 9))], ("0.22 nm", "0.22")),
        ("value-misread", [*MARCH, *((text, f"2024-{text[:2]}-03") for text in SLASHES)], None),
        ("value-misread", [(text, f"2024-{text[:2]}-03") for text in STOPS], ("07.05.2024", "2024-07-05")),
    ],
)
def test_another_reading_is_suspected(kind: str, cells: list[Change], shown: Change | None) -> None:
    """And settled by a witness that shows the same of another cell."""
    assert kind in kinds(*cells)
    if shown is not None:
        assert kind not in kinds(*cells, shown=[shown])


@pytest.mark.parametrize(
    "cells",
    [
        [("1,021.94", "1021.94"), ("2,000.50", "2000.50")],
        [("30 bis 60", "30-60"), ("12/3", "12/3")],
        [("LH 0100", "LH0100"), ("U2 0870", "U20870"), ("BA 0032", "BA0032")],
        [*ANGSTROMS, *((f"{n}.9 A", f"{n}.9") for n in range(3, 9))],
        [("1,021.94", "1.021,94"), ("2,000.50", "2.000,50")],
        [("2024-04-14", "14.04.24"), *((f"{day}.04.24",) * 2 for day in range(10, 14))],
        [*FRACTIONS, ("67%", "0.67"), ("5%", "0.05")],
        [("250kcal/1046kJ", "1046 kJ / 250 kcal"), ("9 KCAL (40 KJ)", "40 kJ / 9 kcal")],
        [*TIMES, ZONED],
        [*NAMES, ("Jose", "Jos\u00e9"), ("Koln", "K\u00f6ln")],
        [(LONG_S, LONG_S.replace("\u017f", "s"))],
        [*MARCH, *((text, f"2024-03-{text[:2]}") for text in SLASHES)],
        [(text, f"2024-03-{text[:2]}") for text in STOPS],
        [
            *((text, f"2024-{text[:2]}-03") for text in STOPS),
            *((f"03.{day}.2024", f"2024-03-{day}") for day in (17, 29)),
        ],
    ],
)
def test_the_reading_that_the_column_shows_is_believed(cells: list[Change]) -> None:
    """Positive controls: the same kinds of cells, read as their column is."""
    assert kinds(*cells) == set()
