"""Kinds of streets are written as most addresses write them."""

import pytest

from tests.propose.builtin_help import settled

SHORT = [
    f"{n} {name} {kind}" for n in (4, 12, 98) for name in ("Oak", "Main", "St James") for kind in ("St", "Ave", "Rd")
]
LONG = [text.replace(" Ave", " Avenue").replace(" Rd", " Road").removesuffix(" St") for text in SHORT]
LONG = [text if text.endswith(("Avenue", "Road")) else f"{text} Street" for text in LONG]


@pytest.mark.parametrize(
    ("odd", "right"),
    [
        ("7 Elm Street", "7 Elm St"),
        ("7 Elm Rd.", "7 Elm Rd"),
        ("7b Elm Street, Apt 5", "7b Elm St, Apt 5"),
        ("7 Elm Avenue NW", "7 Elm Ave NW"),
        ("7 Elm Boulevard Suite 3", "7 Elm Blvd Suite 3"),
        ("7 Court Street", "7 Court St"),
        ("7 OAK STREET", "7 Oak St"),
    ],
)
def test_a_kind_of_street_gets_the_usual_form(odd: str, right: str) -> None:
    """Behind number and name, also before a flat and a direction; in capitals, too, where the words are known."""
    flat = ["8 MAIN RD", "3 OAK AVE"]
    assert settled([*SHORT, odd, *flat], "address")[len(SHORT) :] == [right, "8 Main Rd", "3 Oak Ave"]


@pytest.mark.parametrize("odd", ["7 Elm St", "7 Elm st.", "7 ELM ST"])
def test_it_is_written_out_where_most_are(odd: str) -> None:
    assert settled([*LONG, odd], "address")[-1].endswith(" Street" if "ELM" not in odd else " STREET")


@pytest.mark.parametrize(
    "odd", ["7 Street", "7 Avenue of the Americas", "Elm Street", "12 Oak Street Springfield IL", "1 St Street Dance"]
)
def test_what_is_no_kind_of_a_street_stays(odd: str) -> None:
    """Without a number or a name, in the middle of a name, before a town without a comma."""
    assert settled([*SHORT, odd], "address")[-1] == odd


def test_columns_without_a_usual_form_stay() -> None:
    """Neither of two forms is usual; and where most texts are no addresses, a court may be one of law."""
    both = [*SHORT, *LONG]
    assert settled(both, "address") == both
    notes = [*(f"{n} people came to see it" for n in range(20)), "3 went to the High Ct", "5 went to the High Court"]
    assert settled(notes, "note") == notes
