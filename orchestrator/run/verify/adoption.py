"""Functions from before there were signatures: which they are, and the bundle beside them once they are adopted.

Called by `cleanroom registry adopt`, which has them judged again in between (`take_over`).
"""

from collections.abc import Sequence
from pathlib import Path

from orchestrator.core.promoted import LogProof, Promoted
from orchestrator.registry.bundle import MANIFEST, export_bundle, load_stored
from orchestrator.registry.names import databases_in, is_url
from orchestrator.run.outputs import FUNCTIONS, REGISTRY, export_all


def unsigned_in(place: str) -> Sequence[Promoted]:
    """The functions in use that nobody has signed, in their order. `place`: as for `apply --functions`.

    Raises RegistryError, UsageError.
    """
    path = Path(place)
    if (
        not is_url(place)
        and not databases_in(path)
        and (path / MANIFEST).is_file() | (path / REGISTRY / MANIFEST).is_file()
    ):
        return load_stored(path)

    from orchestrator.registry.location import registry_url
    from orchestrator.registry.store import SqlRegistry

    with SqlRegistry(registry_url(place, create=False), create=False) as registry:
        return registry.unsigned()


def write_bundle(place: str, functions: Sequence[Promoted], log: LogProof | None) -> None:
    """Write the bundle anew where there is one beside the registry, and the file of functions. Raises OutputError."""
    path = Path(place)
    if (path / REGISTRY / MANIFEST).is_file():
        export_all(functions, path, log)
    elif (path / MANIFEST).is_file() and path.name == REGISTRY and (path.parent / FUNCTIONS).is_file():
        export_all(functions, path.parent, log)
    elif (path / MANIFEST).is_file():
        export_bundle(functions, path, log=log)
