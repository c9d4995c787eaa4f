"""Cleaning changes how something is written, not what it means."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from orchestrator.core.jobs import Op
from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.outcome import Violation, over, row_example, words
from orchestrator.gate.information.nested import by_place
from orchestrator.gate.information.null_tokens import holds_something, is_missing, is_placeholder, stands_for_missing
from orchestrator.gate.information.number_parsing import loses_precision
from orchestrator.gate.information.reinterpretation import misread
from orchestrator.gate.information.similarity import clusters
from orchestrator.gate.information.value_loss import lost
from orchestrator.gate.judge.compare import Mask
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "keeps-information"
LAW = "No new nulls beyond the policy, distinct values do not collapse beyond it, and numbers lose no precision."

MAX_FLAGGED_LOSS = 0.25  # of a column's different values that a function may blank where `detect` flags them
MAX_MERGED_ROWS = 0.2  # of the rows whose value may vanish when a column becomes a constant
MAX_SENTINELS = 2  # different numbers that a column writes where there is none
MAX_DISTINCT = 1_000
_TEXT = {str, type(None)}


def violation(case: CaseObservation, observations: Observations) -> Violation | None:
    if case.result is None or case.kept_input is None or case.origin is None:
        return None
    gone = case.input.num_rows - case.result.num_rows
    if gone > observations.policy.max_distinct_loss * case.input.num_rows and _hold_something(case):
        return Violation(f"{gone} of {case.input.num_rows} rows are dropped, on {words(case)}")
    for name, mask in case.masks.items():
        if case.by_row and name in case.contract.drops:
            continue
        column = _Column(case, observations, name, mask)
        found = column.new_nulls() or column.precision() or column.collapse() or column.evidence() or column.nested()
        if found is not None:
            return found
    return None


def _hold_something(case: CaseObservation) -> bool:
    """Whether most rows of the input have a cell that holds something: blank lines may go, however many."""
    rows = case.input.to_pylist()
    return 2 * sum(any(holds_something(value) for value in row.values()) for row in rows) > len(rows)


class _Column:
    """One changed column of one case, before and after."""

    def __init__(self, case: CaseObservation, observations: Observations, name: str, mask: Mask) -> None:
        self._case, self._observations, self._name = case, observations, name
        self._rows: list[int] = np.flatnonzero(mask).tolist()
        self._all_before = case.values(case.kept_input, name)
        self._all_after = case.values(case.result, name)
        self._first_rows = self._of_different_changes()

    def _of_different_changes(self) -> list[int]:
        """The changed rows without those that repeat, from text to text, what an earlier row of them shows."""
        seen: set[tuple[str, str]] = set()
        rows: list[int] = []
        for row in self._rows:
            before, after = self._all_before[row], self._all_after[row]
            if isinstance(before, str) and isinstance(after, str):
                if (before, after) in seen:
                    continue
                seen.add((before, after))
            rows.append(row)
        return rows

    def new_nulls(self) -> Violation | None:
        """Cells that held something and hold nothing now, unless an example or `detect` shows that they should."""
        lost = [row for row in self._rows if is_missing(self._all_after[row]) and self._held(row)]
        if not lost:
            return None
        shown = self._blanked_by_examples()
        lost = [row for row in lost if _plain_key(self._all_before[row]) not in shown]
        if not lost or self._only_flagged(lost) or self._sentinels(lost):
            return None
        held = sum(1 for value in self._all_before if holds_something(value))
        if len(lost) / max(held, 1) <= self._observations.policy.max_new_null_share:
            return None
        return self._violation(f"{len(lost)} cells that held something are empty afterwards", lost[0], "the value kept")

    def _held(self, row: int) -> bool:
        return holds_something(self._all_before[row])

    def _blanked_by_examples(self) -> set[str]:
        return {
            _plain_key(example.input[self._name])
            for example in self._observations.examples
            if isinstance(example.input, dict)
            and isinstance(example.output, dict)
            and self._name in example.input
            and is_missing(example.output.get(self._name, ""))
            and self._name in example.output
        }

    def _sentinels(self, lost: list[int]) -> bool:
        """Only numbers that are written where there is none, and not all that the column holds."""
        gone = {_plain_key(self._all_before[row]) for row in lost}
        kept = any(holds_something(value) for value in self._all_after)
        return kept and len(gone) <= MAX_SENTINELS and all(stands_for_missing(self._all_before[row]) for row in lost)

    def _only_flagged(self, lost: list[int]) -> bool:
        """The function only blanks in this column, only where `detect` flags, and only a small part of the values."""
        flags = self._case.op(Op.DETECT).flags
        if flags is None or self._case.origin is None or not flags[self._case.origin[lost]].all():
            return False
        if not all(is_missing(self._all_after[row]) for row in self._rows):
            return False
        kinds = {_plain_key(value) for value in self._all_before if holds_something(value)}
        gone = {_plain_key(self._all_before[row]) for row in lost}
        if len(gone) < len(kinds) and all(is_placeholder(self._all_before[row]) for row in lost):
            return True
        return len(gone) == 1 < len(kinds) or len(gone) <= MAX_FLAGGED_LOSS * len(kinds)

    def precision(self) -> Violation | None:
        for row in self._first_rows:
            before, after = self._all_before[row], self._all_after[row]
            if loses_precision(before, after) and not self._rounded_by_user():
                return self._violation("a number loses precision", row, f"the number {str(before)[:60]!r} whole")
        return None

    def _rounded_by_user(self) -> bool:
        """Only the user may ask for rounding; the candidate's own examples do not license it."""
        count = self._observations.user_examples
        return count > 0 and any(
            loses_precision(example.input.get(self._name), example.output.get(self._name))
            for example in list(self._observations.examples)[-count:]
            if isinstance(example.input, dict) and isinstance(example.output, dict)
        )

    def evidence(self) -> Violation | None:
        """Numbers keep their sign and size, words their letters; with new columns, parts may have gone there."""
        if self._case.contract.adds:
            return None
        examples = [
            (example.input.get(self._name), example.output.get(self._name))
            for example in self._observations.examples
            if isinstance(example.input, dict) and isinstance(example.output, dict)
        ]
        found = lost([(self._all_before[row], self._all_after[row]) for row in self._first_rows], examples)
        if found is not None:
            return self._violation(found[0], self._first_rows[found[1]], "the value whole")
        cells = list(zip(self._all_before, self._all_after, strict=True))
        other = misread(cells)
        if other is None or other[1] in examples:
            return None
        return self._violation(other[0], cells.index(other[1]), "the same date, time or word")

    def nested(self) -> Violation | None:
        """Numbers, dates and words inside lists and objects keep their meaning, place by place."""
        if not self._case.by_row:
            return None
        examples = self._nested_examples()
        for place, leaves in by_place(self._all_before, self._all_after).items():
            changed = [leaf for leaf in leaves if _plain_key(leaf.before) != _plain_key(leaf.after)]
            pairs = [(leaf.before, leaf.after) for leaf in changed]
            found = lost(pairs, examples.get(place, [])) if pairs else None
            if found is not None:
                return self._violation(f"at {place[:60]!r} {found[0]}", changed[found[1]].row, "the value whole")
            other = misread([(leaf.before, leaf.after) for leaf in leaves]) if pairs else None
            if other is not None and other[1] not in examples.get(place, []):
                row = next(leaf.row for leaf in leaves if (leaf.before, leaf.after) == other[1])
                return self._violation(f"at {place[:60]!r} {other[0]}", row, "the same date, time or word")
            for leaf in changed:
                if loses_precision(leaf.before, leaf.after) and (leaf.before, leaf.after) not in examples.get(
                    place, []
                ):
                    return self._violation(f"at {place[:60]!r} a number loses precision", leaf.row, "the number whole")
        return None

    def _nested_examples(self) -> dict[str, list[tuple[Any, Any]]]:
        pairs = [
            (example.input.get(self._name), example.output.get(self._name))
            for example in self._observations.examples
            if isinstance(example.input, dict) and isinstance(example.output, dict)
        ]
        places = by_place([before for before, _ in pairs], [after for _, after in pairs])
        return {place: [(leaf.before, leaf.after) for leaf in leaves] for place, leaves in places.items()}

    def collapse(self) -> Violation | None:
        """Different values must not become one; different spellings of one value may."""
        groups: dict[str, Counter[str]] = defaultdict(Counter)
        where: dict[tuple[str, str], int] = {}
        for before, after, row, count in _counted(self._all_before, self._with_added()):
            if holds_something(before) and not is_missing(after):
                source, target = _plain_key(before), _plain_key(after)
                groups[target][source] += count
                where.setdefault((target, source), row)
        sources = {source for group in groups.values() for source in group}
        if len(groups) >= len(sources) * (1.0 - self._observations.policy.max_distinct_loss) and len(groups) > 1:
            return None  # not even if every spelling is counted as a different value
        if not groups or len(sources) < 2:
            return None
        things = {target: self._things(group, target) for target, group in groups.items()}
        total = sum(things.values())
        lost = 1.0 - len(groups) / total
        constant = len(groups) == 1 and total > 1 and self._swallowed(*next(iter(groups.items()))) > MAX_MERGED_ROWS
        if lost <= self._observations.policy.max_distinct_loss and not constant:
            return None
        target = max(things, key=lambda name: things[name])
        source = next((source for source in groups[target] if source != target), target)
        stands = f"{target[:60]!r} stands for {len(groups[target])} of them"
        detail = f"{len(sources)} different values became {len(groups)}; {stands}"
        return self._violation(detail, where[target, source], "different values kept apart")

    def _with_added(self) -> list[Any]:
        """The cells afterwards; with what is new in the row where columns were added: a part may have gone there."""
        if not self._case.contract.adds:
            return self._all_after
        result = self._case.result
        names = [] if result is None else [name for name in self._case.contract.adds if name in result.column_names]
        columns = [self._case.values(result, name) for name in names]
        return [_joined(cells) for cells in zip(self._all_after, *columns, strict=True)]

    def _things(self, group: Counter[str], target: str) -> int:
        promised = self._promised(target)
        sources = [source for source in group if source not in promised][:MAX_DISTINCT]
        return clusters(sources, target) if sources else 1

    def _promised(self, target: str) -> set[str]:
        return {
            _plain_key(example.input[self._name])
            for example in self._observations.examples
            if isinstance(example.input, dict)
            and isinstance(example.output, dict)
            and self._name in example.input
            and _plain_key(_joined([example.output.get(n) for n in (self._name, *self._case.contract.adds)])) == target
        }

    def _swallowed(self, target: str, group: Counter[str]) -> float:
        """Share of the rows whose value means something else than the most frequent one."""
        promised = self._promised(target)
        main = group.most_common(1)[0][0]
        other = sum(n for source, n in group.items() if source not in promised and clusters([source, main], target) > 1)
        return other / group.total()

    def _violation(self, detail: str, row: int, wanted: str) -> Violation:
        shown = row_example(self._case, int(row), wanted, [self._name])
        return Violation(f"in column {self._name[:60]!r} {detail}, on {words(self._case)}", shown)


def _counted(before: Sequence[Any], after: Sequence[Any]) -> list[tuple[Any, Any, int, int]]:
    """The pairs of cells, the first row of each and how many rows hold it; each row alone where not all are text."""
    pairs = list(zip(before, after, strict=True))
    if not {*map(type, before), *map(type, after)} <= _TEXT:
        return [(*pair, row, 1) for row, pair in enumerate(pairs)]
    first = dict(zip(reversed(pairs), range(len(pairs) - 1, -1, -1), strict=True))
    return [(*pair, first[pair], count) for pair, count in Counter(pairs).items()]


def _joined(cells: Sequence[Any]) -> Any:
    """A cell with those that were added beside it; on its own when there are none, or when it is empty."""
    beside = [cell for cell in cells[1:] if not is_missing(cell)]
    return cells[0] if is_missing(cells[0]) or not beside else " ".join(map(str, (cells[0], *beside)))


def _plain_key(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


def check(observations: Observations) -> CheckResult | None:
    return over(ID, observations.present("working", "rest"), lambda case: violation(case, observations))


CHECK = Check(ID, LAW, check)
