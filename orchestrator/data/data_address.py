"""Where data lie that are not local files: the address of an object, of a web page or of a table in a database.

`location` tells an address from a path; `data.sources` reads what is there, `data.targets` writes it. What an address
says of itself (`str`, `shown`, `name`) never has a password or a signature in it: those stay in `full`, for drivers.
"""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from orchestrator.core.errors import UsageError

_SCHEMES: dict[str, Literal["object", "web", "database"]] = {
    "s3": "object",
    "gs": "object",
    "az": "object",
    "http": "web",
    "https": "web",
    "postgresql": "database",
    "sqlite": "database",
}
_ALIASES = {"postgres": "postgresql", "postgresql+psycopg": "postgresql"}
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_BROKEN = re.compile(rf"({'|'.join(_SCHEMES)}|postgres):/[^/]")  # what Path makes of an address
_HIDDEN = "…"
# Of what stands after the "?":
_TOLD = ("table", "query", "host", "port", "user", "dbname", "service", "sslmode", "options")
_DOUBTFUL = {"host": "@", "user": ":", "dbname": "=:"}  # drivers may take a password from one with such a sign
_SETTING = (  # of "options": these hold no secret; the first two say which table is meant
    r"(-c\s*|--)(search_path|role|(statement|lock)_timeout|timezone|datestyle|default_transaction_read_only)"
    r"=(\\.|[^\s\\])*"
)
_SETTINGS = re.compile(rf"\s*{_SETTING}(\s+{_SETTING})*\s*", re.IGNORECASE)
_LOGIN = re.compile(r"([^:/]*)(:[^@]*)?@")  # as SQLAlchemy reads it: a password may have any character but an @
_ONLY_SCHEMA = "main."  # of an SQLite file
_KNOWN = "Use s3://, gs://, az://, http(s)://, postgresql://…?table=NAME or sqlite:///FILE?table=NAME."
_WHICH = "Add ?table=NAME or ?query=SELECT… to the address."


@dataclass(frozen=True, slots=True)
class DataAddress:
    """An address that was understood. `full` may hold secrets, `shown` and `str()` never do.

    `table` or `query` of a database; `secret`: whether something is left out of `shown` that no environment gives.
    """

    scheme: str
    kind: Literal["object", "web", "database"]
    shown: str
    full: str = field(repr=False)
    name: str = ""
    table: str = ""
    query: str = ""
    secret: bool = False

    def __str__(self) -> str:
        return self.shown

    @property
    def stem(self) -> str:
        """What a folder can be named after."""
        name = self.table or "query" if self.kind == "database" else PurePosixPath(self.name).stem
        return re.sub(r"[^\w.-]+", "_", name).strip("._") or "data"

    @property
    def suffix(self) -> str:
        return "" if self.kind == "database" else PurePosixPath(self.name).suffix

    @property
    def server_and_name(self) -> tuple[str, str]:
        """The server or the bucket without a user, and what is meant there."""
        scheme, _, rest = self.shown.partition("://")
        server, _, name = rest.partition("/")
        return f"{scheme}://{server.rpartition('@')[2]}", name

    def absolute(self) -> "DataAddress":
        """The same from every folder: an SQLite file by its whole path."""
        if self.scheme != "sqlite":
            return self
        file = Path(self.database).absolute()
        return replace(self, full=_sqlite(file, self), shown=_sqlite(file, self))

    @property
    def database(self) -> str:
        """The path of an SQLite file."""
        return unquote(urlsplit(self.full).path[1:])


def location(given: str | Path | DataAddress) -> Path | DataAddress:
    """The address or the path that is meant. Raises UsageError for an address that cannot be understood."""
    if isinstance(given, DataAddress):
        return given
    if isinstance(given, Path):
        if _BROKEN.match(str(given)):
            raise UsageError("An address of data has to be given as text, not as a Path.", advice=_KNOWN)
        return given
    found = _ADDRESS.match(given)
    return _address(given, found[1].lower()) if found else Path(given)


def local_file(place: Path | DataAddress) -> Path | None:
    """The file of this machine that holds the data: of an SQLite table its database."""
    if isinstance(place, Path):
        return place
    return Path(place.database) if place.scheme == "sqlite" else None


def check_local(path: Path) -> None:
    """Raise UsageError for an address where a place of this machine is meant: a folder `s3:` would be made."""
    if _BROKEN.match(str(path)):
        raise UsageError(
            f"{str(path).replace(':/', '://', 1)} is an address, and a file or folder of this machine is needed.",
            advice="Name one. Cleaned data are written to an address by `cleanroom apply … -o ADDRESS`.",
        )


