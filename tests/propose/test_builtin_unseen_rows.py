"""What functions of the built-in rules do in rows that the proposer did not see: a rare right value stays."""

import pandas as pd

from tests.propose.builtin_help import Emitted, column, settle


def test_short_codes_that_begin_with_a_zero_get_no_other_one() -> None:
    """Oslo's 0150 is whole: a code that lost its zeros has none in front, wherever it stands."""
    frame = column(["33101", "2134", "02134", "10001", "99762"] * 40, "zip")
    cleaned, emitted = settle(frame)
    assert set(cleaned["zip"]) == {"33101", "02134", "10001", "99762"}
    for each in emitted:
        assert list(each.clean(column(["0150", "284", "2134"], "zip"))["zip"]) == ["0150", "00284", "02134"]


def test_a_rare_text_stays_where_the_other_cells_of_its_row_never_go_with_the_frequent_one() -> None:
    """Drayton has a ZIP code and a county of its own; the Daytn of Dayton's has not, even where one is misspelt."""
    towns = [["Dayton", "45402", "Montgomery"], ["Milford", "45150", "Clermont"], ["Kingston", "12401", "Ulster"]] * 40
    slips = [["Daytn", "45402", "Montgomery"], ["Mlford", "45150", "Clermont"], ["Kingstn", "12401", "Ulster"]]
    (learnt,) = _emitted([*towns, *slips])
    unseen = [
        ["Drayton", "58225", "Pembina"],  # another town
        ["Drayton", "45150", "Clermont"],  # what goes with another frequent town only
        ["Dayyton", "45402", "Montgomery"],
        ["Dayyton", "45402", "Montgomry"],
        ["Dayyton", "45402", "MONTGOMERY"],
        ["Dayyton", "", "Montgomery"],
    ]
    cleaned = learnt.clean(pd.DataFrame(unseen, columns=["town", "zip", "county"], dtype=str))
    assert list(cleaned["town"]) == ["Drayton", "Drayton", *["Dayton"] * 4]


def test_slips_are_corrected_in_unseen_rows_where_no_other_column_tells_the_texts_apart() -> None:
    """A number of its own in every row, and an answer that all give, say nothing of a town."""
    towns = ["Dayton", "Milford", "Kingston"] * 40 + ["Daytn", "Mlford", "Kingstn"]
    rows = [[town, str(number), "yn"[number % 2]] for number, town in enumerate(towns)]
    (learnt,) = _emitted(rows)
    cleaned = learnt.clean(pd.DataFrame([["Dayyton", "900", "n"]], columns=["town", "zip", "county"], dtype=str))
    assert list(cleaned["town"]) == ["Dayton"]


def _emitted(rows: list[list[str]]) -> list[Emitted]:
    return settle(pd.DataFrame(rows, columns=["town", "zip", "county"], dtype=str))[1]


FIRST = ["Golden", "Silver", "Copper", "Hidden", "Rolling", "Thunder", "Crooked", "Granite", "Meadow", "Harvest"]
BREWERIES = {
    f"{first} {last} Brewing": (str(100 + number), f"Town {number % 20}")
    for number, (first, last) in enumerate(
        (first, last) for first in FIRST for last in ("Valley", "River", "Harbor", "Creek")
    )
}


def _breweries(slips: int) -> list[list[str]]:
    """Forty breweries with twelve rows each, many smaller ones, and slips of the first."""
    rows = [[name, *BREWERIES[name]] for name in BREWERIES for _ in range(12)]
    rows += [[f"{FIRST[n % 10]}{n} Cellar {n % 7}{n}", str(5000 + n // 5), f"City {n // 5}"] for n in range(500)]
    return rows + [[name[:2] + name[3:], *BREWERIES[name]] for name in list(BREWERIES)[::4][:slips]]


def test_a_rare_name_of_an_open_list_stays_where_its_row_never_goes_with_the_frequent_one() -> None:
    """Another brewery has a number and a town of its own; a slip has those of the one that is meant."""
    names = ["name", "number", "town"]
    _, emitted = settle(pd.DataFrame(_breweries(8), columns=names))
    (learnt,) = [each for each in emitted if each.candidate.name == "same_writing_in_name"]
    unseen = [
        ["Gokden River Brewing", "9001", "Elsewhere"],
        ["Gokden River Brewing", *BREWERIES["Silver Creek Brewing"]],
        ["Gokden River Brewing", *BREWERIES["Golden River Brewing"]],
        ["Gokden River Brewing", "", BREWERIES["Golden River Brewing"][1]],
        ["golden river brewing", "9001", "Elsewhere"],  # the same name, however it is written
    ]
    cleaned = learnt.clean(pd.DataFrame(unseen, columns=names))
    assert list(cleaned["name"]) == ["Gokden River Brewing"] * 2 + ["Golden River Brewing"] * 3
    assert cleaned[["number", "town"]].equals(pd.DataFrame(unseen, columns=names)[["number", "town"]])


def test_names_of_an_open_list_are_no_slips_in_unseen_rows_where_none_were_seen() -> None:
    """Other ways to write a name do not show that somebody mistypes them."""
    rows = [*_breweries(1), *([name.replace(" ", "-", 1), *BREWERIES[name]] for name in list(BREWERIES)[:3])]
    _, emitted = settle(pd.DataFrame(rows, columns=["name", "number", "town"])[["name"]])
    (learnt,) = [each for each in emitted if each.candidate.name == "same_writing_in_name"]
    cleaned = learnt.clean(column(["Gokden River Brewing", "golden river brewing"], "name"))
    assert list(cleaned["name"]) == ["Gokden River Brewing", "Golden River Brewing"]
