"""Laws that need more of a column than its changes: witnesses, recoding, what it knows. Called by laws.py."""

from decimal import Decimal

from orchestrator.gate.information import number_laws
from orchestrator.gate.information.as_shown.own_beginnings import own_beginnings
from orchestrator.gate.information.beyond_shown.minutes_with_seconds import with_seconds
from orchestrator.gate.information.changes import Change, Found, both_text, cell_key, moved, written
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.column_evidence import other_values
from orchestrator.gate.information.column_evidence.day_or_month import first_parts, order_not_shown, read_date
from orchestrator.gate.information.column_evidence.scales import (
    in_another_unit,
    scale_changed,
    shares_left_out,
    units_left_out,
)
from orchestrator.gate.information.law_scopes import (
    ALL_TEXTS,
    EVIDENCE,
    NOT_SAME,
    UNKNOWN,
    beside,
    unless_seen,
    unless_shown,
)
from orchestrator.gate.information.prose.lines_kept import loses_beginnings
from orchestrator.gate.information.reinterpretation import misread, misread_date
from orchestrator.gate.information.shown import figures_in_the_form_shown, inflected, number_shown
from orchestrator.gate.information.signs_of_numbers.bracketed_numbers import below_zero
from orchestrator.gate.information.signs_of_numbers.code_ends import years_as_others
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.text_changes import (
    figures_changed,
    letter_case,
    list_parts,
    loose_ends,
    number_suffixes,
    pictures,
    separators,
    signs_inside,
    some_places,
    words_added,
    words_changed,
)
from orchestrator.gate.information.text_changes.replaced_parts import replaced_parts
from orchestrator.gate.information.tokens import words
from orchestrator.gate.information.value_kinds.encodings import scanned
from orchestrator.gate.information.value_kinds.known_words import currency, same_thing
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.telephones import is_international
from orchestrator.gate.information.value_kinds.units import converted_wrongly, names_unit, same_quantity
from orchestrator.gate.information.value_loss import FIGURES_LOST, lost

SHORT_WORD = 2  # letters of what may be a unit or a code
OF_FIGURES = (figures_changed.numbers_changed, figures_changed.figures_gone, figures_changed.figures_new)


def other_meaning(column: Column) -> Found | None:
    return ("a cell becomes what stands for something else", column.other[0]) if column.other else None


def value_lost(column: Column) -> Found | None:
    numbers = [cell for cell in column.changed if number_laws.is_number(cell[0])]
    known = below_zero(column.unlike, column.different) | years_as_others(column.unlike, column.different)
    changed = [*(cell for cell in column.unlike if cell not in known), *column.other, *numbers]
    found = lost(changed, [*column.shown, *column.witnesses])
    if found is not None and found[0] == FIGURES_LOST and any(law([one]) for law in OF_FIGURES for one in column.shown):
        return None
    return None if found is None else (found[0], changed[found[1]])


def quantity_changed(column: Column) -> Found | None:
    unspelled = set(filter(both_text, column.unspelled))
    return (
        None
        if converted_wrongly(column.shown)
        else converted_wrongly(
            [
                c
                for c in column.texts
                if (c in unspelled or (same_quantity(*c) and scanned(c[0]) != c[1]))
                and not figures_in_the_form_shown(c, column.shown)
            ]
        )
    )


def value_misread(column: Column) -> Found | None:
    shown = {_as_shown(written(cell)) for cell in column.witnesses}
    minutes = any(map(with_seconds, column.shown))
    known = [
        cell
        for cell in column.unspelled
        if not (both_text(cell) and (number_shown(cell, column.shown) or any(inflected(cell, s) for s in column.shown)))
        and not (minutes and with_seconds(cell))
    ]
    found = misread(known)
    if found is not None and _as_shown(found[1]) in shown:  # it hides no other cell
        found = misread([cell for cell in known if _as_shown(cell) not in shown])
    if found is None:
        parts = {part: cell for cell in column.texts if not loses_beginnings(*cell) for part in replaced_parts(*cell)}
        stay = [one for one, other in column.different if isinstance(one, str) and one == other]
        inside = misread_date(list(parts), [*(one for one, _ in column.texts), *stay])
        found = None if inside is None else (inside[0], parts[inside[1]])
    return None if found is not None and _as_shown(found[1]) in shown else found


