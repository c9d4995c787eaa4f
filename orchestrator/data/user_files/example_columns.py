"""Refuses examples with columns that the data have not: no function could use them. Called before any work starts."""

from collections.abc import Sequence
from difflib import get_close_matches

from orchestrator.core.candidate import Example
from orchestrator.core.errors import DataError
from orchestrator.data.text import clean_text

_MOST_NAMES = 12


def check_example_columns(examples: Sequence[Example], columns: Sequence[str], data: str) -> None:
    """Raises DataError for the first example whose input is no row of such data; an output may have new columns."""
    for number, example in enumerate(examples, 1):
        named = example.input if isinstance(example.input, dict) else {}
        unknown = next((name for name in named if name not in columns), None)
        if unknown is not None:
            alike = get_close_matches(unknown, columns, n=1)
            names = ", ".join(f"'{clean_text(name, 40)}'" for name in columns[:_MOST_NAMES])
            meant = f"'{clean_text(alike[0], 40)}' may be meant. " if alike else ""
            raise DataError(
                f"Example {number} names the column '{clean_text(unknown, 80)}', which {data} does not have.",
                advice=f"{meant}It has {names}{' and others' if columns[_MOST_NAMES:] else ''}.",
            )
