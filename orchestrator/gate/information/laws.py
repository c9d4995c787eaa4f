"""What the gate suspects of a column's changes, kind by kind. Called by suspicions.py.

A law is a function of the column: what is wrong, and the change that shows it, or None.
"""

from collections.abc import Callable, Sequence
from operator import attrgetter

from orchestrator.gate.information import beyond_others, name_order, number_laws, other_values
from orchestrator.gate.information.changes import Change, Found, both_text, cell_key, written
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.reinterpretation import misread, misread_date
from orchestrator.gate.information.scales import scale_changed, shares_left_out, unit_added, units_left_out
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.text_changes import (
    figures_changed,
    figures_cut,
    grouping_marks,
    letter_case,
    letters_changed,
    lines_kept,
    loose_ends,
    main_form,
    misspellings,
    number_suffixes,
    opposites,
    pictures,
    separators,
    signs_inside,
    words_changed,
)
from orchestrator.gate.information.text_changes.replaced_parts import replaced_parts
from orchestrator.gate.information.tokens import words
from orchestrator.gate.information.value_kinds.currencies import currency_changed
from orchestrator.gate.information.value_kinds.encodings import accents_gone, scanned
from orchestrator.gate.information.value_kinds.known_words import same_thing
from orchestrator.gate.information.value_kinds.typed_values import other_value
from orchestrator.gate.information.value_kinds.units import converted_wrongly, same_quantity
from orchestrator.gate.information.value_loss import FIGURES_LOST, lost

_UNKNOWN = attrgetter("unlike")  # the changes of a column that nobody knows to be right
_ALL_TEXTS = attrgetter("texts")  # what is known to say the same, too


def _other(column: Column) -> Found | None:
    return ("a cell becomes what stands for something else", column.other[0]) if column.other else None


def _lost(column: Column) -> Found | None:
    numbers = [cell for cell in column.changed if number_laws.is_number(cell[0])]
    changed = [*column.unlike, *column.other, *numbers]
    found = lost(changed, [*column.shown, *column.witnesses])
    if (
        found is not None
        and found[0] == FIGURES_LOST
        and any(law([one]) for law in _OF_FIGURES for one in column.shown)
    ):
        return None
    return None if found is None else (found[0], changed[found[1]])


def _quantity(column: Column) -> Found | None:
    unspelled = set(filter(both_text, column.unspelled))
    return (
        None
        if converted_wrongly(column.shown)
        else converted_wrongly(
            [c for c in column.texts if c in unspelled or (same_quantity(*c) and scanned(c[0]) != c[1])]
        )
    )


def _misread(column: Column) -> Found | None:
    shown = {cell_key(written(cell)) for cell in column.witnesses}
    found = misread(column.unspelled)
    if found is None:
        parts = {part: cell for cell in column.texts for part in replaced_parts(*cell)}
        inside = misread_date(list(parts))
        found = None if inside is None else (inside[0], parts[inside[1]])
    return None if found is None or cell_key(found[1]) in shown else found


def _scale(column: Column) -> Found | None:
    if figures_changed.numbers_changed(column.shown):
        return None
    return (
        scale_changed(column.texts, column.different, column.shown)
        or shares_left_out(column.texts, column.different, column.shown)
        or units_left_out(column.texts, column.different, column.shown)
    )


def _replaced(column: Column) -> Found | None:
    """A word becomes another one. What a witness shows of one word is believed of others that stay apart."""
    found = words_changed.words_replaced(column.unknown, column.different)
    if found and words_changed.words_replaced(column.shown):
        both = words_changed.collisions([*found, *column.shown])
        found = [change for change in found if change in both]
    return ("a word becomes another word", found[0]) if found else None


def _doubted(column: Column) -> Found | None:
    """In a recoding, a value that another one is merged with, or that becomes what another one is more like.

    Where a witness shows one word recoded, how alike the words are is no reason any more.
    """
    recoding = column.recoding
    shown = any(words(one) and words(one) != words(other) for one, other in column.shown)
    doubted = [change for change in column.unlike if change in (recoding.merged if shown else recoding.doubted)]
    if any(same_thing(*change) and key(change[0]) != key(change[1]) for change in column.shown):
        doubted = [change for change in doubted if not same_thing(*change)]  # Y as yes is shown, so N is no
    passed_over = column.abbreviations.passed_over(column.unlike)
    doubted += passed_over if len(passed_over) > 1 else []
    return ("a word becomes what another one stands for", doubted[0]) if doubted else None


