"""What cells should look like where the data cannot tell: declared by the user, per column or for all columns.

Read by data/ from a small YAML file, followed by the built-in rules, and stated in a language model's prompt.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from orchestrator.core.option_value import OptionValue

DateOrder = Literal["dmy", "mdy", "ymd"]
_PARTS = re.compile(r"dd?|mm?|yyyy|yy")


def _date_format(form: str) -> str:
    parts = _PARTS.findall(form)
    rest = _PARTS.sub("", form)
    if sorted(part[0] for part in parts) != ["d", "m", "y"] or not re.fullmatch(r"([-/. ])\1|", rest):
        raise ValueError(
            f"{form!r} is not a date format: write day (d or dd), month (m or mm) and year (yy or yyyy) once each with "
            "the same -, /, . or blank between them, such as yyyy-mm-dd"
        )
    return form


DateFormat = Annotated[str, Field(max_length=12), AfterValidator(_date_format)]
Word = Annotated[str, Field(max_length=200)]


class DateConvention(OptionValue):
    """`read`: the order of day, month and year where digits alone do not tell; `write`: how dates should look."""

    read: DateOrder | None = None
    write: DateFormat | None = None


class NumberConvention(OptionValue):
    """`decimal`: the decimal mark of the data as it comes; `whole`: whole numbers are written without ".0"."""

    decimal: Literal[".", ","] | None = None
    whole: bool | None = None


class ColumnConvention(OptionValue):
    """What one column should look like. Everything is optional."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    case: Literal["upper", "lower", "title"] | None = None
    dates: DateConvention = DateConvention()
    numbers: NumberConvention = NumberConvention()
    phones: Literal["e164"] | None = None
    null: Word | None = None  # what stands for a missing value; "" is a blank cell
    null_words: tuple[Word, ...] = Field(default=(), max_length=200)  # further words that mean a missing value
    values: tuple[Word, ...] = Field(default=(), max_length=2_000)  # the only values that the column may hold
    spellings: dict[Word, Word] = Field(default={}, max_length=2_000)  # wrong → right
    settled_by: tuple[str, ...] = Field(default=(), max_length=20)  # columns whose values determine this one
    leave: bool = False  # no rule may touch the column

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if self.leave and self.model_fields_set - {"leave"}:
            raise ValueError("leave: true cannot be combined with other settings")
        if self.values and self.case and any(_cased(value, self.case) != value for value in self.values):
            raise ValueError(f"some of the values are not in {self.case} case")
        if self.values and (strange := [right for right in self.spellings.values() if right not in self.values]):
            raise ValueError(f"spellings lead to {strange[0]!r}, which is not among the values")
        if circle := next((right for right in self.spellings.values() if right in self.spellings), None):
            raise ValueError(f"{circle!r} is both a right and a wrong spelling")
        return self

    def over(self, other: "ColumnConvention") -> "ColumnConvention":
        """This convention; where it says nothing, the other one."""
        if self.leave or (other.leave and self.model_fields_set):
            return self
        merged = {name: getattr(other, name) for name in other.model_fields_set} | {
            name: getattr(self, name) for name in self.model_fields_set
        }
        for name in {"dates", "numbers"} & merged.keys():
            mine, theirs = getattr(self, name), getattr(other, name)
            merged[name] = theirs.model_copy(update=mine.model_dump(exclude_none=True))
        return ColumnConvention(**merged)


class Conventions(OptionValue):
    """All conventions of a run: `columns` by name, `all` for every column without its own setting."""

    all: ColumnConvention = ColumnConvention()
    columns: Mapping[str, ColumnConvention] = {}

    def of(self, column: str) -> ColumnConvention:
        """What one column should look like."""
        return self.columns.get(column, ColumnConvention()).over(self.all)

    def unknown(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        """The columns that have conventions but are not in the data."""
        named = dict.fromkeys([*self.columns, *(c for each in self.columns.values() for c in each.settled_by)])
        return tuple(name for name in named if name not in columns)


def _cased(text: str, case: str) -> str:
    return {"upper": text.upper(), "lower": text.lower(), "title": text.title()}[case]
