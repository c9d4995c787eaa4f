"""Beside which functions of a registry a candidate is judged that is to be promoted there. Called by `verify`."""

from collections.abc import Sequence

from orchestrator.core.candidate import Candidate, source_hash
from orchestrator.core.errors import CandidateError
from orchestrator.core.ports import Registry
from orchestrator.core.promoted import Promoted
from orchestrator.run.services import Services


def neighbours(
    source: str, promoted: Sequence[Promoted], services: Services, *, replace: bool
) -> tuple[tuple[Promoted, ...], Promoted | None]:
    """The promoted functions that stay beside the candidate, and the one that it declares to replace.

    One of the same name, of which the candidate is a new version, is neither. Without `replace` all stay, and the gate
    refuses one that would take another's place. A function that is in use already is judged where it stands, beside
    those before it: the ones behind it have their rows from it.
    """
    place = next((n for n, p in enumerate(promoted) if p.candidate.sha256 == source_hash(source)), None)
    if place is not None:
        return tuple(promoted[:place]), None
    if not replace:
        return tuple(promoted), None
    try:
        candidate = services.gate.read(source)
    except CandidateError:
        return tuple(promoted), None
    from orchestrator.registry.entries import superseded_by

    gone = superseded_by(candidate)
    replaced = next((p for p in promoted if p.name in gone - {candidate.name}), None)
    return tuple(p for p in promoted if p.name not in gone), replaced


def waiting_in(registry: Registry) -> tuple[Promoted, ...]:
    """What waits in the registry for somebody's decision."""
    return (*registry.held(), *registry.suspended())


def waiting_beside(source: str, registry: Registry) -> tuple[Promoted, ...]:
    """What waits in the registry for somebody's decision; not the same function itself."""
    return tuple(one for one in waiting_in(registry) if one.candidate.sha256 != source_hash(source))


def in_its_place(candidate: Candidate, waiting: Sequence[Promoted]) -> tuple[Promoted, ...]:
    """Those that nobody can approve any more once the candidate is in use."""
    from orchestrator.registry.entries import ended_by

    return ended_by(candidate, waiting)
