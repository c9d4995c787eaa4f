"""What the gate suspects of changes in names of people and companies. Part of the laws of laws.py."""

from collections.abc import Callable, Sequence

from orchestrator.gate.information.changes import Found
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.law_scopes import beside, unless_shown
from orchestrator.gate.information.proper_names import company_forms, counties, marks_of_names, turned_round

NAME_LAWS: Sequence[tuple[str, Callable[[Column], Found | None], str]] = (
    ("words-lost", unless_shown(company_forms.partnership_cut), "all words"),
    ("words-lost", beside(counties.county_as_town), "the county"),
    ("words-added", unless_shown(company_forms.form_made_up), "the name as it was"),
    ("word-replaced", unless_shown(company_forms.form_inside_shortened), "the word as it was"),
    ("order-changed", unless_shown(turned_round.suffix_inside), "the suffix behind its name"),
    ("words-lost", unless_shown(turned_round.article_left_out), "the title with its article"),
    ("word-replaced", unless_shown(turned_round.another_article), "the same article"),
    ("order-changed", unless_shown(turned_round.company_turned), "the company as it was"),
    ("case-changed", unless_shown(marks_of_names.capital_behind_mark), "no capital inside"),
    ("case-changed", unless_shown(marks_of_names.small_word_capitalised), "the word in small letters"),
    ("mark-lost", unless_shown(marks_of_names.double_names_parted, marks_of_names.a_double_name_parted), "the hyphen"),
    ("mark-lost", unless_shown(marks_of_names.listed_names_joined), "the comma"),
)
