"""What the user wants of each column, from the instruction (a few fixed phrases) and the conventions file.

Clauses end with a full stop, a semicolon or a line end. A clause that names columns is about these and wins over one
that is about all; the conventions file wins over both. What such a clause says of dates is about the columns of dates
where it names none for it ("upper case for port, dates as dd.mm.yyyy"). Understood: "upper case", "lower case", "title
case", "ISO dates", "dates as dd.mm.yyyy" (with "month first" or "day first"), "null word X", "E.164", "whole numbers"
(without ".0"), "leave … alone", and `"N.Y." -> "New York"`. For all else the user is told to use a language model.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from orchestrator.core.conventions import ColumnConvention, Conventions
from orchestrator.core.errors import UsageError
from orchestrator.data.user_files.instruction_examples import shown_pairs
from orchestrator.propose.builtin.named_columns import columns_named, no_column, stray_words
from orchestrator.propose.builtin.rules.date_forms import _before_time, _read_date
from orchestrator.propose.builtin.working_rows import WorkingRows

_CASES = {style: rf"\b{style}[ -]?case\b" for style in ("upper", "lower", "title")}
_LEAVE = re.compile(r"\bleave\b.*\balone\b|\bdo not (?:touch|change)\b", re.IGNORECASE)
_FORMAT = r"\b(?:yyyy|yy|mm?|dd?)([-/. ])(?:mm?|dd?)\1(?:yyyy|yy|dd?)\b"
# Words of instructions that the rules follow anyway, as far as the data show what is meant.
_DONE_ANYWAY = re.compile(
    r"\b(?:clean|tidy|typos?|spell|misspel|blank|space|trim|whitespace|consisten|normali[sz]|standardi[sz]|dates?\b|"
    r"numbers?\b|phone|units?\b|currenc|missing|categor|encoding|duplicate spelling)",
    re.IGNORECASE,
)
_NOTHING = ColumnConvention()
_OF_DATES = frozenset({"read", "write"})
_OF_ONE_KIND = frozenset({"phones", "whole"})
_SPELLING = "spelling of "
_KNOWN = (
    'The built-in rules know: upper/lower/title case, ISO dates, "null word X", E.164, whole numbers, "leave … alone", '
    '"N.Y." -> "New York"'
)


@dataclass(frozen=True)
class Preferences:
    """The convention of every column, and what the user should know about the instruction."""

    columns: dict[str, ColumnConvention]
    notes: tuple[str, ...] = ()

    def __getitem__(self, column: str) -> ColumnConvention:
        return self.columns.get(column, _NOTHING)

    @cached_property
    def keys(self) -> dict[str, str]:
        """Every column's convention as a text, by which rules know again what they found under it."""
        return {name: convention.model_dump_json() for name, convention in self.columns.items()}

    @cached_property
    def untouched(self) -> set[str]:
        """Columns that no rule may change."""
        return {name for name, convention in self.columns.items() if convention.leave}

    @classmethod
    def read(cls, instruction: str, table: WorkingRows, conventions: Conventions | None = None) -> "Preferences":
        names = [column.name for column in table.columns]
        settings: dict[str, dict[str, Any]] = {name: {} for name in names}
        notes: list[str] = []
        understood = False
        clauses = [clause.strip() for clause in re.split(r"[;\n]|\.(?:\s|$)", instruction) if clause.strip()]
        unclear = {clause: told for clause in clauses if (told := _of_no_column(clause, names))}
        hidden = any(map(_LEAVE.search, unclear))  # which column is to be left alone
        notes.extend(f"{told}{', nor what is asked of all columns' if hidden else ''}." for told in unclear.values())
        for by_name in (False, True):  # what is asked of a named column wins
            asked: dict[tuple[str, str], Any] = {}
            for clause in clauses:
                for named, setting, value in _asked(clause, names, table):
                    if bool(named) is not by_name:
                        continue
                    understood = True
                    if not named and (clause in unclear or hidden) and not setting.startswith(_SPELLING):
                        continue
                    for name in named or names:
                        if asked.setdefault((name, setting), value) != value:
                            notes.append(_contradiction(name, setting))
                            asked[name, setting] = None
            for (name, setting), value in asked.items():
                settings[name][setting] = value
        if clauses and not understood and not _DONE_ANYWAY.search(instruction):
            notes.append(f"Nothing of the instruction was understood. {_KNOWN}; use a language model for the rest.")
        declared = conventions or Conventions()
        columns: dict[str, ColumnConvention] = {}
        for name in names:
            asked_for = _convention(settings[name])
            if not asked_for.spellings and any(map(_is_spelling, settings[name].items())):
                notes.append(f"The examples in the instruction lead in a circle: they were not followed in {name}.")
            try:
                columns[name] = declared.of(name).over(asked_for)
            except UsageError:
                columns[name] = declared.of(name)
                notes.append(f"The instruction contradicts the conventions on {name}: the conventions were followed.")
        return cls(columns, tuple(dict.fromkeys(notes)))


