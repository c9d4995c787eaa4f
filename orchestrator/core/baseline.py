"""What the rows looked like on which a function was proved: kept in its signed evidence, held against later data.

Counted by `data.profile.baseline_counts`, the same way where a function is proved and where `cleanroom check` looks
at new rows. It holds counts, patterns of cells (`data.profile.patterns`) and digests of few categories, and no cell.
"""

from pydantic import Field

from orchestrator.core.value import Value

MAX_COLUMNS = 30
MAX_NAMES = 300
MAX_KINDS = 60
"""Patterns or categories that are kept by name; how often all others occur is kept as well."""


class ValueKinds(Value):
    """How often each kind of value occurs among `cells` cells that are not missing.

    `counts`: the most frequent kinds. `rest`: cells of kinds that are not among them, and `rare` how many cells of all
    have a kind that occurs once or twice: where there are many, the next rows will bring more.
    """

    cells: int
    counts: dict[str, int] = Field(default={}, max_length=MAX_KINDS)
    rest: int = 0
    rare: int = 0

    @property
    def whole(self) -> bool:
        """Whether every kind is known by name."""
        return not self.rest

    @property
    def least(self) -> int:
        """How often a kind that is not known by name may occur."""
        return 0 if self.whole else min(min(self.counts.values(), default=0), self.rest)


class ColumnBaseline(Value):
    """One column that the function reads or changes. `missing`: cells that are null or blank.

    `kinds`: patterns of the cells that it was given; `changed`: of those among them that it changed; `made`: of the
    whole column afterwards. `categories`: salted digests of the values, where these are few.
    """

    name: str
    cells: int
    missing: int = 0
    kinds: ValueKinds
    changed: ValueKinds | None = Field(default=None, exclude_if=lambda kinds: kinds is None)
    made: ValueKinds | None = Field(default=None, exclude_if=lambda kinds: kinds is None)
    categories: ValueKinds | None = Field(default=None, exclude_if=lambda kinds: kinds is None)


class DataBaseline(Value):
    """The rows that a function was given: how many, how many its own `detect` flags, how many it changed or dropped.

    `flagged`: None where it has no `detect`. `salt`: of the digests. `columns`: at most `MAX_COLUMNS`; `order`: the
    names of all columns that were there, where these are not too many, and `types` what kind of values each has
    (`data.profile.type_families`), empty where it has none.
    """

    rows: int
    touched: int
    flagged: int | None = None
    salt: str
    order: tuple[str, ...] = Field(default=(), max_length=MAX_NAMES)
    types: tuple[str, ...] = Field(default=(), max_length=MAX_NAMES, exclude_if=lambda types: not types)
    columns: tuple[ColumnBaseline, ...] = Field(default=(), max_length=MAX_COLUMNS)

    def of(self, name: str) -> ColumnBaseline | None:
        return next((column for column in self.columns if column.name == name), None)
