"""Takes functions into a registry that were promoted elsewhere, or before there were signatures.

Called by `cleanroom registry adopt` and `import`. All are judged before the first is promoted: if one is rejected, the
registry stays as it is. What a killed process has promoted stays, and is left out when it is tried again. One that is
held goes in as well: in use where somebody trusted has approved it where it comes from, else out of use.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from orchestrator.core.candidate import Candidate, Example
from orchestrator.core.errors import NotVerified, RegistryError, UsageError
from orchestrator.core.ports import Registry
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.data.formats import Dataset
from orchestrator.run.services import Services
from orchestrator.run.verify.stored import JudgedAgain, judge_again

ACCEPTED = "approved where it was imported from"
"""The reason in the signed approval of a function that came with an approval."""


class ImportedFunctions(NamedTuple):
    """`used`: what is in use now. `held`: what waits for somebody's approval."""

    used: tuple[Promoted, ...] = ()
    held: tuple[Promoted, ...] = ()


def import_functions(
    functions: Sequence[Promoted],
    dataset: Dataset,
    services: Services,
    registry: Registry,
    *,
    after: Sequence[Promoted],
    on_verdict: Callable[[JudgedAgain], None],
    examples: Sequence[Example] = (),
) -> ImportedFunctions:
    """Judge the functions on the data, by the user's `examples` as well, and enter them behind those in `after`.

    Raises NotVerified where one fails; SandboxError, RegistryError.
    """
    _refuse_twice(functions)
    judged = []
    for one in judge_again(functions, dataset, services, after=after, examples=examples):
        on_verdict(one)
        judged.append(one)
    rejected = [one.function.name for one in judged if one.candidate is None]
    if rejected:
        more = f" and {len(rejected) - 1} more" if len(rejected) > 1 else ""
        raise NotVerified(
            f"{rejected[0]}{more} did not pass on {dataset.name}; nothing was changed.",
            advice="Revoke it where it comes from, or name data that it is for.",
        )
    new = ((one.candidate, one.evidence, one.accepted) for one in judged if one.candidate is not None)
    return _enter(new, registry)


def import_trusted(functions: Sequence[Promoted], registry: Registry) -> ImportedFunctions:
    """Enter functions with the verdicts that somebody trusted has signed. Raises RegistryError."""
    _refuse_twice(functions)
    return _enter(((f.candidate, f.evidence, bool(f.accepted)) for f in functions), registry)


def _refuse_twice(functions: Sequence[Promoted]) -> None:
    """A registry takes a source once: one that comes again would stop half-way, with the first ones in use."""
    sources: dict[str, Promoted] = {}
    for function in functions:
        first = sources.setdefault(function.candidate.sha256, function)
        if first is not function:
            raise RegistryError(
                f"Functions {first.order} ({first.name}) and {function.order} ({function.name}) have the same source; "
                "nothing was changed.",
                advice="Revoke one of them where they come from, and export again.",
            )


def _enter(new: Iterable[tuple[Candidate, Evidence, bool]], registry: Registry) -> ImportedFunctions:
    used, held = [], []
    waiting = {function.candidate.sha256: function for function in registry.held()}
    for candidate, evidence, accepted in new:
        if evidence.verdict.passed:
            used.append(registry.promote(candidate, evidence))
            continue
        found = _accepted(candidate, evidence, registry) if accepted else None
        if found is not None:
            used.append(found)
        else:
            held.append(waiting.get(candidate.sha256) or registry.hold(candidate, evidence))
    return ImportedFunctions(tuple(used), tuple(held))


def _accepted(candidate: Candidate, evidence: Evidence, registry: Registry) -> Promoted | None:
    """The function, approved by the user as well; None where the user may not, and others have to."""
    try:
        return registry.promote(candidate, evidence, accepted=ACCEPTED)
    except UsageError:
        return None
