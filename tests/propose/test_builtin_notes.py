"""Instructions and tables that are not as they should be: what is done all the same, and what the user is told."""

from time import process_time

import pandas as pd
import pytest

from orchestrator.core.conventions import Conventions
from tests.propose.builtin_help import ask, column, load, settle, settled

FRAME = column([" Ulm", "Bonn ", "Köln"] * 10, "city", day=["2024-01-02", "2024-03-04", "2024-05-06"] * 10)


def said(frame: pd.DataFrame, instruction: str = "", conventions: Conventions | None = None) -> str:
    return " ".join(ask(frame, instruction, conventions=conventions).notes)


def test_an_empty_instruction_needs_no_word() -> None:
    """The data alone say what is done; blanks count as empty."""
    assert said(FRAME) == said(FRAME, " \n ") == ""
    assert list(settle(FRAME)[0]["city"])[:2] == ["Ulm", "Bonn"]


def test_a_contradictory_instruction_is_not_obeyed_where_it_contradicts_itself() -> None:
    """Neither of two cases is chosen; everything else is done, and the note names the column."""
    both = "Upper case for city. Lower case for city. Null word NONE in day."
    assert "contradicts itself on the case of city" in said(FRAME, both)
    assert list(settle(FRAME, both)[0]["city"])[:3] == ["Ulm", "Bonn", "Köln"]


def test_a_named_column_wins_over_all() -> None:
    """ "All in capitals, but the city small" is no contradiction."""
    cleaned, _ = settle(FRAME, "Upper case. Lower case for city.")
    assert said(FRAME, "Upper case. Lower case for city.") == ""
    assert list(cleaned["city"])[:3] == ["ulm", "bonn", "köln"]


@pytest.mark.parametrize(
    ("words", "city", "day"),
    [
        ("upper case for city, dates as dd.mm.yyyy", "ULM", "02.01.2024"),
        ("Dates as dd.mm.yyyy, upper case for city", "ULM", "02.01.2024"),
        ("upper case for city and dates as dd.mm.yyyy", "ULM", "02.01.2024"),
        ("upper case for city, dates of day as dd.mm.yyyy", "ULM", "02.01.2024"),
        ("in day, dates as dd.mm.yyyy", "Ulm", "02.01.2024"),
        ("leave city alone, dates as dd.mm.yyyy", " Ulm", "02.01.2024"),
        ("upper case for city, dates as dd.mm.yyyy. ISO dates in day.", "ULM", "2024-01-02"),
    ],
)
def test_words_on_dates_are_about_columns_of_dates(words: str, city: str, day: str) -> None:
    """Where the column that the clause names for something else holds none; what is asked of a named one wins."""
    cleaned, _ = settle(FRAME, words)
    assert (cleaned["city"][0], cleaned["day"][0]) == (city, day)
    assert said(FRAME, words) == ""


def test_words_on_dates_for_a_named_column_are_about_no_other() -> None:
    """One that is named for something else in the same clause is not asked for dates; a second one for dates is."""
    frame = FRAME.assign(due=list(FRAME["day"]), qty=["5", "6.0", "7"] * 10)
    cleaned, _ = settle(frame, "dates in day as dd.mm.yyyy, whole numbers in qty")
    assert (cleaned["day"][0], cleaned["due"][0]) == ("02.01.2024", "2024-01-02")
    assert said(frame, "dates in day as dd.mm.yyyy, whole numbers in qty") == ""
    both, _ = settle(frame, "dates as dd.mm.yyyy for day and due, upper case for city")
    assert (both["day"][0], both["due"][0], both["city"][0]) == ("02.01.2024", "02.01.2024", "ULM")
    assert "city should hold dates" in said(frame, "dates as dd.mm.yyyy for day and city")


@pytest.mark.parametrize("words", ["Bitte alle Städte groß schreiben.", "都市名を大文字にしてください", "make it so"])
def test_an_instruction_that_is_not_understood_is_said_to_be(words: str) -> None:
    """Another language or other words: the data's own mess is cleaned, and the note says what the rules know."""
    assert "Nothing of the instruction was understood" in said(FRAME, words)
    assert list(settle(FRAME, words)[0]["city"])[:2] == ["Ulm", "Bonn"]


def test_an_instruction_that_contradicts_the_data_is_said_to() -> None:
    """ISO dates in a column of names change nothing, and the note says that no cell looks like a date."""
    assert "city should hold dates" in said(FRAME, "ISO dates in city.")
    assert said(FRAME, "ISO dates in day.") == ""
    assert said(FRAME, "ISO dates.") == ""
    declared = Conventions.model_validate({"columns": {"city": {"phones": "e164"}}})
    assert "city should hold telephone numbers" in said(FRAME, conventions=declared)


