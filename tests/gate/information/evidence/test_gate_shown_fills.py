"""Which filled cells the examples of a fill show: rows like those of the examples, and values that their rows say."""

from typing import Any

from orchestrator.gate.information.row_evidence.filled import made_up
from orchestrator.gate.information.row_evidence.shown_fills import filled_beyond

Fill = tuple[dict[str, Any], dict[str, Any]]
STAY: list[tuple[Any, Any]] = [(total, total) for total in (19.0, 45.5, 12.25, 80.0)]
QUANTITY: list[tuple[Any, Any]] = [(n, n) for n in (1, 2, 3, 4, 5, 6, None)]
COMPUTED = [*STAY, (None, 35.0), (None, 48.0)]


def total_of(quantity: int | None, total: float) -> Fill:
    """An example in which the total of a line is filled."""
    row = {"line": "L0", "quantity": quantity, "total": None}
    return row, {**row, "total": total}


def beyond(last: float | None, *shown: Fill, of_nothing: tuple[float, ...] = (0.0,)) -> list[int]:
    """The rows in doubt where the last line, which has no quantity, gets this total."""
    cells = [*COMPUTED, (None, last)]
    rows = [row for row, (before, after) in enumerate(cells) if before is None and after is not None]
    return filled_beyond("total", cells, rows, {"quantity": QUANTITY}, shown, of_nothing)


def test_a_default_is_not_shown_by_examples_of_what_is_computed() -> None:
    """A zero where there is nothing to compute it from; without it, nothing is in doubt."""
    shown = [total_of(3, 7.5), total_of(2, 18.0)]
    assert beyond(0.0, *shown) == [6]
    assert beyond(None, *shown, of_nothing=()) == []


def test_a_default_is_shown_by_an_example_of_such_a_row() -> None:
    """One that gets it without a quantity, whatever else it holds; one with a quantity is another row."""
    shown = [total_of(3, 7.5), total_of(2, 18.0)]
    assert beyond(0.0, *shown, total_of(None, 0.0)) == []
    assert beyond(0.0, *shown, ({"total": None}, {"total": 0.0})) == []
    assert beyond(0.0, *shown, total_of(9, 0.0)) == [6]


def test_one_value_in_all_examples_is_shown_for_all_rows() -> None:
    """Two rows get the same value; one alone may have had a reason in its row."""
    assert beyond(35.0, total_of(3, 35.0), of_nothing=(35.0,)) == [6]
    assert beyond(35.0, total_of(3, 35.0), total_of(4, 35.0), of_nothing=(35.0,)) == []


PLACES = ["Austin, TX", "Salem, MA", "Waco, TX", "New York, NY", "Rome, GA"]
CITIES = ["Boston", "Dallas", "San Jose", "New York", "El Paso"]
AUSTIN: Fill = ({"place": "Austin, TX", "city": None}, {"place": "Austin, TX", "city": "Austin"})
SAN: Fill = ({"place": "San Jose, CA", "city": None}, {"place": "San Jose, CA", "city": "San"})
HOME: Fill = ({"place": "Austin, TX", "city": None}, {"place": "Austin, TX", "city": "home"})


def in_doubt(filled: list[str | None], shown: Fill, places: list[tuple[Any, Any]] | None = None) -> list[str]:
    """Of the cities that are filled out of the places, those that are in doubt."""
    cells: list[tuple[Any, Any]] = [*((None, city) for city in filled), *((city, city) for city in CITIES)]
    beside = places or [(place, place) for place in PLACES]
    column = [*beside, *((None, None) for _ in CITIES)]
    rows = [row for row, city in enumerate(filled) if city is not None]
    return [cells[row][1] for row in filled_beyond("city", cells, rows, {"place": column}, [shown], [])]


def test_what_no_row_says_is_not_shown_by_what_rows_say() -> None:
    """A part of a name, and a city that the place does not have; where an example makes one up, others may, too."""
    assert in_doubt(["Austin", "Salem", "Waco", "New York", "Rome"], AUSTIN) == []
    assert in_doubt(["Austin", "Salem", "Waco", "New", "Rome"], AUSTIN) == ["New"]
    assert in_doubt(["Austin", "Salem", "Waco", "New York", "Springfield"], AUSTIN) == ["Springfield"]
    assert in_doubt(["Austin", "Salem", "Waco", "New York", "Springfield"], HOME) == []
    assert in_doubt(["Austin", "Salem", "Waco", "New", "Rome"], SAN) == []


def test_that_most_rows_do_not_say_theirs_shows_that_examples_did_by_chance() -> None:
    """Groups of ages: the 65 of `65+` is one of many ages. One value everywhere is made up all the same."""
    assert in_doubt(["Lyon", "Bonn", "Graz", "New York", "Rome"], AUSTIN) == []
    assert in_doubt(["Lyon", "Lyon", "Lyon", "New York", "Rome"], AUSTIN) == ["Lyon"] * 3


def test_what_another_cell_gave_up_is_said_by_it() -> None:
    """A place that moves into its column, or the last figures of a year to which the century is put."""
    gave: list[tuple[Any, Any]] = [(place, place.split(", ")[1]) for place in PLACES]
    assert in_doubt(["Austin", "Salem", "Waco", "New", "Rome"], AUSTIN, gave) == []
    years: list[tuple[Any, Any]] = [("1811-55", "1811"), *((place, place) for place in PLACES[1:])]
    assert in_doubt(["1855", "Salem", "Waco", "New York", "Rome"], AUSTIN, years) == []


def test_a_new_word_for_nothing_is_made_up_beside_values() -> None:
    """`unknown` where the place has no city; not where the column has the word, or where it is all that comes."""
    places = [*PLACES, "moved away"]
    cells: list[tuple[Any, Any]] = [(None, place.split(",")[0]) for place in PLACES]
    assert made_up([*cells, (None, "unknown")], range(6), [places]) == [5]
    assert made_up([*cells, (None, "unknown"), ("Unknown", "Unknown")], range(6), [[*places, "here"]]) == []
    assert made_up([(None, "unknown")] * 2, range(2), [places[:2]]) == []


PARTIES = ["Ada v. Hopper", "Turing vs Knuth", "Liskov v. Perlman", "In re Lamport", "Ada v. Gosling"]
OTHERS = ["Knuth Inc.", "Hopper Inc.", "Perlman Inc.", "Gosling Inc."]


def test_a_part_of_what_others_say_is_whole_where_its_row_says_no_more() -> None:
    """`Hopper` of `Ada v. Hopper`, though another row has `Hopper Inc.`; `York` of `New York` is cut."""
    cells = [*((one, one) for one in OTHERS), (None, "Hopper")]
    shown: list[Fill] = [({"case": "Bell v. Ochoa", "name": None}, {"case": "Bell v. Ochoa", "name": "Ochoa"})]
    cases = [(text, text) for text in [*PARTIES[1:], PARTIES[0]]]
    assert filled_beyond("name", cells, [4], {"case": cases}, shown, ()) == []
    cases[-1] = ("Ada v. Hopper Inc.",) * 2
    assert filled_beyond("name", cells, [4], {"case": cases}, shown, ()) == [4]
