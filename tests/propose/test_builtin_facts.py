"""Facts that other columns seem to contradict, as in public tables: they are left, and slips beside them corrected."""

import pandas as pd
import pytest

from orchestrator.core.conventions import ColumnConvention, Conventions
from tests.propose.builtin_help import column, settle, settled

TOWNS = [f"{first}{second}" for first in ("North", "South", "West") for second in ("field", "haven", "bridge")]
FIRST = ["Liam", "Anna", "Chen", "Katarzyna", "Omar"]
LAST = ["Kowalski", "Brown", "Fischer", "Nguyen"]


def voted(values: list[str], odd: list[str], count: int = 360) -> dict[str, list[str]]:
    """Two columns that settle a third one, but for a row of the odd values in every few dozen."""
    towns = [TOWNS[n % len(TOWNS)] for n in range(count)]
    codes = [f"{100 + n % len(TOWNS)}-A" for n in range(count)]
    said = [values[n % len(TOWNS) % len(values)] for n in range(count)]
    for place, value in enumerate(odd):
        said[40 * place + 5] = value
    return {"said": said, "town": towns, "code": codes}


@pytest.mark.parametrize(
    ("values", "odd"),
    [
        (["R", "L"], ["L", "R", "L", "R", "L"]),
        (["A", "B", "C"], ["C", "A", "B", "C", "A"]),
        (["B+", "A-", "C"], ["C", "B+", "A-", "C"]),
        (["5", "4", "3"], ["3", "5", "4", "3"]),
        (["Yes", "No"], ["No", "Yes", "No", "Yes"]),
        (["left", "right"], ["right", "left", "right"]),
    ],
)
def test_flags_and_grades_are_not_overruled(values: list[str], odd: list[str]) -> None:
    """Two columns vote for another answer; it is a fact all the same."""
    rows = voted(values, odd)
    cleaned, _ = settle(column(rows["said"], "said", town=rows["town"], code=rows["code"]))
    assert cleaned["said"].tolist() == rows["said"]


def test_other_texts_are_still_corrected_by_two_votes() -> None:
    """The control: a town office in the wrong town's row is an error, and so is a slip beside two answers."""
    offices = ["Harbour office", "Market office", "Castle office"]
    wrong = voted(offices, ["Market office", "Castle office"])
    right = voted(offices, [])
    cleaned, _ = settle(column(wrong["said"], "said", town=wrong["town"], code=wrong["code"]))
    assert cleaned["said"].tolist() == right["said"]
    slips = voted(["Yes", "No"], ["yxs", "yxs", "yxs", "yxs"])
    cleaned, _ = settle(column(slips["said"], "said", town=slips["town"], code=slips["code"]))
    assert "yxs" not in set(cleaned["said"])


def test_not_applicable_is_a_value_unless_it_is_declared() -> None:
    """It says that there can be no value, which a blank does not; `N/A` beside it still goes."""
    cells = ["12", "7", "Not Applicable", "N/A", "31", "5", "8", "Not Applicable"] * 5
    assert settled(cells) == [cell if cell != "N/A" else "" for cell in cells]
    words = ["Granted", "Refused", "Not Applicable", "", "Pending"] * 8
    assert settled(words) == words
    declared = Conventions(columns={"value": ColumnConvention(null_words=("Not Applicable",))})
    cleaned, _ = settle(column(words), conventions=declared)
    assert cleaned["value"].tolist() == [word.replace("Not Applicable", "") for word in words]


def test_answers_of_a_survey_stay_among_numbers() -> None:
    """Who does not know has answered; the words for nothing beside that go as they do in other columns of numbers."""
    cells = ["12", "7", "don't know", "NA", "31", "n/a", "5", "8", "-", "refused"] * 6
    assert settled(cells) == ["" if cell in ("NA", "n/a", "-") else cell for cell in cells]


def test_a_missing_letter_is_no_other_word() -> None:
    """`Disagre` was taken for another form of `Disagree`, as trainer is of trainee."""
    cells = ["Agree", "Disagree", "Neutral"] * 30 + ["Disagre", "Neutrl"]
    assert settled(cells) == ["Agree", "Disagree", "Neutral"] * 30 + ["Disagree", "Neutral"]
    kept = ["trainee", "trainer", "manager"] * 20 + ["trainee"]
    assert settled(kept) == kept


def months_of_people() -> pd.DataFrame:
    """Twenty people in each of twelve months, and the town that each lives in."""
    rows = [
        (f"E{100 + person}", f"{FIRST[person % 5]} {LAST[person // 5]}", f"2023-{month:02}", TOWNS[person % len(TOWNS)])
        for person in range(20)
        for month in range(1, 13)
    ]
    return pd.DataFrame(rows, columns=["employee", "name", "month", "town"], dtype=str)


