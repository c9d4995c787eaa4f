"""Answers, codes, sizes, places and addresses: what anybody can look up is believed, and what nobody said is not."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.nested_losses import nested_losses
from orchestrator.gate.information.suspicions import suspicions


def kinds(cells: Sequence[Change], shown: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, shown)}


def stay(*texts: str) -> list[Change]:
    return [(text, text) for text in texts]


CONSENTS = [("ja", "yes"), ("nein", "no"), ("oui", "yes"), ("Yes", "yes"), ("0", "no"), *stay("not asked", "?")]
ICD = stay("N18.5", "J45", "I10", "unspecified", "250.15")
SHIRTS = stay("M", "L", "XL", "2XL", "152")
TONGUES = stay("de", "fr", "it", "nl", "pl")
LANDS = stay("DE", "FR", "AT", "IT")
DISCOUNTS = [("50 %", "50%"), ("29.1 Percent", "29.1%"), *stay("49 EUR", "4+1", "20%")]
MOMENTS = stay("2021-03-04T15:30", "2020-05-06", "unknown")
STATIONS = [("40.6687 S", "-40.66870"), ("59.5609 N", "59.56090"), *stay("24.27108", "moved")]
MAILS = [(" ada@example.com ", "ada@example.com"), ("Tim@example.org", "tim@example.org")]
FRIDGES = [("5,5C", "5.5 °C"), ("44.1F", "6.7 °C"), ("44.9 °F", "7.2 °C"), ("3 °C", "3.0 °C"), *stay("door open")]
ZIPS = [("2138-1234", "02138-1234"), ("02138 1234", "02138-1234"), *stay("65152", "43910-0654", "9365")]
PAGES = stay("One day.\nThen another.", "First line\nSecond line")


@pytest.mark.parametrize(
    "cells",
    [
        [*CONSENTS, ("1", "yes")],
        [*ICD, ("M541", "M54.1"), ("E119", "E11.9")],
        [*SHIRTS, ("XXL", "2XL"), ("XXS", "2XS")],
        [*TONGUES, ("Swahili", "sw"), ("swa", "sw"), ("ger", "de")],
        [*LANDS, ("SUI", "CH"), ("Eire", "IE")],
        [*DISCOUNTS, ("44,9\u2030", "4.49%")],
        [*MOMENTS, ("202103041530", "2021-03-04T15:30"), ("20210304153000+0100", "2021-03-04T15:30:00+01:00")],
        [*stay("632 B"), ("1.5 MB", "1500000 B"), ("700 KiB", "716800 B"), ("1,5 Mo", "1500000 B")],
        [("PT45M", "0:45"), ("PT2H", "2:00"), ("PT1H5M", "1:05"), ("PT3M20S", "3:20"), *stay("1:30", "9:10")],
        [
            ("7.5\u00d710^1", "75"),
            ("2.9 x 10^2", "290"),
            ("1.2\u00d710\u207b\u00b9", "0.12"),
            *stay("1.2", "3.4", "12.5"),
        ],
        [("677-932-0678", "+16779320678"), *stay("+16779320679", "677-93", "5-5-5", "1-2-3", "+1-677")],
        [("0:1a:2b:3:4d:5", "00:1a:2b:03:4d:05"), ("001a.2b3c.4d5e", "00:1a:2b:3c:4d:5e")],
    ],
)
def test_what_anybody_can_look_up_is_believed(cells: list[Change]) -> None:
    """Answers in several languages, codes with their point, sizes, zones, and numbers in another unit."""
    assert kinds(cells) == set()


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        ("other-meaning", [*CONSENTS, ("1", "no")]),
        ("other-meaning", [*LANDS, ("SUI", "SE")]),
        ("other-meaning", [*STATIONS, ("S 45,1665", "45.16650")]),
        ("word-replaced", [*MAILS, ("donald@example", "donald@example.com")]),
        ("figures-added", [("PT45M", "45:00"), *stay("1:30", "9:10")]),
        ("other-meaning", [("7.5\u00d710^1", "7.5"), *stay("1.2", "3.4")]),
        ("mark-lost", [("677-932-0678", "6779320678"), *stay("+16779320679", "677-93", "5-5-5", "1-2-3")]),
        ("scale-changed", [*FRIDGES, ("1", "1.0 °C")]),
        ("figures-lost", [*ZIPS, ("03509", "3509")]),
        ("words-joined", [("[Am]Sing of [C]lamps", "AmSing of Clamps"), *stay("Sing")]),
        ("quantity-changed", [("b. c. 1850 in Rome", "born 1850 in Rome"), *stay("died 1900")]),
        ("lines-joined", [*PAGES, ("Intro\n\nFirst line\nSecond line", "Intro\nFirst line\nSecond line")]),
        ("lines-joined", [("mug\t3\t4\nlamp\t5\t6", "mug 3 4\nlamp 5 6")]),
    ],
)
def test_what_nobody_said_is_suspected(kind: str, cells: list[Change]) -> None:
    """Another answer, country or side of the equator; an end of a host, a unit; zeros, lines and columns that go."""
    assert kind in kinds(cells)


@pytest.mark.parametrize(
    "cells",
    [
        [*MAILS, ("jane@gmail", "jane@gmail.com")],
        [*MAILS, ("jane@acme", "jane@acme.org"), *stay("bo@acme.org")],
        [*STATIONS, ("S 45,1665", "-45.16650")],
        [("7.5 W", "7.5"), ("10.5 W", "10.5")],
        [("(re)open the door", "reopen the door"), *stay("close it")],
        [*stay("a day"), ("One\n\nTwo", "One\nTwo")],
    ],
)
def test_what_others_say_or_what_loses_nothing_is_not_suspected(cells: list[Change]) -> None:
    """A host that is known, watts, a beginning in brackets; texts of which all lines are paragraphs."""
    assert kinds(cells) & {"word-replaced", "other-meaning", "words-joined", "lines-joined"} == set()


GLUCOSE = [("15,2mmol/l", "15.2 mmol/L"), ("6.1 mmol/l", "6.1 mmol/L"), *stay("HI", "LO", "310", "<21 mg/dl")]
CALLS = [("1h 18m", "01:18:00"), ("2:40:25", "02:40:25"), *stay("00:50:37", "536", "missed")]
EYES = [("0,7", "0.70"), *stay("0.98", "CF", "20/42-1")]


@pytest.mark.parametrize(
    ("cells", "shown", "right", "wrong"),
    [
        (GLUCOSE, ("99 mg/dl", "5.5 mmol/L"), ("366 mg/dL", "20.3 mmol/L"), ("366 mg/dL", "2.0 mmol/L")),
        (GLUCOSE, ("99 mg/dl", "5.5 mmol/L"), ("114,4 mg/dl", "6.3 mmol/L"), ("114,4 mg/dl", "63.5 mmol/L")),
        (CALLS, ("65:03", "01:05:03"), ("4:48", "00:04:48"), ("4:48", "00:48:04")),
        (
            CALLS[2:],
            ("020 7946 0123", "+442079460123"),
            ("0161 496 0435", "+441614960435"),
            ("7946 0351", "+442079460351"),
        ),
        (CALLS[2:], ("+39 06 6982", "+39066982"), ("055 276 8224", "+390552768224"), ("276 8224", "+390552768224")),
        (EYES, ("6/12", "0.50"), ("6 / 10", "0.60"), ("6 / 10", "0.16")),
    ],
)
def test_an_example_shows_a_rule_for_other_numbers(
    cells: list[Change], shown: Change, right: Change, wrong: Change
) -> None:
    """A rounded factor, minutes that get hours, the code of a country, a fraction; another result stays suspected."""
    assert kinds([*cells, right], [shown]) == set()
    assert kinds([*cells, wrong], [shown]) != set()


MONTHS = [(f"2020-{month}", f"2020-21{month}") for month in ("01", "03", "07", "11")]
LOANS = [(f"1896-{end}", f"1896-19{end}") for end in ("02", "14", "31")]
PRICES = [("$5", "5"), ("$12", "12"), *stay("7", "n/a")]
GOODS = [("mug unpaid", "mug"), ("lamp unpaid", "lamp"), ("vase unpaid", "vase"), *stay("shelf", "chair")]


@pytest.mark.parametrize(
    ("kind", "cells", "shown"),
    [
        ("other-meaning", MONTHS, []),
        ("value-lost", [("$1,234.50", "1234.50"), ("($1,004.67)", "1004.67")], [("$1,234.50", "1234.50")]),
        ("sign-changed", [*PRICES, ("< $5", "5")], []),
        ("sign-changed", [*PRICES, ("max $5", "5")], []),
        ("words-lost", GOODS, []),
    ],
)
def test_what_looks_like_another_form_and_is_another_value(kind: str, cells: list[Change], shown: list[Change]) -> None:
    """Months as ends of years, amounts in brackets, bounds of prices, words for a state that all rows lose."""
    assert kind in kinds(cells, shown)


def test_short_ends_of_years_are_believed() -> None:
    """1896-02 is 1902 where other ends are no months."""
    assert kinds(LOANS) == set()


@pytest.mark.parametrize(("name", "new"), [("debit", "credit"), ("weight_lb", "weight_kg"), ("cents", "euros")])
def test_a_key_of_another_meaning_is_no_other_name(name: str, new: str) -> None:
    """Though some records have the one and others the other; a name in another spelling is."""
    had = [{name: 5}, {name: 7}, *({new: number} for number in (1, 2, 3))]
    made = [{new: next(iter(one.values()))} for one in had]
    assert "key-lost" in [one.kind for one in nested_losses(had, made)]
    zips = [{"zip": "04"}, *({"postcode": text} for text in ("01", "02", "03"))]
    assert nested_losses(zips, [{"postcode": next(iter(one.values()))} for one in zips]) == []


def test_equal_numbers_and_lines_of_a_list_are_two() -> None:
    """A text that is repeated may go."""
    assert [one.kind for one in nested_losses([[24, 21, 24]], [[24, 21]])] == ["item-lost"]
    line = {"sku": "A1", "qty": 2}
    assert [one.kind for one in nested_losses([[line, line]], [[line]])] == ["item-lost"]
    assert nested_losses([["red", "red", "blue"]], [["red", "blue"]]) == []


def test_names_for_parts_that_nothing_says_are_doubted() -> None:
    """Which part is the family name, neither the text says nor another value; a witness settles it."""
    made = {"family": "Liskov", "given": "Ada"}
    assert [one.kind for one in nested_losses(["Liskov^Ada"], [made])] == ["key-added"]
    assert nested_losses(["Liskov^Ada"], [made], (["King^Tim"], [{"family": "King", "given": "Tim"}])) == []
    assert nested_losses(["family=Liskov;given=Ada"], [made]) == []
    assert nested_losses(["Liskov^Ada", made], [made, made]) == []
    assert nested_losses(["12 kg"], [{"number": 12, "unit": "kg"}]) == []


def test_na_among_codes_of_countries_inside_records_is_a_value() -> None:
    """Namibia is no missing country; beside words it is one."""
    codes = [{"country": code} for code in ("DE", "FR", "AT", "IT", "NA")]
    nulled = [*codes[:-1], {"country": None}]
    assert [one.kind for one in nested_losses(codes, nulled)] == ["cells-emptied"]
    words = [{"state": word} for word in ("open", "closed", "paid", "NA")]
    assert nested_losses(words, [*words[:-1], {"state": None}]) == []