def _of_no_column(clause: str, names: list[str]) -> str:
    """On the first word of a clause that should be a column and is none, without its full stop; "" if all is clear."""
    wishes = any(not setting.startswith(_SPELLING) for setting, _ in _settings(clause, named=True))
    stray = stray_words(clause, names) if wishes else []
    undone = "what is asked of it was not done" if columns_named(clause, names) else f"{clause!r} was not followed"
    return f"{no_column(stray[0], names)}: {undone}" if stray else ""


def _asked(clause: str, names: list[str], table: WorkingRows) -> Iterator[tuple[list[str], str, Any]]:
    """What a clause asks for: the columns, none for all of them; the setting and its value."""
    named = columns_named(clause, names)
    for setting, value in _settings(clause, named=bool(named)):
        kind = _OF_DATES if setting in _OF_DATES else _OF_ONE_KIND & {setting}
        yield (_meant(clause, named, kind, table) if named and kind else named), setting, value


def _meant(clause: str, named: list[str], kind: frozenset[str], table: WorkingRows) -> list[str]:
    """The columns of which a clause speaks where it asks for this: those that it names there, or without another wish.

    "Upper case for port, dates as dd.mm.yyyy" names none there: it is about all dates, unless those of port are meant.
    """
    about: set[str] = set()
    found = False
    for part in re.split(r",|\band\b|\bbut\b", clause, flags=re.IGNORECASE):
        settings = {setting for setting, _ in _settings(part, named=True)}
        found = found or bool(settings & kind)
        if settings & kind or not settings:
            about.update(columns_named(part, named))
    if not found or not (about or kind is _OF_DATES):  # the words for it stand in several parts, or for all of them
        return named
    return [name for name in named if (name in about if about else table[name].may_be(_is_date))]


def _is_date(text: str) -> bool:
    date = _before_time(text)
    return any(_read_date(date, dict.fromkeys("-/. ", order), {}) for order in ("dmy", "mdy"))


def _settings(clause: str, *, named: bool) -> Iterator[tuple[str, Any]]:
    """What a clause asks for, as setting and value."""

    def find(pattern: str) -> re.Match[str] | None:
        return re.search(pattern, clause, re.IGNORECASE)

    for style, pattern in _CASES.items():
        if find(pattern):
            yield "case", style
    if find(r"\biso\b.*\bdates?\b|\bdates?\b.*\biso\b"):
        yield "write", "yyyy-mm-dd"
    elif found := find(_FORMAT):
        yield "write", found[0].lower()
    if found := find(r"\b(month|day)[ -]first\b"):
        yield "read", "mdy" if found[1].lower() == "month" else "dmy"
    if found := find(r"\bnull word:?\s+[\"'“]?([^\s\"'”,;]+)"):
        yield "null", found[1]
    if find(r"\be\.?164\b"):
        yield "phones", "e164"
    if find(r"\bwhole numbers?\b"):
        yield "whole", True
    for before, after in shown_pairs(clause):
        if before and after and before != after:
            yield f"{_SPELLING}{before}", after
    if named and _LEAVE.search(clause):
        yield "leave", True


def _convention(settings: dict[str, Any]) -> ColumnConvention:
    """The settings as a convention; a date format that cannot be is none, and neither are spellings in a circle."""
    if settings.get("leave"):
        return ColumnConvention(leave=True)
    given: dict[str, Any] = {key: settings[key] for key in ("case", "null", "phones") if settings.get(key) is not None}
    given["dates"] = {key: settings[key] for key in ("read", "write") if settings.get(key) is not None}
    given["numbers"] = {"whole": True} if settings.get("whole") else {}
    if spelled := dict(filter(_is_spelling, settings.items())):
        given["spellings"] = {setting.removeprefix(_SPELLING): value for setting, value in spelled.items()}
    for left_out in ((), ("dates",), ("spellings",), ("dates", "spellings")):
        with suppress(ValidationError):
            return ColumnConvention.model_validate({key: given[key] for key in given if key not in left_out})
    return ColumnConvention()


def _is_spelling(asked: tuple[str, Any]) -> bool:
    """Whether a setting and its value say how a text is to be written, and do not contradict each other."""
    return asked[0].startswith(_SPELLING) and asked[1] is not None


def _contradiction(column: str, setting: str) -> str:
    what = {"case": "case", "write": "date format", "read": "order of day and month", "null": "null word"}
    return (
        f"The instruction contradicts itself on the {what.get(setting, setting)} of {column}: it was not obeyed there."
    )
