"""The built-in proposer takes no number of miles for one of kilometres, whatever says which of them a column holds."""

import pytest

from tests.propose.builtin_help import column, settle, settled

PLAIN = [str(number) for number in range(11, 91)]


@pytest.mark.parametrize(
    ("name", "odd"),
    [
        ("distance_km", "140 mi"),
        ("weight_kg", "805 lbs"),
        ("temp_c", "97 °F"),
        ("Price (EUR)", "$472"),
        ("costEur", "£47"),
        ("time_h", "29 min"),
        ("speed_kmh", "72 mph"),
        ("yield [l]", "67 ml"),
        ("temp_c", "67 F"),
        ("temp", "67 C"),
        ("glucose (mmol/l)", "67 mg/dl"),
        ("yield t/ha", "67 kg/ha"),
        ("yield t/ha", "67 kg"),
        ("yield t/ha", "67 t"),
        ("dose mg/kg", "67 mg"),
        ("speed (m/s)", "67 km/h"),
        ("dose", "67 mg/kg"),
        ("house", "67 h"),
        ("age_months", "8 yrs"),
        ("age (mo)", "8 y"),
        ("volume_hl", "4700 l"),
        ("durée", "47 mois"),
        ("tenure", "11 months"),
        ("age", "11 months"),
        ("Alter", "11 Monate"),
        ("edad", "11 días"),
    ],
)
def test_a_number_in_another_unit_keeps_it(name: str, odd: str) -> None:
    """Without its unit, it would be read in the one of the column's name."""
    cells = [*PLAIN, odd, odd]
    assert settled(cells, name) == cells


@pytest.mark.parametrize(
    ("name", "odd", "mended"),
    [
        ("distance_km", "140 km", "140"),
        ("distance", "140 mi", "140"),
        ("price_min", "$47", "47"),
        ("temp_c", "97 °C", "97"),
        ("cost_eur", "€47", "47"),
        ("wind_kt", "47kt", "47"),
        ("latency_ms", "47 ms", "47"),
        ("age", "47 years", "47"),
        ("temp_c", "47 C", "47"),
        ("tempF", "47F", "47"),
        ("yield t/ha", "47 t/ha", "47"),
        ("glucose (mmol/l)", "47 mmol/L", "47"),
        ("speed [km/h]", "47 km/h", "47"),
        ("price €/m²", "47 €/m²", "47"),
        ("age_months", "47 months", "47"),
        ("age (mo)", "47 mo", "47"),
        ("volume_hl", "47hL", "47"),
        ("unidades", "47 uds", "47"),
        ("Ilość", "47 szt.", "47"),
        ("Arbeitszeit", "47 Std.", "47"),
        ("mois", "47 mois", "47"),
    ],
)
def test_the_columns_own_unit_goes(name: str, odd: str, mended: str) -> None:
    """So does a unit beside a name that says none, or one of something else: `min` is no currency."""
    assert settled([*PLAIN, odd, odd], name)[-2:] == [mended, mended]


def test_beside_numbers_in_another_unit_the_columns_own_unit_goes() -> None:
    assert settled([*PLAIN, "12 km", "13 km", "14 mi"], "distance_km")[-3:] == ["12", "13", "14 mi"]


@pytest.mark.parametrize(("beside", "odd"), [("currency", "$222"), ("units", "222 miles")])
def test_a_column_of_units_says_what_a_name_would(beside: str, odd: str) -> None:
    """An amount with a dollar sign in a row of euros is no number of euros; in a row of dollars it is one."""
    usual, rival = ("EUR", "USD") if beside == "currency" else ("km", "mi")
    frame = column([*PLAIN, odd, odd], "amount", **{beside: [usual] * (len(PLAIN) + 2)})
    assert list(settle(frame)[0]["amount"][-2:]) == [odd, odd]
    frame = column([*PLAIN, odd, odd], "amount", **{beside: [usual] * len(PLAIN) + [rival] * 2})
    assert list(settle(frame)[0]["amount"][-2:]) == ["222", "222"]


def test_decimal_commas_stay_where_some_cells_would_keep_theirs() -> None:
    """Before, one habit; afterwards two, if `51,32 Anteile` were left as it is."""
    amounts = [f"{number},{number % 90 + 10}" for number in range(100, 180)]
    cells = [*amounts, "51,32 Anteile", "17,20 Anteile"]
    assert settled(cells, "betrag") == cells
    assert settled([*amounts, "51,32 €", "17,20 €"], "betrag")[-3:] == ["179.99", "51.32", "17.20"]


