"""What the gate suspects of changes of single characters, and of amounts and codes beside one that is shown.

Part of the laws of laws.py.
"""

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter

from orchestrator.gate.information.beyond_shown import converted_bounds, dates_in_texts, made_up_dates
from orchestrator.gate.information.beyond_shown.denied_as_affirmed import denied_as_affirmed
from orchestrator.gate.information.beyond_shown.merged_by_letter import merged_by_letter
from orchestrator.gate.information.beyond_shown.moments_as_shown import moment_otherwise
from orchestrator.gate.information.beyond_shown.months_in_place import month_in_place_of_day
from orchestrator.gate.information.beyond_shown.number_left_of_quantity import another_unit_left_out, whole_number_gone
from orchestrator.gate.information.beyond_shown.order_as_shown import turned_unlike_shown
from orchestrator.gate.information.beyond_shown.order_of_dates import other_order_than_shown
from orchestrator.gate.information.beyond_shown.products_of_objects import products_otherwise
from orchestrator.gate.information.beyond_shown.quantities_in_texts import quantities_changed
from orchestrator.gate.information.beyond_shown.said_amounts import amounts_otherwise
from orchestrator.gate.information.beyond_shown.shares_as_shown import shares_otherwise
from orchestrator.gate.information.beyond_shown.sides_converted import sides_otherwise
from orchestrator.gate.information.beyond_shown.signs_as_shown import sign_lost_beside_shown
from orchestrator.gate.information.beyond_shown.sixtieths_as_shown import sixtieths_otherwise
from orchestrator.gate.information.beyond_shown.spans_half_changed import spans_half_changed
from orchestrator.gate.information.beyond_shown.two_codes import two_codes_of_one
from orchestrator.gate.information.beyond_shown.units_not_shown import unit_not_shown
from orchestrator.gate.information.changes import Found
from orchestrator.gate.information.characters import (
    broken_forms,
    capitals_that_tell,
    case_of_others,
    flags,
    raised_signs,
    sign_of_all,
    two_ways,
    unseen_signs,
)
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.column_evidence import hosts, same_factor
from orchestrator.gate.information.law_scopes import ALL_TEXTS, EVIDENCE, beside, unless_seen, unless_shown
from orchestrator.gate.information.signs_of_numbers import code_marks, zeros_that_count
from orchestrator.gate.information.text_changes import (
    figures_cut,
    grouping_marks,
    labels_and_cuts,
    letters_changed,
)
from orchestrator.gate.information.value_kinds.telephones import shorter_than_its_country


def _group_left(column: Column) -> Found | None:
    return grouping_marks.group_left_as_decimal(column.texts, column.different, column.witnesses)


def _amounts_otherwise(column: Column) -> Found | None:
    return amounts_otherwise(column.texts, [*column.different, *column.witnesses])


def _denied_as_affirmed(column: Column) -> Found | None:
    """Unless witnesses show an answer and its denial as the same."""
    return None if denied_as_affirmed(column.shown) else denied_as_affirmed([*column.texts, *column.shown])


