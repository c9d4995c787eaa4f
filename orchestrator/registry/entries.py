"""What the registry says of its functions beyond `core.promoted`: status, events, and the digest of a whole row.

Used by the stores, by the bundle and by `cleanroom registry`.
"""

import hashlib
import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NamedTuple

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import CleanroomError, RegistryError, UsageError
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.value import Value
from orchestrator.core.verdict import Outcome
from orchestrator.data.helper_modules import helper_trouble

_DIGEST = re.compile(r"[0-9a-fA-F]{12,64}")


class Status(StrEnum):
    """The status of a function version: active until it is superseded or revoked, which is final.

    One that is held has never been in use: a person has to approve it in spite of its concerns. One that is suspended
    is out of use until a person approves it again.
    """

    HELD = "held"
    ACTIVE = "active"
    SUSPENDED = "suspended"
    SUPERSEDED = "superseded"
    REVOKED = "revoked"


class StatusEvent(Value):
    """A change of status, with the reason that was given."""

    status: Status
    reason: str = ""
    at: datetime


class RegistryEntry(Value):
    """One version of a function with everything that happened to it."""

    promoted: Promoted
    events: tuple[StatusEvent, ...]

    @property
    def status(self) -> Status:
        return final(event.status for event in self.events)

    @property
    def barred(self) -> bool:
        """Whether it is suspended, or was until another function took its place: no verdict lets its source in."""
        statuses = [event.status for event in self.events if event.status is not Status.SUPERSEDED]
        return self.status in {Status.SUSPENDED, Status.SUPERSEDED} and statuses[-1:] == [Status.SUSPENDED]


class Approval(NamedTuple):
    """Who has approved a function, and how many more people must."""

    promoted: Promoted
    person: str
    missing: int


def final(statuses: Iterable[str]) -> Status:
    """The status after all events: once superseded or revoked, a version never becomes active again."""
    listed = list(statuses)
    ended = next((Status(each) for each in listed if each in {Status.SUPERSEDED, Status.REVOKED}), None)
    if ended is not None:
        return ended
    last = listed[-1] if listed else ""
    return Status(last) if last in {Status.HELD, Status.SUSPENDED} else Status.ACTIVE


def now() -> datetime:
    return datetime.now(UTC)


def dumps(value: Any) -> str:
    """Canonical JSON: one text per value, in ASCII, so that a lone surrogate in a cell cannot make it unwritable."""
    plain = value.model_dump(mode="json") if isinstance(value, Value) else value
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), allow_nan=False)


def stored(promoted: Promoted) -> dict[str, Any]:
    """A function version as the plain JSON that is stored of it."""
    return promoted.model_dump(mode="json") | {"promoted_at": promoted.promoted_at.isoformat()}


def digest(plain: dict[str, Any]) -> str:
    """The hex SHA-256 of all that is stored of a function version, its evidence included.

    Over the stored JSON and not over the values read from it: a later version of cleanroom may know more fields.
    """
    return hashlib.sha256(dumps(plain).encode("ascii")).hexdigest()


def superseded_by(candidate: Candidate) -> frozenset[str]:
    """The names of the functions that go out of use when this one comes into use: its own, and what it replaces."""
    return frozenset(filter(None, (candidate.name, candidate.contract.replaces)))


def ended_by(candidate: Candidate, in_use: Iterable[Promoted]) -> tuple[Promoted, ...]:
    """Those of the functions that go out of use when this one comes into use."""
    return tuple(one for one in in_use if one.name in superseded_by(candidate))


def superseding(promoted: Promoted, name: str) -> str:
    """The reason that stands with a superseded function of this name."""
    other = "" if name == promoted.name else f"{promoted.name}, "
    return f"by {other}version {promoted.version}"


def check_promotable(candidate: Candidate, evidence: Evidence, *, held: bool = False) -> None:
    """Raises RegistryError unless the evidence is a passing verdict on exactly this source; `held`: a held one."""
    verdict = evidence.verdict
    if not (verdict.held if held else verdict.passed):
        raise RegistryError(
            f"{candidate.name} cannot be {'held' if held else 'promoted'}: its verdict is '{verdict.verdict}'.",
            advice="Only a function that passed every check can be promoted, and only one with concerns can be held.",
        )
    if verdict.candidate.sha256 != candidate.sha256:
        raise RegistryError(
            f"{candidate.name} cannot be promoted: its evidence is about another source text.",
            advice="Verify it again.",
        )