def _unless_shown(
    *laws: Callable[[Sequence[Change]], Found | None], of: Callable[[Column], Sequence[Change]] = _UNKNOWN
) -> Callable[[Column], Found | None]:
    """The first law, unless a witness shows what it, or one of the others, is about. `of`: the changes it looks at."""
    return lambda column: None if any(law([change]) for law in laws for change in column.shown) else laws[0](of(column))


def _unless_shown_of_all(law: Callable[[Sequence[Change]], Found | None]) -> Callable[[Column], Found | None]:
    """A law that looks at what is known to say the same, too, unless a witness shows a change of the kind."""
    return lambda column: None if any(key(one) == key(other) for one, other in column.shown) else law(column.texts)


def _beside(
    law: Callable[[Sequence[Change], Sequence[Change]], Found | None],
    of: Callable[[Column], Sequence[Change]] = _ALL_TEXTS,
) -> Callable[[Column], Found | None]:
    """A law that looks at the unchanged cells, too, unless a witness shows what it is about."""
    return lambda column: (
        None if any(law([one], column.different) for one in column.shown) else law(of(column), column.different)
    )


def _unless_words_go(
    law: Callable[[Sequence[Change], Sequence[Change]], Found | None],
    of: Callable[[Column], Sequence[Change]] = _UNKNOWN,
) -> Callable[[Column], Found | None]:
    """A law of words that are lost, unless a witness shows a word that goes."""
    return lambda column: (
        None
        if words_changed.words_shown_gone(column.shown) or any(law([one], column.different) for one in column.shown)
        else law(of(column), column.different)
    )


def _passed_over(column: Column) -> Found | None:
    """A value that becomes another one than the one that other cells have for it, unless a witness shows such."""
    if any(other_values.passed_over([one], column.different, column.says_the_same) for one in column.shown):
        return None
    return other_values.passed_over(column.texts, column.different, column.says_the_same)


def _code_parts(column: Column) -> Found | None:
    """Unless a witness shows such letters go: those of a country, in front of its own codes."""
    shown = any(other_values.loses_prefix(*change) for change in column.shown)
    return None if shown else other_values.code_parts_gone(column.not_same, column.different)


def _suffixes(column: Column) -> Found | None:
    shown = any(number_suffixes.suffix_gone(*change) for change in column.shown)
    return None if shown else number_suffixes.different_suffixes_gone(column.unlike)


def _pictures(column: Column) -> Found | None:
    shown = any(pictures.gone_from(*change) for change in column.shown)
    return None if shown else pictures.pictures_gone(column.texts)


def _uncapitalised(column: Column) -> Found | None:
    shown = any(letter_case.uncapitalised(*change) for change in column.shown)
    return None if shown else letter_case.many_names_uncapitalised(column.texts)


def _names_turned(column: Column) -> Found | None:
    return None if separators.words_turned(column.shown) else column.names.against_others()


def _marks(column: Column) -> Found | None:
    if any(words_changed.marks_gone([change], [(change[1], change[1])]) for change in column.shown):
        return None
    return words_changed.marks_gone(column.unlike, column.different)


