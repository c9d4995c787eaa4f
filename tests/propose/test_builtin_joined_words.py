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
