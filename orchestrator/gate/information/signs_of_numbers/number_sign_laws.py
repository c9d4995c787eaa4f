"""What the gate suspects of signs at and between numbers, and of the ends of codes. Part of the laws of laws.py."""

from collections.abc import Callable, Sequence

from orchestrator.gate.information.beyond_shown.letters_at_figures import letters_at_figures_gone
from orchestrator.gate.information.changes import Found
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.law_scopes import (
    ALL_TEXTS,
    EVIDENCE,
    NOT_SAME,
    UNKNOWN,
    beside,
    unless_seen,
    unless_shown,
)
from orchestrator.gate.information.measured_pairs import scaled_under_one_unit
from orchestrator.gate.information.signs_of_numbers import (
    bracketed_numbers,
    code_ends,
    code_fronts,
    hemispheres,
    lone_units,
    marks_between,
    said_of_numbers,
)

_BESIDE = ALL_TEXTS, EVIDENCE
NUMBER_SIGN_LAWS: Sequence[tuple[str, Callable[[Column], Found | None], str]] = (
    ("separator-moved", beside(marks_between.decimals_parted), "the number with its decimal mark"),
    ("separator-moved", unless_seen(marks_between.ranges_listed, marks_between.range_exchanged, *_BESIDE), "the range"),
    ("separator-moved", unless_shown(marks_between.ratios_as_decimals), "the same sign"),
    (
        "sign-changed",
        unless_seen(bracketed_numbers.brackets_opened, bracketed_numbers.bracket_opened, *_BESIDE),
        "the minus",
    ),
    ("letters-lost", unless_shown(code_ends.last_letter_cut), "all letters"),
    ("figures-lost", unless_seen(code_ends.year_cut, code_ends.a_year_cut, *_BESIDE), "the code with its year"),
    ("word-replaced", unless_shown(code_ends.letter_exchanged, of=UNKNOWN), "the same letter"),
    ("figures-lost", beside(code_ends.zero_of_code_gone), "all figures"),
    ("figures-lost", beside(code_ends.width_of_built_lost), "all figures"),
    (
        "letters-lost",
        unless_seen(said_of_numbers.letters_that_tell_gone, said_of_numbers.a_letter_gone, ALL_TEXTS),
        "the number with its letter",
    ),
    ("letters-lost", letters_at_figures_gone, "the code with its letters"),
    (
        "letters-lost",
        unless_seen(code_fronts.fronts_gone, code_fronts.front_gone, NOT_SAME, EVIDENCE),
        "the code with its letters",
    ),
    ("figures-lost", unless_shown(code_fronts.zeros_of_a_letter_gone), "all figures"),
    ("sign-changed", unless_shown(hemispheres.side_of_place_lost), "degrees below zero"),
    ("scale-changed", beside(said_of_numbers.shares_beside_scores), "numbers on one scale"),
    ("quantity-changed", unless_shown(scaled_under_one_unit), "the same quantity"),
    ("quantity-changed", lambda one: lone_units.units_replaced(one.texts, one.shown), "the same unit"),
    ("quantity-changed", unless_shown(said_of_numbers.percent_among_words_gone), "the number with its sign"),
    ("value-changed", beside(said_of_numbers.shares_of_no_whole), "shares of a whole"),
)