# A witness that raises one of these itself shows that such a change is wanted: they are about the form, not the value.
OF_FORM = frozenset({"mark-lost", "sign-changed", "letters-lost", "order-changed", "text-cut", "words-joined"})
_OF_FIGURES = (figures_changed.numbers_changed, figures_changed.figures_gone, figures_changed.figures_new)
LAWS: Sequence[tuple[str, Callable[[Column], Found | None], str]] = (
    ("precision-lost", number_laws.precision_lost, "the number whole"),
    ("other-meaning", _other, "the same thing"),
    ("value-lost", _lost, "the value whole"),
    ("value-misread", _misread, "the same date, time or word"),
    ("number-changed", number_laws.numbers_changed, "the same number"),
    ("number-changed", _beside(grouping_marks.grouping_turned), "the same number"),
    ("value-changed", other_value, "the same value"),
    ("quantity-changed", _quantity, "the same quantity"),
    ("quantity-changed", _unless_shown(currency_changed, of=_ALL_TEXTS), "the same currency"),
    ("scale-changed", _scale, "numbers on one scale"),
    ("scale-changed", _beside(unit_added), "the number alone"),
    ("type-changed", number_laws.types_changed, "a value of the same type"),
    ("number-changed", _unless_shown(figures_changed.numbers_changed, *_OF_FIGURES), "the same number"),
    ("word-replaced", _replaced, "the same word"),
    ("word-replaced", _doubted, "the same word"),
    ("word-replaced", _passed_over, "the same word"),
    ("word-replaced", _beside(misspellings.misspelt), "the word as it was"),
    ("words-lost", _unless_words_go(words_changed.words_gone), "all words"),
    ("words-lost", _unless_words_go(other_values.qualified_merged, attrgetter("not_same")), "all words"),
    ("words-lost", _unless_words_go(words_changed.left_unlike_others), "all words"),
    ("words-lost", _unless_shown(opposites.negation_gone, of=_ALL_TEXTS), "all words"),
    ("mark-lost", _marks, "the mark"),
    ("letters-lost", _unless_shown(letters_changed.letters_gone), "all letters"),
    ("letters-lost", _beside(number_suffixes.suffixes_gone), "all letters"),
    ("letters-lost", _suffixes, "all letters"),
    ("letters-lost", _beside(accents_gone), "all letters"),
    ("letters-lost", _beside(letters_changed.code_ends_gone), "all letters"),
    ("letters-lost", _beside(letters_changed.code_suffixes_gone), "all letters"),
    ("letters-lost", _code_parts, "all letters"),
    ("letters-lost", _unless_shown(letters_changed.between_figures_gone), "all letters"),
    ("letters-lost", _unless_shown(letters_changed.prefixes_gone), "all letters"),
    ("words-joined", _unless_shown_of_all(letters_changed.words_joined), "the words apart"),
    ("words-joined", _beside(letters_changed.all_blanks_gone), "the words apart"),
    ("figures-lost", _unless_shown(figures_changed.figures_gone, *_OF_FIGURES), "all figures"),
    ("figures-lost", _beside(figures_changed.zeros_gone), "all figures"),
    ("figures-lost", _beside(figures_changed.width_lost), "all figures"),
    ("figures-lost", _beside(figures_changed.lengths_lost), "all figures"),
    ("figures-lost", _beside(other_values.shorter_than_others), "all figures"),
    ("figures-lost", _beside(figures_changed.part_width_lost), "all figures"),
    ("figures-added", _unless_shown(figures_changed.figures_new, *_OF_FIGURES), "only the figures that were in it"),
    ("figures-added", _unless_shown(figures_changed.padded_again, of=_ALL_TEXTS), "only the figures that were in it"),
    ("sign-changed", _unless_shown(figures_changed.signs_changed), "the same sign"),
    ("text-cut", _unless_shown(letters_changed.cut_short), "the words whole"),
    ("order-changed", _unless_shown(figures_changed.places_exchanged), "the same order"),
    ("order-changed", _beside(words_changed.order_of_others), "the same order"),
    ("order-changed", _unless_shown(separators.words_turned), "the same order"),
    ("letters-lost", _beside(loose_ends.words_cut, of=_UNKNOWN), "all letters"),
    ("text-cut", _unless_shown(loose_ends.parts_missing, of=_ALL_TEXTS), "all parts"),
    ("sign-changed", _unless_shown(loose_ends.minus_made_up, of=_ALL_TEXTS), "the same sign"),
    ("sign-changed", _unless_shown(loose_ends.minus_detached, of=_ALL_TEXTS), "the same sign"),
    ("words-joined", _beside(separators.labels_joined), "the words apart"),
    ("words-joined", _unless_shown(separators.underscores_joined, of=_ALL_TEXTS), "the words apart"),
    ("figures-joined", _unless_shown(separators.figures_joined), "the numbers apart"),
    ("figures-joined", _unless_shown_of_all(separators.ranges_joined), "the numbers apart"),
    ("separator-moved", _unless_shown(separators.points_gone), "the number whole"),
    ("separator-moved", _beside(separators.separators_moved), "the parts as they were"),
    ("separator-moved", _unless_shown(separators.levels_merged, of=_ALL_TEXTS), "the parts as they were"),
    ("sign-changed", _unless_shown(separators.comparisons_turned, of=_ALL_TEXTS), "the same sign"),
    ("sign-changed", _unless_shown(separators.sentences_changed, of=_ALL_TEXTS), "the same sign"),
    ("sign-changed", _unless_shown(signs_inside.operators_changed, of=_ALL_TEXTS), "the same sign"),
    ("sign-changed", _unless_shown(signs_inside.poles_turned, of=_ALL_TEXTS), "the same sign"),
    ("mark-lost", _beside(signs_inside.kept_signs_gone), "the sign"),
    ("mark-lost", _unless_shown(signs_inside.units_in_sentences_gone, of=_ALL_TEXTS), "the unit"),
    ("mark-lost", _pictures, "the picture"),
    ("sign-changed", _unless_shown(pictures.pictures_turned, of=_ALL_TEXTS), "the same picture"),
    ("mark-lost", _unless_shown(signs_inside.words_split, of=_ALL_TEXTS), "the word whole"),
    ("figures-joined", _unless_shown(signs_inside.fractions_joined, of=_ALL_TEXTS), "the numbers apart"),
    ("words-joined", _unless_shown(signs_inside.lines_joined, of=_ALL_TEXTS), "the words apart"),
    ("letters-lost", _unless_shown(signs_inside.fronts_cut, of=_ALL_TEXTS), "the word whole"),
    ("case-changed", _beside(letter_case.names_uncapitalised), "the capitals of a name"),
    ("case-changed", _uncapitalised, "the capitals of a name"),
    ("case-changed", _unless_shown(letter_case.sentences_recased, of=_ALL_TEXTS), "the capitals of names"),
    ("case-changed", _unless_shown(letter_case.paths_recased, of=_ALL_TEXTS), "the link as it was"),
    ("case-changed", _unless_shown(letter_case.inner_capitals_gone, of=_ALL_TEXTS), "the capitals of a name"),
    ("mark-lost", _beside(signs_inside.signs_repeated), "the sign once"),
    (
        "word-replaced",
        _beside(beyond_others.beyond_the_range, of=attrgetter("not_same")),
        "a value that other cells have",
    ),
    ("word-replaced", _beside(beyond_others.made_up_code, of=_UNKNOWN), "the word"),
    ("figures-lost", _beside(figures_cut.padding_lost), "all figures"),
    ("figures-lost", _beside(figures_cut.versions_cut), "all figures"),
    ("quantity-changed", _beside(figures_cut.units_gone), "the number with its unit"),
    ("figures-lost", _beside(main_form.width_missed), "all figures"),
    ("precision-lost", _beside(main_form.decimals_missed), "the number with its decimals"),
    ("words-joined", _unless_shown(main_form.items_joined, of=_ALL_TEXTS), "the items apart"),
    ("order-changed", _names_turned, "the order of the other names"),
    ("order-changed", _unless_shown(name_order.ends_in_front, of=_ALL_TEXTS), "the name in front"),
    ("text-cut", _unless_words_go(lines_kept.lines_gone, of=_ALL_TEXTS), "all lines"),
    ("lines-joined", _unless_shown(lines_kept.paragraphs_joined, of=_ALL_TEXTS), "the lines apart"),
    ("lines-joined", _unless_shown(lines_kept.levels_lost, of=_ALL_TEXTS), "the blanks in front of the lines"),
    ("word-replaced", _unless_shown(loose_ends.saint_as_street, of=_ALL_TEXTS), "the name of the street"),
    ("mark-lost", _unless_shown(loose_ends.tie_left_out, of=_ALL_TEXTS), "the sign"),
    ("separator-moved", _unless_shown(lines_kept.numbers_parted, of=_ALL_TEXTS), "the number whole"),
    ("separator-moved", _unless_shown(lines_kept.decimals_joined, of=_ALL_TEXTS), "the number whole"),
    ("sign-changed", _unless_shown(loose_ends.minus_lost, of=_ALL_TEXTS), "the same sign"),
    ("quantity-changed", _beside(main_form.thousands_misread, of=_ALL_TEXTS), "the same quantity"),
    ("words-lost", _beside(lines_kept.ends_gone, of=_ALL_TEXTS), "all words"),
    ("sign-changed", _unless_shown(signs_inside.sides_left_out, of=_ALL_TEXTS), "the sign of the side"),
    ("unseen-added", _unless_shown(signs_inside.unseen_put_in, of=_ALL_TEXTS), "only signs that can be seen"),
)
