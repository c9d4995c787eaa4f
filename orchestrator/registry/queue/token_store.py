"""Tokens of the service, and the record of each use. Called by the service and by `cleanroom tokens`, the only maker.

A token is 256 random bits. What is stored is its SHA-256: so much chance needs no slow hash, and whoever reads the
database cannot use what is in it.
"""

import hashlib
import secrets
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from types import TracebackType
from typing import Self

from sqlalchemy import bindparam, insert, select
from sqlalchemy.engine import URL
from sqlalchemy.orm import Session

from orchestrator.core.errors import RegistryError, UsageError
from orchestrator.registry import sqlite
from orchestrator.registry.database import KEPT, adding_lazily, open_engine, reading_engine, writing
from orchestrator.registry.location import database_url, shown
from orchestrator.registry.queue.job_ends import cancel_jobs_of
from orchestrator.registry.queue.queue_tables import TokenRow, TokenUseRow
from orchestrator.registry.sql_errors import mapped

PREFIX = "cleanroom_"  # so that scanners of leaked secrets can find one
MAX_NAME = 80
MAX_DAYS = 366
_END_OF_TIME = 2**37  # in the year 6325, which Python can still write as a date
BY_DIGEST = select(
    TokenRow.id, TokenRow.name, TokenRow.scopes, TokenRow.created_at, TokenRow.expires, TokenRow.revoked_at
).where(TokenRow.sha256 == bindparam("sha256"))  # once for each request
ADD_USE = insert(TokenUseRow)


class TokenScope(StrEnum):
    """What a token may do. ADMIN is for figures and for everybody's jobs; it includes no other scope."""

    READ = "read"
    VERIFY = "verify"
    RUN = "run"
    REVIEW = "review"
    ADMIN = "admin"


@dataclass(frozen=True)
class ServiceToken:
    """A token as the service knows it, without its secret. `expires`: seconds since 1970."""

    id: str
    name: str
    scopes: frozenset[TokenScope]
    created_at: str
    expires: int
    revoked_at: str | None = None

    @property
    def usable(self) -> bool:
        """Whether it is neither revoked nor expired."""
        return self.revoked_at is None and time.time() < self.expires

    @property
    def state(self) -> str:
        if self.revoked_at is not None:
            return "revoked"
        return "usable" if self.usable else "expired"


@dataclass(frozen=True)
class TokenUse:
    """One use: by whom, what for, and how it was answered. `action`: method and route, no value of the request."""

    token_id: str
    action: str
    status: int


