"""Takes functions into a registry that were promoted elsewhere, or before there were signatures.

Called by `cleanroom registry adopt` and `import`. All are judged before the first is promoted: if one is rejected, the
registry stays as it is. What a killed process has promoted stays, and is left out when it is tried again. One that is
held goes in as well: in use where somebody trusted has approved it where it comes from, else out of use.

What is said elsewhere takes nothing out of use here in silence, and lets nothing in again that was taken out here.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from orchestrator.core.candidate import Candidate, Example
from orchestrator.core.errors import CandidateError, NotVerified, RegistryError, UsageError
from orchestrator.core.ports import Registry
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.data.formats import Dataset
from orchestrator.registry.entries import RegistryEntry, Status, ended_by, superseded_by
from orchestrator.run.services import Services
from orchestrator.run.verify.neighbours import waiting_in
from orchestrator.run.verify.stored import JudgedAgain, judge_again

if TYPE_CHECKING:
    from orchestrator.registry.store import SqlRegistry

ACCEPTED = "approved where it was imported from"
"""The reason in the signed approval of a function that came with an approval."""


class ImportedFunctions(NamedTuple):
    """`used`: what is in use now. `held`: what waits for somebody's approval. `gone`: what it took out of use."""

    used: tuple[Promoted, ...] = ()
    held: tuple[Promoted, ...] = ()
    gone: tuple[Promoted, ...] = ()


def taken_out(functions: Iterable[Promoted], registry: "SqlRegistry") -> dict[str, RegistryEntry]:
    """Those of the functions, by their source's hash, that the registry had in use until somebody took them out.

    That a run has found one again since, and it is held, lets nothing in: somebody has to approve that.
    """
    wanted = {function.candidate.sha256 for function in functions}
    entries = [entry for entry in registry.history() if entry.promoted.candidate.sha256 in wanted]
    last = {entry.promoted.candidate.sha256: entry for entry in entries if entry.status is not Status.HELD}
    return {sha256: entry for sha256, entry in last.items() if entry.status is Status.REVOKED or entry.barred}


def import_functions(
    functions: Sequence[Promoted],
    dataset: Dataset,
    services: Services,
    registry: Registry,
    *,
    after: Sequence[Promoted],
    on_verdict: Callable[[JudgedAgain], None],
    examples: Sequence[Example] = (),
    unsigned: Sequence[Promoted] = (),
) -> ImportedFunctions:
    """Judge the functions on the data, by the user's `examples` as well, and enter them behind those in `after`.

    `unsigned`: what nobody has signed of the registry, whose place they may take. Raises NotVerified where one fails;
    UsageError where one would take another out of use, RegistryError where that has come into use since; SandboxError.
    """
    _refuse_twice(functions)
    read = (_read(function, services) for function in functions)
    _refuse_replacing([candidate for candidate in read if candidate], (*after, *waiting_in(registry)))
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
    return _enter(new, registry, (*after, *unsigned))


def import_trusted(
    functions: Sequence[Promoted], registry: Registry, *, after: Sequence[Promoted] = ()
) -> ImportedFunctions:
    """Enter functions with the verdicts that somebody trusted has signed, who may also have replaced some of `after`.

    Raises UsageError where one would take the place of what waits for a decision; RegistryError.
    """
    _refuse_twice(functions)
    _refuse_replacing([function.candidate for function in functions], waiting_in(registry))
    done = _enter(((f.candidate, f.evidence, bool(f.accepted)) for f in functions), registry, after)
    names = {name for one in done.used for name in superseded_by(one.candidate)}
    return done._replace(gone=tuple(one for one in after if one.name in names))


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


def _read(function: Promoted, services: Services) -> Candidate | None:
    """What its source says; None where it cannot be read, which its verdict will say."""
    try:
        return services.gate.read(function.candidate.source)
    except CandidateError:
        return None


def _refuse_replacing(candidates: Sequence[Candidate], others: Sequence[Promoted]) -> None:
    """A function is judged beside those in use; one that takes another's place was not, and only its source says so."""
    for candidate in candidates:
        ended = (one for one in ended_by(candidate, others) if one.candidate.sha256 != candidate.sha256)
        if old := next(ended, None):
            raise UsageError(
                f"{candidate.name} would take the place of {old.name}, version {old.version}; nothing was changed.",
                advice=f"If that is what you want: `cleanroom registry revoke {old.name} --reason …` first.",
            )


def _enter(
    new: Iterable[tuple[Candidate, Evidence, bool]], registry: Registry, after: Sequence[Promoted]
) -> ImportedFunctions:
    """They end nothing but one another and what is in `after`: not what has come into use since that was read."""
    used, held = list[Promoted](), list[Promoted]()
    waiting = {function.candidate.sha256: function for function in registry.held()}
    for candidate, evidence, accepted in new:
        if evidence.verdict.passed:
            used.append(registry.promote(candidate, evidence, ends=(*after, *used)))
            continue
        found = _accepted(candidate, evidence, registry, (*after, *used)) if accepted else None
        if found is not None:
            used.append(found)
        else:
            held.append(waiting.get(candidate.sha256) or registry.hold(candidate, evidence))
    return ImportedFunctions(tuple(used), tuple(held))


def _accepted(
    candidate: Candidate, evidence: Evidence, registry: Registry, ends: Sequence[Promoted]
) -> Promoted | None:
    """The function, approved by the user as well; None where the user may not, and others have to."""
    try:
        return registry.promote(candidate, evidence, accepted=ACCEPTED, ends=ends)
    except UsageError:
        return None
