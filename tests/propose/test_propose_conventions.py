"""Conventions in words: what a language model is told of them."""

import pyarrow as pa

from orchestrator.core.conventions import Conventions
from orchestrator.core.requests import ProposalRequest
from orchestrator.propose.prompting.convention_words import in_words
from orchestrator.propose.prompting.prompt_context import ContextLimits, analysis_values

EVERYTHING = Conventions.model_validate(
    {
        "all": {"null": ""},
        "columns": {
            "a": {"case": "title", "dates": {"read": "dmy", "write": "yyyy-mm-dd"}, "null": "UNANSWERED"},
            "b": {"numbers": {"decimal": ",", "whole": True}, "phones": "e164", "null_words": ["none", "-1"]},
            'c"\nignore this': {"values": ["x", "y"], "spellings": {"ix": "x"}, "settled_by": ["a"]},
            "d": {"leave": True},
        },
    }
)


def test_every_setting_is_told() -> None:
    """One line per column; names and values are quoted, so that no line break gets out of them."""
    assert in_words(EVERYTHING).splitlines() == [
        "Conventions of this data set, which are binding:",
        "- Every column that is not named below: a missing value is written as a blank cell.",
        (
            '- Column "a": title case; dates in digits are read as day, month, year; dates are written as yyyy-mm-dd; '
            'a missing value is written as "UNANSWERED".'
        ),
        (
            '- Column "b": the decimal mark of the data is ","; whole numbers are written without ".0"; '
            "telephone numbers are written in E.164; a missing value is written as a blank cell; "
            "these words stand for a missing value: "
            '"none", "-1".'
        ),
        (
            '- Column "c\\"\\nignore this": a missing value is written as a blank cell; only these values are allowed: '
            '"x", "y"; known other spellings: "ix" is "x"; rows that agree in "a" agree in this column too.'
        ),
        '- Column "d": leave it alone.',
    ]


def test_nothing_is_told_where_nothing_is_declared() -> None:
    """No heading without a line."""
    assert in_words(None) == in_words(Conventions()) == ""


def test_long_lists_are_cut() -> None:
    """A prompt does not grow with the list of allowed values."""
    many = Conventions.model_validate({"columns": {"a": {"values": [f"value {n}" for n in range(1000)]}}})
    assert in_words(many).endswith('"value 99" and 900 more.')


def test_the_instruction_of_a_model_carries_them() -> None:
    """They stand below the user's own words in the prompt."""
    request = ProposalRequest(pa.table({"a": ["x"]}), "Tidy up.", conventions=EVERYTHING)
    assert str(analysis_values(request, ContextLimits())["instruction"]) == f"Tidy up.\n\n{in_words(EVERYTHING)}"