def _as_shown(change: Change) -> tuple[str, str]:
    """The change as it is compared with what witnesses show: case and blanks around do not count."""
    one, other = cell_key(change)
    return one.strip().casefold(), other


def kept_signs_gone(column: Column) -> Found | None:
    """What stands inside of codes, unless a witness shows one of the length without any sign.

    Telephone numbers with their country in front have none: 677-932-0678 is +16779320678.
    """
    joined = {len(code) for text, code in column.shown if signs_inside.is_long_code(code) and not text.isalnum()}
    changed = [cell for cell in column.texts if not (len(cell[1]) in joined and signs_inside.is_long_code(cell[1]))]
    changed = [cell for cell in changed if not (is_international(cell[1]) and column.says_the_same(*cell))]
    gone = set[tuple[str, bool, bool]]().union(*(signs_inside.signs_gone(*change) for change in column.shown))
    changed = [cell for cell in changed if not (gone and signs_inside.signs_gone(*cell) & gone)]
    return beside(signs_inside.kept_signs_gone, lambda _: changed)(column)


def places_exchanged(column: Column) -> Found | None:
    """Figures that change places, but for those of one number whose point moves: 0.27 as 27.00."""
    changed = [cell for cell in column.unlike if not _point_moved(*map(reading, cell))]
    return unless_shown(figures_changed.places_exchanged, of=lambda _: changed)(column)


def _point_moved(before: Decimal | None, after: Decimal | None) -> bool:
    if not before or not after:
        return False
    return before.normalize().as_tuple().digits == after.normalize().as_tuple().digits


def scale_differs(column: Column) -> Found | None:
    if figures_changed.numbers_changed(column.shown):
        return None
    return (
        scale_changed(column.texts, column.different, column.shown)
        or in_another_unit(column.texts, column.different, column.shown)
        or shares_left_out(column.texts, column.different, column.shown)
        or units_left_out(column.texts, column.different, column.shown)
    )


def word_replaced(column: Column) -> Found | None:
    """A word becomes another one. What a witness shows of one word is believed of others that stay apart."""
    unlike = set(column.unlike)
    found = [change for change in words_changed.words_replaced(column.unknown, column.different) if change in unlike]
    if found and words_changed.words_replaced(column.shown):
        both = words_changed.collisions([*found, *column.shown])
        found = [change for change in found if change in both]
    own = own_beginnings(found, column.different, column.shown)
    found = [change for change in found if change not in own]
    return ("a word becomes another word", found[0]) if found else None


def recoding_doubted(column: Column) -> Found | None:
    """In a recoding, a value that another one is merged with, or that becomes what another one is more like.

    Where a witness shows one word recoded, how alike words are is no reason any more, but of two that are exchanged:
    witnesses settle these where they show such, too.
    """
    recoding = column.recoding
    shown = any(words(one) and words(one) != words(other) for one, other in column.shown)
    settled = recoding.merged if recoding.misleads(column.shown) else recoding.merged | recoding.turned
    doubts = settled if shown else recoding.doubted
    doubted = [change for change in column.unlike if change in doubts]
    if any(same_thing(*change) and key(change[0]) != key(change[1]) for change in column.shown):
        doubted = [change for change in doubted if not same_thing(*change)]  # Y as yes is shown, so N is no
    passed_over = column.abbreviations.passed_over(column.unlike)
    doubted += passed_over if len(passed_over) > 1 else []
    parted = {written(cell) for cell in column.changed if _is_parted(cell)}  # an object is no word for another
    own = own_beginnings(doubted, column.different, column.shown)
    doubted = [change for change in doubted if change not in parted | own]
    return ("a word becomes what another one stands for", doubted[0]) if doubted else None


