"""A rule that looks at one column at a time, as a row of a table: what it repairs, where, and what it says about it.

Most rules are of this shape: the modules of `rules/` declare them, and the one loop over the columns stands here.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.names import listed, slugs
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows


@dataclass(frozen=True)
class Finding:
    """What a rule found in a column: the keyword arguments of its function, and more words for its texts.

    `once`: the repaired cells may look like cells to be repaired, so the function must not be proposed twice.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    words: Mapping[str, Any] = field(default_factory=dict)
    once: bool = False


Look = Callable[[TextColumn, ColumnConvention, WorkingRows], Finding | None]


@dataclass(frozen=True)
class ColumnRule:
    """A repair of single texts, and the question whether a column needs it (`look`: None where it does not).

    `name`, `issue` and `doc` are templates: `{columns}` and whatever the finding holds may stand in them. `joined`: one
    function for all columns with the same settings, instead of one for each column. `compares`: it looks at the other
    columns, too, so that what it found holds for these rows only. The rest is as in `Remedy`.
    """

    name: str
    issue: str
    doc: str
    fix: Callable[..., Any]
    look: Look
    joined: bool = False
    compares: bool = False
    helpers: tuple[Callable[..., Any], ...] = ()
    imports: tuple[str, ...] = ()
    examples: int = 3
    derive: Callable[..., Any] | None = None

    def __call__(self, table: WorkingRows, preferences: Preferences) -> Iterator[Remedy]:
        """The repairs that the columns need. Where columns are not joined, none is looked at ahead of its turn."""
        found = (
            (column.name, finding)
            for column in table.columns
            if (finding := self._found(column, preferences[column.name], table)) is not None
        )
        if not self.joined:
            yield from (self._remedy((name,), finding) for name, finding in found)
            return
        alike: dict[str, list[tuple[str, Finding]]] = {}
        for name, finding in found:
            alike.setdefault(repr(finding.settings), []).append((name, finding))
        for group in alike.values():
            yield self._remedy(tuple(name for name, _ in group), group[0][1])

    def _found(self, column: TextColumn, convention: ColumnConvention, table: WorkingRows) -> Finding | None:
        """What the rule finds in the column, looked for once as long as the column stays as it is."""
        if self.compares:
            return self.look(column, convention, table)
        key = (self.look, convention.model_dump_json())
        return column.learnt(key, lambda column: self.look(column, convention, table))

    def _remedy(self, columns: tuple[str, ...], finding: Finding) -> Remedy:
        words = {**finding.settings, **finding.words}
        return Remedy(
            name=self.name.format(columns=slugs(columns), **words),
            issue=self.issue.format(columns=listed(columns), **words),
            doc=self.doc.format(columns=listed(columns), **words),
            columns=columns,
            fix=self.fix,
            settings=finding.settings,
            helpers=self.helpers,
            imports=self.imports,
            examples=self.examples,
            once=finding.once,
            derive=self.derive,
        )


def where(has_issue: Callable[[TextColumn], bool]) -> Look:
    """Look with a plain condition on the column: nothing is learnt from it."""
    return lambda column, _convention, _table: Finding() if has_issue(column) else None
