"""What the gate suspects of changes in sentences, lists, codes and marked-up texts. Part of the laws of laws.py."""

from collections.abc import Callable, Sequence
from functools import partial

from orchestrator.gate.information import column_laws
from orchestrator.gate.information.changes import Found
from orchestrator.gate.information.characters import unseen_signs
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.law_scopes import ALL_TEXTS, beside, unless_shown, unless_witnessed, unless_words_go
from orchestrator.gate.information.proper_names.name_laws import NAME_LAWS
from orchestrator.gate.information.prose import (
    divided_words,
    doubled_words,
    headings_and_code,
    lines_kept,
    listed_items,
    markdown_lines,
    masked_figures,
    paired_marks,
    program_texts,
)
from orchestrator.gate.information.signs_of_numbers import code_marks, joined_figures
from orchestrator.gate.information.signs_of_numbers.number_sign_laws import NUMBER_SIGN_LAWS
from orchestrator.gate.information.text_changes import (
    figures_cut,
    letter_case,
    list_parts,
    loose_ends,
    main_form,
    powers,
    signs_inside,
    word_marks,
)

PROSE_LAWS: Sequence[tuple[str, Callable[[Column], Found | None], str]] = (
    ("text-cut", unless_words_go(lines_kept.lines_gone, of=ALL_TEXTS), "all lines"),
    ("lines-joined", unless_shown(lines_kept.paragraphs_joined), "the lines apart"),
    ("lines-joined", unless_shown(lines_kept.letters_joined), "the lines apart"),
    ("lines-joined", beside(lines_kept.paragraphs_as_lines), "the paragraphs apart"),
    ("lines-joined", unless_shown(lines_kept.table_lines_parted), "the columns apart"),
    ("lines-joined", unless_shown(lines_kept.levels_lost), "the blanks in front of the lines"),
    ("mark-lost", unless_shown(headings_and_code.heading_levels_changed), "the heading on its level"),
    ("mark-lost", unless_shown(headings_and_code.wiki_headings_changed), "the heading on its level"),
    ("value-changed", unless_shown(headings_and_code.code_changed), "the same code"),
    ("lines-joined", beside(markdown_lines.hard_breaks_gone), "the line break"),
    ("mark-lost", beside(markdown_lines.quote_levels_gone), "the quotation on its level"),
    ("sign-changed", unless_shown(paired_marks.quotes_turned), "the same quotation marks"),
    ("sign-changed", unless_shown(paired_marks.marks_turned_round), "the same quotation marks"),
    ("mark-lost", unless_shown(paired_marks.quotes_gone), "the quotation marks"),
    ("mark-lost", unless_shown(paired_marks.stars_parted), "both stars"),
    ("mark-lost", unless_shown(paired_marks.list_levels_gone), "the levels of the list"),
    ("word-replaced", unless_shown(loose_ends.saint_as_street), "the name of the street"),
    ("mark-lost", unless_shown(loose_ends.tie_left_out), "the sign"),
    ("words-lost", column_laws.channels_left_out, "all words"),
    ("separator-moved", unless_shown(lines_kept.numbers_parted), "the number whole"),
    ("separator-moved", unless_shown(lines_kept.decimals_joined), "the number whole"),
    ("sign-changed", unless_shown(loose_ends.minus_lost), "the same sign"),
    ("quantity-changed", beside(main_form.thousands_misread), "the same quantity"),
    ("words-lost", beside(lines_kept.ends_gone), "all words"),
    ("sign-changed", unless_shown(signs_inside.sides_left_out), "the sign of the side"),
    ("unseen-added", unless_shown(unseen_signs.unseen_put_in), "only signs that can be seen"),
    ("words-lost", unless_shown(paired_marks.struck_as_valid), "that the words are struck out"),
    ("sign-changed", unless_shown(paired_marks.products_as_marks), "the sign of the product"),
    ("order-changed", unless_shown(paired_marks.links_exchanged), "the address where it was"),
    ("words-lost", column_laws.words_not_in_parts, "all words"),
    ("figures-lost", unless_witnessed(list_parts.zeros_of_parts_gone), "all figures"),
    ("figures-lost", unless_shown(figures_cut.lone_zero_gone), "all figures"),
    ("item-lost", unless_witnessed(list_parts.stops_gone), "all stops"),
    ("order-changed", unless_witnessed(list_parts.objects_turned), "the same order"),
    ("text-cut", listed_items.items_cut, "the items whole"),
    ("order-changed", listed_items.items_turned, "the same order"),
    ("words-joined", listed_items.items_left_together, "the items apart"),
    ("sign-changed", unless_shown(signs_inside.hyphens_as_dashes), "the hyphen"),
    ("number-changed", unless_shown(joined_figures.decimals_padded), "the same number"),
    ("words-added", column_laws.word_of_some_others, "the figures alone"),
    ("case-changed", unless_shown(letter_case.capitals_of_respelt_gone), "the capital"),
    ("figures-joined", unless_shown(code_marks.dots_between_parts_gone), "the parts apart"),
    ("words-joined", beside(code_marks.stroke_gone_as_others), "the parts apart"),
    ("mark-lost", beside(code_marks.grade_lowered), "the mark"),
    ("quantity-changed", unless_shown(code_marks.question_mark_gone, code_marks.doubts_gone), "that it is not sure"),
    ("case-changed", beside(letter_case.formulas_in_capitals), "the small letters of the formula"),
    ("letters-lost", unless_shown(word_marks.ordinals_as_counts), "the ordinal"),
    ("quantity-changed", unless_shown(powers.exponents_lowered), "the power"),
    ("words-lost", unless_shown(doubled_words.doubled_words_gone), "the word twice"),
    ("text-cut", unless_shown(paired_marks.comparisons_as_tags), "what stands between the signs"),
    ("text-cut", beside(list_parts.empty_places_gone), "all places"),
    ("words-added", unless_shown(program_texts.program_as_text), "no program in the text"),
    (
        "value-changed",
        unless_shown(divided_words.later_ones_left, partial(divided_words.later_ones_left, enough=1)),
        "the same change in all places",
    ),
    ("mark-lost", beside(divided_words.joined_with_hyphen), "the word as others have it"),
    ("mark-lost", unless_shown(divided_words.comma_lost_in_lines), "the comma"),
    (
        "value-changed",
        unless_shown(masked_figures.later_ones_seen, partial(masked_figures.later_ones_seen, enough=1)),
        "the same change in all places",
    ),
    ("figures-lost", lambda one: masked_figures.more_seen_than_shown(one.texts, one.shown), "as many as shown"),
    *NAME_LAWS,
    *NUMBER_SIGN_LAWS,
)
