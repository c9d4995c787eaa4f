"""Formats that stay beside others: what is clear is cleaned, and what is left is named."""

import pandas as pd
import pytest

from orchestrator.core.conventions import Conventions
from tests.propose.builtin_help import ask, column, settle, settled

ISO = [f"2024-03-{day:02}" for day in range(1, 8)] * 4
POINTS = [f"{number}.{number % 9 + 1}" for number in range(20, 60)]
PLAIN = [f"{number}" for number in range(20, 60)]


def left(frame: pd.DataFrame, conventions: Conventions | None = None) -> list[str]:
    """What is said of the frame when nothing more is proposed."""
    cleaned, emitted = settle(frame, conventions=conventions)
    done = tuple(one.candidate.name for one in emitted)
    return [note for note in ask(cleaned, promoted=done, conventions=conventions).notes if "Seen in" in note]


@pytest.mark.parametrize("time", ["", " 00:30:00"])
def test_dates_with_points_have_the_day_first_where_the_others_show_it(time: str) -> None:
    """With the month first they would be months away from all others; a time of day stays as it is."""
    cells = [f"{day}{time}" for day in [*ISO, "01.03.2024", "05.03.2024", "06.03.2024", "03.03.2024"]]
    assert settled(cells)[-4:] == [f"2024-03-{day}{time}" for day in ("01", "05", "06", "03")]
    assert left(column(cells)) == []


@pytest.mark.parametrize(
    "others",
    [
        ["01.03.2024", "05.03.2024"],  # two may be slips
        ["01.03.2024", "05.03.2024", "06.03.2024", "01.09.2024"],  # one lies outside with the day first, too
        ["01/03/2024", "05/03/2024", "06/03/2024"],  # a slash may stand for either
    ],
)
def test_dates_that_the_others_do_not_settle_stay_and_are_named(others: list[str]) -> None:
    """Nothing is guessed; the note says how many, and one of them."""
    assert settled([*ISO, *others])[-len(others) :] == others
    [note] = left(column([*ISO, *others], "day"))
    assert note.startswith("Some dates in day stay in another format than most: too few cells, or none, tell the order")
    assert note.endswith(f"Seen in {len(others)} of {len(ISO) + len(others)} rows looked at, such as {others[0]!r}.")


def test_dates_within_a_year_are_not_settled_by_its_limits() -> None:
    """Both readings lie within the time of the others."""
    year = [f"2024-{month:02}-{day:02}" for month in range(1, 13) for day in (1, 28)]
    assert settled([*year, "01.03.2024", "05.03.2024", "06.03.2024"])[-3:] == ["01.03.2024", "05.03.2024", "06.03.2024"]


def test_decimal_commas_among_points_and_bounds_are_cleaned() -> None:
    """`<0.5` is what a laboratory says of a small number: the column is one of numbers all the same."""
    cells = [*POINTS, *["<0.5"] * 12, "63,2"]
    assert settled(cells)[-2:] == ["<0.5", "63.2"]
    few = ["<5", "5-9", "10-19", "<20", ">30", "12,5"] * 6
    assert settled(few) == few


def test_decimal_commas_that_stay_are_named() -> None:
    """Too many cells are no numbers at all: no rule changes the column, and the note says what is left."""
    cells = [*POINTS, *[f"see page {letter}" for letter in "abcdefghijkl"], "63,2", "7,5"]
    [note] = left(column(cells))
    assert note.startswith("Some numbers in value have a comma where most have a point, and stay.")
    assert note.endswith("Seen in 2 of 54 rows looked at, such as '63,2'.")


def test_amounts_in_brackets_are_named() -> None:
    """(453.89) may be negative; a person decides."""
    [note] = left(column([*POINTS, "(453.89)", "($12)"], "amount"))
    assert "numbers in amount stand in brackets" in note
    assert "Seen in 2 of 42 rows looked at, such as '(453.89)'." in note


def test_a_comma_before_three_digits_that_nothing_settles_is_named() -> None:
    """1,200 may be a little more than one."""
    [note] = left(column([*PLAIN, "1,200", "1,300"], "amount"))
    assert note.startswith("Some numbers in amount have a comma before three digits, and stay:")
    assert note.endswith("Seen in 2 of 42 rows looked at, such as '1,200'.")


def test_numbers_with_something_more_among_plain_ones_are_named() -> None:
    """684 m in a column of feet is no 684, and 62 F is no weight: no rule may guess, and nobody should overlook it."""
    [note] = left(column([*PLAIN, "684 m", "62 F", "7-8"], "altitude_ft"))
    assert note.startswith("Some cells in altitude_ft are no plain numbers, as most are, and stay.")
    assert note.endswith("Seen in 3 of 43 rows looked at, such as '684 m'.")


