"""What the gate suspects of changes of single characters. Part of the laws of laws.py."""

from collections.abc import Callable, Sequence

from orchestrator.gate.information.changes import Found
from orchestrator.gate.information.characters import capitals_that_tell, run_together, unseen_signs
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.law_scopes import ALL_TEXTS, beside, unless_shown

CHARACTER_LAWS: Sequence[tuple[str, Callable[[Column], Found | None], str]] = (
    ("figures-joined", unless_shown(run_together.figures_run_together, of=ALL_TEXTS), "the figures apart"),
    ("words-joined", unless_shown(run_together.letters_run_together, of=ALL_TEXTS), "the sign"),
    ("letters-lost", unless_shown(unseen_signs.joiners_gone, of=ALL_TEXTS), "the sign between them"),
    ("letters-added", unless_shown(unseen_signs.marks_made_up, of=ALL_TEXTS), "letters as words have them"),
    ("quantity-changed", beside(capitals_that_tell.units_made_alike), "the units apart"),
    ("case-changed", beside(capitals_that_tell.codes_in_one_case), "the code as it was"),
)
