"""A second row of headers is read as data, and said; a right first row is not taken for one."""

from pathlib import Path

import openpyxl
import pytest

from orchestrator.data.formats import open_dataset

SAYS = "may be a second header"
CITIES = ["Rome", "Bonn", "Graz", "Oslo"]
UNITS = [
    ["name", "weight", "height"],
    ["", "kg", "cm"],
    *([c, str(i + 50), f"{i}.5"] for i, c in enumerate(CITIES * 5)),
]
LETTERS = [
    ["A", "B", "C", "D"],
    ["name", "city", "born", "paid"],
    *([f"Ann {c}", c, f"2001-02-{i + 10}", f"{i}.50"] for i, c in enumerate(CITIES * 4)),
]
WORDS = [["A", "B", "C"], ["first name", "last name", "city"], *(["Ann", "De Luca", c] for c in CITIES * 5)]
ONE_UNIT = [["name", "weight"], ["", "kg"], *([c, str(i)] for i, c in enumerate(CITIES * 5))]
NO_UNIT = [
    ["name", "acidity", "weight", "height"],
    ["", "-", "kg/m2", "cm"],
    *([c, f"{i}.2", str(i + 50), f"{i}.5"] for i, c in enumerate(CITIES * 5)),
]
DATES = [
    ["id", "from", "to"],
    ["", "begin", "end"],
    *([c, f"{i + 1} Mar 2024", "2024-03-30"] for i, c in enumerate(CITIES * 5)),
]

RIGHT = {
    "words in columns of words": [["name", "city"], *(["Ann", c] for c in CITIES * 5)],
    "one number is missing": [["name", "weight"], ["Ann", "unknown"], *([c, str(i)] for i, c in enumerate(CITIES * 5))],
    "one number is a word": [
        ["name", "weight"],
        ["Ann", "too heavy"],
        *([c, str(i)] for i, c in enumerate(CITIES * 5)),
    ],
    "all numbers say the same": [["name", "a", "b"], ["Ann", "absent", "absent"], *([c, "1", "2"] for c in CITIES * 5)],
    "numbers are missing": [["name", "a", "b"], ["Ann", "n/a", "pending"], *([c, "1", "2"] for c in CITIES * 5)],
    "codes with a digit": [["name", "a", "b"], ["Ann", "B7", "Q1"], *([c, "A1", "Q2"] for c in CITIES * 5)],
    "numbers are dashes": [["name", "a", "b"], ["Ann", "-", "absent"], *([c, "1", "2"] for c in CITIES * 5)],
    "all numbers are dashes": [["name", "a", "b"], ["Ann", "-", "-"], *([c, "1", "2"] for c in CITIES * 5)],
    "numbers are blank": [["name", "a", "b"], ["Ann", "", ""], *([c, "1", "2"] for c in CITIES * 5)],
    "names with a hyphen": [["name", "city"], ["Jean-Luc", "Saint-Denis"], *(["Ann", c] for c in CITIES * 5)],
    "two words in place of one": [["name", "city"], ["Anna Maria", "New York"], *(["Ann", c] for c in CITIES * 5)],
    "capitals of known words": [["name", "city"], ["ANN", "ROME"], *(["Ann", c] for c in CITIES * 5)],
    "few rows": [["name", "a", "b"], ["Ann", "kg", "cm"], ["Bob", "1", "2"], ["Eve", "3", "4"]],
    "one number stands there": [["a", "b", "c"], ["x", "y", "3"], *(["1", "2", str(i)] for i in range(20))],
}


def notes(path: Path, rows: list[list[str]]) -> str:
    if path.suffix == ".csv":
        path.write_text("\n".join(",".join(row) for row in rows) + "\n")
    else:
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append([float(c) if c.replace(".", "").isdigit() else c or None for c in row])
        book.save(path)
    dataset = open_dataset(path)
    assert dataset.rows == len(rows) - 1
    return "; ".join(dataset.notes)


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx"])
@pytest.mark.parametrize("rows", [UNITS, LETTERS, WORDS, ONE_UNIT, NO_UNIT, DATES])
def test_a_second_header_is_said_and_read_as_data(tmp_path: Path, name: str, rows: list[list[str]]) -> None:
    """Units under names, names under letters, both among numbers and among words; with its row."""
    words = [f"'{word}'" for word in rows[1] if word]
    assert f"row 2 {SAYS} ({', '.join(words[:2])}" in notes(tmp_path / name, rows)


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx"])
@pytest.mark.parametrize("what", RIGHT)
def test_an_ordinary_first_row_is_not_taken_for_a_header(tmp_path: Path, name: str, what: str) -> None:
    """It takes several columns that say the same."""
    assert SAYS not in notes(tmp_path / name, RIGHT[what])


def test_the_row_below_a_title_is_counted(tmp_path: Path) -> None:
    """The number is that of the row in the file."""
    assert f"row 3 {SAYS}" in notes_below_title(tmp_path / "a.csv")


def notes_below_title(path: Path) -> str:
    path.write_text("# a list of weights\n" + "\n".join(",".join(row) for row in UNITS) + "\n")
    return "; ".join(open_dataset(path).notes)
