"""What a user's example shows of other cells, and what it does not."""

from collections.abc import Sequence

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.shown import alike, same_parts_left_out
from orchestrator.gate.information.suspicions import suspicions


def kinds(cells: Sequence[Change], witnesses: Sequence[Change] = ()) -> set[str]:
    return {one.kind for one in suspicions(cells, witnesses)}


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (("Ken <don.5@a.org>", "don.5@a.org"), ("Ada <ada.7@b.org>", "ada.7@b.org")),
        (("Mary Ann Liskov (Dean)", "Mary Ann Liskov"), ("Ada King (Chair)", "Ada King")),
        (("34952-0320", "34952"), ("90210-1234", "90210")),
    ],
)
def test_parts_in_the_same_places_are_shown(change: Change, shown: Change) -> None:
    """Cells that are built alike and lose the same parts, whatever the words are; none of them cut."""
    assert alike(change, shown)
    assert not same_parts_left_out((change[0], change[1][:-1]), shown)


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (("Ken <don.5@a.org>", "ken.5@a.org"), ("Ada <ada.7@b.org>", "ada.7@b.org")),
        (("34952-0320", "0320"), ("90210-1234", "90210")),
        (("Lamp, red, 5", "Lamp, 5"), ("Desk, oak, 7", "Desk, oak")),
        (("red", "blue"), ("old", "new")),
    ],
)
def test_other_parts_are_not_shown(change: Change, shown: Change) -> None:
    """Another word in its place, or another part that goes, is another change."""
    assert not same_parts_left_out(change, shown)


def test_about_a_number_shows_a_bound_and_no_more() -> None:
    """Who takes `~300` for 300 takes `65+` for 65; but not another number, and not a minus."""
    stay = [(f"{n}", f"{n}") for n in range(60, 70)]
    about = [("~300", "300")]
    assert kinds([*stay, ("65+", "65")])
    assert kinds([*stay, ("65+", "65")], about) == set()
    assert kinds([*stay, ("65+", "650")], about)
    assert kinds([*stay, ("-65", "65")], about)


def test_shown_form_settles_the_form_alone() -> None:
    """A witness that leaves out a letter between figures allows it elsewhere, and no other figures."""
    witness = [("12B34", "1234")]
    assert kinds([("77X88", "7788")]) == {"letters-lost"}
    assert kinds([("77X88", "7788")], witness) == set()
    assert kinds([("77X88", "778")], witness)


ADVERTS = [("was 338,- now 38,- EUR", "was 338,00 now 38,00 EUR"), ("one mug, no price", "one mug, no price")]
POWERS = [("RBC 3.4 x10^12/L", "RBC 3.4 x10¹²/L"), ("not done", "not done")]


def test_a_part_that_a_witness_shows_is_shown_in_every_text() -> None:
    """The rest of the text does not matter, nor how often the part stands in it."""
    assert kinds(ADVERTS)
    assert not kinds(ADVERTS, [("lamp for 12,- EUR", "lamp for 12,00 EUR")])
    assert not kinds(POWERS, [("WBC 4.5 x10^9/L", "WBC 4.5 x10⁹/L")])


def test_a_part_that_loses_figures_is_not_shown_by_one_that_keeps_them() -> None:
    """10^12 as 10¹ is not the change of 10^9 as 10⁹."""
    cut = [("RBC 3.4 x10^12/L", "RBC 3.4 x10¹/L"), ("not done", "not done")]
    assert kinds(cut, [("WBC 4.5 x10^9/L", "WBC 4.5 x10⁹/L")])


PORTS = [("ssh", "22/tcp"), ("http", "80/tcp"), ("ntp", "123/udp"), ("22/tcp", "22/tcp"), ("80/tcp", "80/tcp")]


def test_after_a_word_that_is_shown_only_a_merged_one_is_doubted() -> None:
    """How alike codes and words are says nothing once a witness shows a word recoded; that two become one does."""
    shown = [("ssh", "22/tcp")]
    merged = [*PORTS, ("53/udp", "53/udp"), ("gopher", "123/udp"), ("imap", "80/tcp")]
    assert "word-replaced" in kinds(PORTS)
    assert "word-replaced" not in kinds(PORTS, shown)
    assert "word-replaced" in kinds(merged, shown)


YIELDS = [("7.5", "7.5"), ("5.3 t/ha", "5.3"), ("75 dt/ha", "7.5"), ("48.9 dt/ha", "4.89")]
PER_HECTARE = [("75 dt/ha", "7.5"), ("7.5 t/ha", "7.5")]


def test_a_factor_that_is_shown_of_a_unit_is_shown_with_decimals_as_well() -> None:
    """75 dt/ha as 7.5 speaks for 48.9 dt/ha as 4.89, not for another factor or another unit."""
    assert kinds(YIELDS, PER_HECTARE) == set()
    assert kinds([*YIELDS, ("61.2 dt/ha", "0.612")], PER_HECTARE)
    assert kinds([*YIELDS, ("61.2 kg/ha", "6.12")], PER_HECTARE)


