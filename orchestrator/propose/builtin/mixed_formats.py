"""Names formats that are left beside others when nothing more is proposed: dates in another one than most, decimal
commas beside points, amounts in brackets, numbers with something more (`684 m`) beside plain ones, telephone numbers
with the code of a country beside national ones; e-mail addresses that are none; words for nothing that may be values;
and words among numbers, dates and the like (`asap`). Called by the proposer on a chunk's last question.

A sentence for each column, with how many rows of those looked at have such a cell, and one of them.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from orchestrator.core.conventions import ColumnConvention
from orchestrator.core.wording import seen_in
from orchestrator.data.profile.missing_words import NULL_TOKENS
from orchestrator.propose.builtin.function_names import listed
from orchestrator.propose.builtin.left_alone import says_total
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.rules.date_forms import _before_time
from orchestrator.propose.builtin.rules.dates import does_not_exist, looks_like_date, order_told
from orchestrator.propose.builtin.rules.decimal_marks import beside_decimal_commas, has_doubtful_commas
from orchestrator.propose.builtin.rules.exemptions.answers_of_nothing import answers_of_nothing
from orchestrator.propose.builtin.rules.exemptions.meant_words import rows_with
from orchestrator.propose.builtin.rules.null_words import is_value
from orchestrator.propose.builtin.rules.number_parts import BESIDE_NUMBERS, looks_numeric
from orchestrator.propose.builtin.rules.number_words import words_of
from orchestrator.propose.builtin.rules.spelling import nearly_listed
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MOST, _SOME, _NEARLY_ALL = 0.6, 0.1, 0.9
_VALUES = 0.8  # of the cells, where words among them are named
_WORD = re.compile(r"\s*[^\W\d_][^\d@]*[^\W\d_][.!]?\s*")
_NUMBER = re.compile(r"[$€£¥]? ?[-+]?\d[\d.,]* ?([%$€£¥]|[^\W\d_]{1,5}\.?)?")
_DIGIT = re.compile(r"\d")
_PLAIN = re.compile(r"[-+]?\d+(\.\d+)?")
_WITH_POINT = re.compile(r"[-+]?\d+\.\d+")
_WITH_COMMA = re.compile(r"[-+]?\d+,(\d{1,2}|\d{4,})")
_WITH_CHECK_DIGIT = re.compile(r"\d{7}(?:\d\d)?[Xx]")  # of an ISSN and of an ISBN
_LABEL = re.compile(r"\d{1,3}[A-Z]")  # of a class, a flat, a seat
_CODES = {  # whose figures are no number
    "cep", "cp", "gate", "gleis", "platform", "plz", "postal", "postcode", "postleitzahl", "seat", "version", "zip",
    "zipcode",
}  # fmt: skip
_DOUBTFUL = re.compile(r"[-+]?\d{1,3},\d{3}")
_IN_BRACKETS = re.compile(r"\([$€£¥]? ?\d[\d.,]*\)")
_DIGITS_AND_MARKS = re.compile(r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}")
_YEAR_FIRST = re.compile(r"\d{4}([-/.])(0\d|1[0-2])\1(0\d|[12]\d|3[01])")
_PHONE = re.compile(r"\+?(?:[ ()./-]{0,2}\d){9,15}", re.ASCII)
_NATIONAL = re.compile(r"\(?0[1-9](?:[ ()./-]{0,2}\d){6,13}", re.ASCII)
_ABROAD = re.compile(r"(?:\+|00)[1-9](?:[ ()./-]{0,2}\d){8,14}", re.ASCII)
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_FUNCTION = "A function of your own or a model's can write them: no built-in rule does."


class _Left(NamedTuple):
    """What is left in a column: the texts, and a sentence or two on them."""

    texts: list[str]
    said: str


def mixed_formats(table: WorkingRows, preferences: Preferences) -> Iterator[str]:
    """One sentence for each column that holds cells in another format than most, and is not to be left alone."""
    for column in table.columns:
        if column.name in preferences.untouched:
            continue
        if words := _words_for_nothing(column, preferences[column.name]):
            said = f"{listed(tuple(map(repr, words[:3])))} in {column.name} may be a value, and stays. If it means a"
            seen = seen_in(rows_with(column, words), table.rows, words[0])
            yield f"{said} missing value, declare it (`null_words` of --conventions). {seen}"
        if words := _words_among_values(column, preferences[column.name]):
            said = f"Some cells in {column.name} are words, where most are {_kind(column)}, and stay. If a word means a"
            seen = seen_in(rows_with(column, words), table.rows, words[0])
            yield f"{said} missing value, declare it (`null_words` of --conventions). {seen}"
        found = _dates(column) or _commas(column, table) or _brackets(column) or _with_more(column)
        found = found or _phones(column) or _addresses(column) or _nearly_listed(column, table)
        if found is not None:
            rows = sum(column.counts[text] for text in found.texts)
            example = max(found.texts, key=column.counts.__getitem__)
            yield f"{found.said.format(name=column.name)} {seen_in(rows, table.rows, example)}"


def _words_for_nothing(column: TextColumn, convention: ColumnConvention) -> list[str]:
    """Those that stay, the most frequent first, so that nothing that the host counts is left without a word."""
    declared = {*convention.values, *convention.spellings.values(), convention.null or ""}
    said = {*answers_of_nothing(column, convention), *(text for text in column.counts if text.strip() in declared)}
    left = Counter[str]()
    for text, count in column.counts.items():
        if text.strip().casefold() in NULL_TOKENS and text not in said:
            left[text.strip()] += count
    return [text for text, _ in left.most_common()]


def _words_among_values(column: TextColumn, convention: ColumnConvention) -> list[str]:
    """Words of two letters or more, the most frequent first, where most cells are numbers, dates and the like."""
    if not column.may_be(is_value) or not _CODES.isdisjoint(words_of(column.name)):
        return []
    if column.share(is_value) < _VALUES:
        return []
    known = {*NULL_TOKENS, *map(str.casefold, (*convention.values, *convention.spellings.values()))}
    left = Counter[str]()
    for text, count in column.counts.items():
        if (
            _WORD.fullmatch(text)
            and text.strip().casefold() not in known
            and not is_value(text)
            and not says_total(text)
        ):
            left[text.strip()] += count
    # one alone may be the unit of a second header
    return [text for text, _ in left.most_common() if text != convention.null] if left.total() > 1 else []


def _kind(column: TextColumn) -> str:
    """What most cells are, in words."""
    if column.share(looks_numeric) > column.share(looks_like_date):
        return "numbers"
    return "dates" if column.may_be(looks_like_date) else "telephone numbers or addresses"


def _dates(column: TextColumn) -> _Left | None:
    """Dates written otherwise than most of them; those of which another sentence tells are left out."""
    if not column.may_be(lambda text: looks_like_date(_before_time(text))):
        return None
    forms: dict[str, list[str]] = {}
    for text in column.counts:
        date = _before_time(text)
        if _DIGIT.search(date) and not does_not_exist(date):
            forms.setdefault(_form(date) if looks_like_date(date) else "", []).append(text)
    rows = {form: sum(column.counts[text] for text in texts) for form, texts in forms.items() if form}
    usual = max(rows, key=rows.__getitem__, default="")
    left = [text for form, texts in forms.items() if form != usual for text in texts]
    if not left or rows.get(usual, 0) < _MOST * column.filled or _is_said_already(column):
        return None
    unclear = "which dates they are is not certain"
    dates = [_before_time(text) for text in left]
    if all(map(_DIGITS_AND_MARKS.fullmatch, dates)) and not any(
        order_told(date, mark) for date in dates for mark in "-/."
    ):
        unclear = "too few cells, or none, tell the order of day, month and year"
    if all(map(_YEAR_FIRST.fullmatch, dates)):
        said = "Some dates in {name} stay in another format than most."
        return _Left(left, f"{said} Declare the one to write (`dates` of --conventions).")
    said = f"Some dates in {{name}} stay in another format than most: {unclear}."
    return _Left(left, f"{said} Declare it (`dates` of --conventions).")


def _form(date: str) -> str:
    """How the parts of a date stand: runs of digits and letters become one sign, years another."""
    text = re.sub(r"(?<!\d)\d{1,2}(?!\d)", "9", re.sub(r"[^\W\d_]+", "A", date))
    return re.sub(r"\d{4}", "Y", text)


def _is_said_already(column: TextColumn) -> bool:
    """Whether both orders of day and month are shown: `left_alone` names such columns."""
    return any(len({o for text in column.counts if (o := order_told(_before_time(text), mark))}) > 1 for mark in "-/.")


def _commas(column: TextColumn, table: WorkingRows) -> _Left | None:
    if kept := beside_decimal_commas(column):
        said = "Decimal commas in {name} stay: some cells with one are no clear numbers, and would keep theirs."
        return _Left(kept, f"{said} {_FUNCTION}")
    if not _is_plain(column) or not any(map(_WITH_POINT.fullmatch, column.counts)):
        return None
    left = [text for text in column.counts if _WITH_COMMA.fullmatch(text)]
    if not left or has_doubtful_commas(column, table):
        return None
    return _Left(left, f"Some numbers in {{name}} have a comma where most have a point, and stay. {_FUNCTION}")


def _brackets(column: TextColumn) -> _Left | None:
    left = [text for text in column.counts if _IN_BRACKETS.fullmatch(text)]
    if not left or column.share(lambda text: _NUMBER.fullmatch(text) is not None) < _MOST:
        return None
    said = "Some numbers in {name} stand in brackets, which may mean that they are negative, and stay."
    return _Left(left, f"{said} {_FUNCTION}")


def _with_more(column: TextColumn) -> _Left | None:
    """Numbers that have something more beside plain ones, but for bounds (`<0.5`), brackets, and codes."""
    if not _CODES.isdisjoint(words_of(column.name)):
        return None
    plain = column.share(lambda text: _PLAIN.fullmatch(text) is not None)
    if plain < _MOST and (
        plain < _SOME or column.share(lambda text: _NUMBER.fullmatch(text) is not None) < _NEARLY_ALL
    ):
        return None
    more = (text for text in column.counts if _DIGIT.search(text) and not _PLAIN.fullmatch(text))
    left = [text for text in more if not BESIDE_NUMBERS.fullmatch(text) and not _WITH_CHECK_DIGIT.fullmatch(text)]
    if all(map(_LABEL.fullmatch, left)) and 2 * len(left) <= sum(column.counts[text] for text in left):
        return None
    others = "most" if plain >= _MOST else "others"
    said = f"Some cells in {{name}} are no plain numbers, as {others} are, and stay. {_FUNCTION}"
    if left and all(map(_DOUBTFUL.fullmatch, left)):
        said = (
            "Some numbers in {name} have a comma before three digits, and stay: nothing tells whether it is a decimal"
            " mark. Declare it (`numbers` of --conventions)."
        )
    return _Left(left, said) if left else None


def _phones(column: TextColumn) -> _Left | None:
    """Numbers with the code of a country where most have none: which country the others are of, nothing tells."""
    if not column.may_be(lambda text: _PHONE.fullmatch(text) is not None):
        return None
    left = [text for text in column.counts if _ABROAD.fullmatch(text)]
    national = column.rows(lambda text: _NATIONAL.fullmatch(text) is not None and text not in left)
    if not left or national < _MOST * column.filled or column.share(lambda t: bool(_PHONE.fullmatch(t))) < _NEARLY_ALL:
        return None
    said = "Some telephone numbers in {name} have the code of a country, most have none: they stay."
    return _Left(left, f"{said} {_FUNCTION}")


def _addresses(column: TextColumn) -> _Left | None:
    """What has the sign of an e-mail address, and is none, as one with a blank: which part is wrong, nothing tells."""
    if not column.may_be(lambda text: _ADDRESS.fullmatch(text) is not None):
        return None
    left = [text for text in column.counts if "@" in text and not _ADDRESS.fullmatch(text)]
    if not left or column.share(lambda text: _ADDRESS.fullmatch(text) is not None) < _MOST:
        return None
    return _Left(left, f"Some cells in {{name}} are no e-mail addresses, as most are, and stay. {_FUNCTION}")


def _nearly_listed(column: TextColumn, table: WorkingRows) -> _Left | None:
    """Texts that nearly are others of a list, and that may be meant so."""
    if not (left := nearly_listed(column, table)):
        return None
    text, listed = (repr(text).replace("{", "{{").replace("}", "}}") for text in next(iter(left.items())))
    said = f"Some cells in {{name}} are nearly what many others are ({text} beside {listed}), and stay: they recur or"
    return _Left([*left], f"{said} may be other words. Declare what is right (`spellings` of --conventions).")


def _is_plain(column: TextColumn) -> bool:
    """Whether most cells are plain numbers."""
    return column.may_be(lambda text: _PLAIN.fullmatch(text) is not None) and (
        column.share(lambda text: _PLAIN.fullmatch(text) is not None) >= _MOST
    )
