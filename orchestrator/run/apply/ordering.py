"""Which promoted functions a new one must come after, found by trying both orders. Called by `residual`.

The gate has shown that the new function works on what the earlier ones leave. Whether the order matters is another
question: where both orders give the same rows, a later reader of the registry may move the function; where they do not,
the evidence says so.
"""

from collections.abc import Sequence

import pyarrow as pa

from orchestrator.core.promoted import Promoted
from orchestrator.gate.judge.compare import difference
from orchestrator.run.apply.bisect import Cleaned, clean
from orchestrator.run.apply.runner import FunctionRunner

ROWS = 500


def must_follow(
    table: pa.Table, promoted: Sequence[Promoted], new: Promoted, runner: FunctionRunner
) -> tuple[str, ...]:
    """Names of the promoted functions with which `new` does not commute on the table's first rows, as they came in.

    Raises SandboxError.
    """
    rows = table.slice(0, ROWS)
    related = [earlier for earlier in promoted if _related(earlier, new)]
    if not related or _same(rows, [*related, new], [new, *related], runner):
        return ()
    return tuple(earlier.name for earlier in related if not _same(rows, [earlier, new], [new, earlier], runner))


def _related(one: Promoted, other: Promoted) -> bool:
    """Whether one of them touches a column that the other one names; a contract without columns may touch any."""
    return _touches(one, other) or _touches(other, one)


def _touches(one: Promoted, other: Promoted) -> bool:
    contract = one.candidate.contract
    columns = (*(contract.modifies or ()), *contract.adds, *contract.drops)
    return contract.modifies is None or contract.drops_rows or any(c in other.candidate.source for c in columns)


def _same(rows: pa.Table, order: Sequence[Promoted], other: Sequence[Promoted], runner: FunctionRunner) -> bool:
    first, second = _applied(rows, order, runner), _applied(rows, other, runner)
    if first.table is None or second.table is None:
        return first.table is second.table
    if first.rows.tolist() != second.rows.tolist():
        return False
    names = sorted(first.table.column_names)  # an added column may stand elsewhere
    if names != sorted(second.table.column_names):
        return False
    return not difference(first.table.select(names), second.table.select(names))[0]


def _applied(rows: pa.Table, functions: Sequence[Promoted], runner: FunctionRunner) -> Cleaned:
    runner.functions = functions
    return clean(runner, rows, max_failures=rows.num_rows)