@pytest.mark.parametrize("months", [range(10, 12), range(2)])
def test_a_name_that_changes_is_no_slip(months: range) -> None:
    """Whoever is called otherwise in the last months, or was in the first ones, has changed the name."""
    frame = months_of_people()
    frame.loc[[5 * 12 + month for month in months], "name"] = "Liam Braun"
    pd.testing.assert_frame_equal(settle(frame)[0], frame)


def test_slips_that_are_alike_by_chance_are_slips() -> None:
    """They stand apart among the rows of a person, and one alone is no change."""
    frame = months_of_people()
    wrong = frame.copy()
    wrong.loc[[5 * 12 + 3, 5 * 12 + 8, 7 * 12 + 11], "name"] = ["Liam Brxwn", "Liam Brxwn", "Chen Brwn"]
    pd.testing.assert_frame_equal(settle(wrong)[0], frame)


@pytest.mark.parametrize(
    ("name", "cells", "beside"),
    [
        ("pain", ["none", "mild", "moderate", "severe", ""], {"visits": ["1", "2", "none", "5", ""]}),
        (
            "allergies",
            ["None", "Penicillin", "Latex", "Nuts", ""],
            {"next_visit": ["2024-01-02", "none", "2024-03-01"]},
        ),
        ("region", ["EMEA", "NA", "APAC", "LATAM", ""], {"sales": ["100", "NA", "250", "", "310"]}),
        ("Name", ["Smith", "Rossi", "Meyer", "Null", "Tanaka", "Li"], {}),
        ("Kunde", ["Jensen", "Haddad", "Null", "Petrov", "Meyer"], {}),
        ("package", ["nan", "numpy", "django", "null", "zope", "left-pad"], {"version": ["1.10", "2.18.0"]}),
        ("part", ["Bolt M8", "Bolt m8", "Bolt m8", "Nut", "Washer"], {}),
    ],
)
def test_words_for_nothing_and_other_slips_that_are_values(
    name: str, cells: list[str], beside: dict[str, list[str]]
) -> None:
    """None is an answer, NA a region, Null a family, nan a package and M8 a thread, whatever stands beside them."""
    rows = [cells[n % len(cells)] for n in range(300)]
    others = {other: [words[n % len(words)] for n in range(300)] for other, words in beside.items()}
    cleaned, _ = settle(column(rows, name, **others))
    assert cleaned[name].tolist() == rows


def test_unknown_still_goes_where_numbers_beside_it_are_unknown() -> None:
    """The control: in the same table a column of numbers writes it where there is none."""
    kinds = ["Cash", "Credit card", "unknown", "Voucher", ""] * 60
    cleaned, _ = settle(column(kinds, "payment", total=["10.5", "unknown", "7.25", "8", "12"] * 60))
    assert "unknown" not in set(cleaned["payment"])


def test_a_person_is_not_renamed_after_another() -> None:
    """Max Li stands once and May Li often; Max stands before many other names, so its x is no damage."""
    last = ["Smith", "Meyer", "Kim", "Wu", "Rossi", "Jensen", "Singh", "Patel"]
    names = [f"{first} {name}" for name in last for first in ("Max", "May", "Anna") for _ in range(4)]
    rare = ["Max Li", "Max Young", "Max Ford"]
    often = [f"May {name}" for name in ("Li", "Young", "Ford") for _ in range(5)]
    damaged = ["Axna Smith", "Anxa Rossi"]
    cleaned, _ = settle(column([*names, *often, *rare, *damaged], "name"))
    assert cleaned["name"].tolist() == [*names, *often, *rare, "Anna Smith", "Anna Rossi"]


def test_what_a_paragraph_of_a_document_says_stays() -> None:
    """Below a heading `N/A` is what somebody has to say of it."""
    cells = ["# Report", "## Findings", "All pumps run.", "### Remarks", "N/A", "- one\n- two"] * 20
    assert settled(cells) == cells


def test_a_unit_that_is_not_the_column_s_stays_with_its_number() -> None:
    """A number in kJ is no number of kilocalories: nobody should be asked to confirm that it is."""
    cells = [str(90 + 7 * n) if n % 5 else f"{90 + 7 * n} kcal" for n in range(150)] + ["2473 kJ", "1046 kJ"]
    right = [cell.removesuffix(" kcal") for cell in cells]
    assert settled(cells, "kcal") == right
