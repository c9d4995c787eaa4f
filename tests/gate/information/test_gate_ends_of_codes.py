"""Ends, letters and zeros of codes, and what stands at a number, tell one value from another."""

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

FILES = [("INV 13/18", "INV 13/18"), ("INV 77/19", "INV 77/19"), ("INV 81/18", "INV 81/18")]
PARTS = [("0033-112", "0033-112"), ("0042-118", "0042-118")]
SHARES = [("50/50", "50/50"), ("75/25", "75/25"), ("100/0", "100/0"), ("80/20", "80/20")]


def test_the_last_letter_of_a_code_is_kept() -> None:
    """An aeroplane's mark that loses its end is another aeroplane."""
    assert "letters-lost" in _kinds([("N123AB", "N123A"), ("DAIBC", "DAIBC")])
    assert _kinds([("n-123ab", "N123AB"), ("DAIBC", "DAIBC")]) == []
    assert "letters-lost" not in _kinds([("xvi, 417 pp", "xvi, 417 p."), ("312 p.", "312 p.")])  # a word is no code


def test_a_year_is_no_loose_end_of_a_code() -> None:
    """Other codes keep theirs: left out it is suspected, in two figures as the others it is believed."""
    assert "figures-lost" in _kinds([*FILES, ("INV 12/2019", "INV 12"), ("INV 9/2019", "INV 9")])
    assert _kinds([*FILES, ("INV 12/2019", "INV 12/19"), ("INV 9/2019", "INV 9/19")]) == []
    shown = [("INV 5/2020", "INV 5")]
    assert "figures-lost" not in _kinds([*FILES, ("INV 12/2019", "INV 12")], shown)


def test_the_one_letter_of_a_code_is_kept() -> None:
    """A grade E13 is no A13, be the letter a word or not."""
    assert "word-replaced" in _kinds([("E13", "A13"), ("e 9a", "A9a"), ("E-12", "A12")])
    assert _kinds([("E13", "E13"), ("e 9a", "E9a"), ("E-12", "E12")]) == []


def test_a_zero_inside_a_code_is_kept() -> None:
    """In a cell as long as the others, and in a sentence; where others have none, it goes."""
    assert "figures-lost" in _kinds([*PARTS, ("0405-068", "0405-68")])
    assert "figures-lost" in _kinds([("valve V-01 closed", "valve V-1 closed"), ("all fine", "all fine")])
    assert "figures-lost" not in _kinds([("valve V-01 closed", "valve V-1 closed"), ("at V-3 again", "at V-3 again")])


def test_letters_that_tell_numbers_apart_are_kept() -> None:
    """Of two bands; a decimal mark may be another one."""
    assert "letters-lost" in _kinds([("B=9.1", "9.1"), ("8,5V", "8.5"), ("7.2", "7.2")])
    assert _kinds([("4,0", "4.0"), ("7.2", "7.2"), ("V=6.1", "V=6.1")]) == []


def test_two_shares_make_a_whole_where_all_others_do() -> None:
    """`100%` beside `75/25` is no `100/100`, and one witness shows what it is."""
    assert "value-changed" in _kinds([*SHARES, ("100%", "100/100")])
    assert "value-changed" not in _kinds([*SHARES, ("100%", "100/0")])


def _kinds(cells: list[Change], witnesses: list[Change] | None = None) -> list[str]:
    return [one.kind for one in suspicions(cells, witnesses or [])]


def test_a_part_of_a_code_that_is_built_anew_keeps_its_width() -> None:
    """`a2-05` is `A2.05`, as all clean codes have it; where these have no zeros, it may be `A2.5`."""
    rooms: list[Change] = [(f"{a}{n}.{m}", f"{a}{n}.{m}") for a in "AB" for n, m in ((1, "02"), (2, "14"), (3, "27"))]
    anew: list[Change] = [("a2-05", "A2.5"), ("b1-11", "B1.11")]
    assert "figures-lost" in _kinds([*rooms, *anew])
    assert "figures-lost" not in _kinds([*rooms, ("a2-05", "A2.05"), anew[1]])
    assert "figures-lost" not in _kinds([*rooms, *anew], [("c3-08", "C3.8")])
    bare: list[Change] = [(one.replace(".0", "."), other.replace(".0", ".")) for one, other in rooms]
    assert "figures-lost" not in _kinds([*bare, *anew])
