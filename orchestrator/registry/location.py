"""The database that a user means by a folder, a run's folder, an SQLite file or a URL. Called wherever one is named.

The password in a URL is for the driver alone: `shown` is what messages, journals and reports say.
"""

import re
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from orchestrator.core.errors import RegistryError, UsageError
from orchestrator.data.data_address import may_hold_password
from orchestrator.registry.registry_names import databases_in, is_url, places_in

_FILES = frozenset({".db", ".sqlite", ".sqlite3"})
_EXAMPLES = "Name a folder, a file (sqlite:///registry.db), or a database (postgresql://USER@HOST/DATABASE)."
_SHOWN_OPTIONS = ("host", "port", "user", "dbname", "service")  # of those after the question mark


def registry_url(place: str | Path, *, create: bool) -> URL:
    """The database of the registry. With `create` it need not be there yet. Raises UsageError."""
    text = str(place)
    if is_url(text):
        try:
            return database_url(text)
        except RegistryError as error:
            raise UsageError(error.message, advice=error.advice) from None
    path = Path(place)
    found = [path] if path.is_file() else databases_in(path)
    if len(found) > 1:
        raise UsageError(f"There are two registries in {path}.", advice=f"Name {found[0]} or {found[1]}.")
    if not found and not create:
        raise UsageError(f"There is no registry in {path}.", advice="Name the --out folder of a run with --registry.")
    return URL.create("sqlite", database=str(found[0] if found else _new(path)))


def shown(url: URL) -> str:
    """The name of the database without its password."""
    if url.get_backend_name() == "sqlite":
        return url.database or ""
    said = {name: url.query[name] for name in _SHOWN_OPTIONS if name in url.query}
    options = {name: value for name, value in said.items() if not may_hold_password(name, str(value))}
    plain = url.set(drivername="postgresql", query=options)._replace(password=None)
    return plain._replace(username=(url.username or "").partition(":")[0] or None).render_as_string()


def absolute_name(place: str | Path) -> str:
    """What a journal says of a registry: its name without password, the same from every folder. Raises UsageError."""
    url = registry_url(place, create=True)
    return str(Path(shown(url)).absolute()) if url.get_backend_name() == "sqlite" else shown(url)


def database_url(text: str | URL) -> URL:
    """The URL of a database in which a registry can be. Raises RegistryError."""
    if isinstance(text, URL):
        return text
    try:
        url = make_url(re.sub(r"^postgres(ql)?(\+psycopg)?:", "postgresql+psycopg:", text))
    except (ArgumentError, ValueError):
        raise RegistryError("The address of the registry is not a valid URL.", advice=_EXAMPLES) from None
    if url.drivername == "sqlite" and _is_file(url):
        return url
    if url.drivername == "postgresql+psycopg":
        return url
    raise RegistryError(f"A registry cannot be kept in a database of the kind {url.drivername}.", advice=_EXAMPLES)


def _is_file(url: URL) -> bool:
    return not url.query and bool(url.database) and not str(url.database).startswith((":memory:", "file:"))


def _new(path: Path) -> Path:
    """Where a registry is made: a run's folder has its own place for it. Raises UsageError."""
    if path.suffix in _FILES and not path.is_dir():
        return path
    own, of_run = places_in(path)
    if any((place.parent / "manifest.json").exists() for place in (own, of_run)):
        raise UsageError(f"{path} holds exported functions, and no registry.", advice="Name another with --registry.")
    return of_run if (path / "run.jsonl").exists() else own