@pytest.mark.parametrize("name", ["platform", "PLZ", "app version", "zip_code"])
def test_figures_of_codes_are_no_numbers(name: str) -> None:
    """Who reads that `4a` is no plain number, as most platforms are, has learnt nothing."""
    assert left(column([*PLAIN, "4a", "1.2.0"], name)) == []


@pytest.mark.parametrize(
    ("cells", "rows"),
    [
        ([*PLAIN[:28], *["5 kg", "11 lbs"] * 6], 12),
        (["56133", "53,663", "$75,889", "56k", "63977.00"] * 6, 18),
    ],
)
def test_a_column_of_many_kinds_of_numbers_is_named(cells: list[str], rows: int) -> None:
    """The dirtiest column is not the one of which nothing is said."""
    assert settled(cells) == cells
    [note] = left(column(cells))
    assert note.startswith("Some cells in value are no plain numbers, as")
    assert f"Seen in {rows} of {len(cells)} rows looked at" in note


def test_dates_with_times_among_others_do_not_keep_the_rule_away() -> None:
    """2024-03-05T10:00:00Z stays, and 25/03/2024 becomes an ISO date."""
    cells = [*ISO, *["2024-03-05T10:00:00Z"] * 3, "25/03/2024", "26/03/2024", "27/03/2024", "04/03/2024"]
    assert settled(cells)[-5:] == ["2024-03-05T10:00:00Z", "2024-03-25", "2024-03-26", "2024-03-27", "2024-03-04"]


@pytest.mark.parametrize("odd", ["Q3 2024", "12-May-31", "Mon 2024-03-05", "5/24"])
def test_what_is_no_clear_date_among_dates_is_named(odd: str) -> None:
    """A quarter, a year of two digits beyond the column's, a weekday that is not the date's."""
    assert settled([*ISO, odd])[-1] == odd
    [note] = left(column([*ISO, odd], "day"))
    assert note.startswith("Some dates in day stay in another format than most:")
    assert note.endswith(f"Seen in 1 of {len(ISO) + 1} rows looked at, such as {odd!r}.")


@pytest.mark.parametrize(
    "cells",
    [
        PLAIN,
        POINTS,
        [*PLAIN, *POINTS, "n/a", "<5"],
        ["(02) 555 12 34", "(03) 555 43 21"] * 10,
        ["Rocky (1976)", "Alien (1979)"] * 10,
        ["1,2", "2", "3", "1,3", "4"] * 8,
        ISO,
        [f"{day} 10:3{n}" for n, day in enumerate(ISO[:7])] * 3,
        ["1.2.3", "2.10.4", "10.0.1"] * 8,
        [*["1", "2", "4"] * 9, *["2A", "2B"] * 4],
        [*(f"{number}" for number in range(2275463100, 2275463140)), "227546313X"],
        [f"{day}/03/2024" for day in range(10, 29)],
    ],
)
def test_ordinary_columns_need_no_word(cells: list[str]) -> None:
    """One format, or what no rule takes for another one."""
    assert left(column(cells)) == []


def test_nothing_is_said_of_columns_that_are_left_alone_or_while_something_is_proposed() -> None:
    """What the user wants untouched is no news; what is cleaned later is not left."""
    frame = column([*POINTS, "(453.89)", " 7.5"], "amount")
    assert not any("brackets" in note for note in ask(frame).notes)
    untouched = Conventions.model_validate({"columns": {"amount": {"leave": True}}})
    assert left(frame, untouched) == []


def test_texts_that_nearly_are_others_and_recur_are_named() -> None:
    """`logou` four times is no slip of a moment: it stays, and the note says beside what."""
    cells = [*["login", "logout", "refund", "purchase"] * 30, *["logou"] * 4]
    assert settled(cells) == cells
    [note] = left(column(cells, "action"))
    assert "action are nearly what many others are ('logou' beside 'logout'), and stay" in note
    assert "Seen in 4 of 124 rows" in note


@pytest.mark.parametrize("others", [["BOSTON"] * 100, []])
def test_a_lone_slip_that_stays_is_named(others: list[str]) -> None:
    """One slip may be another word, also where all other cells hold one: it is not corrected, and not passed over."""
    cells = [*["CHICAGO"] * 200, *others, *["CCHICAGO"] * 3]
    assert settled(cells) == cells
    [note] = left(column(cells, "city"))
    assert "city are nearly what many others are ('CCHICAGO' beside 'CHICAGO'), and stay" in note