def _address(text: str, scheme: str) -> DataAddress:
    scheme = _ALIASES.get(scheme, scheme)
    if scheme not in _SCHEMES:
        raise UsageError(f"Data at {scheme}:// cannot be read or written.", advice=_KNOWN)
    if any(ord(character) < 32 or ord(character) == 127 for character in text):
        raise UsageError(f"The {scheme}:// address has a control character in it.", advice="Check the address.")
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        raise UsageError(f"The {scheme}:// address is not a valid URL.", advice=_KNOWN) from None
    if _SCHEMES[scheme] == "database":
        return _in_database(scheme, text)
    if not parts.netloc or parts.path.strip("/") == "" or parts.path.endswith("/"):
        raise UsageError(f"The {scheme}:// address names no file.", advice="Name it whole, as in s3://bucket/key.csv.")
    host = parts.netloc.rpartition("@")[2]
    if _SCHEMES[scheme] == "object":
        if ":" in parts.netloc and "@" not in parts.netloc:  # no bucket has one: a login, with a slash in its password
            raise UsageError(
                f"The {scheme}:// address has a colon in its bucket, as no name can have.",
                advice="Write it as in s3://bucket/key.csv; keys of the store are taken from the environment.",
            )
        key = re.split(r"://", text, maxsplit=1)[1].partition("/")[2]
        if {"", ".", ".."} & set(key.split("/")):  # the library takes a slash at the beginning away: another object
            raise UsageError(
                f"The {scheme}:// address has a part between slashes that is empty, or is . or .., as no name can be.",
                advice="Write it as in s3://bucket/folder/key.csv, or give the object another name.",
            )
        return DataAddress(scheme, "object", f"{scheme}://{host}/{key}", text, key.rpartition("/")[2])
    rest = f"?{_HIDDEN}" if parts.query else ""
    secret = bool(parts.query) or "@" in parts.netloc
    path = parts.path
    if ":" in parts.netloc and not secret and "@" in path:  # a port, or a password with a slash in it
        host, path, secret = parts.netloc.partition(":")[0], f":{_HIDDEN}@{path.rpartition('@')[2]}", True
    name = unquote(path.rpartition("/")[2])
    return DataAddress(scheme, "web", f"{scheme}://{host}{path}{rest}", text, name, secret=secret)


def _in_database(scheme: str, text: str) -> DataAddress:
    """The part after the "?" is read here: what is for cleanroom is taken out, the rest is the driver's."""
    base, _, options = text.partition("?")
    pairs = parse_qsl(options.replace("+", "%2B"), keep_blank_values=True)  # a plus of a query is a plus
    asked = {name: value for name, value in pairs if name in {"table", "query"}}
    rest = [(name, value) for name, value in pairs if name not in asked]
    if len(asked) != 1 or not "".join(asked.values()).strip():
        raise UsageError(f"The {scheme}:// address does not say which data it means.", advice=_WHICH)
    told = [(name, _told(name, value)) for name, value in pairs if name in _TOLD]
    parts = urlsplit(base)
    table, query = asked.get("table", ""), asked.get("query", "")
    if scheme == "sqlite":
        table = table.removeprefix(_ONLY_SCHEMA)
        if parts.netloc or rest or len(parts.path) < 2:
            raise UsageError("The sqlite:// address names no file.", advice="Write sqlite:///FILE?table=NAME.")
        shown = full = f"sqlite://{parts.path}?{_encoded(told)}"
    else:
        place = base.partition("://")[2]
        login = _LOGIN.match(place)
        server, slash, database = place[login.end() if login else 0 :].partition("/")
        user = re.split(":|%3A", login[1], flags=re.IGNORECASE)[0] + "@" if login else ""
        shown = f"postgresql://{user}{server.rpartition('@')[2]}{slash}{database}?{_encoded(told)}"
        full = f"postgresql://{place}?{urlencode(rest)}"
    secret = any(value == _HIDDEN for _, value in told)
    return DataAddress(scheme, "database", shown, full, table or "the query", table, query, secret)


def _told(name: str, value: str) -> str:
    """What is shown of a part of the address: not what may have a password in it."""
    doubtful = may_hold_password(name, value) or (name == "options" and not _SETTINGS.fullmatch(value))
    return _HIDDEN if doubtful else value


def may_hold_password(name: str, value: str) -> bool:
    """Whether a password may be in the host, the user or the database that an address says behind its "?"."""
    return any(sign in value for sign in _DOUBTFUL.get(name, ""))


def _encoded(pairs: list[tuple[str, str]]) -> str:
    """Readable, and read back as the same."""
    quoted = [(name, quote(value, safe=" ,.;:*()=<>/@!$[]|~") if value != _HIDDEN else value) for name, value in pairs]
    return "&".join(f"{name}={value}" for name, value in quoted)


def _sqlite(file: Path, address: DataAddress) -> str:
    table = f"{_ONLY_SCHEMA}{address.table}" if address.table.startswith(_ONLY_SCHEMA) else address.table
    asked = [("table", table)] if table else [("query", address.query)]
    return f"sqlite:///{quote(str(file))}?{_encoded(asked)}"
