"""What a proposer claims (contract) and what it submits (candidate). Used by every package above."""

import hashlib
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from orchestrator.core.fitted import TRANSFORM
from orchestrator.core.option_value import OptionValue
from orchestrator.core.value import Value


class Shape(StrEnum):
    """What a function takes and returns: DataFrame → DataFrame, dict → dict, or str → str.

    FITTED: DataFrame → DataFrame, by what it has learnt of the whole data (`core.fitted`).
    """

    TABLE = "table"
    RECORD = "record"
    TEXT = "text"
    FITTED = "fitted"

    @property
    def by_row(self) -> bool:
        """Whether the function is called once per row (or text) and works on records, not on tables."""
        return self in (Shape.RECORD, Shape.TEXT)

    @property
    def argument(self) -> str:
        """The name of a function's only parameter in generated code."""
        return str(self) if self.by_row else "df"


MAX_COLUMN_NAME = 10_000
_MAX_NUMBER = 10**40  # no column type holds more, and Python refuses to print much longer integers


def _column(name: str) -> str:
    if len(name) > MAX_COLUMN_NAME or not is_unicode(name):
        raise ValueError("no column can have such a name")
    return name


def _plain(value: Any) -> Any:
    """Refuse what cannot be written as JSON: integers of thousands of digits."""
    if isinstance(value, dict):
        for inner in value.values():
            _plain(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _plain(inner)
    elif isinstance(value, int) and abs(value) > _MAX_NUMBER:
        raise ValueError("an example holds a number that no column can hold")
    return value


def is_unicode(text: str) -> bool:
    """False of half a surrogate pair, such as a command line has that was not valid UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


ColumnName = Annotated[str, AfterValidator(_column)]
FunctionName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_]{0,200}$")]
Plain = Annotated[Any, AfterValidator(_plain)]


class Example(OptionValue):
    """One row (or text) before and after, as plain JSON."""

    input: Plain
    output: Plain


class ExampleSource(StrEnum):
    """Whose an example is. The candidate's own are claims: they can fail it, and never let it through."""

    OWN = "own"
    USER = "user"
    TESTER = "tester"
    DECLARED = "declared"  # by the conventions; shown, and not run


class Contract(Value):
    """What the candidate claims about itself; the gate checks every field.

    `by`: of a fitted function, the columns whose rows should agree in what it modifies.
    `modifies` is None when the candidate does not say, which allows any column to change. `replaces`: the promoted
    function whose place it takes; empty for none.
    """

    shape: Shape = Shape.TABLE
    modifies: tuple[ColumnName, ...] | None = None
    adds: tuple[ColumnName, ...] = ()
    drops: tuple[ColumnName, ...] = ()
    drops_rows: bool = False
    by: tuple[ColumnName, ...] = Field(default=(), exclude_if=lambda names: not names)
    examples: tuple[Example, ...] = ()
    replaces: FunctionName = Field(default="", exclude_if=lambda name: not name)

    @property
    def named(self) -> tuple[str, ...]:
        """The columns that it changes, adds or drops, as far as it says so."""
        return tuple(dict.fromkeys([*(self.modifies or ()), *self.adds, *self.drops]))


class Candidate(Value):
    """Untrusted source text, with what can be read from it without running it.

    `state`: what a function of the shape `fitted` has learnt, as its JSON text; None as long as it has learnt nothing.
    It is no part of the candidate's identity, and evidence keeps it (`Verdict.state`).
    """

    source: str
    name: str
    issue: str = ""
    docstring: str = ""
    contract: Contract = Contract()
    has_detect: bool = False
    state: str | None = Field(default=None, exclude=True, repr=False)

    @property
    def function_name(self) -> str:
        """What the function is called in the source: a fitted one may be `transform`, which is no name to go by."""
        return TRANSFORM if self.name.startswith(f"{TRANSFORM}_of_") else self.name

    @property
    def sha256(self) -> str:
        return source_hash(self.source)


def source_hash(source: str) -> str:
    """The hex SHA-256 of the source as UTF-8: a function's identity everywhere."""
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()
