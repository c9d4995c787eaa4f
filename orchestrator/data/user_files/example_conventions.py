"""Refuses examples that no function can fulfil beside the conventions. Called by `run.request` before any work starts.

Only what is plain: a spelling, a word for nothing, a value that is not allowed, a column to be left alone, capitals,
the form of a date, a decimal mark. What an instruction says is not compared: only a model understands its words.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from orchestrator.core.candidate import Example
from orchestrator.core.conventions import ColumnConvention, Conventions
from orchestrator.core.errors import DataError
from orchestrator.data.text import clean_text

_DATE = re.compile(r"\d{1,4}([-/. ])\d{1,2}\1\d{1,4}")
_PARTS = {"yyyy": r"\d{4}", "yy": r"\d{2}", "mm": r"\d{2}", "m": r"[1-9]\d?", "dd": r"\d{2}", "d": r"[1-9]\d?"}
_CASES = {"upper": str.upper, "lower": str.lower}  # of a title nobody can say what its words are


def check_examples(examples: Sequence[Example], conventions: Conventions) -> None:
    """Raises DataError for the first example that contradicts a convention, with both."""
    for number, example in enumerate(examples, 1):
        rows = example.input, example.output
        if not all(isinstance(row, dict) for row in rows):
            continue
        for name, after in example.output.items():
            says = _against(conventions.of(name), example.input.get(name, after), after)
            if says:
                column, one, other = (_shown(value) for value in (name, example.input.get(name), after))
                raise DataError(
                    f"Example {number} contradicts the conventions: in column {column} {one} is to become {other}, "
                    f"and {says}.",
                    advice="Change the example or the conventions; nothing was started.",
                )


def _against(wanted: ColumnConvention, before: Any, after: Any) -> str:
    """What the conventions of a column say against this cell; empty where they say nothing."""
    if wanted.leave:
        return "the column is to be left alone" if before != after else ""
    right = wanted.spellings.get(before) if isinstance(before, str) else None
    if right is not None and after != right:
        return f"the conventions write it {_shown(right)}"
    empty = after in (None, "", wanted.null)
    if isinstance(before, str) and before in wanted.null_words and not empty:
        return f"{_shown(before)} is a word for a missing value"
    return "" if empty or not isinstance(after, str) else _of_form(wanted, after)


def _of_form(wanted: ColumnConvention, after: str) -> str:
    if wanted.values and after not in wanted.values:
        return f"{_shown(after)} is not among the values that the column may hold"
    if wanted.case in _CASES and _CASES[wanted.case](after) != after:
        return f"the column is written in {wanted.case} case"
    if wanted.dates.write and _DATE.fullmatch(after) and not re.fullmatch(_pattern(wanted.dates.write), after):
        return f"dates are written {wanted.dates.write}"
    if wanted.numbers.whole and re.fullmatch(r"-?\d+\.0+", after):
        return "whole numbers are written without decimals"
    if wanted.numbers.decimal and re.fullmatch(r"-?\d+,(?:\d{1,2}|\d{4,})", after):
        return "numbers are written with a point"
    return ""


def _pattern(form: str) -> str:
    return re.sub(r"yyyy|yy|mm?|dd?|[-/. ]", lambda part: _PARTS.get(part[0]) or re.escape(part[0]), form)


def _shown(value: Any) -> str:
    return clean_text(json.dumps(value, ensure_ascii=False, default=str), 80)