@pytest.mark.parametrize(("one", "more"), [("1 year", "years"), ("1 day", "days"), ("1 inch", "inches")])
def test_one_of_a_unit_stays_singular(one: str, more: str) -> None:
    """So it does where most cells say one; where the unit has no plural among more than one, it gets none."""
    cells = [f"{number} {more}" for number in range(2, 40)]
    assert settled([*cells, one, one, f"7{more}"], "stay") == [*cells, one, one, f"7 {more}"]
    assert settled([one] * 50 + [*cells[:8], f"9{more}"], "stay") == [one] * 50 + [*cells[:8], f"9 {more}"]
    pounds = [f"{number} lb" for number in range(1, 40)]
    assert settled([*pounds, "6 lbs"], "weight") == [*pounds, "6 lb"]


@pytest.mark.parametrize(
    ("plain", "odd"),
    [
        ([str(height) for height in range(160, 190)], "1.81 m"),
        ([str(grams) for grams in range(200, 1900, 50)], "2.4 kg"),
        (["1", "2", "5"] * 10, "330 ml"),
        ([str(degrees) for degrees in range(10, 30)], "85 °F"),
        ([str(price) for price in range(20, 900, 9)], "¥36126"),
    ],
)
def test_a_number_on_another_scale_keeps_its_unit(plain: list[str], odd: str) -> None:
    """Without it, a man is 1.81 centimetres tall."""
    assert settled([*plain, odd, odd]) == [*plain, odd, odd]


@pytest.mark.parametrize(
    ("usual", "odd", "mended"),
    [
        (
            [str(n * 1000) for n in range(40, 300)],
            ["30.000 km", "125.000", "216.000 km"],
            ["30000", "125000", "216000"],
        ),
        ([str(n * 1000) for n in range(80, 300)], ["847.000 €", "90.000", "99.500"], ["847000", "90000", "99500"]),
        (["1.052.000 TL", "1.356.000 TL", "2.356.000 TL"], ["304.000TL", "₺716.000"], ["304000 TL", "716000 TL"]),
    ],
)
def test_points_part_thousands_where_the_other_numbers_show_it(
    usual: list[str], odd: list[str], mended: list[str]
) -> None:
    """Beside whole numbers that are as large, or numbers with two points; no point stays alone without its unit."""
    assert settled([*usual, *odd], "amount")[len(usual) :] == mended


@pytest.mark.parametrize(
    ("usual", "odd"),
    [
        ([str(n * 1000) for n in range(40, 300)], ["30.250", "125.5", "12.125", "9.250"]),
        ([str(n) for n in range(40, 300)], ["30.250 km", "12.125", "9.250 km"]),
        (["123.456.789", "223.456.781", "323.456.782", "423.456.783"], []),
    ],
)
def test_points_that_may_part_decimals_stay(usual: list[str], odd: list[str]) -> None:
    """Beside numbers with other decimals, beside small numbers, and in codes that all have as many figures."""
    result = settled([*usual, *odd], "amount")
    assert [cell.removesuffix(" km") for cell in result] == [cell.removesuffix(" km") for cell in [*usual, *odd]]


@pytest.mark.parametrize(
    ("name", "odd", "mended"),
    [("moves", "32 moves", "32"), ("pontos", "94 pontos", "94"), ("भूमि_एकड़", "12 एकड़", "12"),
     ("věk", "42 let", "42"), ("Alter", "42 Jahre", "42"), ("renewals", "1 renewal", "1"),
     ("revenue_million", "5 million", "5 million"), ("lot", "5 lot", "5 lot")],
)  # fmt: skip
def test_a_word_behind_a_number_that_repeats_the_name_of_its_column_goes(name: str, odd: str, mended: str) -> None:
    """In any language; not where the word says how large the number is, and no short word."""
    usual = [str(number) for number in range(10, 90)]
    assert settled([*usual, odd, odd], name)[-1] == mended


@pytest.mark.parametrize(
    ("usual", "odd", "mended"),
    [
        ("{} days", "19d", "19 days"),
        ("{} weeks", "19 w", "19 weeks"),
        ("{} °C", "19 C", "19 °C"),
        ("{} years", "19y", "19 years"),
        ("{} days", "19w", "19w"),
        ("{} kg", "19d", "19d"),
        ("{}", "19d", "19d"),
    ],
)
def test_a_letter_is_the_unit_that_most_cells_write_in_full(usual: str, odd: str, mended: str) -> None:
    """Alone, or beside another unit, it may be anything."""
    assert settled([*map(usual.format, range(10, 90)), odd, odd], "turnaround")[-1] == mended


def test_amounts_without_cents_are_read() -> None:
    """`282,- €` beside amounts with cents; where most are written so, all stay."""
    usual = [f"{number},50 €" for number in range(30, 90)]
    assert settled([*usual, "282,- €", "95,-- €"], "rate")[-2:] == ["282 €", "95 €"]
    round_ones = [f"{number},- €" for number in range(30, 90)]
    assert settled([*round_ones, "95,- €", "90 €"], "rate") == [*round_ones, "95,- €", "90 €"]
