"""A remedy for texts inside of the lists and objects of one column: a function of tables that repairs them in place.

What the rules find there they find in a table of these places (`nested_places.py`).
"""

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from orchestrator.propose.builtin import codegen
from orchestrator.propose.builtin.function_names import slug
from orchestrator.propose.builtin.nested_places import (
    NestedTable,
    _as_json,
    _inside,
    holds_json,
    nested_tables,
    places_of,
)
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy, RowChange
from orchestrator.propose.builtin.rules import catalogue
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_EXAMPLES = 3
_EXAMPLE_CHARS = 2_000

_BODY = '''
def _repair(column):
    """The repair of the texts of one place, which remembers what it has seen."""
    return functools.cache(lambda value: {fix}(value{arguments}))


def _repaired(df):
    fixes = {{place: _repair(name) for place, name in _NESTED.items()}}
    return [_inside(cell, fixes, _UNQUOTED) if isinstance(cell, str) else cell for cell in df[_NESTED_IN].tolist()]


def detect(df):
    """True where a row still has the issue."""
    pairs = zip(_repaired(df), df[_NESTED_IN].tolist())
    return pd.Series([isinstance(cell, str) and new != cell for new, cell in pairs], index=df.index, dtype=bool)


def {name}(df):
    {doc}
    out = df.copy()
    out[_NESTED_IN] = pd.Series(_repaired(df), index=df.index, dtype=df[_NESTED_IN].dtype)
    return out
'''


@dataclass(frozen=True)
class NestedRemedy:
    """One function to be, for the places of `column` that are the columns of `remedy`. `part`: for one of them."""

    column: str
    table: NestedTable
    remedy: Remedy
    part: bool = False
    left_out: bool = False

    whole_rows: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """Of a part it has the name of its place, so that it is not taken for the whole."""
        own = f"_at_{slug(self.remedy.columns[0])}" if self.part else ""
        return f"{self.remedy.name}_inside_{slug(self.table.label)}{own}"

    @property
    def issue(self) -> str:
        """With the column in front: the sentence names the places."""
        return f"Inside of {self.table.label}: {self.remedy.issue}"

    @property
    def columns(self) -> tuple[str, ...]:
        """The column that changes."""
        return () if self.left_out else (self.column,)

    @property
    def once(self) -> bool:
        """As of the remedy for a column."""
        return self.remedy.once

    @property
    def parts(self) -> tuple["NestedRemedy", ...]:
        """The remedies of its places, one by one."""
        names = self.remedy.columns
        kept = [(name, [other for other in names if other != name]) for name in names if len(names) > 1]
        return tuple(
            replace(self, remedy=functools.reduce(Remedy.without, others, self.remedy), part=True, left_out=False)
            for _, others in kept
        )

    def without(self, column: str) -> "NestedRemedy":
        """Nothing is left of it without its column."""
        return replace(self, left_out=self.left_out or column == self.column)

    def changes(self, table: WorkingRows) -> list[RowChange]:
        """Cells of the column before and after; only those that change."""
        if self.left_out:
            return []
        fixes = {place: self._fix(name) for place, name in places_of(self.table, self.remedy.columns)}
        cells = [cell for cell in table[self.column].cells if cell is not None]
        made = ((cell, _inside(cell, fixes, sorted(self.table.bare))) for cell in cells)
        return [((cell,), (new,)) for cell, new in made if new != cell]

    def _fix(self, name: str) -> Callable[[str], str | None]:
        arguments = self.remedy.arguments(name)
        return functools.cache(lambda value: self.remedy.fix(value, **arguments))

    def render(self, table: WorkingRows, name: str) -> str:
        """The candidate file."""
        changes = sorted(self.changes(table), key=lambda change: len(change[0][0] or ""))
        shown = [change for change in changes if len(change[0][0] or "") <= _EXAMPLE_CHARS][:_EXAMPLES]
        examples = [{"input": {self.column: old[0]}, "output": {self.column: new[0]}} for old, new in shown]
        places = dict(places_of(self.table, self.remedy.columns))
        constants = {"_NESTED_IN": self.column, "_NESTED": places, "_UNQUOTED": sorted(self.table.bare & places.keys())}
        remedy = replace(
            self.remedy,
            issue=self.issue,
            helpers=(*self.remedy.helpers, _as_json, _inside),
            imports=tuple({*self.remedy.imports, "functools", "json", "re"}),
        )
        contract = {"shape": "table", "modifies": [self.column], "examples": examples}
        return codegen.assembled(remedy, name, contract, _BODY, constants)


def nested_remedies(
    columns: tuple[TextColumn, ...], instruction: str, preferences: Preferences
) -> Iterator[NestedRemedy]:
    """The repairs that single texts inside of lists and objects need. What is asked of all columns is asked of them."""
    for column in columns:
        if column.name in preferences.untouched or not holds_json(column):
            continue
        for table in nested_tables(column):
            wishes = Preferences.read(instruction, table.rows)
            for remedy in catalogue.cell_repairs(table.rows, wishes):
                if isinstance(remedy, Remedy) and not remedy.whole_rows:
                    yield NestedRemedy(column.name, table, remedy)
