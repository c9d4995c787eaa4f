"""The registry in SQLite or PostgreSQL: the append-only store of promoted functions. Implements `core.ports.Registry`.

Theory of operation. A function version is one row with its source, contract and whole evidence, added together with an
event row in one transaction that holds the write lock from its first read. Rows never change: what happens adds events,
and triggers refuse UPDATE and DELETE. What is read is checked against its digests, so an edited row is refused by name.

Whoever can write to the database can make digests that fit. So everything that happens is signed as well, in a log
(`registry.log`), in the same transaction; a function is used only if the log says so.
"""

import threading
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial
from types import TracebackType

from sqlalchemy import select
from sqlalchemy.engine import URL
from sqlalchemy.orm import Session

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import RegistryError
from orchestrator.core.promoted import Evidence, LogProof, Promoted
from orchestrator.registry.checked_rows import CheckedRows, verified
from orchestrator.registry.database import open_engine, reading_engine, writing
from orchestrator.registry.entries import (
    Approval,
    RegistryEntry,
    Status,
    check_looked_at,
    check_promotable,
    not_held,
    now,
    unknown,
)
from orchestrator.registry.location import database_url, shown
from orchestrator.registry.log.function_status import LoggedFunction, LoggedFunctions
from orchestrator.registry.log.log import Log
from orchestrator.registry.log.log_audit import AuditedLog, audit_log
from orchestrator.registry.log.stored_versions import check_stored
from orchestrator.registry.registry_tables import FunctionRow
from orchestrator.registry.rows import event_row, events_of, not_there, promoted_of, row_of, rows_in, status_of_row
from orchestrator.registry.signing.identity import Identity
from orchestrator.registry.signing.statement import approval_of, evidence_of, status_of
from orchestrator.registry.sql_errors import mapped
from orchestrator.registry.supersession import MayEnd, check_ends, check_new, superseding_events
from orchestrator.registry.to_approve import row_to_approve