@pytest.mark.parametrize("rare", [["{logout}"], ["login"] * 20, ["logouts"] * 4, ["sign up"] * 4])
def test_texts_that_are_others_are_not_named(rare: list[str]) -> None:
    """A plural, another word, one that is frequent; braces break nothing."""
    assert left(column([*["login", "logout", "refund", "purchase"] * 30, *rare], "action")) == []


def test_braces_in_such_a_text_are_shown() -> None:
    """The note is no template."""
    cells = [*["{logins}", "{logout}", "{refund}"] * 40, *["{logoux}"] * 4]
    assert all("{logou" in note for note in left(column(cells, "action")))


def test_telephone_numbers_with_the_code_of_a_country_are_named() -> None:
    """Beside national ones; numbers that all have one, and long keys, are none."""
    usual = [f"0{n % 6 + 1} {n % 90 + 10} {n % 70 + 11} 24 {n % 80 + 12}" for n in range(100)]
    abroad = [f"+33 6 {n + 20} 31 24 55" for n in range(10)]
    said = left(column([*usual, *abroad], "phone"))
    assert len(said) == 1
    assert "have the code of a country" in said[0]
    assert "10 of 110 rows" in said[0]
    assert left(column(abroad * 9, "phone")) == []
    assert left(column([*(f"{n:012}" for n in range(100)), "004912345678"], "key")) == []


def test_decimal_commas_that_stay_for_some_cells_are_named() -> None:
    """A range would keep its commas: two habits in a column would be worse than one."""
    cells = ["12,40", "6,47", "17,38", "1,72"] * 10 + ["1,5 bis 2,5"] * 2
    assert settled(cells) == cells
    [note] = left(column(cells, "Preis"))
    assert note.startswith("Decimal commas in Preis stay: some cells with one are no clear numbers")
    assert note.endswith("Seen in 2 of 42 rows looked at, such as '1,5 bis 2,5'.")


def test_a_word_for_nothing_that_stays_is_named() -> None:
    """A run that counts 27 null words as left said nothing of why."""
    cells = ["vip", "new", "check address", "", "NULL"] * 10
    assert settled(cells) == cells
    [note] = left(column(cells, "note"))
    assert note.startswith("'NULL' in note may be a value, and stays. If it means a missing value, declare it")
    assert note.endswith("Seen in 10 of 50 rows looked at, such as 'NULL'.")
    declared = Conventions.model_validate({"columns": {"note": {"values": ["vip", "new", "check address", "NULL"]}}})
    assert left(column(cells, "note"), declared) == []


def test_an_address_that_is_none_is_named() -> None:
    """The blank inside may be a letter that is lost: it stays, and nothing was said of it."""
    cells = [f"ann{number}@example.com" for number in range(30)]
    assert settled([*cells, "a b@example.com"]) == [*cells, "a b@example.com"]
    [note] = left(column([*cells, "a b@example.com"], "mail"))
    assert note.startswith("Some cells in mail are no e-mail addresses, as most are, and stay.")
    assert note.endswith("Seen in 1 of 31 rows looked at, such as 'a b@example.com'.")
    assert left(column(cells, "mail")) == []


@pytest.mark.parametrize(
    ("usual", "words", "kind"),
    [
        (PLAIN, ["waived", "brak", "waived"], "numbers"),
        (ISO, ["asap", "to be agreed"], "dates"),
        (POINTS, ["yok", "yok"], "numbers"),
    ],
)
def test_words_among_numbers_and_dates_are_named(usual: list[str], words: list[str], kind: str) -> None:
    """Whether `yok` means nothing in somebody's language or `waived` means 0, no rule knows: who does is told."""
    [note] = left(column([*usual, *words], "fee"))
    assert note.startswith(f"Some cells in fee are words, where most are {kind}, and stay. If a word means a missing")
    assert note.endswith(f"Seen in {len(words)} of {len(usual) + len(words)} rows looked at, such as {words[0]!r}.")


def test_words_are_not_named_where_they_are_declared_or_expected() -> None:
    """Sizes of clothes, numbers written out, codes, and what was declared to be a value or to mean nothing."""
    assert left(column([*PLAIN, "S", "M", "L"], "size")) == left(column([*PLAIN, "three"], "qty")) == []
    assert left(column([*PLAIN, "uds"], "qty")) == left(column([*PLAIN, "Nord", "West"], "gate")) == []
    assert left(column([*PLAIN, "TOTAL", "Total"], "fee")) == []
    for declared in ({"null_words": ["waived"]}, {"null": "waived"}, {"leave": True}, {"spellings": {"0": "waived"}}):
        asked = Conventions.model_validate({"columns": {"fee": declared}})
        assert left(column([*PLAIN, "waived", "waived"], "fee"), asked) == []
