"""What is left to clean: a table after the promoted functions, computed in a sandbox. Called by loop and verify."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

from orchestrator.core.errors import SandboxError
from orchestrator.core.ports import Disposable, Sandbox
from orchestrator.core.promoted import Promoted
from orchestrator.run.apply_batch import Lane

if TYPE_CHECKING:
    import pyarrow as pa

    from orchestrator.core.policy import Policy


class _Known(NamedTuple):
    """A table and what the functions made of it. The table itself is kept, so that its id stays its own."""

    table: "pa.Table"
    functions: tuple[Promoted, ...]
    rest: "pa.Table"


class Residual:
    """Keeps one container of promoted functions, and applies to a table only the functions that are new to it."""

    def __init__(self, sandbox: Sandbox, decoder: Disposable, policy: "Policy") -> None:
        self._lane = Lane((), sandbox, decoder, policy.limits)
        self._known: dict[int, _Known] = {}

    def of(self, table: "pa.Table", functions: Sequence[Promoted]) -> "pa.Table":
        """The table after all functions, in order; rows on which one fails are left out. Raises SandboxError."""
        functions = tuple(functions)
        known = self._known.get(id(table))
        if known is None or known.functions != functions[: len(known.functions)]:
            known = _Known(table, (), table)
        rest = self._apply(known.rest, functions[len(known.functions) :])
        self._known = {**dict(list(self._known.items())[-3:]), id(table): _Known(table, functions, rest)}
        return rest

    def _apply(self, table: "pa.Table", functions: tuple[Promoted, ...]) -> "pa.Table":
        if not functions or not table.num_rows:
            return table
        self._lane.functions = functions
        cleaned = self._lane.clean(table, max_failures=table.num_rows)
        if cleaned.table is None:
            names = ", ".join(function.name for function in functions)
            raise SandboxError(f"The promoted functions {names} fail on every row of a chunk.", advice="Revoke them.")
        return cleaned.table

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._lane.close()
