"""Which few texts of a column are written otherwise than most, and which columns have no such form."""

import pytest

from orchestrator.data.profile.odd_forms import odd_forms

_SCORES = [f"{n % 4}:{n % 3}" for n in range(60)]
_STREETS = [f"{n} {('High Street', 'The Avenue')[n % 2]}" for n in range(60)]


@pytest.mark.parametrize(
    ("usual", "odd", "told"),
    [
        (_SCORES, ["1-2", "0-0", "3-1"], {("9-9", "9:9")}),
        (_SCORES, ["1 : 2", "0 : 0", "3 : 1", "(1:1)", "(2:1)", "(0:0)"], {("9 : 9", "9:9"), ("(9:9)", "9:9")}),
        ([f"{n}.5 °C" for n in range(50)], ["80.1 °F", "79.3 °F", "60.0 °F"], {("9 °F", "9 °C")}),
        ([f"{n}.5 °C" for n in range(50)], ["-999"] * 4, {("-9", "9 °C")}),
        ([f"01872 {n}" for n in range(541700, 541750)], ["+44 1872 541748"] * 3, {("+9 9 9", "9 9")}),
        ([f"{n:05d}" for n in range(9990, 10040)], ["2139", "7030", "0901"], {("9999", "99999")}),
        (["active", "archived"] * 40, ["Active"] * 3 + ["ACTIVE"] * 3, {("Aa", "a"), ("A", "a")}),
        (["CA", "MA", "NJ", "TX"] * 20, ["California", "New York", "Texas"], {("Aa", "A")}),
        (["Eco, Umberto", "Orwell, George"] * 20, ["Eco, Umberto."] * 3, {("Aa, Aa.", "Aa, Aa")}),
        (_STREETS, ["19 high street", "3 the avenue", "7 high street"], {("9 a", "9 Aa")}),
        ([f"AB-{n}" for n in range(1000, 1050)], ["AB1001", "AB1002", "AB1003"], {("A9", "A-9")}),
    ],
)
def test_few_texts_beside_a_usual_form_are_told(usual: list[str], odd: list[str], told: set[tuple[str, str]]) -> None:
    """A run was complete without a word where the column itself showed how such a text is written."""
    found = odd_forms(_counted(usual + odd))
    assert {(one.form, one.usual) for one in found} == told
    assert {text for one in found for text in one.texts} == {*odd}


@pytest.mark.parametrize(
    "texts",
    [
        [str(n * n) for n in range(60)],  # of any length
        [f"{n / 8}" for n in range(-30, 60)] + ["1,234.5", "1e-05", "-7"],
        [f"ID{n * n}" for n in range(60)],
        ["668,56", "23,87", "40,87"] + [f"{n}.{n}00,50" for n in range(1, 10)] * 5,
        ["James", "O'Brien", "McDonald", "Van Dyke", "de la Cruz", "Anne-Marie", "St. John", "Li"] * 9,
        [f"{n} High Street" for n in range(50)] + ["Flat 3, 9 High St", "12A Mill Lane", "The Old Mill"],
        [f"{n} Oak Ave" for n in range(100, 160)] + [f"{n} 2nd Ave" for n in range(40, 46)],
        ["A", "A-", "A+", "B", "B-"] * 12 + ["A- ", "C"],
        ["M1 1AE", "B33 8TH", "CR2 6XH"] * 15 + ["SW1A 1AA", "EC1A 1BB", "W1A 0AX"],
        [f"E{n}.9" for n in range(10, 60)] + ["I10", "I11", "J45"],
        ["a1.b@example.com"] * 40 + ["c@example.co.uk"] * 4,
        ["12"] * 50 + ["12A", "12-14", "<5", "3B"],
        ["1:2"] * 40 + ["1-2"] * 30,  # no usual form
        ["1:2"] * 40 + ["1-2"] * 2,  # too few to tell
        ["1:2"] * 40 + ["n/a"] * 5 + ["postponed"] * 3,
        ["US", "DE", "FR", "IT"] * 12 + ["Other"] * 4,
        [f"{n} years" for n in range(2, 50)] + ["1 year"] * 4,
        ["ships the parts. Call 3 times", "Call twice", "it works", "Works"] * 9,
    ],
)
def test_columns_without_a_form_that_could_be_missed_are_silent(texts: list[str]) -> None:
    """A note on healthy columns would teach people to read past all notes."""
    assert odd_forms(_counted(texts)) == []


def _counted(texts: list[str]) -> dict[str, int]:
    return {text: texts.count(text) for text in texts}
