"""The functions to apply, wherever they are: in a registry, in a run's folder, or in a bundle. Called by `apply`."""

from collections.abc import Sequence
from pathlib import Path

from orchestrator.core.promoted import Promoted
from orchestrator.registry.bundle import MANIFEST, load_functions
from orchestrator.registry.names import databases_in, is_url

_SQLITE = b"SQLite format 3\0"


def functions_in(place: str | Path) -> Sequence[Promoted]:
    """The functions in their order. `place`: a folder, an SQLite file, a bundle or a URL.

    Where a folder has a registry and a bundle, the registry counts: it knows what was promoted and revoked since. The
    bundle is checked all the same, so that a file which somebody has changed does not go unnoticed. Raises
    RegistryError where there are none or where they are not what was promoted, UsageError for a wrong name.
    """
    if is_url(str(place)):
        return _registered(place)
    path = Path(place)
    if path.is_file():
        return _registered(place) if _is_sqlite(path) else load_functions(path)
    if not databases_in(path):
        return load_functions(path)
    if any((folder / MANIFEST).is_file() for folder in (path, path / "registry")):
        load_functions(path, approved=False)
    return _registered(place)


def _registered(place: str | Path) -> Sequence[Promoted]:
    from orchestrator.registry.location import registry_url
    from orchestrator.registry.store import SqlRegistry

    with SqlRegistry(registry_url(place, create=False), create=False) as registry:
        return registry.applicable()


def _is_sqlite(path: Path) -> bool:
    """By its first bytes; an empty or unreadable file is left to whoever reads it."""
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError:
        return False
