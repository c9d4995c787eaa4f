"""An example speaks for other cells that change just as its own: the same words go or come, or both say nothing."""

import pytest

from orchestrator.gate.information.as_shown.own_beginnings import own_beginnings
from orchestrator.gate.information.as_shown.same_as_shown import same_as_shown
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

Cells = list[Change]


def stay(*texts: str) -> Cells:
    return [(text, text) for text in texts]


CASES: list[tuple[str, Cells, Cells, Change]] = [
    (
        "the same words in front are left out, and others stay",
        [("CORP\\anna", "anna"), ("tim.roth", "tim.roth")],
        [("CORP\\zoe.roth", "zoe.roth"), *stay("zoe.roth", "ada", "ken.berg", "tim.mee")],
        ("CORP\\zoe.roth", "zoe"),
    ),
    (
        "the same part of a link becomes another one",
        [("https://uk.lamp.example/in/ken", "https://www.lamp.example/in/ken")],
        [("https://uk.lamp.example/in/ada-418", "https://www.lamp.example/in/ada-418"), *stay("n/a", "none")],
        ("https://uk.lamp.example/in/ada-418", "https://www.lamp.example/in/ada-481"),
    ),
    (
        "the same sign parts the items",
        [("Berg, A. & Kay, B.", "Berg, A. | Kay, B.")],
        [("Hopper, Ada & Dyk, Ken", "Hopper, Ada | Dyk, Ken"), *stay("Hopper, Ada", "Mee, Tim")],
        ("Hopper, Ada & Dyk, Ken", "Hopper, Ada | Dyk, Tim"),
    ),
    (
        "words for nothing become the same word",
        [("-", "Other")],
        [("n/a", "Other"), ("-", "Other"), *stay("Other", "Lamps", "Desks", "Chairs")],
        ("Toys", "Other"),
    ),
    (
        "each address of a text is hidden in the same way",
        [("Write to ada.1@lamp.example.", "Write to [email].")],
        [
            ("<tim_95+x@lamp.example>; cc jo.12@OAK.example, order 598", "<[email]>; cc [email], order 598"),
            *stay("order 597", "no order"),
        ],
        ("<tim_95+x@lamp.example>; cc jo.12@OAK.example, order 598", "<[email]>; cc [email], order 589"),
    ),
    (
        "a signature below the same line is cut off",
        [("It works.\n\n-- \nAda Hopper\nRome", "It works.")],
        [("Order 5230 please.\n--\nRoth Ltd\n803 Park St", "Order 5230 please."), *stay("ok", "thanks, 12 is fine")],
        ("Order 5230 please.\n--\nRoth Ltd\n803 Park St", "Order please."),
    ),
    (
        "a short form becomes the value that examples show of another word",
        [("(+)", "trace"), ("++", "2+")],
        [("tr", "trace"), ("(+)", "trace"), ("+++", "3+"), ("+", "1+"), *stay("neg", "1+", "2+", "3+")],
        ("nil", "trace"),
    ),
    (
        "a word goes beside a number, whatever stood between the two",
        [("SF-Klasse 12", "SF12"), ("sf 7", "SF7")],
        [("SF Klasse 19", "SF19"), ("SF Klasse 27", "SF27"), *stay("SF1", "SF3", "M", "SF30")],
        ("SF Klasse 19", "SF91"),
    ),
]


@pytest.mark.parametrize(("what", "shown", "cells", "wrong"), CASES)
def test_cells_that_change_as_an_example_shows_are_settled(
    what: str, shown: Cells, cells: Cells, wrong: Change
) -> None:
    """The right change beside a wrong one of the same kind, which stays suspected."""
    assert suspicions(cells, shown) == [], what
    assert suspicions([wrong, *cells[1:]], shown), what


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (("n/a", "0"), ("-", "0")),  # nothing in the books is no number that is not known
        (("NA", "Other"), ("-", "Other")),  # beside DE and FR it is a country
        (("unpaid", "paid"), ("unknown", "known")),  # a part of a word is no word
        (("1,250", "1.250"), ("0,5", "0.5")),  # a sign between figures may be one of two
        (("1. Oak 803\n2. Elm 12", "1. Oak 803"), ("b\n\n-- \nAda", "b")),  # another line begins what goes
        (("ada@oak.example 12 kg", "[email]"), ("ken@oak.example", "[email]")),  # more than the address
    ],
)
def test_what_only_looks_like_an_example_is_not_settled(change: Change, shown: Change) -> None:
    """Each of these is suspected with the example as it is without."""
    others = [*stay("DE", "FR", "paid", "12.5", "1.5", "[email]"), change]
    assert suspicions(others, [shown])


