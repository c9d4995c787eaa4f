"""Conventions as a value: what a column gets from its own words and from those for all columns."""

import pytest
from pydantic import ValidationError

from orchestrator.core.conventions import ColumnConvention, Conventions, DateConvention


def test_a_column_wins_over_all() -> None:
    """What a column says stands; what it does not say comes from `all`, also inside dates and numbers."""
    found = Conventions.model_validate(
        {
            "all": {"case": "upper", "null": "-", "dates": {"read": "dmy", "write": "yyyy-mm-dd"}},
            "columns": {"a": {"case": "lower", "dates": {"read": "mdy"}}},
        }
    )
    assert found.of("a").case == "lower"
    assert found.of("a").null == "-"
    assert found.of("a").dates == DateConvention(read="mdy", write="yyyy-mm-dd")
    assert found.of("b") == found.all


def test_a_column_can_be_left_alone_or_taken_out_of_that() -> None:
    """`leave` of the column wins over all, and a column with words of its own is not left alone by `all`."""
    found = Conventions.model_validate({"all": {"case": "upper"}, "columns": {"a": {"leave": True}}})
    assert found.of("a") == ColumnConvention(leave=True)
    found = Conventions.model_validate({"all": {"leave": True}, "columns": {"a": {"case": "lower"}}})
    assert found.of("a").case == "lower"
    assert found.of("b").leave


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"leave": True, "case": "upper"}, "cannot be combined"),
        ({"case": "upper", "values": ["Open"]}, "upper case"),
        ({"values": ["open"], "spellings": {"shut": "closed"}}, "'closed', which is not among the values"),
        ({"spellings": {"a": "b", "b": "c"}}, "both a right and a wrong"),
        ({"dates": {"write": "yyyy-mm"}}, "not a date format"),
        ({"dates": {"write": "yyyy-mm/dd"}}, "not a date format"),
        ({"dates": {"write": "yyyy-dd-d"}}, "not a date format"),
    ],
)
def test_contradictions_are_refused(wrong: dict[str, object], says: str) -> None:
    """A convention that cannot be obeyed is an error that says why."""
    with pytest.raises(ValidationError, match=says):
        ColumnConvention.model_validate(wrong)
