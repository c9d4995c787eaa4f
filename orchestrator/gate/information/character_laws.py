"""What the gate suspects of changes of single characters, and of amounts and codes beside one that is shown.

Part of the laws of laws.py.
"""

from collections.abc import Callable, Sequence

from orchestrator.gate.information.beyond_shown.merged_by_letter import merged_by_letter
from orchestrator.gate.information.beyond_shown.said_amounts import amounts_otherwise
from orchestrator.gate.information.changes import Found
from orchestrator.gate.information.characters import capitals_that_tell, flags, raised_signs, unseen_signs
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.law_scopes import ALL_TEXTS, beside, unless_shown
from orchestrator.gate.information.signs_of_numbers import code_marks
from orchestrator.gate.information.text_changes import grouping_marks


def _group_left(column: Column) -> Found | None:
    return grouping_marks.group_left_as_decimal(column.texts, column.different, column.witnesses)


def _amounts_otherwise(column: Column) -> Found | None:
    return amounts_otherwise(column.texts, [*column.different, *column.witnesses])


CHARACTER_LAWS: Sequence[tuple[str, Callable[[Column], Found | None], str]] = (
    ("figures-joined", unless_shown(raised_signs.figures_run_together, of=ALL_TEXTS), "the figures apart"),
    ("words-joined", unless_shown(raised_signs.letters_run_together, of=ALL_TEXTS), "the sign"),
    ("letters-lost", unless_shown(unseen_signs.joiners_gone, of=ALL_TEXTS), "the sign between them"),
    ("letters-added", unless_shown(unseen_signs.marks_made_up, of=ALL_TEXTS), "letters as words have them"),
    ("quantity-changed", beside(capitals_that_tell.units_made_alike), "the units apart"),
    ("word-replaced", unless_shown(flags.flags_exchanged, of=ALL_TEXTS), "the code of the same country"),
    ("mark-lost", unless_shown(code_marks.long_addresses_changed, of=ALL_TEXTS), "the same address"),
    ("letters-lost", beside(code_marks.base_left_out), "the number with its base"),
    ("separator-moved", _group_left, "one meaning of each mark"),
    ("quantity-changed", _amounts_otherwise, "the same quantity"),
    ("values-collapse", merged_by_letter, "different words kept apart"),
    ("case-changed", beside(capitals_that_tell.codes_in_one_case), "the code as it was"),
)
