"""Takes a function out of use where it was found to act up while it was applied. Called by `run.apply.step`."""

from pathlib import Path

from orchestrator.core.errors import CleanroomError
from orchestrator.registry.location import registry_url, shown
from orchestrator.registry.store import SqlRegistry


def suspend(place: str | Path, name: str, version: int, sha256: str, reason: str) -> str:
    """Suspend the version in the registry that the functions came from; what was done, as a sentence.

    `place`: as `functions_in` takes it. `sha256`: of the source: another registry may have come to stand there since.
    Raises nothing: what cannot be done is said.
    """
    known = (name, version, sha256)
    try:
        url = registry_url(place, create=False)
    except CleanroomError:
        return f"There is no registry in which {name} could be suspended: do not use it."
    try:
        with SqlRegistry(url, create=False) as registry:
            if not any((one.name, one.version, one.candidate.sha256) == known for one in registry.functions()):
                return f"{name}, version {version}, is not in use in the registry {shown(url)}."
            registry.suspend(name, reason)
    except CleanroomError as error:
        return f"{name} could not be suspended in {shown(url)}: {error.message}"
    return f"{name}, version {version}, is suspended in the registry {shown(url)}."
