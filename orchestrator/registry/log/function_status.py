"""What the log says of each function version: its evidence, its approvals, its status. Called by the stores.

A statement that takes a function out of use counts, whoever has signed it. One that lets a function into use counts
only where somebody signed it who may do so. The status is what happened: a function whose approval counts for nothing
any more, because its key was revoked, is not used (`check_accepted`), and the registry can still be read, to approve or
to revoke it.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from orchestrator.core.errors import NotVerified, UsageError
from orchestrator.core.promoted import Promoted
from orchestrator.registry.entries import Status
from orchestrator.registry.signing.dsse import read_envelope
from orchestrator.registry.signing.statement import PredicateType, Statement, check_describes, read_statement
from orchestrator.registry.signing.trust import Right, TrustPolicy

_RESTORE = "Do not use it: restore the registry from a copy, or promote the functions again into a new one."
_ADOPT = "Judge it again on your data: `cleanroom registry adopt --data FILE --registry FOLDER`."


@dataclass(frozen=True)
class Signed:
    """An envelope with the statement in it."""

    envelope: str
    statement: Statement

    @classmethod
    def read(cls, envelope: str) -> "Signed":
        """Raises RegistryError."""
        return cls(envelope, read_statement(read_envelope(envelope).payload))

    def approved_by(self, other: "Signed") -> bool:
        """Whether the other is an approval of exactly this evidence."""
        wanted = hashlib.sha256(self.envelope.encode()).hexdigest()
        return (
            other.statement.kind is PredicateType.APPROVAL
            and other.statement.predicate.get("evidence_sha256") == wanted
        )

    def people(self, trust: TrustPolicy, right: Right) -> frozenset[str]:
        """Who signed it and had the right then."""
        return trust.people_of(read_envelope(self.envelope).signed_by(trust.keys()), right, self.statement.at)


@dataclass
class LoggedFunction:
    """One function version. `approvals`: since its evidence, or its last suspension; `said`: all that there ever were.
    `told`: the status, reason and time of all that was signed of it but its evidence. `was_suspended`: only an approval
    lets it into use.

    Whoever may write to the log could repeat somebody's approval from before a suspension, in an envelope that looks
    otherwise: what was said once is nothing new.
    """

    evidence: Signed | None = None
    approvals: list[Signed] = field(default_factory=list)
    said: set[bytes] = field(default_factory=set)
    told: set[tuple[str, str, str]] = field(default_factory=set)
    status: Status = Status.ACTIVE
    was_suspended: bool = False

    @classmethod
    def of(cls, envelopes: Iterable[str]) -> "LoggedFunction":
        """Of an active function version: its evidence, then its approvals. Raises RegistryError."""
        signed = [Signed.read(envelope) for envelope in envelopes]
        return cls(signed[0], [one for one in signed[1:] if signed[0].approved_by(one)]) if signed else cls()

    @property
    def barred(self) -> bool:
        """Whether it is suspended, or was until another function took its place: no verdict lets its source in."""
        out = self.status in {Status.SUSPENDED, Status.SUPERSEDED}
        return out and self.was_suspended and not self.approvals

    def author(self, promoted: Promoted, trust: TrustPolicy) -> frozenset[str]:
        """The people who promoted it. Raises NotVerified where nobody did who may."""
        if self.evidence is None:
            raise NotVerified(f"{promoted.name}, version {promoted.version}, is not signed.", advice=_ADOPT)
        people = self.evidence.people(trust, "promote")
        if not people:
            raise NotVerified(
                f"{promoted.name}, version {promoted.version}, was not signed by anybody who may promote.",
                advice=f"`cleanroom keys list` shows who may. {_ADOPT}",
            )
        return people

    def verified(self, promoted: Promoted, plain: dict[str, Any], trust: TrustPolicy) -> Promoted:
        """The function with its envelopes. `plain`: as it is stored. Raises NotVerified unless both say the same."""
        self.author(promoted, trust)
        assert self.evidence is not None  # noqa: S101 - it has an author
        check_describes(self.evidence.statement, plain, promoted.candidate.sha256)
        envelopes = (self.evidence.envelope, *(approval.envelope for approval in self.approvals))
        return promoted.model_copy(update={"envelopes": envelopes})

    def approvers(self, promoted: Promoted, trust: TrustPolicy) -> frozenset[str]:
        """The different people who have approved it, its authors aside. Raises NotVerified as `author` does."""
        authors = self.author(promoted, trust)
        return frozenset().union(*(approval.people(trust, "approve") for approval in self.approvals)) - authors

    def missing(self, promoted: Promoted, trust: TrustPolicy, *more: str) -> int:
        """How many people the policy wants beside those who have approved it, and `more`. Raises as `author` does."""
        return max(0, trust.approvals - len(self.approvers(promoted, trust).union(more)))

    def check_may_approve(self, promoted: Promoted, person: str, trust: TrustPolicy) -> None:
        """Raises UsageError where the person's approval would not count, or counts already."""
        if trust.approvals and person in self.author(promoted, trust):
            raise UsageError(
                f"{promoted.name}, version {promoted.version}, was promoted by {person}: others must approve it.",
                advice="`cleanroom keys list` shows who may.",
            )
        if self.status is Status.ACTIVE and person in self.approvers(promoted, trust):
            raise UsageError(f"{person} has approved {promoted.name}, version {promoted.version}, already.")

    def check_accepted(self, promoted: Promoted, trust: TrustPolicy) -> None:
        """Raises NotVerified where the function was held or suspended, and nobody who may has approved it."""
        held = self.evidence is not None and self.evidence.statement.held
        if (held or self.was_suspended) and not any(one.people(trust, "approve") for one in self.approvals):
            nobody = "nobody who may today has approved it" if self.approvals else "nobody has approved it"
            raise NotVerified(
                f"{promoted.name}, version {promoted.version}, {'is held' if held else 'was suspended'}: {nobody}.",
                advice=f"Look at {'its concerns' if held else 'why'}; `cleanroom registry approve {promoted.name}` "
                f"{'accepts them' if held else 'lets it into use'}, `cleanroom registry revoke` takes it out.",
            )

    def check_approved(self, promoted: Promoted, trust: TrustPolicy) -> None:
        """Raises NotVerified unless as many people have approved it as the policy demands."""
        if missing := self.missing(promoted, trust):
            people = "person" if missing == 1 else "people"
            raise NotVerified(
                f"{promoted.name}, version {promoted.version}, waits for the approval of {missing} more {people}.",
                advice=f"`cleanroom registry approve {promoted.name}` by somebody who did not promote it.",
            )


