"""What stands inside of the lists and objects of a changed column keeps its meaning, place by place.

In records, and in columns of typed lists, they are values; in a table of JSON or CSV rows, the text of their JSON.
"""

from collections.abc import Sequence
from typing import Any

from orchestrator.core.candidate import Example
from orchestrator.gate.checks.changed_columns.suspected import Suspected
from orchestrator.gate.information.changes import moved
from orchestrator.gate.information.item_order import in_their_order, shows_another_order
from orchestrator.gate.information.nested import by_place, no_json_any_more, read_inside, read_pairs, shown_beside
from orchestrator.gate.information.nested_losses import nested_losses
from orchestrator.gate.information.suspicions import suspicions

Columns = tuple[Sequence[Any], Sequence[Any]]


def with_values_read(example: Example, name: str) -> Example:
    """The example with lists and objects in this column where it has the text of their JSON before and after."""
    before, after = read_pairs([(example.input[name], example.output[name])])[0]
    changed = {"input": {**example.input, name: before}, "output": {**example.output, name: after}}
    return example.model_copy(update=changed) if isinstance(before, list | dict) else example


def inside_doubts(column: Columns, shown: Columns, *, by_row: bool) -> list[Suspected]:
    """What may have lost its meaning inside, and that no witness shows. Both: the cells before and after."""
    before, after = map(read_inside, column)
    if not by_row and not any(isinstance(cell, list | dict) for cell in before):
        return []
    witnesses = read_inside(shown[0]), read_inside(shown[1])
    in_order = [in_their_order(one, other) for one, other in zip(before, after, strict=True)]
    found = [*_broken(before, after), *_reordered(after, in_order, witnesses)]
    shown_inside = by_place(*witnesses)
    for place, leaves in by_place(before, in_order).items():
        if not any(moved((leaf.before, leaf.after)) for leaf in leaves):
            continue
        shown_here = shown_beside(place, leaves, shown_inside)
        found += [
            Suspected(one.kind, f"at {place[:60]!r} {one.detail}", leaves[one.at].row, one.wanted)
            for one in suspicions([(leaf.before, leaf.after) for leaf in leaves], shown_here)
        ]
    losses = nested_losses(before, in_order, witnesses)
    return found + [Suspected(loss.kind, loss.detail, loss.row, "all that was inside") for loss in losses]


def _broken(before: Sequence[Any], after: Sequence[Any]) -> list[Suspected]:
    """Lists and objects of which a text is left that is no JSON, as where a quote is put into one of its texts."""
    rows = no_json_any_more(before, after)
    detail = f"{len(rows)} lists or objects become a text that is no JSON any more"
    return [Suspected("type-changed", detail, rows[0], "JSON that a program can read", len(rows))] if rows else []


def _reordered(after: Sequence[Any], in_order: Sequence[Any], shown: Columns) -> list[Suspected]:
    """Lists whose items stand in another order, unless a witness shows one."""
    rows = [row for row, (one, other) in enumerate(zip(in_order, after, strict=True)) if one != other]
    if not rows or any(map(shows_another_order, *shown)):
        return []
    detail = "the items of a list stand in another order"
    return [Suspected("order-changed", detail, rows[0], "the same order", len(rows))]