class SqlRegistry(AbstractContextManager["SqlRegistry"]):
    """Safe for several threads and processes. `url` is for example "sqlite:///registry.db".

    `identity`: who signs, and whose signature counts; None for the user's own key and trust policy.
    """

    def __init__(
        self,
        url: str | URL,
        *,
        create: bool = True,
        read_only: bool = False,
        busy_timeout_s: float = 60.0,
        identity: Identity | None = None,
    ) -> None:
        """`create`: it is made when it is missing. `read_only`: it is read and left as it is. Raises RegistryError."""
        database = database_url(url)
        self.name = shown(database)
        opener = reading_engine if read_only else partial(open_engine, create=create)
        self._engine = opener(database, busy_timeout_s=busy_timeout_s)
        self._identity = identity or Identity()
        self._log = Log(self._identity)
        self._logged_functions = LoggedFunctions()
        self._checked = CheckedRows()
        self._reading = threading.Lock()

    def promote(
        self, candidate: Candidate, evidence: Evidence, *, accepted: str = "", ends: MayEnd | None = None
    ) -> Promoted:
        """Store the function with its whole evidence, signed, or nothing.

        One of the same name is superseded, and so is the one that its contract replaces. `accepted`: its verdict is
        `hold`, and the user approves of it, for this reason. Raises RegistryError when the evidence is not such a
        verdict on this source, or the same source is active, or another function than `ends` (None: any) would go out
        of use; UsageError where it is suspended, or was until it was superseded, and where the user's key may not do
        this.
        """
        check_promotable(candidate, evidence, held=bool(accepted))
        return self._enter(candidate, evidence, Status.ACTIVE, accepted, ends)

    def hold(self, candidate: Candidate, evidence: Evidence) -> Promoted:
        """Store a function whose verdict is `hold`, signed; an approval brings it into use. Raises as `promote`."""
        check_promotable(candidate, evidence, held=True)
        return self._enter(candidate, evidence, Status.HELD)

    def _enter(
        self, candidate: Candidate, evidence: Evidence, status: Status, accepted: str = "", ends: MayEnd | None = None
    ) -> Promoted:
        key, _ = self._identity.signer("promote")
        if accepted:
            self._identity.check_may_accept()
        with mapped(self.name), writing(self._engine) as session, session.begin():
            known, rows = self._known(session)
            approved = status is Status.HELD or bool(accepted)  # or will have to be
            check_new(candidate, rows, known, status, approved=approved)
            if status is Status.ACTIVE:
                check_ends(candidate, rows, ends)
            promoted = Promoted(
                candidate=candidate,
                evidence=evidence,
                order=max((row.apply_order for row in rows), default=0) + 1,
                version=max((row.version for row in rows if row.name == candidate.name), default=0) + 1,
                promoted_at=now(),
            )
            session.add(row_of(promoted, status, accepted))
            if status is Status.ACTIVE:
                session.add_all(superseding_events(promoted, rows))
            session.flush()
            envelopes = [self._log.append(session, evidence_of(promoted), key)]
            if accepted:
                approval = approval_of(promoted, envelopes[0], accepted, now())
                envelopes.append(self._log.append(session, approval, key, after=envelopes))
        return promoted.model_copy(update={"envelopes": tuple(envelopes)})

    def functions(self) -> tuple[Promoted, ...]:
        """The active functions in the order in which they are applied, as somebody who may promote has signed them.

        Raises NotVerified for a function that is not signed or not what was signed, and where the log was changed;
        RegistryError for a row that was edited, or whose evidence is not a pass of exactly this source.
        """
        return tuple(promoted for promoted, _ in self._in_use())

    def signed(self) -> tuple[Promoted, ...]:
        """The same, but for functions that nobody has signed, which are left out."""
        return tuple(promoted for promoted, _ in self._in_use(only_signed=True))

    def unsigned(self) -> tuple[Promoted, ...]:
        """The active functions that nobody has signed, from before there were signatures. Raises as `functions`."""
        with mapped(self.name), Session(self._engine) as session:
            known, rows = self._known(session)
            active = rows_in(rows, Status.ACTIVE)
            return tuple(promoted_of(row) for row in active if known.of(row.name, row.version).evidence is None)

    def applicable(self) -> tuple[Promoted, ...]:
        """The active functions, each approved by as many people as the trust policy demands. Raises as `functions`."""
        found = self._in_use()
        for promoted, logged in found:
            logged.check_approved(promoted, self._identity.trust)
        return tuple(promoted for promoted, _ in found)

    def missing_approvals(self) -> dict[str, int]:
        """How many more people must approve each active function that waits for some. Raises as `functions`."""
        found = {one.name: logged.missing(one, self._identity.trust) for one, logged in self._in_use()}
        return {name: missing for name, missing in found.items() if missing}

    def held(self) -> tuple[Promoted, ...]:
        """The functions that wait for somebody's approval, as they were signed. Raises as `functions`."""
        return tuple(promoted for promoted, _ in self._in_use(status=Status.HELD))

    def suspended(self) -> tuple[Promoted, ...]:
        """The functions that are out of use until somebody approves them, as was signed. Raises as `functions`."""
        return tuple(promoted for promoted, _ in self._in_use(only_signed=True, status=Status.SUSPENDED))

    def log_proof(self) -> LogProof | None:
        """The log's head and leaves, for a bundle; None where it is empty. Raises NotVerified where it was changed."""
        with mapped(self.name), Session(self._engine) as session:
            self._known(session)
            return LogProof(self._log.checkpoint, tuple(self._log.leaves)) if self._log.checkpoint else None

    def _in_use(
        self, *, only_signed: bool = False, status: Status = Status.ACTIVE
    ) -> list[tuple[Promoted, LoggedFunction]]:
        with mapped(self.name), Session(self._engine) as session:
            known, rows = self._known(session)
            found = []
            for row in rows_in(rows, status):
                logged = known.of(row.name, row.version)
                if logged.evidence is None and only_signed:
                    continue
                trust = self._identity.trust
                promoted = self._checked.get(row, logged, trust)
                if status is Status.ACTIVE:
                    logged.check_accepted(promoted, trust)
                found.append((promoted, logged))
        return found

    def _known(self, session: Session) -> tuple[LoggedFunctions, list[FunctionRow]]:
        """What the log says now, and all rows. Raises NotVerified where the log was changed, or they contradict it."""
        session.connection()  # a writer waits for the database here, and lets other threads read meanwhile
        with self._reading:  # from the first query: what is seen is never older than what another thread has proved
            rows = list(session.scalars(select(FunctionRow).order_by(FunctionRow.apply_order)))
            new = self._log.read(session)
            try:
                self._logged_functions.add(new)
            except RegistryError:  # whoever asks again reads all of it again
                self._log, self._logged_functions = Log(self._identity), LoggedFunctions()
                raise
            self._logged_functions.check_rows({(row.name, row.version): status_of_row(row) for row in rows})
            return self._logged_functions, rows

    def get(self, name: str, version: int | None = None) -> Promoted:
        """One version of a function, the newest by default, whatever its status. Raises UsageError for no such one."""
        query = select(FunctionRow).where(FunctionRow.name == name).order_by(FunctionRow.version.desc())
        if version is not None:
            query = query.where(FunctionRow.version == version)
        with mapped(self.name), Session(self._engine) as session:
            row = session.scalars(query).first()
            if row is None:
                raise unknown(name, version)
            return promoted_of(row)

    def revoke(self, name: str, reason: str) -> Promoted:
        """Take the active version of the function out of use; what it had superseded stays superseded."""
        return self._take_out(name, Status.REVOKED, reason)

    def reject(self, name: str, version: int, reason: str) -> Promoted:
        """Take this version out for good. Raises UsageError where it is not held (any more): it may be in use."""
        return self._take_out(name, Status.REVOKED, reason, version)

    def suspend(self, name: str, reason: str) -> Promoted:
        """Take the active version of the function out of use until somebody approves it again."""
        return self._take_out(name, Status.SUSPENDED, reason)

    def _take_out(self, name: str, status: Status, reason: str, version: int | None = None) -> Promoted:
        key, _ = self._identity.signer()
        among = (Status.ACTIVE, Status.SUSPENDED) if version is None else ()
        more = () if status is Status.SUSPENDED else (Status.HELD,)
        with mapped(self.name), writing(self._engine) as session, session.begin():
            _, rows = self._known(session)
            for row in (*rows_in(rows, *among), *rows_in(rows, *more)):
                if row.name == name and version in {None, row.version} and status_of_row(row) is not status:
                    promoted = promoted_of(row)
                    event = event_row(row.id, status, reason)
                    session.add(event)
                    statement = status_of(promoted, status, reason, datetime.fromisoformat(event.at))
                    self._log.append(session, statement, key)
                    return promoted
        if version is not None:
            raise not_held(name, version)
        raise not_there(name, rows)

    def approve(self, name: str, reason: str = "", *, sha256: str = "", held: int | None = None) -> Approval:
        """Sign that a person has looked at the function and wants it applied; held or suspended, it is active then.

        Of several versions `row_to_approve` chooses. `sha256`: of the source that the person has looked at, or how it
        begins. `held`: the version that was held then; one that was suspended since is not meant. Raises NotVerified
        where it is not signed; UsageError where it is not in use, where the user's key may not approve, where the user
        is its author and others must approve it, or has approved it already, and where the source is another one.
        """
        key, person = self._identity.signer("approve")
        trust = self._identity.trust
        with mapped(self.name), writing(self._engine) as session, session.begin():
            known, rows = self._known(session)
            among = (Status.ACTIVE, Status.HELD, *((Status.SUSPENDED,) if held is None else ()))
            row = row_to_approve([r for r in rows_in(rows, *among) if r.name == name], sha256, known, trust)
            if row is None or held not in {None, row.version}:
                raise not_there(name, rows) if held is None else not_held(name, held)
            check_looked_at(name, row.sha256, sha256)
            logged = known.of(row.name, row.version)
            promoted = verified(row, logged, trust)
            logged.check_may_approve(promoted, person, trust)
            event = event_row(row.id, Status.ACTIVE, reason)
            if status_of_row(row) is not Status.ACTIVE:
                session.add(event)
            if status_of_row(row) is Status.HELD:
                session.add_all(superseding_events(promoted, rows))
            at = datetime.fromisoformat(event.at)
            self._log.append(session, approval_of(promoted, promoted.envelopes[0], reason, at), key)
        missing = logged.missing(promoted, trust, person)
        return Approval(promoted, person, missing)

    def audit(self, earlier: str | None = None) -> AuditedLog:
        """The log, proved as a whole, and against an earlier checkpoint. Raises NotVerified, RegistryError."""
        with mapped(self.name), Session(self._engine) as session:
            return audit_log(session, self._identity, earlier)

    def check_stored(self) -> None:
        """Raises NotVerified, RegistryError unless every version, and what is told of it, is what was signed."""
        with mapped(self.name), Session(self._engine) as session:
            check_stored(*self._known(session))

    def history(self, name: str | None = None) -> tuple[RegistryEntry, ...]:
        """Every version ever promoted with its events, oldest first."""
        query = select(FunctionRow).order_by(FunctionRow.id)
        if name is not None:
            query = query.where(FunctionRow.name == name)
        with mapped(self.name), Session(self._engine) as session:
            rows = session.scalars(query)
            return tuple(RegistryEntry(promoted=promoted_of(row), events=events_of(row)) for row in rows)

    def is_withdrawn(self, name: str, version: int) -> bool:
        """Whether somebody revoked or suspended the version; one that another took the place of is not withdrawn."""
        statuses = [entry.status for entry in self.history(name) if entry.promoted.version == version]
        return statuses[-1:] in ([Status.REVOKED], [Status.SUSPENDED])

    def close(self) -> None:
        """Close the database. Idempotent."""
        self._engine.dispose()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