def test_the_conventions_file_wins_over_the_instruction() -> None:
    """What is declared for a column is done, whatever the words say."""
    declared = Conventions.model_validate({"columns": {"city": {"case": "upper"}}})
    assert list(settle(FRAME, "Lower case for city.", declared)[0]["city"])[:2] == ["ULM", "BONN"]


def test_one_row_is_cleaned_of_what_it_shows() -> None:
    """A single row tells nothing of what is usual: blanks go, and the note says so."""
    frame = column([" Ulm "], "city", day=["08/22/2017"])
    assert "Only 1 row was looked at" in said(frame)
    assert settle(frame)[0].loc[0].to_dict() == {"city": "Ulm", "day": "08/22/2017"}
    asked = settle(frame, "ISO dates in day.")[0]
    assert asked.loc[0].to_dict() == {"city": "Ulm", "day": "2017-08-22"}


def test_columns_without_text_are_said_to_be() -> None:
    """Only nulls and blanks: nothing is proposed, and the note says why."""
    for frame in (column([None, None], a=["", " "]), pd.DataFrame({"n": [1, 2]})):
        assert "No column holds any text" in said(frame)
        cleaned = settle(frame)[0]
        assert cleaned.shape == frame.shape


def test_a_wide_table_is_cleaned_column_by_column() -> None:
    """500 columns: each alone is cleaned, and the note says that they were not compared."""
    wide = pd.DataFrame({f"c{n}": [f"v{(row * n) % 13} " for row in range(60)] for n in range(500)}, dtype=str)
    started = process_time()
    answer = ask(wide)
    assert process_time() - started < 30
    assert "500 text columns are too many to be compared" in " ".join(answer.notes)
    assert (load(answer.source or "").clean(wide) == wide.apply(lambda cells: cells.str.strip())).all().all()


def test_huge_cells_are_left_to_what_can_read_them() -> None:
    """Cells of 100 kB: their blanks go, and neither spelling nor dates are tried on them."""
    cells = [f" {'word ' * 20_000}{n}" for n in range(6)]
    cleaned = settle(column(cells, other=["x", "y", "z"] * 2))[0]
    assert list(cleaned["value"]) == [cell.strip() for cell in cells]


def test_nothing_is_lost_that_the_first_answer_lists() -> None:
    """What is listed as an issue is proposed sooner or later, or was mended on the way by another function."""
    messy = column(
        ["$1,200.50", "7.25", "N/A", " 3.10", "12.00", "9.99"] * 6,
        "price",
        city=[" Ulm", "Ulm", "Bonn", "Bonn", "ulm", "Köln"] * 6,
        day=["2024-01-02", "25/12/2024", "13/11/2024", "2024-05-06", "31/01/2024", "2024-02-02"] * 6,
    )
    listed = {issue.id for issue in ask(messy).issues}
    cleaned, emitted = settle(messy)
    assert listed <= {each.candidate.name for each in emitted}
    assert ask(cleaned).issues == ()


def test_rows_that_are_no_data_are_named() -> None:
    """Headers that stand again in the middle, and totals. One column's name alone, and a frequent word, are data."""
    again = pd.concat([FRAME, pd.DataFrame({"city": ["city"], "day": ["day"]}, dtype=str)])
    assert "repeat the names of the columns" in said(again)
    assert said(pd.concat([FRAME, pd.DataFrame({"city": ["city"], "day": ["2024-05-06"]}, dtype=str)])) == ""
    assert "look like totals of others, such as that with 'Grand Total'" in said(
        pd.concat([FRAME, pd.DataFrame({"city": ["Grand Total"], "day": [""]}, dtype=str)])
    )
    assert said(column(["Total", "Shell", "BP"] * 10, "brand", price=["1.5", "1.6", "1.7"] * 10)) == ""


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("Total rows: 400", True),
        ("Grand total: $1,200.50", True),
        ("Record count = 12", True),
        ("Summe: 1.200,00 €", True),
        ("Razem", True),
        ("TOPLAM:", True),
        ("Total War: 2", False),
        ("Total: see page 4", False),
        ("Rows: 400 Total", False),
        ("Total 2000", False),  # may be a product
    ],
)
def test_totals_with_their_number_are_named(text: str, total: bool) -> None:
    """`Total rows: 400` at the end of an export had no word, for only the word alone was known."""
    frame = pd.concat([FRAME, pd.DataFrame({"city": [text], "day": [""]}, dtype=str)])
    assert ("look like totals" in said(frame)) is total


