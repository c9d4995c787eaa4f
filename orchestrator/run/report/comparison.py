"""Rows before and after, side by side, with the columns that are worth showing. Called by the report's templates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from orchestrator.core.verdict import Counterexample
from orchestrator.data.shortened_pair import shortened
from orchestrator.run.report.visible import MAX_CELL

ComparedRow = dict[str, Any]


@dataclass(frozen=True)
class RowPair:
    """A row before and after; either side is None where a row was dropped or added."""

    before: ComparedRow | None
    after: ComparedRow | None


@dataclass(frozen=True)
class Comparison:
    """Rows before and after, and the columns worth showing: those that changed first."""

    columns: tuple[str, ...]
    changed: frozenset[str]
    rows: tuple[RowPair, ...]
    left_out: int  # columns that did not change and are not shown


def joined(examples: Sequence[Counterexample]) -> Counterexample:
    """Many examples as one, as far as their rows stand side by side."""
    paired = [example for example in examples if len(example.input) == len(example.output)] or examples[:1]
    return Counterexample(
        input=tuple(row for example in paired for row in example.input),
        output=tuple(row for example in paired for row in example.output),
    )


def compare(example: Counterexample, keep: int = 4) -> Comparison:
    """Put input and output side by side. At most `keep` unchanged columns are shown for orientation."""
    before: list[ComparedRow] = list(example.input)
    after: list[ComparedRow] = list(example.output)
    count = max(len(before), len(after))
    padded = [(before[at] if at < len(before) else None, after[at] if at < len(after) else None) for at in range(count)]
    names = tuple(dict.fromkeys(name for row in (*before, *after) for name in row))
    changed = frozenset(
        name for name in names for one, two in padded if one is not None and two is not None and differ(one, two, name)
    )
    quiet = [name for name in names if name not in changed]
    room = max(0, keep - len(changed)) if changed else keep + 4
    kept = set(quiet[:room]) | changed
    return Comparison(
        tuple(name for name in names if name in kept), changed, tuple(RowPair(*pair) for pair in padded),
        len(names) - len(kept),
    )  # fmt: skip


_ABSENT = object()


def differ(before: ComparedRow, after: ComparedRow, name: str) -> bool:
    """Whether the cell is another one, its type included: 1, True and "1" are three things."""
    one, two = before.get(name, _ABSENT), after.get(name, _ABSENT)
    return type(one) is not type(two) or one != two


def apart(cells: tuple[Any, Any]) -> tuple[Any, Any]:
    """A cell before and after, as long as they are shown, with every place in which they differ."""
    return shortened(*cells, limit=MAX_CELL)
