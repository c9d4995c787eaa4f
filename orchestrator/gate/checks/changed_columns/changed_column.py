"""One changed column of one case, before and after, as the check `keeps-information` looks at it.

What is gone for good (`new_nulls`) fails the candidate; what may have lost its meaning is a suspicion.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from orchestrator.core.candidate import Example, Shape
from orchestrator.core.jobs import Op
from orchestrator.gate.checks.changed_columns.cell_keys import counted, joined, pair_key, plain_key
from orchestrator.gate.checks.changed_columns.column_labels import without_labels
from orchestrator.gate.checks.changed_columns.filled_cells import filled_cells, finds_known_cells
from orchestrator.gate.checks.changed_columns.frequent_values import frequent_values_merged
from orchestrator.gate.checks.changed_columns.inside_doubts import inside_doubts, with_values_read
from orchestrator.gate.checks.changed_columns.overruled import overruled
from orchestrator.gate.checks.changed_columns.rewritten_cells import rewritten_cells
from orchestrator.gate.checks.changed_columns.settled_cells import given_away, unsettled, unsettled_beside
from orchestrator.gate.checks.changed_columns.suspected import Suspected
from orchestrator.gate.checks.changed_columns.unit_doubts import unit_doubted
from orchestrator.gate.information.alike_changes import some_of_each_form
from orchestrator.gate.information.changes import Change, both_text, moved
from orchestrator.gate.information.emptied import emptied_like_others, gone_alike, lists_emptied, values_emptied
from orchestrator.gate.information.equivalence import Equivalence, Known
from orchestrator.gate.information.nested import read_pairs
from orchestrator.gate.information.null_tokens import holds_something, is_missing, is_placeholder, stands_for_missing
from orchestrator.gate.information.row_evidence.denied_beside import denied_beside
from orchestrator.gate.information.row_evidence.filled import is_fill
from orchestrator.gate.information.row_evidence.moved import at_home, moved_into, numbered_alike, repeats
from orchestrator.gate.information.row_evidence.named_beside import named_beside
from orchestrator.gate.information.row_evidence.said_beside import ends_left_out, said_beside
from orchestrator.gate.information.shown import is_shown, same_sentence
from orchestrator.gate.information.similarity import clusters, key
from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.information.value_kinds.units import same_quantity
from orchestrator.gate.judge.compare import Mask
from orchestrator.gate.judge.observations import CaseObservation, Observations

MAX_FLAGGED_LOSS = 0.25  # of a column's different values that a function may blank where `detect` flags them
MAX_MERGED_ROWS = 0.2  # of the rows whose value may vanish when a column becomes a constant
MAX_SENTINELS = 2  # different numbers that a column writes where there is none
MAX_DISTINCT = 1_000


class ChangedColumn:
    """The cells of one column before and after, with what witnesses show of it."""

    def __init__(
        self, case: CaseObservation, observations: Observations, name: str, mask: Mask, *, closely: bool = False
    ) -> None:
        self._arguments = case, observations, name, mask
        self._case, self._policy, self._name, self._closely = case, observations.policy, name, closely
        self._lot = observations.lot
        self._rows: list[int] = np.flatnonzero(mask).tolist()
        self._before = case.values(case.kept_input, name)
        self._witnesses = [with_values_read(one, name) for one in observations.shown(name)]
        self._after = unsettled(case, observations, name, self._before, self._rows)
        if closely:
            self._after = unsettled_beside(case, observations, name, self._before, self._after, self._rows)
        if finds_known_cells(observations, name):
            pairs = zip(self._before, self._after, strict=True)
            self._before = [after if is_fill(before, after) else before for before, after in pairs]
        others = [one for one in observations.beside(case) if closely or one is observations.sample]
        self._elsewhere = without_labels(name, read_pairs(pair for one in others for pair in one.pairs(name)))
        if closely:
            slips = given_away(case, list(zip(self._before, self._after, strict=True)), self._rows, others, name)
            self._before = [self._after[row] if row in slips else cell for row, cell in enumerate(self._before)]
        read = read_pairs(zip(self._before, self._after, strict=True))
        self._before, self._after = [one for one, _ in read], [other for _, other in read]

    def new_nulls(self) -> Suspected | None:
        """Cells that held something and hold nothing now, unless a witness or `detect` shows that they should."""
        lost = [row for row in self._rows if is_missing(self._after[row]) and holds_something(self._before[row])]
        shown = {_folded(one.input[self._name]) for one in self._witnesses if is_missing(one.output[self._name])}
        lost = [row for row in self._not_moved(lost) if _folded(self._before[row]) not in shown]
        if not lost or self._only_flagged(lost) or self._sentinels(lost):
            return None
        held = sum(1 for value in self._before if holds_something(value))
        if len(lost) / max(held, 1) <= self._policy.max_new_null_share:
            return None
        detail = f"{len(lost)} cells that held something are empty afterwards"
        return Suspected("cells-emptied", detail, lost[0], "the value kept", len(lost))

    def emptied_alike(self) -> Suspected | None:
        """Values that become empty though they are some, or look like others, unless a witness shows such a one."""
        lost = emptied_like_others(self._before, self._after, [before for before, _ in self._elsewhere])
        lost += named_beside(self._before, self._after, self._rows, self._case.other_columns(self._name))
        values = values_emptied(self._before, self._after)
        gone = [one.input[self._name] for one in self._witnesses if is_missing(one.output[self._name])]
        both = [row for row in {*lost, *values} if not any(gone_alike(self._before[row], one) for one in gone)]
        found, alike = self._not_moved(both, doubted=True), {*lost}
        lost = [row for row in found if row in alike]
        detail = f"{len(lost)} cells become empty that look like others which stay"
        if not lost:
            lost, detail = found, f"{len(found)} cells that hold a value become empty"
        return Suspected("cells-emptied", detail, min(lost), "the value kept", len(lost)) if lost else None

    def _not_moved(self, rows: list[int], *, doubted: bool = False) -> list[int]:
        """Those of the rows whose value does not come to stand in an empty cell of another column of the row.

        `doubted`: with those that do, or that repeat another cell, and whose value other rows of the column keep.
        """
        if not rows:
            return []
        others = [self._case.pairs(name) for name in self._case.masks if name != self._name]
        cells, shown = [*zip(self._before, self._after, strict=True)], [(w.input, w.output) for w in self._witnesses]
        own = at_home(self._name, cells, others, shown) if doubted else ()
        left = [
            row
            for row in rows
            if key(str(self._before[row])) in own
            or not moved_into(self._before[row], [cells[row] for cells in others if cells])
        ]
        given = self._case.kept_input
        same = [] if given is None else [name for name in given.column_names if left and name not in self._case.masks]
        sure = {name for name in same if not doubted or numbered_alike(name, self._name)}
        found = (repeats(self._before, self._case.values(given, name), left, by_chance=name in sure) for name in same)
        return [] if any(found) else left

    def filled(self) -> Suspected | None:
        """Cells without a value that get one which nothing shows to be right."""
        return filled_cells(self._arguments[0], self._arguments[1], self._name, (self._before, self._after), self._rows)

    def all_flagged(self) -> bool:
        """Whether `detect` flags every row that is changed here."""
        flags = self._case.op(Op.DETECT).flags
        return flags is not None and self._case.origin is not None and bool(flags[self._case.origin[self._rows]].all())

    def _sentinels(self, lost: list[int]) -> bool:
        """Only numbers that are written where there is none, and not all that the column holds."""
        gone = {plain_key(self._before[row]) for row in lost}
        kept = any(holds_something(value) for value in self._after)
        return kept and len(gone) <= MAX_SENTINELS and all(stands_for_missing(self._before[row]) for row in lost)

    def _only_flagged(self, lost: list[int]) -> bool:
        """The function only blanks in this column, only where `detect` flags, and only a small part of the values."""
        if not self.all_flagged() or not all(is_missing(self._after[row]) for row in self._rows):
            return False
        kinds = {plain_key(value) for value in self._before if holds_something(value)}
        gone = {plain_key(self._before[row]) for row in lost}
        if len(gone) < len(kinds) and all(is_placeholder(self._before[row]) for row in lost):
            return True
        return len(gone) == 1 < len(kinds) or len(gone) <= MAX_FLAGGED_LOSS * len(kinds)

    def closely(self) -> "ChangedColumn":
        """The column beside all other rows and the columns that change with it, without slips that its row tells."""
        return ChangedColumn(*self._arguments, closely=True)

    def suspected(self) -> list[Suspected]:
        """All that may have lost its meaning, and that no witness shows."""
        often = frequent_values_merged(self._before, self._with_added(), self._shown_texts())
        first = (self.collapse(), self._overruled(), self._lists_emptied(), self._doubted_unit(), often, self._denied())
        rewritten = rewritten_cells(self._case, [*zip(self._before, self._after, strict=True)], self._shown_texts())
        return [*filter(None, [*first, rewritten]), *self._reinterpreted(), *self._inside()]

    def _lists_emptied(self) -> Suspected | None:
        rows = lists_emptied(self._before, self._after, list(zip(*self._shown(), strict=True)))
        detail = f"{len(rows)} texts become an empty list or object"
        return Suspected("cells-emptied", detail, rows[0], "what the text says", len(rows)) if rows else None

    def _doubted_unit(self) -> Suspected | None:
        cells, shown = [*zip(self._before, self._after, strict=True)], [*zip(*self._shown(), strict=True)]
        others = [*self._before, *(before for before, _ in self._elsewhere)]
        return unit_doubted(self._case, self._name, [(row, *cells[row]) for row in self._rows], shown, others)

    def _overruled(self) -> Suspected | None:
        if self._case.contract.shape is not Shape.FITTED:
            return None
        cells, shown = zip(self._before, self._after, strict=True), zip(*self._shown(), strict=True)
        return overruled([*cells], self._rows, [*shown])

    def _denied(self) -> Suspected | None:
        """Words that become what another column of their rows denies, unless a witness shows such a change."""
        cells, shown = [*zip(self._before, self._after, strict=True)], [*zip(*self._shown(), strict=True)]
        rows = [row for row in self._rows if both_text(cells[row]) and cells[row] not in shown]
        denied = denied_beside(cells, rows, self._case.other_columns(self._name)) if rows else []
        denied = [row for row in denied if self._equivalence.known(*cells[row]) is not Known.SAME]
        detail = f"{len(denied)} cells become a word that another column of their rows denies"
        wanted = "the word that goes with the row"
        return Suspected("word-replaced", detail, denied[0], wanted, len(denied)) if denied else None

    def _reinterpreted(self) -> list[Suspected]:
        """Numbers keep sign and size, words their letters; what stands in a new column beside it is not lost."""
        shown = [(one.input[self._name], self._joined_output(one)) for one in self._witnesses]
        witnesses = [*shown, *without_labels(self._name, shown)]
        beside = self._with_added()
        cells, rows = self._different(beside)
        found = suspicions(cells, witnesses, self._elsewhere)
        if beside is not self._after:  # a part may have gone there, or what was added may hide what is gone
            alone = {one.kind for one in suspicions(self._different(self._after, rows)[0], witnesses, self._elsewhere)}
            found = [one for one in found if one.kind in alone]
        counts = Counter(map(pair_key, zip(self._before, self._after, strict=True)))
        return [
            Suspected(one.kind, one.detail, row, one.wanted, counts[pair_key((self._before[row], self._after[row]))])
            for one in found
            for row in [rows[one.at]]
        ]

    def _different(self, after: Sequence[Any], rows: list[int] | None = None) -> tuple[list[Change], list[int]]:
        """The pairs of cells, each once, and the first row of each; unchanged ones are evidence. Some of each form."""
        if rows is None:
            first: dict[Any, int] = {}
            for row, pair in enumerate(zip(self._before, after, strict=True)):
                first.setdefault(pair_key(pair), row)
            rows = list(first.values())
        cells = without_labels(self._name, [(self._before[row], after[row]) for row in rows])
        kept = [at for at, row in enumerate(rows) if moved(cells[at]) or not moved((self._before[row], after[row]))]
        cells, rows = [cells[at] for at in kept], [rows[at] for at in kept]
        some = some_of_each_form(cells, self._lot, len(self._case.masks), all_that_stay=self._closely)
        return [cells[at] for at in some], [rows[at] for at in some]

    def _inside(self) -> list[Suspected]:
        """What stands inside lists and objects keeps its meaning, place by place, and no key or item is gone."""
        return inside_doubts((self._before, self._after), self._shown(), by_row=self._case.by_row)

    def _shown(self) -> tuple[list[Any], list[Any]]:
        return [one.input[self._name] for one in self._witnesses], [one.output[self._name] for one in self._witnesses]

    def collapse(self) -> Suspected | None:
        """Different values must not become one; different spellings of one value may."""
        groups: dict[str, Counter[str]] = defaultdict(Counter)
        where: dict[tuple[str, str], int] = {}
        for before, after, row, count in counted(self._before, self._with_added()):
            if holds_something(before) and not is_missing(after):
                source, target = plain_key(before), plain_key(after)
                groups[target][source] += count
                where.setdefault((target, source), row)
        sources = {source for group in groups.values() for source in group}
        if len(groups) >= len(sources) * (1.0 - self._policy.max_distinct_loss) and len(groups) > 1:
            return None  # not even if every spelling is counted as a different value
        if not groups or len(sources) < 2:
            return None
        things = {target: self._things(group, target, of_many=len(groups) > 1) for target, group in groups.items()}
        total = sum(things.values())
        lost = 1.0 - len(groups) / total
        constant = len(groups) == 1 and total > 1 and self._swallowed(*next(iter(groups.items()))) > MAX_MERGED_ROWS
        if lost <= self._policy.max_distinct_loss and not constant:
            return None
        target = max(things, key=lambda name: things[name])
        source = next((source for source in groups[target] if source != target), target)
        stands = f"{target[:60]!r} stands for {len(groups[target])} of them"
        detail = f"{len(sources)} different values became {len(groups)}; {stands}"
        kind = "column-constant" if constant else "values-collapse"
        return Suspected(kind, detail, where[target, source], "different values kept apart", groups[target].total())

    def _with_added(self) -> list[Any]:
        """The cells afterwards, with what is new in the row: a part may be in an added column, or in an empty cell."""
        result = self._case.result
        names = [] if result is None else [name for name in self._case.contract.adds if name in result.column_names]
        columns = [self._case.values(result, name) for name in names]
        columns += [cells for name, cells in self._case.filled.items() if name not in (self._name, *names)]
        if result is not None and not self._case.by_row:
            columns += said_beside(result, self._name, ends_left_out(self._before, self._after, self._rows))
        return [joined(cells) for cells in zip(self._after, *columns, strict=True)] if columns else self._after

    def _joined_output(self, example: Example) -> Any:
        return joined([example.output.get(name) for name in (self._name, *self._case.contract.adds)])

    def _things(self, group: Counter[str], target: str, *, of_many: bool) -> int:
        """How many different things the sources mean; in a column `of_many` values, what is known counts as well."""
        promised = self._promised(target)
        sources = [source for source in group if source not in promised][:MAX_DISTINCT]
        shown = [pair for pair in self._shown_texts() if of_many and pair[0] != pair[1]]
        alike = [before for before, after in shown if after == target]
        sources = [source for source in sources if not any(same_sentence(source, one) for one in alike)]
        sources = [source for source in sources if not is_shown((source, target), shown)]
        sources = [source for source in sources if not same_quantity(source, target)]  # rounded, as any number may be
        known = [one for one in sources if of_many and self._equivalence.known(one, target) is Known.SAME]
        sources = [one for one in sources if one not in known] + ([target] if known else [])
        return clusters(sources, target) if sources else 1

    @cached_property
    def _equivalence(self) -> Equivalence:
        return Equivalence(
            list(dict.fromkeys(zip(map(plain_key, self._before), map(plain_key, self._after), strict=True)))
        )

    def _promised(self, target: str) -> set[str]:
        shown = (one for one in self._witnesses if plain_key(self._joined_output(one)) == target)
        return {plain_key(one.input[self._name]) for one in shown}

    def _shown_texts(self) -> list[Change]:
        return [pair for pair in zip(*self._shown(), strict=True) if both_text(pair)]

    def _swallowed(self, target: str, group: Counter[str]) -> float:
        """Share of the rows whose value means something else than the most frequent one."""
        promised = self._promised(target)
        main = group.most_common(1)[0][0]
        other = sum(n for source, n in group.items() if source not in promised and clusters([source, main], target) > 1)
        return other / group.total()


def _folded(value: Any) -> str:
    """By which a word that goes is found again in other capitals."""
    return plain_key(value).strip().casefold()