class LoggedFunctions:
    """All function versions of a log, by name and version."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], LoggedFunction] = {}

    def add(self, envelopes: Iterable[str]) -> None:
        """Take the next entries of the log into account. Raises RegistryError for one that cannot be read."""
        for envelope in envelopes:
            self._add(Signed.read(envelope))

    def of(self, name: str, version: int) -> LoggedFunction:
        return self._known.get((name, version), LoggedFunction())

    def check_rows(self, statuses: Mapping[tuple[str, int], Status | None]) -> None:
        """Raises NotVerified unless the rows of the registry say of every signed function version what the log says."""
        for (name, version), logged in self._known.items():
            if logged.evidence is None or statuses.get((name, version)) is logged.status:
                continue
            if (name, version) not in statuses:
                what = f"The registry has lost {name}, version {version}, which is in its log."
            else:
                said = statuses[name, version] or "nothing"
                what = f"The registry says of {name}, version {version}: {said}. Its log says {logged.status}."
            raise NotVerified(what, advice=_RESTORE)

    def _add(self, signed: Signed) -> None:
        statement = signed.statement
        logged = self._known.setdefault((statement.name, statement.version), LoggedFunction())
        status, reason, at = (str(statement.predicate.get(name, "")) for name in ("status", "reason", "at"))
        logged.told.add((status, reason, at))
        match statement.kind:
            case PredicateType.EVIDENCE if logged.evidence is None:
                logged.evidence = signed
                if statement.held:
                    logged.status = Status.HELD
                else:
                    self._supersede(statement)
            case PredicateType.STATUS if status == Status.SUSPENDED:
                if logged.status is Status.ACTIVE:
                    logged.status, logged.approvals, logged.was_suspended = Status.SUSPENDED, [], True
            case PredicateType.STATUS:
                _end(logged, Status.REVOKED)
            case PredicateType.APPROVAL if logged.evidence is not None and logged.evidence.approved_by(signed):
                if (said := statement.payload()) in logged.said:
                    return
                logged.said.add(said)
                logged.approvals.append(signed)
                if logged.status in {Status.SUSPENDED, Status.HELD}:
                    if logged.status is Status.HELD:
                        self._supersede(logged.evidence.statement)
                    logged.status = Status.ACTIVE

    def _supersede(self, statement: Statement) -> None:
        """The other versions of a function that comes into use, and the function that it replaces, go out of it."""
        gone = {statement.name, statement.replaces}
        for (name, version), other in self._known.items():
            if name in gone and (name, version) != (statement.name, statement.version):
                _end(other, Status.SUPERSEDED)


def _end(logged: LoggedFunction, status: Status) -> None:
    """Take it out of use for good; what ended it first counts."""
    if logged.status in {Status.ACTIVE, Status.SUSPENDED, Status.HELD}:
        logged.status = status