NATIONAL = [("+34 612 345 678", "+34 612 345 678"), ("+33 1 42 68 53 00", "+33 1 42 68 53 00")]
SPANISH = [("612345678", "+34 612 345 678")]


def test_a_country_that_is_shown_in_front_of_a_number_is_shown_however_that_is_written() -> None:
    """Whatever groups its figures stand in; other figures are not shown."""
    assert kinds([*NATIONAL, ("688 73 50 63", "+34 688 735 063")])
    assert kinds([*NATIONAL, ("688 73 50 63", "+34 688 735 063")], SPANISH) == set()
    assert kinds([*NATIONAL, ("688 73 50 63", "+34 688 735 036")], SPANISH)


def test_parts_of_a_second_may_go_where_that_is_shown() -> None:
    """However many decimals there are; they never become others."""
    witness = [("2023-05-06T07:08:09.123", "2023-05-06 07:08:09")]
    cut, other = (
        ("2021-01-02 03:04:05.263280", "2021-01-02 03:04:05"),
        ("2021-01-02 03:04:05.2", "2021-01-02 03:04:05.7"),
    )
    assert kinds([cut]) == {"value-misread"}
    assert kinds([cut], witness) == set()
    assert kinds([cut, other], witness) == {"value-misread"}


def test_a_word_that_stays_as_its_beginning_is_not_left_out() -> None:
    """`ft.` as `feat.` speaks for `Featuring`, not for a word that goes."""
    witness = [("Mug ft. Ada", "Mug (feat. Ada)"), ("Mug [feat. Ada]", "Mug (feat. Ada)")]
    songs = [(f"Song {n} ft. Ada", f"Song {n} (feat. Ada)") for n in range(5)]
    assert kinds([*songs, ("Oak (Featuring Ada)", "Oak (feat. Ada)")], witness) == set()
    assert kinds([*songs, ("Oak (Featuring Ada)", "Oak (Ada)")], witness)


def test_zeros_are_filled_in_as_an_example_shows() -> None:
    """Groups of figures that get the same widths, whatever stood between them; other widths are not shown."""
    witness = [("60\u00b0 at 8 kt", "06008KT"), ("240/15KT", "24015KT")]
    assert kinds([("80/8KT", "08008KT"), ("340/9KT", "34009KT")])
    assert kinds([("80/8KT", "08008KT"), ("340/9KT", "34009KT")], witness) == set()
    assert kinds([("80/8KT", "80008KT")], witness)
    assert kinds([("340/9KT", "34090KT")], witness)


def test_a_bound_that_examples_show_is_one_for_numbers_nearer_to_it() -> None:
    """Who sets 101.5 to 100 sets 100.2 to it; not 97.4, nor 103.5 beyond what is shown."""
    witness = [(101.5, 100.0), (103.0, 100.0), (97.0, 97.0)]
    assert kinds([(100.2, 100.0)])
    assert kinds([(100.2, 100.0)], witness) == set()
    assert "precision-lost" in kinds([(99.6, 100.0)], witness)


def test_a_sign_among_few_words_is_shown_for_more_words() -> None:
    """Percentages of a blend that go into a list, of two parts and of three."""
    three = "41% Grenache + 33% Syrah + 20% Merlot"
    parts = [
        {"grape": "Grenache", "percent": 41},
        {"grape": "Syrah", "percent": 33},
        {"grape": "Merlot", "percent": 20},
    ]
    shown = [("60% Merlot, 40% Syrah", [{"grape": "Merlot", "percent": 60}, {"grape": "Syrah", "percent": 40}])]
    assert kinds([(three, parts)], shown) == set()
    assert kinds([(three, parts[:2])], shown)


def test_circa_before_any_number_shows_that_it_may_go() -> None:
    """`c. 50` as 50 speaks for `ca. 610` and `~81`."""
    cells = [("ca. 610", "610"), ("~81", "81"), ("12", "12")]
    assert kinds(cells)
    assert kinds(cells, [("c. 50", "50")]) == set()


def test_a_number_that_examples_take_from_the_text_is_taken_whole() -> None:
    """Who takes the second year takes no part of it, no tenth, no minus and no other year."""
    spans = [(f"{start} ~ {start + 5}", f"{start + 5}") for start in range(2001, 2012)]
    shown = [("2004 ~ 2009", "2009")]
    assert kinds(spans, shown) == set()
    for wrong in ("201", "201.5", "-2015", "2016"):
        assert kinds([*spans, ("2010 ~ 2015", wrong)], shown), wrong


def test_a_number_that_examples_leave_as_it_is_gets_no_other_size() -> None:
    """`4 bds` as 4 speaks for `3 bds` as 3, and not for 30; a word that becomes 0 changes nothing."""
    rooms = [("2 bds", "2"), ("4 bds", "4"), ("1 bd", "1"), ("Studio", "0")] * 3
    shown = [("4 bds", "4"), ("1 bd", "1"), ("Studio", "0")]
    assert kinds([*rooms, ("3 bds", "3")], shown) == set()
    for wrong in ("30", "300"):
        assert kinds([*rooms, ("3 bds", wrong)], shown), wrong
