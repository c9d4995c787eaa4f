"""What is measured of a column: its quality, and what apply changed in it. Made by data/ and run/, kept in steps."""

from pydantic import Field

from orchestrator.core.value import Value


class ColumnQuality(Value):
    """Simple measures of one column, always computed on the data itself, never estimated; counts are cells.

    Each text inside of a list or an object counts among `null_tokens` and `untrimmed`.
    """

    name: str
    cells: int = 0
    missing: int = 0  # null or blank
    null_tokens: int = 0  # words that stand for nothing: N/A, null, -, …
    untrimmed: int = 0  # leading, trailing or repeated inner white space, but not line breaks alone
    off_pattern: int = 0  # cells whose character pattern is shared by less than 5 % of the column
    distinct: int = 0
    patterns: int = 0
    capped: bool = False  # there were too many to count: `distinct` and `patterns` are lower bounds


class ValueChange(Value):
    """How many cells of a column changed from `before` to `after`, as text, shortened if long; None is missing."""

    before: str | None
    after: str | None
    count: int


class ColumnChange(Value):
    """How many cells of a column differ after apply, measured on the host; `values`: the most frequent changes."""

    name: str
    changed: int
    values: tuple[ValueChange, ...] = ()


class FunctionChange(Value):
    """What one function changed of what the one before it had left, measured on the host."""

    name: str
    changed: dict[str, int] = Field(default_factory=dict)