_CELLS = attrgetter("cells")
_lettered_zeros_gone = unless_seen(figures_cut.lettered_zeros_gone, figures_cut.lettered_zero_lost, ALL_TEXTS, EVIDENCE)
_one_case_in_two = unless_seen(two_ways.one_case_in_two, two_ways.recased, ALL_TEXTS, _CELLS)
_one_shape_in_two = unless_seen(two_ways.one_shape_in_two, two_ways.rewritten, ALL_TEXTS, _CELLS)
_merged_without_an_item = unless_seen(
    labels_and_cuts.merged_without_an_item, labels_and_cuts.item_gone, ALL_TEXTS, _CELLS
)
CHARACTER_LAWS: Sequence[tuple[str, Callable[[Column], Found | None], str]] = (
    ("figures-joined", unless_shown(raised_signs.figures_run_together), "the figures apart"),
    ("words-joined", unless_shown(raised_signs.letters_run_together), "the sign"),
    ("letters-lost", unless_shown(unseen_signs.joiners_gone), "the sign between them"),
    ("letters-added", unless_shown(unseen_signs.marks_made_up), "letters as words have them"),
    ("word-replaced", unless_shown(unseen_signs.letters_passed_off), "the letters of its own script"),
    ("quantity-changed", beside(capitals_that_tell.units_made_alike), "the units apart"),
    ("word-replaced", unless_shown(flags.flags_exchanged), "the code of the same country"),
    ("mark-lost", unless_shown(code_marks.long_addresses_changed), "the same address"),
    ("letters-lost", beside(code_marks.base_left_out), "the number with its base"),
    ("separator-moved", _group_left, "one meaning of each mark"),
    ("quantity-changed", _amounts_otherwise, "the same quantity"),
    ("values-collapse", _denied_as_affirmed, "two answers kept apart"),
    ("values-collapse", merged_by_letter, "different words kept apart"),
    ("case-changed", beside(capitals_that_tell.codes_in_one_case), "the code as it was"),
    ("value-misread", unless_shown(dates_in_texts.other_month_in_text), "the date of the same month"),
    ("value-misread", unless_shown(dates_in_texts.first_century), "the date with its century"),
    ("figures-added", unless_shown(made_up_dates.day_made_up), "the month alone"),
    ("figures-added", unless_shown(made_up_dates.year_made_up), "the date without a year"),
    ("order-changed", lambda one: turned_unlike_shown(one.texts, one.shown), "the parts in the order that they had"),
    (
        "value-misread",
        lambda one: other_order_than_shown(one.texts, one.different, one.shown),
        "the date in the order shown",
    ),
    ("value-misread", beside(month_in_place_of_day), "the month where others have it"),
    ("number-changed", unless_shown(spans_half_changed), "both ends of the span alike"),
    ("sign-changed", unless_shown(converted_bounds.converted_bound), "the bound"),
    ("quantity-changed", beside(converted_bounds.ton_misconverted), "the same weight"),
    ("quantity-changed", beside(converted_bounds.count_word_gone), "the same quantity"),
    ("quantity-changed", beside(converted_bounds.measure_as_count), "the quantity with its unit"),
    ("quantity-changed", unless_shown(quantities_changed), "the same quantity"),
    ("quantity-changed", lambda one: sides_otherwise(one.texts, one.shown), "the sides in the unit shown"),
    ("quantity-changed", lambda one: shares_otherwise(one.changed, one.witnesses), "the share on the scale shown"),
    ("quantity-changed", lambda one: sixtieths_otherwise(one.texts, one.shown), "the quantity as shown"),
    (
        "quantity-changed",
        lambda one: another_unit_left_out(one.changed, one.witnesses),
        "the number in the unit that is shown",
    ),
    (
        "quantity-changed",
        lambda one: unit_not_shown(one.texts, one.different, one.shown),
        "the number in the unit of the others",
    ),
    ("number-changed", unless_shown(whole_number_gone, of=attrgetter("changed")), "the whole number, too"),
    ("value-misread", lambda one: moment_otherwise(one.changed, one.witnesses), "the moment that the seconds count"),
    ("sign-changed", lambda one: sign_lost_beside_shown(one.texts, one.shown), "the same sign"),
    ("word-replaced", lambda one: two_codes_of_one(one.texts, one.shown), "one code for it"),
    ("number-changed", lambda one: products_otherwise(one.changed, one.witnesses), "the product as shown"),
    ("letters-lost", beside(letters_changed.last_letter_gone), "all letters"),
    ("figures-lost", _lettered_zeros_gone, "all figures"),
    ("figures-added", unless_shown(shorter_than_its_country), "the number without a country"),
    ("number-changed", unless_shown(broken_forms.decimal_mark_to_blank), "the point"),
    ("number-changed", beside(broken_forms.number_parted), "one number"),
    ("letters-added", unless_shown(broken_forms.question_mark_put_in), "no sign that was not there"),
    ("sign-changed", unless_shown(broken_forms.entity_exchanged), "the sign that the entity stands for"),
    ("mark-lost", unless_shown(broken_forms.apostrophe_gone), "the apostrophe"),
    ("word-replaced", unless_shown(code_marks.letters_of_codes_changed), "the letters of the code"),
    ("number-changed", unless_shown(code_marks.sentinel_as_number), "the number that stands for none"),
    ("words-added", unless_shown(hosts.www_made_up), "the host as it was"),
    ("quantity-changed", beside(same_factor.into_two_units), "numbers of one unit"),
    ("figures-lost", unless_shown(broken_forms.number_gone_from_sign), "the number"),
    ("figures-lost", unless_shown(broken_forms.month_gone), "the month"),
    ("value-misread", unless_shown(broken_forms.no_list_any_more), "the same list"),
    ("mark-lost", beside(sign_of_all.sign_of_all_missing), "the sign that the other cells have"),
    ("case-changed", unless_shown(capitals_that_tell.ends_capitalised), "the end as it was"),
    ("case-changed", unless_shown(capitals_that_tell.formulas_lowered), "the formula"),
    ("case-changed", beside(case_of_others.cased_as_no_other), "the capitals of the other cells"),
    ("letters-lost", beside(case_of_others.accented_as_no_other), "the accent of the other cells"),
    ("number-changed", beside(zeros_that_count.thousands_as_decimals), "the thousands"),
    ("figures-lost", unless_shown(zeros_that_count.zeros_of_codes_gone), "all figures"),
    ("case-changed", _one_case_in_two, "the value as the others are written"),
    ("sign-changed", _one_shape_in_two, "the value as the others are written"),
    ("case-changed", unless_shown(broken_forms.case_turned_round), "letters as words have them"),
    ("words-joined", unless_shown(broken_forms.words_without_their_sign), "the words apart"),
    ("figures-joined", unless_shown(broken_forms.figures_of_words_joined), "the figures apart"),
    ("figures-lost", unless_shown(broken_forms.first_zero_gone), "the zero"),
    ("mark-lost", unless_shown(broken_forms.address_unmarked), "the same address"),
    ("values-collapse", _merged_without_an_item, "the items that tell them apart"),
    ("order-changed", unless_shown(broken_forms.turned_inside_parts), "the same order"),
    ("words-lost", unless_shown(labels_and_cuts.countries_cut), "the whole name"),
    (
        "words-lost",
        unless_shown(labels_and_cuts.labels_lost, partial(labels_and_cuts.labels_lost, letters=1)),
        "the letter",
    ),
    ("words-lost", unless_shown(labels_and_cuts.cut_before_the_name), "the whole name"),
    ("words-lost", beside(labels_and_cuts.only_its_number_left), "the whole name"),
    (
        "text-cut",
        unless_shown(labels_and_cuts.cut_in_words, partial(labels_and_cuts.cut_in_words, ends=1)),
        "the words whole",
    ),
)
