"""Which layers a policy weakens, so that nobody takes one away in silence.

Called by the gate for every verdict, by apply, by the report and, where the policy is strict, by `bootstrap` and for
functions that are applied or imported. Only what is weaker than the default counts; what is stricter does not.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from orchestrator.core.errors import UsageError
from orchestrator.core.policy import LOCKS, ContainerPolicy, Policy
from orchestrator.core.promoted import Promoted
from orchestrator.core.value import Value

_MOST_NAMES = 10
# Settings that are weaker the larger they are, and those that are weaker the smaller they are.
_LOOSER_WHEN_LARGER = {
    "container": (
        "memory_bytes", "pids", "cpus", "open_files", "file_bytes", "tmpfs_bytes", "tmpfs_inodes", "lifetime_s",
        "job_s",
    ),
    "limits": ("wall_s", "cpu_s", "memory_bytes", "output_bytes", "file_bytes", "open_files"),
    "screen": ("max_source_bytes", "max_lines", "max_nodes"),
    "gate": ("max_new_null_share", "max_distinct_loss", "max_growth"),
}  # fmt: skip
_LOOSER_WHEN_SMALLER = {"gate": ("case_rows", "holdout_share", "drawn_cells"), "audit": ("share", "rows")}


def weakened_layers(policy: Policy, *, screened: bool = True) -> tuple[str, ...]:
    """What is weaker than in the default policy, each as `setting: value (default …)`; empty where nothing is.

    `screened`: False where the caller has switched the screen off.
    """
    return tuple(_weakened(policy, screened=screened))


def refuse_weakened(policy: Policy) -> None:
    """Raise UsageError where the policy is strict and yet weakens a layer."""
    found = weakened_layers(policy)
    if policy.strict and found:
        raise UsageError(
            f"A strict policy may weaken nothing, and this one does: {_some(found)}.",
            advice="Take that out of the policy, or run without --strict.",
        )


def refuse_weakened_evidence(functions: Iterable[Promoted]) -> None:
    """Raise UsageError for a function that was proved where a layer was weakened. For whoever is strict."""
    for function in functions:
        if found := function.evidence.verdict.weakened:
            raise UsageError(
                f"{function.name}, version {function.version}, was proved where the policy was weaker: {_some(found)}.",
                advice="Judge it again under the strict policy, and promote that, or go on without --strict.",
            )


def _weakened(policy: Policy, *, screened: bool) -> Iterator[str]:
    usual = Policy(container=ContainerPolicy(runtime=policy.container.runtime))  # gVisor has limits of its own
    if not screened:
        yield "screen: switched off by the caller"
    for name, strictness in LOCKS.items():
        value, default = getattr(policy.container, name), getattr(usual.container, name)
        if strictness.index(value) < strictness.index(default):
            yield f"container.{name}: {value} (default {default})"
    for table, sign in ((_LOOSER_WHEN_LARGER, 1), (_LOOSER_WHEN_SMALLER, -1)):
        yield from _beyond(policy, usual, table, sign)
    known = usual.screen.imports
    more = [name for name in policy.screen.imports if not any(fnmatchcase(name, pattern) for pattern in known)]
    if more:
        yield f"screen.imports: also {_some(more)}"
    if policy.screen.surface:
        yield f"screen.surface: more of {_some(policy.screen.surface)}"


def _beyond(policy: Value, usual: Value, table: Mapping[str, Sequence[str]], sign: int) -> Iterator[str]:
    for section, names in table.items():
        for name in names:
            value, default = (_of(each, section, name) for each in (policy, usual))
            if sign * value > sign * default:
                yield f"{section}.{name}: {value:,} (default {default:,})"


def _of(policy: Value, section: str, name: str) -> Any:
    return getattr(getattr(policy, section), name)


def _some(texts: Iterable[str]) -> str:
    listed = [text[:200] for text in texts]
    more = f" and {len(listed) - _MOST_NAMES} more" if len(listed) > _MOST_NAMES else ""
    return ", ".join(listed[:_MOST_NAMES]) + more
