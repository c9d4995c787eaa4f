"""Signs of comparison and what stands between figures: a sign that says the same is believed, another one is not."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions


@pytest.mark.parametrize(
    "change",
    [
        ("age >= 18 and BMI <= 30", "age ≤ 18 and BMI ≥ 30"),
        ("age >= 18 and BMI <= 30", "age > 18 and BMI < 30"),
        ("pH != 5 at night", "pH = 5 at night"),
        ("state A <=> state B", "state A ≤> state B"),
        ("97%", "≥ 97 %"),
        ("98%+", "98 %"),
        ("37 +- 0.5 °C", "37 0.5 °C"),
    ],
)
def test_another_sign_of_comparison_is_suspected(change: Change) -> None:
    """Turned, weakened, made up, left out: none has a letter or a figure, and each says something else."""
    assert "sign-changed" in [one.kind for one in suspicions([change])]


@pytest.mark.parametrize(
    "change",
    [
        ("age >= 18 and BMI <= 30", "age ≥ 18 and BMI ≤ 30"),
        ("pH != 5, n +- 2", "pH ≠ 5, n ± 2"),
        ("98%+", "≥ 98 %"),
        ("min. 98%", "≥ 98 %"),
        (">= 99,5 %", "≥ 99.5 %"),
        ("a -> b => c", "a → b ⇒ c"),
        ("> a quoted line", "a quoted line"),
        ("age &ge; 18, 5 &plusmn; 1", "age ≥ 18, 5 ± 1"),
        ("<p>age &gt; 18</p>", "age > 18"),
    ],
)
def test_the_same_comparison_is_believed(change: Change) -> None:
    """In another sign, in words, and what is no comparison at all."""
    assert "sign-changed" not in [one.kind for one in suspicions([change])]


def test_a_witness_who_shows_the_sign_change_is_believed() -> None:
    """The user's example of another cell."""
    assert suspicions([("pH != 5 at night", "pH <> 5 at night")]) == []
    cells, witness = [("97%", "≥ 97 %"), ("95%", "≥ 95 %")], ("91%", "≥ 91 %")
    assert "sign-changed" in [one.kind for one in suspicions(cells)]
    assert "sign-changed" not in [one.kind for one in suspicions(cells, witnesses=[witness])]


@pytest.mark.parametrize(
    "change",
    [
        ("3G1,5", "3G15 mm²"),
        ("3 x 2.5 mm2", "3x25 mm²"),
        ("half of it, 1/2 / was gone", "half of it, 1\n2\nwas gone"),
        ("120/80 mmHg", "120 80 mmHg"),
    ],
)
def test_a_mark_between_two_figures_that_goes_is_suspected(change: Change) -> None:
    """Two and a half become twenty-five, a half becomes two numbers."""
    assert "separator-moved" in [one.kind for one in suspicions([change])]


@pytest.mark.parametrize(
    "change",
    [
        ("3G1,5", "3G1.5 mm²"),
        ("3.46 m", "346 cm"),
        ("1/2 of it / the rest", "1/2 of it\nthe rest"),
        ("Fig. 3,4", "Fig. 3, 4"),
    ],
)
def test_a_mark_that_is_written_otherwise_or_converted_is_believed(change: Change) -> None:
    assert suspicions([change]) == []


def test_the_sign_of_a_product_is_no_letter() -> None:
    """4×16 has four cores without earth, 4G16 has one with it."""
    assert "sign-changed" in [one.kind for one in suspicions([("4×16mm²", "4G16 mm²")])]
    assert suspicions([("4×16mm²", "4x16 mm²"), ("4 x 25 mm²", "4×25 mm²")]) == []


def test_a_figure_that_only_a_few_cells_lose_is_no_decoration() -> None:
    """The 5 of `4/5` stands in every cell, the 16 of `3x25+16` in some of them."""
    cables = [(f"{cores}x1,5", f"{cores}x1.5 mm²") for cores in range(2, 13)]
    assert "figures-lost" in [
        one.kind for one in suspicions([*cables, ("3x25+16", "3x25 mm²"), ("4x35+16", "4x35 mm²")])
    ]
    assert suspicions([(f"{points}/5", str(points)) for points in range(1, 5)]) == []


def test_letters_that_a_code_gets_behind_it_are_suspected() -> None:
    """JO62 is a field, JO62mm a place in its middle that nobody said."""
    assert "letters-added" in [one.kind for one in suspicions([("JO62", "JO62mm"), ("jo62QM", "JO62qm")])]
    assert suspicions([("jo62QM", "JO62qm"), ("io91XL07", "IO91xl07")]) == []


def test_a_link_or_code_in_a_text_stays_whole() -> None:
    """A line break at each stroke breaks links, and a sign that is made nicer breaks code."""
    assert "separator-moved" in [
        one.kind for one in suspicions([("see https://a.example/b / yes", "see https:\n\na.example\nb\nyes")])
    ]
    assert "value-changed" in [one.kind for one in suspicions([("run `x >= 1` first", "run `x ≥ 1` first")])]
    assert suspicions([("n >= 2, run `x >= 1` first", "n ≥ 2, run `x >= 1` first")]) == []


def test_a_capital_stays_where_only_its_mark_changes() -> None:
    """Letters with a cedilla become those with a comma below, and capitals stay capitals."""
    assert "case-changed" in [one.kind for one in suspicions([("Ştefan şi ţara", "ștefan și țara")])]
    assert suspicions([("Ştefan şi ţara", "Ștefan și țara")]) == []


def test_pictures_that_become_words_are_believed_beside_those_that_stay() -> None:
    """A couple stays a couple; a thumb that turns is suspected."""
    assert "sign-changed" not in [one.kind for one in suspicions([("♂♀ seen, 24 ♂", "♂♀ seen, 24 males")])]
    assert "sign-changed" in [one.kind for one in suspicions([("♂♀ seen, 24 ♂", "♂♀ seen, 24 ♀")])]


YEARS = [(str(year), str(year)) for year in range(1950, 1970)]


def test_brackets_around_a_year_among_years_say_nothing() -> None:
    """No year is a loss; among amounts of the same size, and among few years, a number in brackets may be one."""
    opened = ("(1961)", "1961")
    assert suspicions([*YEARS, opened]) == []
    for others in ([*YEARS, ("2650", "2650")], YEARS[:5], [*YEARS, ("-12", "-12")]):
        assert "sign-changed" in [one.kind for one in suspicions([*others, opened])]
    assert "sign-changed" in [one.kind for one in suspicions([*YEARS, ("(250)", "250")])]


@pytest.mark.parametrize(
    ("change", "is_believed"),
    [
        (("58:42", "00:58:42"), True),
        (("25:10", "0:25:10"), True),
        (("12:30", "00:12:30"), False),  # half past twelve, perhaps
        (("58:42", "01:58:42"), False),
        (("58:42", "00:58:24"), False),
    ],
)
def test_minutes_and_seconds_get_hours_of_which_none_passed(change: Change, is_believed: bool) -> None:
    """Only where the first number is no hour of a day, and nothing else changes."""
    cells = [("00:59:10", "00:59:10"), ("01:02:03", "01:02:03"), change]
    assert (suspicions(cells) == []) is is_believed
