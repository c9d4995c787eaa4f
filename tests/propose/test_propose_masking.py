"""Fakes: same shape, never the same value, the same fake for the same value, nobody's business without the key."""

import datetime as dt
import decimal
import math
import re
import unicodedata

import pyarrow as pa
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from orchestrator.data.writing.letterlike import LETTERLIKE
from orchestrator.propose.privacy.masking import Masker
from orchestrator.propose.privacy.measured import is_measured
from orchestrator.propose.prompting.column_profile import pattern

MASK = Masker(b"a key")
TEXTS = st.text(max_size=40) | st.text("aB3 -./Öß\u0130", max_size=12)


@given(TEXTS)
@example(" Bad  TÖLZ-7 straße 007 12.50 \u0130stanbul")
def test_a_fake_has_the_shape_of_its_value(text: str) -> None:
    """Character by character the kind is kept: digits, letters of either case, and everything else as it was."""
    fake = MASK.text(text)
    assert len(fake) == len(text)
    for was, now in zip(text, fake, strict=True):
        if was.isalpha() or was.isdecimal():
            assert was.isdecimal() == now.isdecimal()
            if was.isascii():
                assert pattern(was) == pattern(now)
        elif unicodedata.category(was)[0] == "M" or re.match(f"[{LETTERLIKE}]", was):
            assert unicodedata.category(now)[0] == unicodedata.category(was)[0]
        elif not was.isalnum():
            assert was == now


@given(st.text(st.characters(categories=["Lu", "Ll", "Nd"], max_codepoint=0x24F), min_size=1, max_size=20))
def test_no_character_of_a_run_stays(text: str) -> None:
    """In letters and digits of Western scripts nothing shines through but zeros in front, and units beside numbers."""
    assume(not is_measured(text))
    for was, now in zip(text.lstrip("0"), MASK.text(text)[len(text) - len(text.lstrip("0")) :], strict=True):
        if was != "0":
            assert was != now or unicodedata.category(was) not in {"Lu", "Ll", "Nd"} or MASK.text(text) == text


@pytest.mark.parametrize(
    "values",
    [
        [str(number) for number in range(1_125)],
        [f"{number:05}" for number in range(2_000)],
        [f"10{number:03}" for number in range(1_000)],
        [f"{number}" for number in range(19_990_000, 20_010_000, 7)],
        [f"{year}-{number:02}" for year in (0, 999, 1899, 1900, 2024, 2100, 9999) for number in range(100)],
        [a + b + c for a in "abcdefghij" for b in "klmnopqrst" for c in "uvwxyzabcd"],
        [a + b + c for a in "äöüßéèñç" for b in "ÄÖÜÉÈÑÇa" for c in "щжшбвгде"],
    ],
)
def test_different_values_have_different_fakes(values: list[str]) -> None:
    """A key stays a key: a column of distinct ids or words has as many distinct fakes."""
    assert len({MASK.text(value) for value in values}) == len(values)


PIECES = st.one_of(
    st.sampled_from(["5", "05", "12", "31", "29", "2024", "24", "March", "mar", "MAI", "na", "yes", "Ulm", "ulm"]),
    st.sampled_from([*" ßŸªµıİ-./:,T", "pm", "Z", "00"]),
)
DATES = st.builds(
    dt.date.strftime, st.dates(), st.sampled_from(["%Y-%m-%d", "%d.%m.%y", "%d %b %Y", "%B %d, %Y", "%m/%d/%Y"])
)
FINE = st.one_of(st.integers(0, 9_999).map(lambda n: n / 100), st.floats(allow_nan=False))


@pytest.mark.parametrize(
    "values",
    [
        st.one_of(st.lists(PIECES, max_size=7).map("".join), DATES, TEXTS),
        FINE,
        st.dates(),
        st.datetimes(),
        st.times(),
        st.integers(),
        st.timedeltas(dt.timedelta(-99_999), dt.timedelta(99_999)),
        st.binary(max_size=2),
    ],
)
def test_fakes_of_a_type_are_one_to_one(values: st.SearchStrategy[object]) -> None:
    """Whatever the values are, also dates in any format, words for nothing and rare letters: no two share a fake."""

    @settings(deadline=None, max_examples=40)
    @given(st.lists(values, min_size=30, max_size=60, unique=True))
    def hold(drawn: list[object]) -> None:
        assert len({MASK.cell(value) for value in drawn}) == len(set(drawn))

    hold()


def test_every_letter_has_a_fake_of_its_own() -> None:
    """Also capitals whose small letter lies elsewhere, and letters that are alone of their kind."""
    letters = [chr(code) for code in range(0x3000) if chr(code).isalnum()]
    assert len({MASK.text(letter) for letter in letters}) == len(letters)


