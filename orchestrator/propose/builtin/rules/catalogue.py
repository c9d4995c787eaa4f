"""The rules in their order: characters first, then what single cells mean, then what columns and rows agree on.

A rule never undoes an earlier one: its right texts come from rows on which the earlier rules find nothing any more. To
add a rule: a module in this folder with a `RepairRule` (or a function of the type `Rule`), and a line here.
"""

from collections.abc import Callable, Iterator

from orchestrator.propose.builtin.fitted_remedy import FittedRemedy
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.rules import (
    blanks,
    booleans,
    casing,
    clock_times,
    code_separators,
    codes,
    dates,
    declared,
    emails,
    encoding,
    grouped_numbers,
    null_words,
    numbers,
    phones,
    replaced_characters,
    shifted_codes,
    spelling,
    thousands,
    us_states,
    usual_words,
    variants,
)
from orchestrator.propose.builtin.rules.forms import (
    area_codes,
    blood_types,
    bound_signs,
    bracketed_years,
    calendar_words,
    country_words,
    currency_words,
    dois,
    dressed_numbers,
    final_stops,
    half_days,
    hex_codes,
    html_tags,
    hyphens,
    international_phones,
    joined_numbers,
    lost_accents,
    lost_hours,
    months,
    numbered_words,
    page_ranges,
    periods,
    postcodes,
    separated_lists,
    text_marks,
    turned_names,
    web_addresses,
)
from orchestrator.propose.builtin.rules.rows import composites, conflicting_sources, declared_keys, dependencies
from orchestrator.propose.builtin.rules.units import unit_blanks, unit_case, unit_names
from orchestrator.propose.builtin.working_rows import WorkingRows

Rule = Callable[[WorkingRows, Preferences], Iterator[Remedy] | Iterator[FittedRemedy]]

CELL_RULES: tuple[Rule, ...] = (
    html_tags.RULE,
    *encoding.RULES,
    *blanks.RULES,
    text_marks.RULE,
    *null_words.RULES,
    codes.EXPONENTS,
    thousands.RULE,
    grouped_numbers.RULE,
    numbers.RULE,
    bracketed_years.RULE,
    dressed_numbers.RULE,
    unit_case.RULE,
    unit_names.RULE,
    unit_blanks.RULE,
    dates.RULE,
    clock_times.RULE,
    half_days.RULE,
    lost_hours.RULE,
    joined_numbers.RULE,
    page_ranges.RULE,
    *periods.RULES,
    months.RULE,
    bound_signs.RULE,
    final_stops.RULE,
    booleans.RULE,
    calendar_words.RULE,
    country_words.RULE,
    blood_types.RULE,
    currency_words.RULE,
    phones.RULE,
    international_phones.RULE,
    area_codes.RULE,
    codes.LOST_ZEROS,
    emails.RULE,
    dois.RULE,
    web_addresses.RULE,
    separated_lists.EMPTY_ITEMS,
    separated_lists.RULE,
    turned_names.RULE,
    turned_names.LISTS,
    shifted_codes.find,
    postcodes.RULE,
    hex_codes.RULE,
    hyphens.RULE,
    code_separators.RULE,
    us_states.RULE,
    lost_accents.RULE,
    *casing.RULES,
    declared.RULE,
    replaced_characters.find,
    spelling.find,
    numbered_words.RULE,
    variants.find,
    usual_words.RULE,
)
# What rows should agree on is asked only when single cells have nothing left to be repaired.
# Keys come before what is settled by them: the gate refuses a function that brings an earlier one's issue back.
ROW_RULES: tuple[Rule, ...] = (
    conflicting_sources.find,
    dependencies.find,
    declared_keys.find,
    composites.find,
)


def stages(table: WorkingRows, preferences: Preferences) -> Iterator[Iterator[Remedy | FittedRemedy]]:
    """The repairs that are needed, stage by stage, in the columns that may be changed. Nothing is looked for ahead."""
    yield cell_repairs(table, preferences)
    yield _repairs(ROW_RULES, table, preferences)


def cell_repairs(table: WorkingRows, preferences: Preferences) -> Iterator[Remedy | FittedRemedy]:
    """The repairs that single cells need."""
    return _repairs(CELL_RULES, table, preferences)


def _repairs(rules: tuple[Rule, ...], table: WorkingRows, preferences: Preferences) -> Iterator[Remedy | FittedRemedy]:
    allowed = WorkingRows(tuple(c for c in table.columns if c.name not in preferences.untouched), table.rows)
    return (remedy for rule in rules for remedy in rule(allowed, preferences))
