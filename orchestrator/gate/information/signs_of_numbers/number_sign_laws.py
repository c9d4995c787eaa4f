"""What the gate suspects of signs at and between numbers, and of the ends of codes. Part of the laws of laws.py."""

from collections.abc import Callable, Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.law_scopes import ALL_TEXTS, beside, unless_shown
from orchestrator.gate.information.signs_of_numbers import bracketed_numbers, marks_between


def _unless_seen(
    law: Callable[[Sequence[Change], Sequence[Change]], Found | None], alike: Callable[[Change], bool]
) -> Callable[[Column], Found | None]:
    """A law that looks at the other cells, too, unless a witness shows a change that is alike."""
    return lambda column: None if any(map(alike, column.shown)) else law(column.texts, column.different)


NUMBER_SIGN_LAWS: Sequence[tuple[str, Callable[[Column], Found | None], str]] = (
    ("separator-moved", beside(marks_between.decimals_parted), "the number with its decimal mark"),
    ("separator-moved", _unless_seen(marks_between.ranges_listed, marks_between.range_exchanged), "the range"),
    ("separator-moved", unless_shown(marks_between.ratios_as_decimals, of=ALL_TEXTS), "the same sign"),
    ("sign-changed", _unless_seen(bracketed_numbers.brackets_opened, bracketed_numbers.bracket_opened), "the minus"),
)
