"""A rule that looks at one column at a time, as a row of a table: what it repairs, where, and what it says about it.

Most rules are of this shape: the modules of `rules/` declare them, and the one loop over the columns stands here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.function_names import listed, slugs
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MAX_SETTINGS = 20_000  # characters: the gate's screen refuses sources of more than 60,000
_MAX_NAMES = 6_000  # bytes: a source has the names of its columns twice, and those of its examples twice as well
_MAX_COLUMNS = 4  # with settings of their own: the gate draws unseen texts for so many columns of a function
_MARK = "\0"  # where the columns stand, while sentences are compared


@dataclass(frozen=True)
class RuleFinding:
    """What a rule found in a column: the keyword arguments of its function, and more words for its texts.

    `once`: the repaired cells may look like cells to be repaired, so the function must not be proposed twice.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    words: Mapping[str, Any] = field(default_factory=dict)
    once: bool = False

    @property
    def all_words(self) -> dict[str, Any]:
        """What may stand in a rule's texts."""
        return {**self.settings, **self.words}


_Found = list[tuple[str, RuleFinding]]
Look = Callable[[TextColumn, ColumnConvention, WorkingRows], RuleFinding | None]


@dataclass(frozen=True)
class RepairRule:
    """A repair of single texts, and the question whether a column needs it (`look`: None where it does not).

    `name`, `issue` and `doc` are templates: `{columns}` and whatever the finding holds may stand in them. Columns
    share a function, each with settings of its own, unless `once` speaks against it. `compares`: it looks at the other
    columns, too, so that what it found holds for these rows only. The rest is as in `Remedy`.
    """

    name: str
    issue: str
    doc: str
    fix: Callable[..., Any]
    look: Look = lambda *_: None
    compares: bool = False
    helpers: tuple[Callable[..., Any], ...] = ()
    imports: tuple[str, ...] = ()
    examples: int = 3
    derive: Callable[..., Any] | None = None

    def __call__(self, table: WorkingRows, preferences: Preferences) -> Iterator[Remedy]:
        """The repairs that the columns need."""
        yield from self.remedies(
            (column.name, finding)
            for column in table.columns
            if (finding := self._found(column, preferences, table)) is not None
        )

    def remedies(self, found: Iterable[tuple[str, RuleFinding]]) -> Iterator[Remedy]:
        """The repairs for what was found in columns: one for all that get the same name."""
        alike: dict[tuple[str, str], _Found] = {}
        for name, finding in found:
            kind = self.name.format(columns="", **finding.all_words)
            alike.setdefault((kind, name if finding.once else ""), []).append((name, finding))
        for group in alike.values():
            for kin in _by_settings(group):
                yield from map(self._remedy, _of_bounded_size(kin))

    def _found(self, column: TextColumn, preferences: Preferences, table: WorkingRows) -> RuleFinding | None:
        """What the rule finds in the column, looked for once as long as the column stays as it is."""
        convention = preferences[column.name]
        if self.compares:
            return self.look(column, convention, table)
        key = (self.look, preferences.keys.get(column.name))
        return column.learnt(key, lambda column: self.look(column, convention, table))

    def _remedy(self, found: _Found) -> Remedy:
        first = found[0][1]
        columns = tuple(name for name, _ in found)
        settings = {repr(finding.settings) for _, finding in found}
        return Remedy(
            name=self.name.format(columns=slugs(columns), **first.all_words),
            issue=_said(self.issue, found),
            doc=_said(self.doc, found),
            columns=columns,
            fix=self.fix,
            settings=first.settings if len(settings) == 1 else {},
            helpers=self.helpers,
            imports=self.imports,
            examples=self.examples * len(settings),
            once=first.once,
            derive=self.derive,
            parts=() if len(settings) == 1 else tuple(self._remedy([one]) for one in found),
        )


def _by_settings(found: _Found) -> Iterator[_Found]:
    """Many columns with the same settings need one function only; the others come last, together."""
    kin: dict[str, _Found] = {}
    for one in found:
        kin.setdefault(repr(one[1].settings), []).append(one)
    many = [group for group in kin.values() if len(group) >= _MAX_COLUMNS]
    rest = [one for one in found if len(kin[repr(one[1].settings)]) < _MAX_COLUMNS]
    yield from (group for group in (*many, rest) if group)


def _of_bounded_size(found: _Found) -> Iterator[_Found]:
    """Findings for one function each: with settings of their own no more than a reader can oversee, else than fit."""
    same = len({repr(finding.settings) for _, finding in found}) == 1
    batch: _Found = []
    size = 0
    for one in found:
        own = len(repr(one[0]).encode("utf-8", "surrogatepass")) + 2 if same else len(repr(one[1].settings))
        full = size + own > _MAX_NAMES if same else len(batch) == _MAX_COLUMNS or size + own > _MAX_SETTINGS
        if batch and full:
            yield batch
            batch, size = [], 0
        batch.append(one)
        size += own
    yield batch


def _said(template: str, found: _Found) -> str:
    """The template for all columns: a sentence for each group of columns of which it says the same."""
    sentences: dict[str, list[str]] = {}
    for name, finding in found:
        sentences.setdefault(template.format(columns=_MARK, **finding.all_words), []).append(name)
    said = []
    for sentence, names in sentences.items():
        columns = listed(tuple(names))
        which = f"{columns}: " if len(sentences) > 1 and _MARK not in sentence else ""
        said.append(which + sentence.replace(_MARK, columns))
    return " ".join(said)


def where(has_issue: Callable[[TextColumn], bool]) -> Look:
    """Look with a plain condition on the column: nothing is learnt from it."""
    return lambda column, _convention, _table: RuleFinding() if has_issue(column) else None
