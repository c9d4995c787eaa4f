"""Promoted functions to read or apply, wherever they are: in a registry, in a run's folder, or in a bundle.

Called by `apply`, `check` and every command that only reads a registry.
"""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.core.promoted import Promoted
from orchestrator.registry.bundle import MANIFEST, load_functions
from orchestrator.registry.registry_names import databases_in, is_url, sqlite_address

if TYPE_CHECKING:
    from orchestrator.registry.store import SqlRegistry


class ListedFunction(Promoted):
    """A function in use, with how many more people have to approve it before it is applied."""

    missing_approvals: int = 0


def functions_in(place: str | Path) -> Sequence[Promoted]:
    """The functions in their order. `place`: a folder, an SQLite file, a bundle or a URL.

    Where a folder has a registry and a bundle, the registry counts: it knows what was promoted and revoked since. The
    bundle is checked all the same, so that a file which somebody has changed does not go unnoticed. Raises
    RegistryError where they are not what was promoted, UsageError where there are none.
    """
    if not has_registry(place):
        return load_functions(Path(place))
    if has_bundle(place):
        load_functions(Path(place), approved=False)
    return _registered(place)


def has_registry(place: str | Path) -> bool:
    """Whether the name is that of a registry, or of a folder with one."""
    path = Path(place)
    return is_url(str(place)) or (_is_sqlite(path) if path.is_file() else bool(databases_in(path)))


def has_bundle(place: str | Path) -> bool:
    """Whether the name is that of an archive, or of a folder with a bundle."""
    path = Path(place)
    if is_url(str(place)) or path.is_file():
        return path.is_file() and not _is_sqlite(path)
    return any((folder / MANIFEST).is_file() for folder in (path, path / "registry"))


def open_to_read(place: str | Path) -> "SqlRegistry":
    """The registry that the user has named. A file and its folder stay as they are: they may be a stranger's.

    Raises RegistryError; UsageError where there is none.
    """
    from orchestrator.registry.location import registry_url
    from orchestrator.registry.store import SqlRegistry

    return SqlRegistry(registry_url(place, create=False), read_only=True)


def _registered(place: str | Path) -> Sequence[Promoted]:
    with open_to_read(place) as registry:
        return registry.applicable()


def _is_sqlite(path: Path) -> bool:
    """Asked of SQLite: to open and close the file in another way takes away the locks that this process has on it.

    An empty or unreadable file is left to whoever reads it.
    """
    import sqlite3  # a folder is known without it

    try:
        with closing(sqlite3.connect(f"{sqlite_address(path)}?mode=ro&immutable=1", uri=True)) as connection:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            return bool(pages)
    except sqlite3.Error as error:  # a damaged one is one
        return not error.sqlite_errorname.startswith(("SQLITE_NOTADB", "SQLITE_CANTOPEN"))
