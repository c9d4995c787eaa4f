"""Rare texts that are near frequent ones and right all the same: the rules on spelling leave them alone."""

import pandas as pd
import pytest

from tests.propose.builtin_help import column, settle, settled

SLIPS = ["Springfeild", "Sprngfield"]  # so that the column is known to have slips
TOWNS = ["Springfield"] * 40 + ["Wellingborough"] * 40 + ["Eastbourne"] * 40


@pytest.mark.parametrize(
    ("frequent", "rare"),
    [
        ("Ireland", "Iceland"),
        ("Australia", "Austria"),
        ("Shipping", "Shopping"),
        ("Hypertension", "Hypotension"),
        ("Sodium nitrate", "Sodium nitrite"),
        ("Trainer", "Trainee"),
        ("Employer", "Employee"),
        ("Category", "Categories"),
        ("Approved", "Approve"),
        ("Colombia", "Columbia"),
    ],
)
def test_another_word_is_no_slip(frequent: str, rare: str) -> None:
    """Words of their own, near as they are to frequent ones, stay, also in rows that were not seen before."""
    cells = [frequent] * 40 + TOWNS + SLIPS
    cleaned, emitted = settle(column([*cells, rare]))
    assert list(cleaned["value"]) == [frequent] * 40 + TOWNS + ["Springfield"] * 2 + [rare]
    _, learnt_without = settle(column(cells))
    for each in (*emitted, *learnt_without):
        assert list(each.clean(column([rare]))["value"]) == [rare]


@pytest.mark.parametrize(
    ("frequent", "rare", "times"),
    [
        ("Neukirchen", "Neunkirchen", 8),
        ("Steinbach", "Steinach", 6),
        ("pratensis", "pratense", 4),
        ("Magnetit", "Magnesit", 4),
    ],
)
def test_a_rare_text_that_recurs_is_no_slip(frequent: str, rare: str, times: int) -> None:
    """Slips of a word are nearly all different: beside four that occur once, a text that recurs is another one."""
    slips = [frequent[:place] + frequent[place + end :] for place in (1, 2) for end in (-1, 1)]
    cells = [frequent] * 170 + TOWNS + [rare] * times + slips
    assert settled(cells) == [frequent] * 170 + TOWNS + [rare] * times + [frequent] * 4


def test_a_slip_recurs_where_most_slips_of_its_word_were_seen() -> None:
    """Of thousands of rows with few words, the same slips come again: they are corrected, however often."""
    words = ["shipped", "pending", "returned"]
    slips = {word[:place] + word[place + end :] for word in words for place in range(1, 6) for end in (-1, 1)}
    assert set(settled(words * 700 + sorted(slips) * 4)) == set(words)


@pytest.mark.parametrize("name", ["Last Name", "surname", "customerName", "Nachname", "patient"])
def test_another_person_is_no_slip(name: str) -> None:
    """Smyth is not Smith and Macdonald not MacDonald; only capitals and small letters throughout are corrected."""
    cells = ["Johansson"] * 40 + ["Hendriks"] * 40 + ["MacDonald"] * 40 + ["Müller"] * 40
    odd = ["Johanson", "Hendrick", "Hendrix", "Macdonald", "Muller"]
    assert settled([*cells, *odd, "JOHANSSON", "müller"], name)[160:] == [*odd, "Johansson", "Müller"]


@pytest.mark.parametrize("name", ["agent", "Driver", "sales_rep"])
def test_a_role_is_that_of_a_person_where_its_cells_look_like_names(name: str) -> None:
    """Jensen is not Jansen; a driver of a printer is a thing, and may be misspelt."""
    cells = ["Jansen"] * 40 + ["Schmidt"] * 40 + ["Fischer"] * 40
    assert settled([*cells, "Jensen", "Schmitt", "Fisher"], name)[120:] == ["Jensen", "Schmitt", "Fisher"]
    things = [town.lower() for town in [*TOWNS, *SLIPS]]
    assert settled(things, name)[len(TOWNS) :] == ["springfield"] * 2


def test_the_name_of_a_thing_may_be_misspelt() -> None:
    """Under "name" stand persons, or hospitals, as the texts show."""
    hospitals = ["Callahan Eye Foundation Hospital"] * 30 + ["Marshall Medical Center South"] * 30
    odd = ["Callahan Eye Foundatoin Hospital", "Marshall Medcal Center South"]
    assert settled([*hospitals, *odd], "name")[60:] == [hospitals[0], hospitals[-1]]
    persons = ["Hans-Peter Lutz"] * 30 + ["Anna Schmitt"] * 30 + ["Hans Peter Lutz", "Anna Schmidt"]
    assert settled(persons, "Name") == persons