def check_looked_at(name: str, sha256: str, seen: str) -> None:
    """Raises UsageError unless the source with this hash is the one that a person has looked at.

    `seen`: its hash, or at least the twelve digits of it that are shown everywhere; empty where nobody says.
    """
    if not seen:
        return
    if not _DIGEST.fullmatch(seen):
        raise UsageError(
            f"{seen[:80]} is no SHA-256, nor the beginning of one with at least 12 digits.",
            advice="`cleanroom registry list` shows the first 12.",
        )
    if not sha256.startswith(seen.lower()):
        raise UsageError(
            f"The source of {name} is not the one that was looked at: its SHA-256 begins with {sha256[:12]}.",
            advice=f"Look at it again: `cleanroom registry show {name}`.",
        )


def check_applicable(promoted: Promoted) -> None:
    """Raises RegistryError unless the evidence says that exactly this source passed, in its verdict and its checks.

    And with exactly the helper modules that this cleanroom has.

    That a verdict `hold` was approved is not for the evidence to say: `log.function_status` looks for it.
    """
    verdict = promoted.evidence.verdict
    fine = {Outcome.PASS, Outcome.SKIP, *([Outcome.HOLD] if verdict.held else [])}
    bad = next((check.id for check in verdict.checks if check.outcome not in fine), None)
    if verdict.candidate.sha256 != promoted.candidate.sha256:
        reason = "its evidence is about another source text"
    elif not (verdict.passed or (verdict.held and verdict.concerns)):
        reason = f"its evidence says '{verdict.verdict}'"
    elif bad is not None:
        reason = f"its evidence says that the check '{bad}' did not pass"
    elif trouble := helper_trouble(promoted.candidate.source, verdict.helpers):
        reason = trouble
    else:
        return
    raise RegistryError(
        f"{promoted.name}, version {promoted.version}, cannot be used: {reason}.",
        advice="Verify the function and promote it again.",
    )


def conflict(existing: Promoted, *, suspended: bool = False) -> CleanroomError:
    """The same source text is active already, or it is suspended, and so is not for a new verdict to let into use."""
    if suspended:
        return UsageError(
            f"The same function is suspended in the registry: {existing.name}, version {existing.version}.",
            advice=f"`cleanroom registry approve {existing.name}` lets it into use again; or change it. Where another "
            "function has taken its place since, only a changed one can come into use.",
        )
    return RegistryError(
        f"The same function is in the registry already: {existing.name}, version {existing.version}.",
        advice="Nothing needs to be done; revoke it first to promote it again.",
    )


def unforeseen(name: str, other: str, version: int, status: Status | None) -> RegistryError:
    """The function would end one that is not for it to end: it has come since, or somebody has to decide on it."""
    if status is not Status.ACTIVE:
        return RegistryError(
            f"{name} was not promoted: it would take the place of {other}, version {version}, which is {status}.",
            advice=f"First decide on that one: `cleanroom registry approve {other}`, or `cleanroom registry revoke "
            f"{other}`; or give this one another name.",
        )
    what = f"{other}, version {version}, would go out of use, and was not there when it was judged"
    return RegistryError(f"{name} was not promoted: {what}.", advice="Verify it again.")


def not_held(name: str, version: int) -> UsageError:
    """Somebody else has decided on it since it was looked at."""
    return UsageError(f"{name}, version {version}, is not held any more.", advice="Look at what became of it.")


def unknown(name: str, version: int | None = None) -> UsageError:
    """There is no such function, or no such version."""
    what = name if version is None else f"{name}, version {version}"
    return UsageError(f"The registry has no function {what}.", advice="`cleanroom registry list` shows what it has.")


def out_of_use(name: str, version: int, status: Status) -> UsageError:
    """The newest version of the function has a status in which this cannot be done to it."""
    if status is Status.SUSPENDED:
        told, advice = "is suspended already", f"`cleanroom registry approve {name}` lets it into use again."
    elif status is Status.HELD:
        told, advice = "is held, and so not in use", f"`cleanroom registry approve {name}` lets it into use."
    else:
        told, advice = f"was {status}, which is final", "Verify the function and promote it again."
    return UsageError(f"{name}, version {version}, {told}.", advice=advice)
