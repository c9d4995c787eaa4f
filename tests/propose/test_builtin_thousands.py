"""What the commas and points of numbers with three figures behind them are, as the column and the table show."""

from tests.propose.builtin_help import ask, column, settle, settled

WHOLE = [str(500 + 997 * number) for number in range(200)]


def test_commas_part_thousands_among_whole_numbers_as_large_though_a_few_are_small() -> None:
    """187,137 stands among numbers up to 200,000; that one is 1,012 and some are below a thousand is no doubt."""
    cells = [f"{int(cell):,}" if place % 3 == 0 and int(cell) >= 1000 else cell for place, cell in enumerate(WHOLE)]
    assert settled(["1,012", *cells], "mileage") == ["1012", *WHOLE]


def test_points_between_thousands_do_not_make_commas_of_another_column_decimal() -> None:
    """A price of 53.017 beside 48500 tells of itself only: once, $53,017 stood there too."""
    prices = [str(20_000 + 531 * number) for number in range(60)] + ["53.017", "24.578", "56.037"]
    doubtful = ["1,549", "1,612", "1,899"] * 21
    cleaned, _ = settle(column(doubtful, "weight", price=prices))
    assert list(cleaned["weight"]) == doubtful
    told = settle(column(doubtful, "weight", price=["1.250,75", "893,40", "2.045,99"] * 21))[0]
    assert list(told["weight"])[:3] == ["1.549", "1.612", "1.899"]


def test_gravities_of_three_decimals_are_no_thousands_and_the_note_is_true() -> None:
    """1.048 beside 1052 may be the same with and without its point: nothing is rewritten, and that is what is said."""
    cells = [f"1.{number:03d}" for number in range(38, 92)] * 4 + [str(1000 + number) for number in range(40, 60)]
    cells += ["1,048", "1,061", "1,074"]
    assert settled(cells, "gravity") == cells
    assert any(
        "Points in gravity" in note and "All numbers stay" in note for note in ask(column(cells, "gravity")).notes
    )


def test_points_part_thousands_beside_whole_numbers_as_large() -> None:
    """Several groups in front show it; this is the right data beside which the gravities stand."""
    cells = [f"{number:,}".replace(",", ".") for number in range(1100, 9000, 97)] + ["1247", "5310", "8124", "2045"]
    assert settled(cells, "stock") == [cell.replace(".", "") for cell in cells]
