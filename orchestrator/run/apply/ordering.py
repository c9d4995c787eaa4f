"""Which promoted functions a new one must come after, found by trying both orders. Called by `residual`.

The gate has shown that the new function works on what the earlier ones leave. Whether the order matters is another
question: where both orders give the same rows, a later reader of the registry may move the function; where they do not,
the evidence says so.
"""

from collections.abc import Iterable, Sequence

import pyarrow as pa

from orchestrator.core.candidate import Shape
from orchestrator.core.promoted import Promoted
from orchestrator.gate.judge.compare import difference
from orchestrator.run.apply.clean_table import Cleaned, clean
from orchestrator.run.apply.function_runner import FunctionRunner
from orchestrator.run.apply.stages import columns_seen
from orchestrator.run.rows.contract import CheckedBatch

ROWS = 500


class OrderTrials:
    """Tries the orders of two functions on a table's first rows; what each makes of them alone is kept for the next."""

    def __init__(self, runner: FunctionRunner) -> None:
        self._runner = runner
        self._table: pa.Table | None = None
        self._rows = pa.table({})
        self._alone: dict[str, CheckedBatch | None] = {}

    def must_follow(self, table: pa.Table, promoted: Sequence[Promoted], new: Promoted) -> tuple[str, ...]:
        """Names of the promoted functions with which `new` does not commute on the table, as it came in.

        Raises SandboxError.
        """
        if table is not self._table:
            self._table, self._rows, self._alone = table, table.slice(0, ROWS), {}
        related = [earlier for earlier in promoted if _related(earlier, new)]
        simple = [earlier for earlier in related if _keeps_its_shape(earlier) and _keeps_its_shape(new)]
        commute = self._commuting(simple, new)
        for earlier in related:
            if earlier.name not in commute:
                commute[earlier.name] = self._same([earlier, new], [new, earlier])
        return tuple(earlier.name for earlier in related if not commute[earlier.name])

    def _commuting(self, related: Sequence[Promoted], new: Promoted) -> dict[str, bool]:
        """Which functions commute with the new one, by name, without those of which one failed on some row."""
        if not related:
            return {}
        self._runner.functions = functions = [*related, new]
        unknown = [one for one in functions if one.candidate.sha256 not in self._alone]
        made = self._runner.run_each([(one, self._rows) for one in unknown])
        self._alone |= {one.candidate.sha256: batch for one, batch in zip(unknown, made, strict=True)}
        second = self._alone[new.candidate.sha256]
        found: dict[str, bool] = {}
        pairs: list[tuple[Promoted, pa.Table]] = []
        tried: list[str] = []
        for earlier in related:
            first = self._alone[earlier.candidate.sha256]
            if first is None or second is None:
                continue
            if _may_see(earlier, _changed(second)) or _may_see(new, _changed(first)):
                tried.append(earlier.name)
                pairs += [(new, first.table), (earlier, second.table)]
            else:
                found[earlier.name] = True
        made = self._runner.run_each(pairs) if pairs else []
        for name, one, other in zip(tried, made[::2], made[1::2], strict=True):
            if one is not None and other is not None:
                found[name] = not difference(one.table, other.table)[0]
        return found

    def _same(self, order: Sequence[Promoted], other: Sequence[Promoted]) -> bool:
        """Whether both orders give the same rows; rows on which a function fails are left out of both."""
        first, second = self._applied(order), self._applied(other)
        if first.table is None or second.table is None:
            return first.table is second.table
        if first.rows.tolist() != second.rows.tolist():
            return False
        names = sorted(first.table.column_names)  # an added column may stand elsewhere
        if names != sorted(second.table.column_names):
            return False
        return not difference(first.table.select(names), second.table.select(names))[0]

    def _applied(self, functions: Sequence[Promoted]) -> Cleaned:
        self._runner.functions = functions
        return clean(self._runner, self._rows, max_failures=self._rows.num_rows)


def _related(one: Promoted, other: Promoted) -> bool:
    """Whether one of them touches a column that the other one may see; a contract without columns may touch any."""
    return _touches(one, other) or _touches(other, one)


def _touches(one: Promoted, other: Promoted) -> bool:
    contract = one.candidate.contract
    columns = set(contract.named)
    return contract.modifies is None or contract.drops_rows or _may_see(other, columns)


def _may_see(function: Promoted, columns: Iterable[str]) -> bool:
    """Whether it may see or change one of the columns; where its source does not tell, whether it names one."""
    seen = columns_seen(function.candidate)
    if seen is None:
        return any(column in function.candidate.source for column in columns)
    own = seen | {*(function.candidate.contract.modifies or ())}
    return any(column in own for column in columns)


def _keeps_its_shape(function: Promoted) -> bool:
    """Whether what it returns has the rows and columns that it was given."""
    contract = function.candidate.contract
    return contract.shape is Shape.TABLE and not (contract.adds or contract.drops or contract.drops_rows)


def _changed(batch: CheckedBatch) -> set[str]:
    return {name for name, count in batch.changed.items() if count}