def test_numbers_that_may_mean_nothing_are_named() -> None:
    """-999 among temperatures; 99 among numbers up to 120, and a number that was declared, need no word."""
    frame = column([str(number) for number in range(18, 48)] + ["-999", "-999.0", "-999"], "temp")
    assert "-999, -999.0 stand in temp again and again" in said(frame)
    declared = Conventions.model_validate({"columns": {"temp": {"null_words": ["-999", "-999.0"]}}})
    assert "-999" not in said(frame, conventions=declared)
    assert said(column([str(number) for number in range(60, 121)] + ["99"] * 5, "pulse")) == ""
    warm = [f"{number}.5 °C" for number in range(18, 48)]
    assert "-999 stands in temp again and again" in said(column([*warm, "80.1 °F", *["-999"] * 4], "temp"))
    assert "-999 °C stands in temp again and again" in said(column([*warm, *["-999 °C"] * 4], "temp"))
    assert "-999" not in said(column([*warm, *["-999 °F"] * 4], "temp"))


@pytest.mark.parametrize(
    ("others", "told"), [(range(1960, 2000), True), (range(960, 1000), False), (range(1960, 9000, 200), False)]
)
def test_zeros_among_years_are_named(others: range, told: bool) -> None:
    """A year of 0 had no word; 0 among numbers of any other size is a number."""
    frame = column([*map(str, others), "0", "0", "0"], "built")
    assert ("0 stands in built again and again" in said(frame)) is told


def test_what_is_declared_for_numbers_is_said_not_to_be_done() -> None:
    """A column that holds numbers and no texts is left to itself; its nines are named as those of texts are."""
    frame = FRAME.assign(qty=[1, 2, -999] * 10)
    assert "-999 stands in qty again and again" in said(frame)
    assert "no built-in rule changes a column of numbers" in said(frame)
    declared = Conventions.model_validate({"columns": {"qty": {"null_words": ["-999"]}}})
    assert "qty holds no texts" in said(frame, conventions=declared)
    left = Conventions.model_validate({"columns": {"qty": {"leave": True}}})
    assert "holds no texts" not in said(frame, conventions=left)


def test_dates_that_nothing_settles_are_named() -> None:
    """Both orders of day and month in one column, and days that do not exist; a clear column needs no word."""
    days = [f"{day}/03/2024" for day in range(13, 29)]
    assert "day first in some cells and the month first" in said(column([*days, "03/14/2024", "04/25/2024"] * 2, "day"))
    assert "may be days as spreadsheets count them" in said(column([*days, "45310", "45311"], "day"))
    assert said(column(["45310", "12345", "67890"] * 9, "number")) == ""
    assert "days that do not exist" in said(column([*days, "31/02/2024"] * 2, "day"))
    assert said(column([*days, "04/05/2024"] * 2, "day")) == ""


def test_scores_that_a_spreadsheet_made_dates_of_are_named() -> None:
    """2-1 became 2-Jan when the file was opened there; a column of days of the year is none of scores."""
    scores = [f"{number % 5}-{number % 3}" for number in range(40)]
    assert "1-Feb of 1-2" in said(column([*scores, "2-Jan", "Mar-01"], "result"))
    assert said(column(scores, "result")) == ""
    assert said(column([f"{day}-Feb" for day in range(1, 28)], "birthday")) == ""


def test_commas_that_nothing_settles_are_named() -> None:
    """1,549 may be a litre of fuel or visitors; where the column tells, and where it is declared, no word is needed."""
    fuel = [f"1,{number}" for number in range(501, 561)]
    assert "Commas in price may part thousands or decimals" in said(column(fuel, "price"))
    assert said(column([*fuel, "512", "87"], "people")) == ""
    declared = Conventions.model_validate({"columns": {"price": {"numbers": {"decimal": ","}}}})
    assert said(column(fuel, "price"), conventions=declared) == ""