class TokenStore:
    """Safe for several threads and processes."""

    def __init__(
        self, url: str | URL, *, create: bool = False, read_only: bool = False, busy_timeout_s: float = 60.0
    ) -> None:
        """`read_only`: as for `SqlRegistry`. Raises RegistryError."""
        database = database_url(url)
        self.name = shown(database)
        opener = reading_engine if read_only else partial(open_engine, create=create, kept=KEPT)
        self._engine = opener(database, busy_timeout_s=busy_timeout_s)
        self._lazily = adding_lazily(self._engine)

    def create(self, name: str, scopes: Collection[TokenScope], days: int) -> tuple[ServiceToken, str]:
        """A new token and its secret, which is shown once and kept nowhere. Raises UsageError, RegistryError."""
        if not name.strip() or len(name) > MAX_NAME or not name.isprintable():
            raise UsageError(f"A token's name is a line of at most {MAX_NAME} characters.", advice="Name its user.")
        if not scopes:
            raise UsageError("A token without a scope can do nothing.", advice="Add --scope.")
        if not 1 <= days <= MAX_DAYS:
            raise UsageError(f"A token lives between 1 and {MAX_DAYS} days.", advice="Make a new one after that.")
        secret = PREFIX + secrets.token_urlsafe(32)
        row = TokenRow(
            id=secrets.token_hex(6),
            name=name.strip(),
            sha256=digest_of(secret),
            scopes=" ".join(sorted(scopes)),
            created_at=_now(),
            expires=int(time.time()) + days * 86_400,
        )
        with mapped(self.name), writing(self._engine) as session, session.begin():
            if session.scalar(select(TokenRow.id).where(TokenRow.name == row.name, TokenRow.revoked_at.is_(None))):
                raise UsageError(f"There is a token with the name {row.name!r}.", advice="Revoke it, or name another.")
            session.add(row)
            session.add(TokenUseRow(token_id=row.id, at=row.created_at, action="created", status=0))
        return _token(row), secret

    def tokens(self) -> tuple[ServiceToken, ...]:
        """All tokens ever made, oldest first."""
        with mapped(self.name), Session(self._engine) as session:
            return tuple(map(_token, session.scalars(select(TokenRow).order_by(TokenRow.created_at, TokenRow.id))))

    def revoke(self, token: str) -> ServiceToken:
        """Make the token with this id or name useless at once, and cancel what it has asked for.

        Raises UsageError where there is none.
        """
        with mapped(self.name), writing(self._engine) as session, session.begin():
            query = select(TokenRow).where((TokenRow.id == token) | (TokenRow.name == token))
            row = session.scalars(query.where(TokenRow.revoked_at.is_(None))).first()
            if row is None:
                raise UsageError(f"There is no token {token!r} to revoke.", advice="See `cleanroom tokens list`.")
            row.revoked_at = _now()
            cancel_jobs_of(session, row.id)
            session.add(TokenUseRow(token_id=row.id, at=row.revoked_at, action="revoked", status=0))
        return _token(row)

    def find(self, secret: str) -> ServiceToken | None:
        """The token with this secret, usable or not; None where there is none."""
        with mapped(self.name), self._engine.connect() as connection:
            row = connection.execute(BY_DIGEST, {"sha256": digest_of(secret)}).first()
            return None if row is None else token_of(*row)

    def record(self, uses: Iterable[TokenUse]) -> None:
        """Add the uses to the record, in one transaction. A crash of the machine can lose the last of them."""
        if rows := use_rows(uses):
            with mapped(self.name), self._lazily.begin() as connection:
                connection.execute(ADD_USE, rows)

    def checkpoint(self) -> None:
        """Where others write on without it (`FastPath`), let their log not grow without end. SQLite only."""
        with mapped(self.name):
            sqlite.checkpoint(self._engine)

    def uses(self, token_id: str | None = None, limit: int = 1000) -> tuple[tuple[str, TokenUse], ...]:
        """The newest uses with their times, newest first."""
        query = select(TokenUseRow).order_by(TokenUseRow.id.desc()).limit(limit)
        if token_id is not None:
            query = query.where(TokenUseRow.token_id == token_id)
        with mapped(self.name), Session(self._engine) as session:
            return tuple((row.at, TokenUse(row.token_id, row.action, row.status)) for row in session.scalars(query))

    def close(self) -> None:
        """Close the database. Idempotent."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def use_rows(uses: Iterable[TokenUse]) -> list[dict[str, str | int]]:
    """The rows for uses of this moment."""
    at = _now()
    return [{"token_id": use.token_id, "at": at, "action": use.action, "status": use.status} for use in uses]


def token_of(
    token_id: str, name: str, scopes: str, created_at: str, expires: int, revoked_at: str | None
) -> ServiceToken:
    """The value of a row. Raises RegistryError for one that cleanroom did not write."""
    if not set(scopes.split()) <= set(TokenScope) or not 0 <= expires < _END_OF_TIME:
        raise RegistryError("A token in the registry cannot be read.", advice="Use a registry of your own.")
    return ServiceToken(token_id, name, frozenset(map(TokenScope, scopes.split())), created_at, expires, revoked_at)


def _token(row: TokenRow) -> ServiceToken:
    return token_of(row.id, row.name, row.scopes, row.created_at, row.expires, row.revoked_at)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
