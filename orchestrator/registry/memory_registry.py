"""A registry in memory that behaves like the real one, for tests."""

import threading
from collections.abc import Collection

from orchestrator.core.candidate import Candidate
from orchestrator.core.promoted import Evidence, LogProof, Promoted
from orchestrator.registry.entries import (
    RegistryEntry,
    Status,
    StatusEvent,
    check_promotable,
    conflict,
    now,
    superseded_by,
    superseding,
    unforeseen,
    unknown,
)
from orchestrator.registry.signing.dsse import seal
from orchestrator.registry.signing.identity import Identity
from orchestrator.registry.signing.statement import evidence_of


class MemoryRegistry:
    """Implements `core.ports.Registry`; safe for threads; nothing is stored."""

    def __init__(self, identity: Identity | None = None) -> None:
        self._identity = identity or Identity()
        self._entries: list[RegistryEntry] = []
        self._lock = threading.Lock()

    def promote(
        self, candidate: Candidate, evidence: Evidence, *, accepted: str = "", ends: Collection[Promoted] | None = None
    ) -> Promoted:
        """Store the function. Raises RegistryError as the real one does."""
        check_promotable(candidate, evidence, held=bool(accepted))
        return self._enter(candidate, evidence, Status.ACTIVE, accepted, ends)

    def hold(self, candidate: Candidate, evidence: Evidence) -> Promoted:
        """Store a function that is not in use. Raises RegistryError as the real one does."""
        check_promotable(candidate, evidence, held=True)
        return self._enter(candidate, evidence, Status.HELD)

    def held(self) -> tuple[Promoted, ...]:
        """The functions that wait for somebody's approval."""
        with self._lock:
            return tuple(entry.promoted for entry in self._in(Status.HELD))

    def suspended(self) -> tuple[Promoted, ...]:
        """None: nobody can suspend anything here."""
        return ()

    def _enter(
        self,
        candidate: Candidate,
        evidence: Evidence,
        status: Status,
        reason: str = "",
        ends: Collection[Promoted] | None = None,
    ) -> Promoted:
        with self._lock:
            for entry in self._in(Status.ACTIVE, status):
                if entry.promoted.candidate.sha256 == candidate.sha256:
                    raise conflict(entry.promoted)
            if status is Status.ACTIVE and ends is not None:
                self._check_ends(candidate, {(one.name, one.version) for one in ends})
            version = 1 + sum(entry.promoted.name == candidate.name for entry in self._entries)
            promoted = Promoted(
                candidate=candidate,
                evidence=evidence,
                order=len(self._entries) + 1,
                version=version,
                promoted_at=now(),
            )
            envelope = seal(evidence_of(promoted).payload(), self._identity.signer("promote")[0])
            promoted = promoted.model_copy(update={"envelopes": (envelope,)})
            for entry in self._in(Status.ACTIVE, Status.HELD) if status is Status.ACTIVE else ():
                if entry.promoted.name in superseded_by(candidate):
                    self._add_event(entry, Status.SUPERSEDED, superseding(promoted, entry.promoted.name))
            event = StatusEvent(status=status, reason=reason, at=promoted.promoted_at)
            self._entries.append(RegistryEntry(promoted=promoted, events=(event,)))
            return promoted

    def _check_ends(self, candidate: Candidate, known: Collection[tuple[str, int]]) -> None:
        for entry in self._in(Status.ACTIVE, Status.HELD):
            one = entry.promoted
            if one.name not in superseded_by(candidate) or one.candidate.sha256 == candidate.sha256:
                continue
            if (one.name, one.version) not in known:
                raise unforeseen(candidate.name, one.name, one.version, entry.status)

    def functions(self) -> tuple[Promoted, ...]:
        """The active functions in order."""
        with self._lock:
            return tuple(entry.promoted for entry in self._in(Status.ACTIVE))

    def applicable(self) -> tuple[Promoted, ...]:
        """The same: nobody need approve."""
        return self.functions()

    def log_proof(self) -> LogProof | None:
        """There is no log."""
        return None

    def get(self, name: str, version: int | None = None) -> Promoted:
        """One version, the newest by default. Raises UsageError."""
        with self._lock:
            for entry in reversed(self._entries):
                if entry.promoted.name == name and version in (None, entry.promoted.version):
                    return entry.promoted
        raise unknown(name, version)

    def revoke(self, name: str, reason: str) -> Promoted:
        """Take the active version out of use. Raises UsageError."""
        with self._lock:
            for entry in self._in(Status.ACTIVE):
                if entry.promoted.name == name:
                    self._add_event(entry, Status.REVOKED, reason)
                    return entry.promoted
        raise unknown(name)

    def history(self, name: str | None = None) -> tuple[RegistryEntry, ...]:
        """Every version with its events, oldest first."""
        with self._lock:
            return tuple(entry for entry in self._entries if name in (None, entry.promoted.name))

    def close(self) -> None:
        """Nothing to release."""

    def _in(self, *statuses: Status) -> list[RegistryEntry]:
        return [entry for entry in self._entries if entry.status in statuses]

    def _add_event(self, entry: RegistryEntry, status: Status, reason: str) -> None:
        event = StatusEvent(status=status, reason=reason, at=now())
        at = self._entries.index(entry)
        self._entries[at] = entry.model_copy(update={"events": (*entry.events, event)})