def test_a_beginning_of_two_values_is_no_short_form_of_one() -> None:
    """`tr` of `trace`, which an example shows of another word, and not of `trace` and `traumatic`."""
    cells = [("tr", "trace"), ("(+)", "trace"), ("++", "2+"), *stay("neg", "1+", "2+")]
    assert own_beginnings([("tr", "trace")], cells, [("(+)", "trace")]) == {("tr", "trace")}
    assert own_beginnings([("tr", "trace")], [*cells, *stay("traumatic")], [("(+)", "trace")]) == set()
    assert own_beginnings([("nil", "trace")], cells, [("(+)", "trace")]) == set()


def test_a_place_that_an_example_keeps_may_stay() -> None:
    """A time in a sentence keeps its point, beside times of subtitles that get a comma."""
    titles = [(f"0{n}:02.500 --> 0{n}:04.000", f"0{n}:02,500 --> 0{n}:04,000") for n in range(1, 6)]
    both = "07:02.500 --> 07:04.000\nat 08:02.500", "07:02,500 --> 07:04,000\nat 08:02.500"
    shown = [titles[0], ("at 01:02.500", "at 01:02.500")]
    assert "value-changed" not in {one.kind for one in suspicions([both, *titles], shown)}
    assert "value-changed" in {one.kind for one in suspicions([both, *titles], shown[:1])}


def test_a_title_with_its_article_in_front_says_the_same() -> None:
    """Another title of the same words is no reason to doubt it; another article is."""
    turned = [("vase vase, The", "The vase vase"), ("chair rug, A", "A chair rug"), ("clock stool, A", "A clock stool")]
    titles = [*turned, *stay("The chair mug", "A mirror", "The kettle desk", "The mirror kettle")]
    assert suspicions([("mug chair, The", "The mug chair"), *titles]) == []
    assert suspicions([("mug chair, The", "A mug chair"), *titles])


def test_a_query_of_a_link_is_read() -> None:
    """A plus is a blank where signs are written in percent; figures of no escape may not go."""
    others = stay("red lamp", "desk", "chair 9")
    assert suspicions([("stool+%26+carpet", "stool & carpet"), *others]) == []
    assert suspicions([("stool+26+%26+carpet", "stool & carpet"), *others])


def test_a_point_that_moves_exchanges_no_figures() -> None:
    """0.27 euros are 27.00 cents, as an example shows of another spelling; two numbers may not change places."""
    shown = [("0,2995 \u20ac/kWh", "29.95 ct/kWh")]
    tariffs = [("0.2995 EUR/kWh", "29.95 ct/kWh"), ("0.31 EUR/kWh", "31.00 ct/kWh"), *stay("28.50 ct/kWh", "none")]
    assert suspicions([("0.27 EUR/kWh", "27.00 ct/kWh"), *tariffs], shown) == []
    assert "order-changed" in {
        one.kind for one in suspicions([("27 of 31 ct/kWh", "31 of 27 ct/kWh"), *tariffs], shown)
    }


def test_a_country_is_its_code_whatever_its_first_letter_becomes() -> None:
    """`A` as AT says nothing of `A1`, which is no country; Austria is known."""
    shown = [("A", "AT"), ("Deutschland", "DE")]
    cells = [("A", "AT"), ("Deutschland", "DE"), *stay("CH", "FR", "IT")]
    assert suspicions([*cells, ("Austria", "AT")], shown) == []
    assert suspicions([*cells, ("A1", "AT")], shown)


def test_hours_that_are_none_are_left_out_where_seconds_are_the_last_part() -> None:
    """`00:02:59` as `2:59` of minutes and seconds, beside `225 s`; without it nobody knows what 2:59 counts."""
    shown = [("225 s", "3:45")]
    cells = [("225 s", "3:45"), ("00:02:59", "2:59"), *stay("4:10", "5:55", "3:01")]
    assert suspicions(cells, shown) == []
    assert suspicions(cells, [])
    assert suspicions([*cells, ("01:02:59", "2:59")], shown)


def test_half_of_a_change_is_not_that_of_an_example() -> None:
    """The first sign is replaced, and the same one stays behind it."""
    shown = "Kay, A. & Oak, B.", "Kay, A. | Oak, B."
    assert same_as_shown(("Roe, A. & Mee, B.", "Roe, A. | Mee, B."), shown)
    assert not same_as_shown(("Roe, A. & Mee, B. & Dyk, C.", "Roe, A. | Mee, B. & Dyk, C."), shown)
