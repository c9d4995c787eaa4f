"""Which values became which: counted from two tables, bounded."""

from typing import Any

import pyarrow as pa

from orchestrator.core.columns import ValueChange
from orchestrator.run.apply.value_changes import FIRST_ROWS, MAX_SHOWN, ValueChanges


def looked(before: dict[str, Any], after: dict[str, Any], times: int = 1) -> ValueChanges:
    changes = ValueChanges()
    for _ in range(times):
        changes.add(pa.table(before), pa.table(after), list(after))
    return changes


def test_changes_are_counted_over_batches_the_most_frequent_first() -> None:
    """Missing is no text, numbers are as they are written, and what stayed is no change."""
    before = {"city": [" Ulm", "n/a", " Ulm", "Bonn"], "n": [1, 2, 3, None]}
    after = {"city": ["Ulm", None, "Ulm", "Bonn"], "n": [1.5, 2.0, 3.0, None]}
    changes = looked(before, after, times=2)
    assert changes.of("city") == (
        ValueChange(before=" Ulm", after="Ulm", count=4),
        ValueChange(before="n/a", after=None, count=2),
    )
    assert ValueChange(before="1", after="1.5", count=2) in changes.of("n")
    assert changes.of("other") == ()


def test_lists_and_long_texts_are_shown_cut() -> None:
    """Nested values are JSON; of a long text the beginning stands."""
    changes = looked({"a": ["x" * 200], "b": [[1]]}, {"a": ["y"], "b": [[1, 2]]})
    assert changes.of("a") == (ValueChange(before="x" * 120 + "…", after="y", count=1),)
    assert changes.of("b") == (ValueChange(before="[1]", after="[1, 2]", count=1),)


def test_a_column_that_was_added_or_dropped_has_no_changes() -> None:
    """There is nothing to compare its cells with."""
    changes = looked({"a": ["x"], "gone": ["y"]}, {"a": ["z"], "new": ["y"]})
    assert [len(changes.of(name)) for name in ("a", "gone", "new")] == [1, 0, 0]


def test_the_cost_is_bounded() -> None:
    """Thousands of different changes are thirty, in many columns three, and rows far down are not looked at."""
    many = [f"v{n}" for n in range(3 * MAX_SHOWN)]
    changes = looked({"a": many}, {"a": [f"{v}!" for v in many]}, times=2)
    assert len(changes.of("a")) == 30
    assert len(changes._found["a"]) == MAX_SHOWN
    assert {change.count for change in changes.of("a")} == {2}  # what is kept is counted on
    some = {"a": [None, *many]}
    empty = looked(some, {"a": ["none", *(f"{v}!" for v in many)]}, times=3)
    assert set(empty._found["a"].values()) == {3}
    wide = looked({f"c{n}": ["x"] * 9 for n in range(500)}, {f"c{n}": [str(r) for r in range(9)] for n in range(500)})
    assert len(wide.of("c7")) == 3
    changes._rows = FIRST_ROWS
    changes.add(pa.table({"late": ["x"]}), pa.table({"late": ["y"]}), ["late"])
    assert changes.of("late") == ()
