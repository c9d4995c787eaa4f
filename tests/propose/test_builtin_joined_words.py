"""Typing errors in words that a hyphen, a slash or an apostrophe joins, and joined words that are other ones."""

import pandas as pd
import pytest

from tests.propose.builtin_help import column, settle, settled

JOINED = {
    "-": (
        ["Never-married", "United-States", "Handlers-cleaners"],
        ["Never-maried", "Unitd-States", "Handlers-clesners"],
    ),
    "/": (["Sales/Marketing", "Research/Development"], ["Saless/Marketing", "Sales/Marketng", "Research/Develpment"]),
    "'": (["Children's Hospital", "Women's Clinic"], ["Childen's Hospital", "Women's Clnic", "Womne's Clinic"]),
    "- ": (["Mercy-Walworth Clinic", "Harbour-View Centre"], ["Mercy-Walwoth Clinic", "Harbour-View Cantre"]),
}


@pytest.mark.parametrize("sign", JOINED)
def test_slips_in_joined_words_are_corrected(sign: str) -> None:
    """As they are in words with blanks between."""
    right, slips = JOINED[sign]
    assert set(settled([*right * 40, *slips])) == set(right)


@pytest.mark.parametrize(
    ("frequent", "rare"),
    [
        (["KJFK-KLAX", "KBOS-KSFO", "KORD-KDFW"], ["KJFK-KLAS", "KBOS-KSJO"]),
        (["src/main/java", "src/test/java", "docs/guide/index"], ["src/mail/java", "docs/guide/inde"]),
        (["image/jpeg", "text/plain", "application/json"], ["image/jpg", "application/jsonp"]),
        (["sodium-nitrate", "potassium-chloride", "di-methyl-ether"], ["sodium-nitrite", "di-ethyl-ether"]),
        (["inter-state", "intra-city", "hyper-tension"], ["intra-state", "inter-city", "hypo-tension"]),
        (["Trainer-senior", "Manager-junior", "Analyst-senior"], ["Trainee-senior", "Manage-junior"]),
        (["web-server-one", "db-server-two", "mail-server-ten"], ["web-servers-one", "db-server-too"]),
        (["HLA-DRB", "TNF-alpha", "HLA-DQB"], ["HLA-DRA", "TNF-alphas"]),
        (["Full-time", "Part-time", "Half-year"], ["Fill-in-time", "Past-times"]),
        (["Health/Beauty", "Sports/Outdoors"], ["Health-Beauti", "Sports Outdoor"]),
    ],
)
def test_other_words_codes_and_paths_stay(frequent: list[str], rare: list[str]) -> None:
    """However near they are to what is frequent."""
    cells = [*frequent * 40, *rare]
    assert settled(cells) == cells


def test_a_real_word_that_is_joined_stays_in_unseen_rows_too() -> None:
    """Nitrite is another salt than nitrate, also where the rows that were seen had none."""
    cells = [*["sodium-nitrate", "potassium-chloride"] * 40, "sodium-nitrte", "potassum-chloride"]
    made, emitted = settle(column(cells))
    assert set(made["value"]) == {"sodium-nitrate", "potassium-chloride"}
    unseen = ["sodium-nitrite", "sodium-ntrate"]
    for each in emitted:
        unseen = list(each.clean(column(unseen))["value"])
    assert unseen == ["sodium-nitrite", "sodium-nitrate"]


def test_a_joined_name_with_an_identity_of_its_own_stays() -> None:
    """Another town with its own number and district is no slip, in rows that were not seen either."""
    towns = [["Baden-Baden", "76530", "Karlsruhe"], ["Garmisch-Partenkirchen", "82467", "Oberbayern"]] * 40
    slips = [["Garmisch-Partenkirhen", "82467", "Oberbayern"], ["Garmsch-Partenkirchen", "82467", "Oberbayern"]]
    frame = pd.DataFrame([*towns, *slips], columns=["town", "zip", "county"])
    made, emitted = settle(frame)
    assert set(made["town"]) == {"Baden-Baden", "Garmisch-Partenkirchen"}
    other = pd.DataFrame([["Garmisch-Pastenkirchen", "99999", "Hof"]], columns=frame.columns)
    assert all(each.clean(other).equals(other) for each in emitted)


TERMS = ["Net 30", "Net 60", "Due on receipt", "Prepaid"] * 30
PORTS = ["USHOU", "NLRTM", "DEHAM", "CNSHA"] * 30


@pytest.mark.parametrize(
    ("usual", "odd", "mended"),
    [
        (TERMS, ["Net30", "net60", "NET30", "Net30"], ["Net 30", "Net 60", "Net 30", "Net 30"]),
        (TERMS, ["Dueonreceipt", "DUEONRECEIPT", "dueonreceipt"], ["Due on receipt"] * 3),
        (PORTS, ["US HOU", "NL RTM", "us hou"], ["USHOU", "NLRTM", "USHOU"]),
    ],
)
def test_texts_of_a_list_that_lost_or_got_a_blank_are_written_as_most(
    usual: list[str], odd: list[str], mended: list[str]
) -> None:
    """The letters and figures are the same, and nothing else of the list is written so."""
    assert settled([*usual, *odd])[len(usual) :] == mended


@pytest.mark.parametrize(
    ("usual", "odd"),
    [
        (["Type 1 1", "Bracket", "Rail"] * 30, ["Type 11", "Type 11"]),  # which figures are one number
        (["Newport", "Salem", "Astoria"] * 30, ["New Port", "New Port"]),  # two words may be another place
        (["NEWPORT", "SALEM", "ASTORIA"] * 30, ["NEW PORT", "NEW PORT"]),
        (TERMS, ["Net30"] * 10),  # not so rare
        (["A1 B", "C2 D", "E3 F"] * 30, ["A1B"]),  # too short to tell
    ],
)
def test_blanks_that_may_be_meant_stay(usual: list[str], odd: list[str]) -> None:
    """Rare is not wrong."""
    assert settled([*usual, *odd])[len(usual) :] == odd