def test_points_that_may_part_thousands_are_named() -> None:
    """12.450 beside 310 and 45 is twelve thousand, or a decimal of three figures as all are; declared, it is clear."""
    amounts = ["12.450", "22.297", "1.250", "310", "45", "980"] * 6
    assert "Points in amount may part thousands" in said(column(amounts, "amount"))
    assert settled(amounts, "amount") == amounts
    rents = ["2.024", "1.231", "2.744", "303", "2645", "980", "1830", "3000"] * 6
    assert settled(rents, "rent")[:4] == ["2024", "1231", "2744", "303"]  # as large as the others
    assert said(column(rents, "rent")) == ""
    assert "Points in rent" not in said(column(["2.024", "1.231", "2.744", "3", "2", "1830", "1"] * 6, "rent"))
    declared = Conventions.model_validate({"columns": {"amount": {"numbers": {"decimal": ","}}}})
    assert said(column(amounts, "amount"), conventions=declared) == ""
    cleaned, _ = settle(column(amounts, "amount"), conventions=declared)
    assert list(cleaned["amount"][:4]) == ["12450", "22297", "1250", "310"]
    assert said(column([*amounts, "0.125"], "amount")) == said(column([*amounts, "1250"], "amount")) == ""


def test_decimal_commas_that_become_points_are_told() -> None:
    """All cells of the column change: who reads the file with a program that expects commas has to know."""
    prices = ["1.212,40", "66,47", "17,38-", "421,72- EUR"] * 10
    assert "Decimal commas in Betrag become points" in said(column(prices, "Betrag"))
    assert settled(prices, "Betrag")[:4] == ["1212.40", "66.47", "-17.38", "-421.72"]
    assert "Decimal commas in Std become" in said(column(["1,50", "0,75", "12,25", "4.75"] * 10, "Std"))
    assert "Decimal commas in montant become points" in said(column(["1\u202f212,40 €", "2\xa0066,47"] * 20, "montant"))
    declared = Conventions.model_validate({"columns": {"Betrag": {"numbers": {"decimal": ","}}}})
    assert said(column(prices, "Betrag"), conventions=declared) == ""
    assert said(column(["1,212.40", "66.47", "17.38", "8,90"] * 10, "Betrag")) == ""


def test_rows_that_repeat_others_are_told_where_nearly_all_differ() -> None:
    """A copy made by hand or by a second import; equal answers to a few questions are none."""
    names = [f"Ann {chr(97 + n)}{chr(97 + m)}" for n in range(10) for m in range(10)]
    once = column(names, "name", town=["Ulm", "Bonn"] * 50)
    twice = pd.concat([once, once[:3]], ignore_index=True)
    assert "3 of 103 rows looked at are the same as another one in every column" in said(twice)
    assert said(once) == said(twice.assign(key=[f"a{n}" for n in range(103)])) == ""
    assert said(twice.assign(key=range(103))) == ""  # a column of numbers tells them apart
    assert said(column(["yes", "no"] * 50, "answer", other=["no", "no"] * 50)) == ""


def test_lists_of_parquet_that_stay_untidy_are_told() -> None:
    """The run counted them as left and did not say why. The control: lists without stray blanks, a list left alone."""
    frame = pd.DataFrame({"items": [["pear ", "fig"], ["plum"], []] * 10, "town": ["Ulm", "Bonn", "Hof"] * 10})
    assert said(frame).startswith("Null words or stray blanks in 10 texts inside of items stay: no rule")
    assert said(frame.assign(items=pd.Series([["pear", "fig"], ["plum"], []] * 10))) == ""
    alone = Conventions.model_validate({"columns": {"items": {"leave": True}}})
    assert said(frame, conventions=alone) == ""


def test_rows_with_one_cell_are_told_where_others_are_full() -> None:
    """The last lines of a report; where most cells are blank such rows are ordinary, and in a narrow table."""
    full = {
        "name": [f"Ann {n}" for n in range(40)],
        "town": ["Ulm", "Bonn"] * 20,
        "sum": ["3"] * 40,
        "paid": ["yes"] * 40,
    }
    foot = {"name": ["Printed by: kmartin", ""], "town": ["", ""], "sum": ["", ""], "paid": ["", " "]}
    whole = pd.DataFrame({name: [*full[name], *foot[name]] for name in full}, dtype=str)
    assert "Some rows hold one cell ('Printed by: kmartin') or none." in said(whole)
    assert "Some rows hold one cell or none." in said(whole.drop(index=40))
    total = whole[:41].replace("Printed by: kmartin", "Total")
    assert "such as that with 'Total'" in said(total)
    assert "one cell" not in said(total)
    assert "one cell" not in said(whole[:40]) + said(whole[["name", "town"]])
    sparse = whole.assign(town="", sum="", paid=["x"] * 10 + [""] * 32)
    assert "one cell" not in said(sparse)
    assert "one cell" not in said(whole.assign(key=range(42)))  # a column of numbers fills them
