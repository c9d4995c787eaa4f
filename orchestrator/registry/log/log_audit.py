"""Proves a whole log: every entry, every head that it had, and that it only grew since an earlier checkpoint.

Called by the store for `cleanroom registry audit`. Reading functions needs less: the newest head covers all entries.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from orchestrator.core.errors import NotVerified
from orchestrator.core.value import Value
from orchestrator.registry.log.checkpoint import Checkpoint
from orchestrator.registry.log.log import changed, trusted
from orchestrator.registry.log.merkle import Frontier, leaf_hash, root_of
from orchestrator.registry.registry_tables import LogEntryRow
from orchestrator.registry.signing.dsse import read_envelope
from orchestrator.registry.signing.identity import Identity
from orchestrator.registry.signing.statement import PredicateType, Statement, read_statement


class LoggedEvent(Value):
    """One entry of the log in words. `people`: those known who signed it; empty where nobody did who is trusted."""

    position: int
    at: datetime
    what: str
    name: str
    version: int
    sha256: str
    people: tuple[str, ...]
    reason: str = ""


class AuditedLog(Value):
    """A log that was proved from its first entry to its last. `checkpoint`: its signed head."""

    events: tuple[LoggedEvent, ...]
    checkpoint: str
    origin: str
    root: str


def audit_log(session: Session, identity: Identity, earlier: str | None) -> AuditedLog:
    """Prove the log, and that it is one that the earlier checkpoint, a signed note, has grown into.

    Raises NotVerified that says what does not fit.
    """
    frontier, leaves, events = Frontier(), list[bytes](), list[LoggedEvent]()
    head = Checkpoint("", 0, frontier.root())
    note = ""
    for row in session.scalars(select(LogEntryRow).order_by(LogEntryRow.position)):
        leaves.append(leaf_hash(row.envelope.encode()))
        frontier.append(leaves[-1])
        note = row.checkpoint
        origin, head = head.origin, trusted(note, identity)
        wanted = Checkpoint(origin or head.origin, frontier.size, frontier.root())
        if row.position != len(events) or head != wanted:
            raise changed(f"at entry {row.position}")
        events.append(_event(row, identity))
    if earlier is not None:
        _check_grown(trusted(earlier, identity), head, leaves)
    return AuditedLog(events=tuple(events), checkpoint=note, origin=head.origin, root=head.root.hex())


def _check_grown(earlier: Checkpoint, head: Checkpoint, leaves: Sequence[bytes]) -> None:
    """Raises NotVerified unless the log begins with all that the earlier checkpoint saw."""
    advice = "Keep the checkpoint; restore the registry from a copy that has everything, and ask who changed it."
    if leaves and earlier.origin != head.origin:
        raise NotVerified(
            "The checkpoint is of another log.",
            advice="Name one that this registry's audit wrote; if this is one, the log was replaced: restore the "
            "registry from a copy, and ask who changed it.",
        )
    if earlier.size > len(leaves):
        raise NotVerified(
            f"The log was cut: it has {len(leaves)} entries, and had {earlier.size} at the checkpoint.", advice=advice
        )
    if root_of(leaves[: earlier.size]) != earlier.root:
        raise NotVerified(
            f"The log was rewritten: its first {earlier.size} entries are not those of the checkpoint.", advice=advice
        )


def _event(row: LogEntryRow, identity: Identity) -> LoggedEvent:
    envelope = read_envelope(row.envelope)
    statement = read_statement(envelope.payload)
    trust = identity.trust
    holders = {trust.holder(key, statement.at) for key in envelope.signed_by(trust.keys())}
    more: dict[str, Any] = statement.predicate
    return LoggedEvent(
        position=row.position,
        at=statement.at,
        what=_what(statement),
        name=statement.name,
        version=statement.version,
        sha256=statement.sha256,
        people=tuple(sorted(filter(None, holders))),
        reason=str(more.get("reason", "")),
    )


def _what(statement: Statement) -> str:
    if statement.kind is PredicateType.EVIDENCE:
        return "held" if statement.held else "promoted"
    return "approved" if statement.kind is PredicateType.APPROVAL else str(statement.predicate.get("status", "changed"))