def test_a_date_becomes_a_date_that_exists_in_every_format() -> None:
    """The same date has the same fake whether it is written in figures, with a name, or typed; the order stays told."""
    days = [dt.date(1960, 1, 1) + dt.timedelta(days=11 * n) for n in range(2_000)]
    fakes = {day: MASK.cell(day) for day in days}
    assert len(set(fakes.values())) == len(days)
    for day, fake in fakes.items():
        assert fake != day
        assert (day.day > 12) == (fake.day > 12)
        assert MASK.text(day.isoformat()) == fake.isoformat()
        assert MASK.text(f"{day:%Y%m%d}") == str(MASK.cell(int(f"{day:%Y%m%d}"))) == f"{fake:%Y%m%d}"
        assert MASK.text(f"{day:%d.%m.%Y}") == f"{fake:%d.%m.%Y}"
        assert MASK.text(f"{day:%d %B %Y}") == f"{fake:%d %B %Y}"
        assert MASK.text(f"{day:%m/%d/%Y} 14:30 PM").startswith(f"{fake:%m/%d/%Y} ")


@pytest.mark.parametrize("form", ["%Y-%m", "%m/%Y"])
def test_a_month_of_a_year_becomes_another_month(form: str) -> None:
    """No month is above 12 that was none, and none of the others becomes one."""
    days = [dt.date(year, month, 1) for year in range(1900, 2100, 7) for month in range(1, 13)]
    fakes = {dt.datetime.strptime(MASK.text(f"{day:{form}}"), form).replace(tzinfo=dt.UTC).date() for day in days}
    assert len(fakes) == len(days)
    assert all(MASK.text(f"{day:{form}}") != f"{day:{form}}" for day in days)
    for text in (f"{dt.date(2024, 3, 1):{form}}".replace("03", f"{number}") for number in range(13, 100)):
        with pytest.raises(ValueError, match=r"does not match|unconverted"):
            dt.datetime.strptime(MASK.text(text), form).replace(tzinfo=dt.UTC)


def test_what_only_looks_like_a_date_still_only_looks_like_one() -> None:
    """Month 13 is an issue to be found; no true date may hide it, and none may be made to look like it."""
    for text in ("2024-13-45", "30.02.2024", "99/99/99", "31 Apr 2024"):
        assert MASK.text(text) != text
    for number in range(13, 100):
        fake = MASK.text(f"2024-{number}-{number}")
        with pytest.raises(ValueError, match=r"month|day"):
            dt.date.fromisoformat(fake)


def test_times_stay_times_and_midnight_midnight() -> None:
    """Hours below 24, minutes and seconds below 60, and the signs around them."""
    for hour in range(24):
        fake = MASK.text(f"2024-03-05T{hour:02}:{2 * hour:02}:59Z")
        assert dt.datetime.fromisoformat(fake).tzinfo is dt.UTC
    assert MASK.text("00:00") == "00:00"
    assert MASK.text("7:05 PM").endswith(" PM")


def test_words_for_yes_and_no_stay_and_nothing_becomes_one() -> None:
    """A column of yes and no is told by its words; a state code must not turn into `NA` or `no`."""
    for word in ("yes", "No", "TRUE", "n", " ja "):
        assert MASK.text(word) == word
    codes = [a + b for a in "abcdefghijklmnopqrstuvwxyz" for b in "abcdefghijklmnopqrstuvwxyz"]
    for key in range(20):
        masker = Masker(bytes([key]))
        fakes = [masker.text(code) for code in codes if code not in ("na", "no", "ja")]
        assert not {"na", "no", "ja"} & set(fakes)
        assert len(set(fakes)) == len(fakes)


def test_a_month_or_day_does_not_become_zero() -> None:
    """What is no zero has no zero for a fake, also behind zeros in front: there is no month 00."""
    assert "00" not in {MASK.text(f"{number:02}") for number in range(1, 32)}


def test_repetition_case_and_blanks_still_show() -> None:
    """What is the same but for case, blanks and separators has fakes that are the same but for these."""
    fake = MASK.text("Ulm")
    assert MASK.text(" Ulm ") == f" {fake} "
    assert MASK.text("ULM") == fake.upper()
    assert MASK.text("ulm-Ulm") == f"{fake.lower()}-{fake}"
    assert MASK.text("0176/4829") == MASK.text("0176") + "/" + MASK.text("4829")
    assert MASK.text("007").startswith("00")
    assert not MASK.text("7").startswith("0")


SYMBOLS = [
    "\u24b6\u24dd\u24dd\u24d0",
    "\u2801\u281d",
    "\u2f08\u2f09",
    "\U0001f130\U0001f13d",
    "\uf041\uf06e \U000f0041",
]