def test_another_thing_is_no_slip() -> None:
    """Rivertown has an id and a town of its own; a slip of Rivertowne has not, and is corrected."""
    rows = [["Rivertowne Brewing", "17", "Export"]] * 12 + [["Hopworks Brewing", "21", "Portland"]] * 12
    rows += [[f"{letter * 7} Cellars", str(number), letter * 5] for number, letter in enumerate("abcdefghijklmn", 30)]
    odd = [["Riwertowne Brewing", "17", "Export"], ["Hopwroks Brewing", "21", "Portland"]]
    other = [["Rivertawne Brewing", "99", "Cincinnati"]]
    frame = pd.DataFrame([*rows, *odd, *other], columns=["brewery", "id", "town"], dtype=str)
    cleaned, _ = settle(frame)
    assert list(cleaned["brewery"][-3:]) == ["Rivertowne Brewing", "Hopworks Brewing", "Rivertawne Brewing"]


def test_three_rows_are_no_majority_for_a_fourth() -> None:
    """Where a name stands in four rows only, three of them do not overrule the town of the fourth."""
    rows = [[f"Brewery {letter * 3}", f"{letter}ville Springs"] for letter in "ABCDEFGH" for _ in range(6)]
    rows += [["Brewery Lucette", "Menominie"]] * 3 + [["Brewery Lucette", "Menominee"]]
    frame = pd.DataFrame(rows, columns=["brewery", "town"], dtype=str)
    pd.testing.assert_frame_equal(settle(frame)[0], frame)


def test_another_price_is_a_fact() -> None:
    """Number and name of a product agree on its price: a sale at the price of another, or none, is no error."""
    products = [(f"SK-{n}", f"Product {letter * 4}", price) for n, letter, price in zip(
        range(6), "abcdef", ["10.00", "12.50", "7.00", "20.00", "9.50", "30.00"], strict=True)]  # fmt: skip
    rows = [list(product) for product in products for _ in range(40)]
    rows[3][2], rows[50][2] = "7.00", ""
    frame = pd.DataFrame(rows, columns=["sku", "product", "price"], dtype=str)
    pd.testing.assert_frame_equal(settle(frame)[0], frame)


def test_paths_are_texts_of_their_own() -> None:
    """Case and letters of paths and addresses mean something."""
    cells = ["/api/v1/users"] * 40 + ["/api/v1/orders"] * 40 + ["/API/v1/users"] * 3 + ["/api/v1/order"] * 2
    assert settled(cells, "path") == cells


def test_a_sign_that_stands_in_one_place_is_no_mark() -> None:
    """PT-101-X is the X of many parts, not a crossed-out A."""
    cells = [f"PT-{number}-{size}" for number in range(100, 106) for size in "AAAAAAAABX"]
    assert settled(cells, "part") == cells


def test_what_two_texts_or_words_would_fit_is_not_filled_in() -> None:
    """202x-01-21 may be either year, also where one of them is rare; Mxller is Miller or Müller."""
    days = ["2025-01-21"] * 30 + ["2025-01-22"] * 30 + ["2025-03-23"] * 30 + ["2024-01-21"]
    odd = ["202x-01-21", "2025-0x-22", "2025-0x-23"]
    assert settled([*days, *odd], "day")[-3:] == ["202x-01-21", "2025-01-22", "2025-03-23"]
    names = [f"Steven {letter * 6}" for letter in "abcdefghij"] + ["Steven Müller"] * 6 + ["Anna Miller"]
    assert settled([*names, "Steven Mxller", "Stxven Müller", "xteven Müller"], "name")[-3:] == [
        "Steven Mxller", "Steven Müller", "Steven Müller",
    ]  # fmt: skip


def test_texts_in_two_cases_are_two_things_where_another_column_says_so() -> None:
    """A turkey is a bird in each of its rows, and Turkey a country; a number of the row would differ by chance."""
    words = ["Turkey"] * 60 + ["Spain"] * 40 + ["turkey"] * 8 + ["chicken"] * 20
    senses = ["country"] * 100 + ["meat"] * 28
    numbered = [str(row) for row in range(len(words))]
    assert list(settle(column(words, "label", sense=senses, row=numbered))[0]["label"]) == words
    assert settle(column(words, "label", row=numbered))[0]["label"][100] == "Turkey"


def test_a_source_that_writes_all_in_capitals_means_the_same_things() -> None:
    """Its name divides the rows as well, and its texts are levelled."""
    towns = ["Oslo", "Bergen", "Trondheim", "Stavanger"]
    cells = towns * 20 + [town.upper() for town in towns] * 5
    sources = ["north"] * 80 + ["south"] * 20
    assert list(settle(column(cells, "town", source=sources))[0]["town"]) == towns * 25


def test_a_text_is_another_thing_though_the_frequent_one_stands_in_most_rows() -> None:
    """Magnesite has a formula of its own; that most rows have the other formula is no reason to doubt it."""
    minerals = ["Magnetite"] * 120 + ["Quartz"] * 60 + ["Magnesite"] * 2 + ["Magnteite", "Mganetite"]
    formulas = ["Fe3O4"] * 120 + ["SiO2"] * 60 + ["MgCO3"] * 2 + ["Fe3O4"] * 2
    cleaned = list(settle(column(minerals, "mineral", formula=formulas))[0]["mineral"])
    assert cleaned[-4:] == ["Magnesite"] * 2 + ["Magnetite"] * 2
