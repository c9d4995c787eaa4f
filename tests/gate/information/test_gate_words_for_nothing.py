"""Words for a value that is not known: exchanged for one another, and emptied."""

import pytest

from orchestrator.gate.information.emptied import emptied_like_others
from orchestrator.gate.information.null_tokens import is_unanswered
from orchestrator.gate.information.suspicions import suspicions

CITIES = [("Rome", "Rome"), ("Oslo", "Oslo"), ("Lima", "Lima"), ("Bonn", "Bonn")]


@pytest.mark.parametrize("before", ["N/A", "null", "NaN", "-", "?", "missing", "not available"])
@pytest.mark.parametrize("after", ["unknown", "n/a", "Unknown"])
def test_one_stands_for_the_other(before: str, after: str) -> None:
    """One marker for all."""
    assert suspicions([*CITIES, (before, after)]) == []


@pytest.mark.parametrize("before", ["not applicable", "error", "TBD", "none", "Rome", "various"])
def test_what_says_more_does_not_become_unknown(before: str) -> None:
    """That there can be no value, that there will be one, that something is wrong."""
    assert suspicions([*CITIES, (before, "unknown")])


@pytest.mark.parametrize(
    ("gone", "others"),
    [
        ("open", ("closed", "paid", "denied")),
        ("F", ("A", "B", "C")),
        ("TX", ("NY", "OH", "CA")),
        ("fragile", ("keep dry", "cooled", "this side up")),
        ("NA", ("DE", "FR", "NL")),
        ("NA", ("DE", "FR", "NL", "ZA", "EN")),
        ("ND", ("SD", "CA", "TX", "NY")),
        ("Miss", ("Mr", "Mrs", "Dr")),
        ("error", ("warn", "info", "debug")),
        ("Na", ("K", "Fe", "Mg", "Ca")),
        ("nd", ("en", "fr", "de", "nl")),
        ("-", ("+", "+/-", "weak")),
        ("%", ("mg", "mmol/L", "ng/mL")),
        ("€", ("EUR", "USD", "GBP")),
    ],
)
def test_a_value_that_becomes_empty_is_suspected_however_many_rows_have_it(gone: str, others: tuple[str, ...]) -> None:
    """A third of the rows may be of that status; a sign may be the unit."""
    before = [gone, *others] * 30
    assert len(emptied_like_others(before, ["" if cell == gone else cell for cell in before])) == 30


@pytest.mark.parametrize(
    ("gone", "others"),
    [
        ("NA", ("NY", "OH", "CA", "TX")),
        ("NA", ("Germany", "France", "Namibia")),
        ("NA", ("CA", "DE", "AL", "GA")),
        ("na", ("K", "Fe", "Mg", "Ca")),
        ("NA", ("en", "fr", "de", "nl")),
        ("error", ("1.5", "2.5", "3.5")),
        ("miss", ("Oslo", "Rome", "Bonn")),
        ("ND", ("high", "low", "weak")),
        ("-", ("high", "low", "weak")),
        ("not assigned", ("Ada", "Alan", "Grace")),
        ("k. A.", ("Ada", "Alan", "Grace")),
        ("Mr Test", ("Mr Turing", "Ms Hopper", "Mr Gates")),
        ("na@na.com", ("a@b.org", "c@d.org", "e@f.org")),
        ("refused to say", ("one cat", "two dogs", "one bird")),
    ],
)
def test_what_speaks_of_nothing_may_become_empty(gone: str, others: tuple[str, ...]) -> None:
    """Where many rows have it."""
    before = [gone, *others] * 30
    assert emptied_like_others(before, ["" if cell == gone else cell for cell in before]) == []


def test_a_sign_that_is_a_value_hides_no_other_value_that_goes() -> None:
    """Each of them has to be shown: that % may go says nothing of `mg/dL`."""
    before = ["%", "mg/dL", "mmol/L", "ng/mL"] * 10
    after = [cell if cell in ("mmol/L", "ng/mL") else "" for cell in before]
    assert len(emptied_like_others(before, after)) == 20


@pytest.mark.parametrize(
    ("text", "found"), [("not asked", True), ("No answer", True), ("(no reply)", True), ("no", False), ("none", False)]
)
def test_a_question_without_an_answer_is_no_answer(text: str, *, found: bool) -> None:
    """That there is none is one: no allergies are known then."""
    assert is_unanswered(text) is found