def value_passed_over(column: Column) -> Found | None:
    """A value that becomes another one than the one that other cells have for it, unless a witness shows such."""
    if any(other_values.passed_over([one], column.different, column.says_the_same) for one in column.shown):
        return None
    return other_values.passed_over(column.texts, column.different, column.says_the_same)


def date_order_unknown(column: Column) -> Found | None:
    """A date whose order no other cell shows, unless it is the one that witnesses show."""
    read = {found.month_first for one in column.shown if (found := read_date(*one)) is not None}
    read |= {first == "month" for found in first_parts(one for one, _ in column.shown).values() for first in found}
    for change in order_not_shown(column.texts, column.different):
        found = read_date(*change)
        if found is not None and found.month_first not in read:
            return "a date may be of another month: no other shows which part is the month", change
    return None


def some_places_changed(column: Column) -> Found | None:
    """A change in one of several places, unless a witness keeps a place like the one that stays."""
    kept = [*column.different, *(written(cell) for cell in column.witnesses if not moved(cell))]
    return beside(lambda changed, _: some_places.some_places_changed(changed, kept))(column)


def word_put_behind(column: Column) -> Found | None:
    """A word behind what is known to say the same, which no other cell or witness has: `Fri` as `Friday zebra`."""
    shown = {word for one, other in column.shown for word in set(words(other)) - set(words(one))}
    for before, after in column.texts:
        rest, _, last = after.rpartition(" ")
        word = last.casefold()
        if not rest or not last.isalpha() or len(last) <= SHORT_WORD or names_unit(last) or currency(last):
            continue
        if word in shown or word in words(before) or not column.says_the_same(before, rest):
            continue
        others = (one for one, _ in column.different if isinstance(one, str) and word in one.casefold())
        if not any(word in words(text) for text in others):
            return "a word is put behind what the cell says", (before, after)
    return None


# Letters of a country go in front of its own codes: such a witness says nothing else.
code_parts_gone = unless_seen(other_values.code_parts_gone, other_values.loses_prefix, NOT_SAME, EVIDENCE)
suffixes_gone = unless_seen(number_suffixes.different_suffixes_gone, number_suffixes.suffix_gone, UNKNOWN)
pictures_gone = unless_seen(pictures.pictures_gone, pictures.gone_from, ALL_TEXTS)
names_uncapitalised = unless_seen(letter_case.many_names_uncapitalised, letter_case.uncapitalised, ALL_TEXTS)
channels_left_out = unless_seen(loose_ends.channels_left_out, loose_ends.channel_left_out, ALL_TEXTS)
# One of several words of the other cells, at figures that say none.
word_of_some_others = unless_seen(words_added.word_of_some_others, words_added.gets_word, ALL_TEXTS, EVIDENCE)


def names_turned(column: Column) -> Found | None:
    return None if separators.words_turned(column.shown) else column.names.against_others()


def mark_gone(column: Column) -> Found | None:
    if any(words_changed.marks_gone([change], [(change[1], change[1])]) for change in column.shown):
        return None
    return words_changed.marks_gone(column.unlike, column.different)


def words_not_in_parts(column: Column) -> Found | None:
    """Of lists and objects as they are; a witness that leaves a word or the letter of a code out settles it."""
    if any(list_parts.words_not_in_parts([cell], shortest=1) for cell in column.witnesses):
        return None
    shown = [list_parts.not_in_parts(*cell) for cell in column.witnesses if _is_parted(cell)]
    return list_parts.words_not_in_parts(column.changed, shown=set().union(*shown))


def _is_parted(change: Change) -> bool:
    return isinstance(change[0], str) and isinstance(change[1], list | dict)
