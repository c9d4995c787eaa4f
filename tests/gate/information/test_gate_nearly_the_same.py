"""A number that is nearly the same one is another one: how far each kind of quantity may be off."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.equivalence import Equivalence, Known
from orchestrator.gate.information.suspicions import suspicions


@pytest.mark.parametrize(
    ("before", "right", "wrong"),
    [
        ("834 mb", "834 MB", "874 MB"),
        ("3.6GB", "3600 MB", "3400 MB"),
        ("3.6GB", "3686.4 MB", "3433 MB"),
        ("5 MB", "4.77 MiB", "4.5 MiB"),
        ("37.9°C", "37.9 C", "37.4 C"),
        ("98.2 °F", "36.8 °C", "36.4 °C"),
        ("98.2 °F", "37", "36.4"),
        ("259 K", "-14.15 °C", "-14.0 °C"),
        ("1,58ct", "1.58 ct", "1.50 ct"),
        ("12.34 bps", "0.001234", "0.001230"),
        ("5062286734092.0", "5062286734092", "5062286734892"),
        ("1589600719892", "2020-05-16T03:45:19.892Z", "2020-05-16T03:45:19.894Z"),
        ("2020-05-16 03:45:19.892", "2020-05-16T03:45:19.89", "2020-05-16T03:45:19.99"),
        ("USD 16b", "16000000000", "16000000001"),
        ("Roe, 490 U. S. 565", "Roe, 490 U.S. 565", "Roe, 565 U.S. 490"),
        ("A&amp;B &lt;Lima&gt;", "A&B <Lima>", "A&B <Lvma>"),
        ("desk\n-9-\nmug", "desk\nmug", "desk\n-6-\nmug"),
        ("a lamp[3] is", "a lamp is", "a lamp[4] is"),
        ("<B>a</B> lamp", "<strong>a</strong> lamp", "<lamp>a</lamp> lamp"),
    ],
)
def test_only_what_rounding_explains_is_the_same(before: str, right: str, wrong: str) -> None:
    """To the last place that is written, in units that go together, in the same order."""
    known = Equivalence([]).known
    assert known(before, right) is Known.SAME
    assert known(before, wrong) is not Known.SAME


@pytest.mark.parametrize(
    ("others", "before", "same", "other"),
    [
        (["$1,716,000", "851000"], "1.917M", "1917000", "1917000000"),
        (["1,716,000.50"], "1.586 k", "1586", "1586000"),
        (["1.716.000"], "1,917M", "1917000", "1917000000"),
        (["851000"], "1.917M", "", "1917000"),  # nothing shows which mark groups
        (["$988,000"], "1.917M", "", "1917000"),  # this may have decimals
        (["$1,716,000", "1.716.000"], "1.917M", "", "1917000"),
        (["$1,716,000"], "1.917", "", "1917"),
    ],
)
def test_another_number_shows_that_a_point_parts_decimals(
    others: list[str], before: str, same: str, other: str
) -> None:
    """`1.917M` beside `$1,716,000` was held because it might be 1917 millions; `1.91M` was not."""
    cells: list[Change] = [(text, text) for text in [*others, before]]
    assert not same or Equivalence(cells).known(before, same) is Known.SAME
    assert Equivalence(cells).known(before, other) is not Known.SAME


def test_only_a_currency_stands_in_front_of_billions() -> None:
    """`apt 16b` is no amount, so another three letters are no currency that was exchanged."""
    assert Equivalence([]).known("apt 16b", "qpt 16B") is not Known.SAME


@pytest.mark.parametrize("pair", [(True, 1), (0, False)])
def test_flags_and_numbers_of_one_column_are_not_mixed(pair: Change) -> None:
    """Where numbers stay, nobody can tell what was a flag; alone, or beside a witness, one may become the other."""
    numbers = [(3, 3), (7, 7)]
    assert [one.kind for one in suspicions([pair, *numbers])] == ["type-changed"]
    assert not suspicions([pair])
    assert not suspicions([pair, *numbers], [pair])
