"""Whose fault it is that two workers of a cluster make different things of the same rows. Called by the audit.

A function is blamed only where it is at fault on one machine, too: a worker with broken memory, or one that lies, takes
no function out of use. So each of the two workers is asked once more, and held against what it said itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from orchestrator.core.errors import ApplyAuditFailed, SandboxError
from orchestrator.core.wording import joined_by_and

T = TypeVar("T")


@dataclass(frozen=True)
class TwoWorkers(Generic[T]):
    """The first look's worker, and those of the second look with what they made.

    `again`: takes the second look once more, on that worker alone. It raises SandboxError where that cannot be done.
    `as_first`: whether what was made is what the first look made; `same`: whether two second looks made the same.
    """

    first: str
    others: tuple[str, ...]
    second: T
    again: Callable[[str], T]
    as_first: Callable[[T], bool]
    same: Callable[[T, T], bool]

    def blamed(self, stopped: ApplyAuditFailed) -> ApplyAuditFailed:
        """The error as it is where the function is at fault; else one that names the workers, and blames no function.

        Where a worker cannot be asked again, nobody knows, and no function is blamed.
        """
        if not self.first or set(self.others) <= {self.first} or self._function_is_at_fault():
            return stopped
        workers = tuple(dict.fromkeys((self.first, *self.others)))
        return ApplyAuditFailed(
            f"{stopped.message} The workers {joined_by_and(workers)} do not agree on these rows: one of them may "
            "be at fault.",
            function=stopped.function,
            version=stopped.version,
            workers=workers,
            advice="Nothing was written, and no function was suspended. Look at these machines and at their memory, or "
            "end the worker that is at fault, then run the command again.",
        )

    def _function_is_at_fault(self) -> bool:
        """Whether both workers make the same of the same tables, or neither makes the same twice."""
        try:
            third = self.again(self.first)
            if self.as_first(third):
                return False
            if self.same(third, self.second):
                return True
            return not self.same(self.again(self.others[-1]), self.second)
        except SandboxError:
            return False