@pytest.mark.parametrize("text", ["हिन्दी", "สวัสดี", "e\u0301te\u0301", "\u00bd \u2167", *SYMBOLS])
def test_what_is_read_as_a_letter_or_a_number_does_not_stay(text: str) -> None:
    """Marks, odd numbers, and symbols in which people read letters are replaced too, in fakes as in patterns."""
    fake, pattern_of = MASK.text(text), pattern(text)
    assert [a == b for a, b in zip(text, fake, strict=True)] == [c == " " for c in text]
    assert MASK.text(f" {text}") == f" {fake}"
    assert not set(text) - {" "} & set(pattern_of)


def test_words_for_nothing_stay() -> None:
    """They are nobody's secret, and a model has to see them."""
    for word in ("N/A", "null", "-", "", "  ", "#REF!", "Unknown"):
        assert MASK.text(word) == word


def test_the_key_makes_the_fakes() -> None:
    """The same key gives the same fakes in another process; another key gives others."""
    assert Masker(b"a key").text("Zyxwarth Quellindor") == MASK.text("Zyxwarth Quellindor")
    assert Masker(b"another").text("Zyxwarth Quellindor") != MASK.text("Zyxwarth Quellindor")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (83920417, pa.int64()),
        (-12, pa.int32()),
        (48213.77, pa.float64()),
        (1e-05, pa.float64()),
        (decimal.Decimal("1200.50"), pa.decimal128(12, 2)),
        (dt.date(1987, 3, 14), pa.date32()),
        (dt.datetime(1987, 3, 14, 8, 30), pa.timestamp("us")),  # noqa: DTZ001 - many files say no time zone
        (dt.datetime(1987, 3, 14, tzinfo=dt.UTC), pa.timestamp("us", "UTC")),
        (dt.time(8, 30), pa.time64("us")),
        (dt.timedelta(days=3), pa.duration("us")),
        (b"\x00secret", pa.binary()),
        (["Quellindor", "Ulm"], pa.list_(pa.string())),
        ({"a": "Quellindor", "b": 83920417}, pa.struct([("a", pa.string()), ("b", pa.int64())])),
    ],
)
def test_every_type_is_masked_in_its_type(value: object, kind: pa.DataType) -> None:
    """A masked column has the type of the real one and none of its values; nulls stay nulls."""
    real = pa.table({"c": pa.array([value, None, value], kind)})
    masked = MASK.table(real)
    assert masked.schema == real.schema
    first, nothing, again = masked.column("c").to_pylist()
    assert first == again
    assert first != value
    assert nothing is None


def test_what_a_type_cannot_hold_becomes_text() -> None:
    """Three digits do not always fit into a byte; special floats, booleans and midnight are nobody's secret."""
    masked = MASK.table(pa.table({"n": pa.array(range(100, 128), pa.int8())}))
    assert all(len(str(fake)) == 3 for fake in masked.column("n").to_pylist())
    assert math.isnan(MASK.cell(float("nan")))
    assert MASK.cell(float("inf")) == math.inf
    assert MASK.cell(value=True) is True
    assert MASK.cell(dt.datetime(2020, 1, 1, tzinfo=dt.UTC)).hour == 0
    coded = pa.table({"c": pa.array(["Ulm", "Bonn", "Ulm"]).dictionary_encode()})
    assert MASK.table(coded).column("c").to_pylist() == [MASK.text(c) for c in ("Ulm", "Bonn", "Ulm")]


@pytest.mark.parametrize(
    ("cell", "unit"),
    [("$84/mo", "$/mo"), ("13.00 USD", ". USD"), ("EUR 5", "EUR "), ("0.53 TB", ". TB"), ("1h 30m", "h m"),
     ("~178 cm", "~ cm"), ("2 lb 3 oz", " lb  oz"), ("10 km/h", " km/h")],
)  # fmt: skip
def test_a_unit_beside_a_number_stays(cell: str, unit: str) -> None:
    """Whose row it is, it does not say; and a function for the unit's fake would find no cell."""
    fake = Masker(b"key").text(cell)
    assert re.sub(r"\d", "", fake) == unit
    assert fake != cell


@pytest.mark.parametrize("cell", ["12 b", "MO 63101", "46201 IN", "5 kg of Ann", "kg", "Mb", "12 h"])
def test_what_may_be_more_than_a_unit_is_faked(cell: str) -> None:
    """Letters of a house number, a state, a cell with other words, a word alone."""
    word = re.compile(r"[A-Za-z]+")
    assert not {*word.findall(cell)} & {*word.findall(Masker(b"key").text(cell))}


def test_no_other_word_becomes_a_unit_and_no_two_cells_one() -> None:
    """Of all words of two letters behind a number."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    cells = [f"84 {a}{b}" for a in letters for b in letters]
    fakes = {cell: Masker(b"key").text(cell) for cell in cells}
    assert len({*fakes.values()}) == len(cells)
    assert {is_measured(cell) for cell in cells} == {True, False}
    assert all(is_measured(cell) is is_measured(fake) for cell, fake in fakes.items())
    assert all(fake.endswith(cell[-2:]) for cell, fake in fakes.items() if is_measured(cell))
