"""The registry on SQLite: the append-only store of promoted functions. Implements `core.ports.Registry` for bootstrap.

Theory of operation. A function version is one row with its source, contract and whole evidence, added together with an
event row in one transaction that holds the write lock from its first read. Rows never change: superseding and revoking
add events, and triggers refuse UPDATE and DELETE. Everything read is checked against the digests stored with it, so a
row that was edited by going around the triggers is refused by name, not applied.
"""

import json
from types import TracebackType
from typing import Self

from pydantic import ValidationError
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import RegistryError
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.registry.database import open_engine, writing
from orchestrator.registry.entries import (
    Entry,
    Event,
    Status,
    check_applicable,
    check_promotable,
    conflict,
    digest,
    dumps,
    final,
    now,
    stored,
    unknown,
)
from orchestrator.registry.sql_errors import mapped
from orchestrator.registry.tables import EventRow, FunctionRow


class SqlRegistry:
    """Safe for several threads and processes. `url` is for example "sqlite:///registry.db"."""

    def __init__(self, url: str, *, create: bool = True, busy_timeout_s: float = 15.0) -> None:
        """Open the registry, made when it is missing (unless `create` is False). Raises RegistryError."""
        self._engine, self.path = open_engine(url, create=create, busy_timeout_s=busy_timeout_s)

    def promote(self, candidate: Candidate, evidence: Evidence) -> Promoted:
        """Store the function with its whole evidence, or nothing. A function of the same name is superseded.

        Raises RegistryError when the evidence is not a passing verdict on this source, or the same source is active.
        """
        check_promotable(candidate, evidence)
        with mapped(str(self.path)), writing(self._engine) as session, session.begin():
            namesake: FunctionRow | None = None
            for row in _active(session):
                if row.sha256 == candidate.sha256:
                    raise conflict(_promoted(row))
                if row.name == candidate.name:
                    namesake = row
            versions = select(func.max(FunctionRow.version)).where(FunctionRow.name == candidate.name)
            promoted = Promoted(
                candidate=candidate,
                evidence=evidence,
                order=(session.scalar(select(func.max(FunctionRow.apply_order))) or 0) + 1,
                version=(session.scalar(versions) or 0) + 1,
                promoted_at=now(),
            )
            session.add(_row(promoted))
            if namesake is not None:
                reason = f"by version {promoted.version}"
                session.add(_event(namesake.id, Status.SUPERSEDED, reason))
        return promoted

    def functions(self) -> tuple[Promoted, ...]:
        """The active functions in the order in which they are applied.

        Raises RegistryError for a row that was edited, or whose evidence is not a pass of exactly this source.
        """
        with mapped(str(self.path)), Session(self._engine) as session:
            functions = tuple(_promoted(row) for row in _active(session))
        for promoted in functions:
            check_applicable(promoted)
        return functions

    def get(self, name: str, version: int | None = None) -> Promoted:
        """One version of a function, the newest by default, whatever its status. Raises RegistryError."""
        query = select(FunctionRow).where(FunctionRow.name == name).order_by(FunctionRow.version.desc())
        if version is not None:
            query = query.where(FunctionRow.version == version)
        with mapped(str(self.path)), Session(self._engine) as session:
            row = session.scalars(query).first()
            if row is None:
                raise unknown(name, version)
            return _promoted(row)

    def revoke(self, name: str, reason: str) -> Promoted:
        """Take the active version of the function out of use; what it had superseded stays superseded."""
        with mapped(str(self.path)), writing(self._engine) as session, session.begin():
            for row in _active(session):
                if row.name == name:
                    session.add(_event(row.id, Status.REVOKED, reason))
                    return _promoted(row)
        raise unknown(name)

    def history(self, name: str | None = None) -> tuple[Entry, ...]:
        """Every version ever promoted with its events, oldest first."""
        query = select(FunctionRow).order_by(FunctionRow.id)
        if name is not None:
            query = query.where(FunctionRow.name == name)
        with mapped(str(self.path)), Session(self._engine) as session:
            return tuple(Entry(promoted=_promoted(row), events=_events(row)) for row in session.scalars(query))

    def close(self) -> None:
        """Close the database. Idempotent."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _active(session: Session) -> list[FunctionRow]:
    rows = session.scalars(select(FunctionRow).order_by(FunctionRow.apply_order))
    return [row for row in rows if row.events and final(event.status for event in row.events) is Status.ACTIVE]


def _row(promoted: Promoted) -> FunctionRow:
    candidate = promoted.candidate
    at = promoted.promoted_at.isoformat()
    return FunctionRow(
        name=candidate.name,
        version=promoted.version,
        apply_order=promoted.order,
        sha256=candidate.sha256,
        source=candidate.source,
        issue=candidate.issue,
        docstring=candidate.docstring,
        has_detect=candidate.has_detect,
        contract=dumps(candidate.contract),
        evidence=dumps(promoted.evidence),
        promoted_at=at,
        content_sha256=digest(stored(promoted)),
        events=[EventRow(status=Status.ACTIVE, reason="", at=at)],
    )


def _event(function_id: int, status: Status, reason: str) -> EventRow:
    return EventRow(function_id=function_id, status=status, reason=reason, at=now().isoformat())


def _promoted(row: FunctionRow) -> Promoted:
    """The row as a value. Raises RegistryError when it is not as it was stored."""
    try:
        plain = {
            "candidate": {
                "source": row.source,
                "name": row.name,
                "issue": row.issue,
                "docstring": row.docstring,
                "contract": json.loads(row.contract),
                "has_detect": row.has_detect,
            },
            "evidence": json.loads(row.evidence),
            "order": row.apply_order,
            "version": row.version,
            "promoted_at": row.promoted_at,
        }
        promoted = Promoted.model_validate(plain)
        intact = promoted.candidate.sha256 == row.sha256 and digest(plain) == row.content_sha256
    except (ValidationError, ValueError, TypeError):
        intact = False
    if not intact:
        raise RegistryError(
            f"The registry's row of {row.name}, version {row.version}, was changed after it was promoted.",
            advice="Do not use it: restore the registry from a copy, or promote the function again into a new one.",
        )
    return promoted


def _events(row: FunctionRow) -> tuple[Event, ...]:
    return tuple(
        Event.model_validate({"status": event.status, "reason": event.reason, "at": event.at}) for event in row.events
    )
