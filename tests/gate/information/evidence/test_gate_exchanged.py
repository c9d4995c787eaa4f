"""Two columns exchanged in some rows, where each of them also holds some values of the other's kind."""

from typing import Any

from orchestrator.gate.information.row_evidence.exchanged import exchanged_rows, turned_as_shown

Pair = tuple[Any, Any]
PLACES: list[Pair] = [(47.0 + n / 3, 6.0 + n / 4) for n in range(24)]  # latitudes and longitudes of one country
WRONG: list[Pair] = [(48.5, 51.25), (52.75, 47.5), (7.25, 12.5), (0.0, 50.0), (49.5, 93.0), (9.5, 95.25)]
SWAPPED: list[Pair] = [(13.4, 52.5), (6.9, 50.9), (11.5, 48.1)]
BOXES: list[Pair] = [(f"ada{n}@example.org", f"+49 30 {5550 + n}") for n in range(16)]
BOTH_ALIKE: list[Pair] = [("tim@example.org", "zoe@example.org"), ("0301 445566", "0301 445577"), ("none", "x@y.org")]


def turned(stay: list[Pair], swapped: list[Pair], elsewhere: list[Pair] = []) -> bool:  # noqa: B006 - not changed
    """Whether all that were exchanged are believed, of either of both columns."""
    cells: list[Pair] = [*((a, a) for a, _ in stay), *swapped]
    beside: list[Pair] = [*((b, b) for _, b in stay), *((b, a) for a, b in swapped)]
    rows = list(range(len(stay), len(cells)))
    more = [((a, a), (b, b)) for a, b in elsewhere]
    found = exchanged_rows(cells, beside, rows, more)
    assert found == exchanged_rows(beside, cells, rows, [(other, one) for one, other in more])
    return bool(rows) and found == rows


def test_numbers_of_two_ranges_may_be_exchanged() -> None:
    """A latitude in the column of longitudes, also where some rows have two of one kind, a zero or another number."""
    assert turned([*PLACES, *WRONG], SWAPPED)
    assert turned([*PLACES, *WRONG], SWAPPED[:1])
    assert turned([(b, a) for a, b in [*PLACES, *WRONG]], [(b, a) for a, b in SWAPPED])


def test_numbers_of_a_csv_file_are_texts() -> None:
    """And as good; not beside a text that is no number."""
    stay, swapped = ([(str(a), str(b)) for a, b in pairs] for pairs in ([*PLACES, *WRONG], SWAPPED))
    assert turned(stay, swapped)
    assert not turned([*stay, ("13.0", "50.1")], swapped)
    assert not turned([*stay, ("47,5", "7.1")], swapped)


def test_numbers_are_not_exchanged_where_a_pair_of_their_kind_stays() -> None:
    """One that is left alone, and one more number, a cheap or a dear one, that is exchanged as well."""
    assert not turned([*PLACES, *WRONG, (13.0, 50.1)], SWAPPED)
    assert not turned([*PLACES, *WRONG], [*SWAPPED, (13.0, 93.0)])
    assert not turned([*PLACES, *WRONG], [*SWAPPED, (51.0, 53.0)])


def test_numbers_without_a_gap_between_them_are_not_exchanged() -> None:
    """Quantities and prices are of all sizes: a small and a large one may be either."""
    stay = [*PLACES, (30.5, 9.0), (28.0, 31.0), (20.0, 40.5)]
    assert not turned([*stay, *WRONG], SWAPPED)


def test_more_pairs_must_show_where_numbers_belong_than_are_exchanged() -> None:
    """All right ones turned into the wrong ones; few rows are enough where the sample has more."""
    assert not turned([*SWAPPED, *WRONG], PLACES)
    assert not turned([*PLACES[:4], *WRONG], SWAPPED)
    assert turned([*PLACES[:4], *WRONG], SWAPPED, PLACES[4:])


def test_texts_of_two_kinds_may_be_exchanged() -> None:
    """An address and a telephone number, also where both boxes of a row hold one kind, or one of them is empty."""
    swapped = [("0301 445511", "info@example.org"), ("+49 171 1234", "bo@example.org")]
    assert turned([*BOXES, *BOTH_ALIKE], swapped)
    assert turned([*BOXES, *BOTH_ALIKE], [*swapped, (None, "ida@example.org"), ("0301 99", None)])


def test_texts_are_not_exchanged_without_a_reason() -> None:
    """Two addresses, a pair that stays as it was, a mark that few have in either column, and more than are right."""
    swapped = [("0301 445511", "info@example.org"), ("+49 171 1234", "bo@example.org")]
    assert not turned([*BOXES, *BOTH_ALIKE], [*swapped, ("eve@example.org", "al@example.org")])
    assert not turned([*BOXES, *BOTH_ALIKE, ("0301 7", "al@example.org")], swapped)
    assert not turned([*BOXES[:2], *BOTH_ALIKE], swapped)
    names = [*((f"Ada {n}", f"Lee {n}") for n in range(14)), *((f"Bo {n}", f"Smith-Day {n}") for n in range(12))]
    assert not turned(names, [("Anne-Marie 1", "Hill 1")])


def test_the_right_order_is_not_turned_round() -> None:
    """More dates are exchanged than stay, whatever words stand in other rows."""
    days: list[Pair] = [(f"2022-05-{n}", f"2022-06-{n}") for n in range(10, 28)]
    words: list[Pair] = [(f"2022-07-{n}", "open") for n in range(10, 28)]
    late = [(b, a) for a, b in days[:12]]
    assert turned([*days, *words], late)
    assert not turned([*late, *words], days)


def test_a_night_is_no_exchange_of_its_ends() -> None:
    """From 22:30 to 06:00 the next day; dates that are the wrong way round are exchanged."""
    days: list[Pair] = [(f"0{8 + n % 2}:15", f"{16 + n % 4}:45") for n in range(24)]
    assert not turned(days, [("22:30", "06:00"), ("23:15", "07:45")])
    spans: list[Pair] = [(f"2024-01-{n + 1:02}", f"2024-02-{n + 1:02}") for n in range(24)]
    assert turned(spans, [("2024-03-05", "2024-03-02")])


def test_an_example_shows_which_values_are_exchanged() -> None:
    """A colour and a size, with figures or without; not two colours, and not where the user's are in capitals."""
    shown = [
        ({"size": "black", "colour": "38"}, {"size": "38", "colour": "black"}),
        ({"size": "Red", "colour": "xl"}, {"size": "xl", "colour": "Red"}),
    ]
    sizes, colours = [("BLUE", "M"), ("grey", "40"), ("42", "44")], [("M", "BLUE"), ("40", "grey"), ("44", "42")]
    assert turned_as_shown(("size", "colour"), sizes, colours, range(3), shown) == [0, 1]
    names = [({"size": "KING", "colour": "Ada"}, {"size": "Ada", "colour": "KING"})]
    assert turned_as_shown(("size", "colour"), [("Ada", "King")], [("King", "Ada")], [0], names) == []
    assert turned_as_shown(("size", "colour"), sizes, [("M", "M"), *colours[1:]], [0], shown) == []
