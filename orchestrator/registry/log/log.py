"""The log in the database: appends signed envelopes, and reads it as far as it can be proved. Called by the stores.

Theory of operation. An entry is the text of an envelope; its row also has the tree's head after it, as a checkpoint
signed by whoever appended. Who reads hashes all entries and compares the root with the newest checkpoint. Whoever
appends holds the write lock, reads first, and extends what was proved: a log that somebody has changed is not gone on
with. An entry that was changed, removed, added or moved by anybody without a trusted key shows; a log that was cut
back to an earlier, signed state shows against a checkpoint that was exported before.
"""

import secrets
from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.orm import Session

from orchestrator.core.errors import NotVerified
from orchestrator.registry.log.checkpoint import Checkpoint, read_checkpoint
from orchestrator.registry.log.merkle import Frontier, leaf_hash
from orchestrator.registry.registry_tables import LogEntryRow
from orchestrator.registry.signing.dsse import seal
from orchestrator.registry.signing.identity import Identity
from orchestrator.registry.signing.keys import PublicKey, SigningKey
from orchestrator.registry.signing.statement import Statement

_ADVICE = "Do not use the registry: restore it from a copy, or judge its functions again: `cleanroom registry adopt`."


class Log:
    """The log as far as it was read; what was proved once is not hashed again. Not safe for threads."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._frontier, self._origin = Frontier(), ""
        self._first_origin = _new_origin()  # for whoever appends to an empty log
        self.envelopes: list[str] = []
        self.leaves: list[bytes] = []
        self.checkpoint = ""  # signed; empty as long as the log is

    def read(self, session: Session) -> list[str]:
        """The envelopes that were appended since. Raises NotVerified where the log is not what trusted people wrote."""
        size = self._frontier.size
        query = select(LogEntryRow).order_by(LogEntryRow.position).where(LogEntryRow.position >= max(0, size - 1))
        rows = list(session.scalars(query))
        if size:  # the last one that is known must still be there
            if not rows or (rows[0].position, rows[0].envelope) != (size - 1, self.envelopes[-1]):
                raise changed()
            del rows[0]
        if not rows:
            return []
        leaves = [leaf_hash(row.envelope.encode()) for row in rows]
        frontier = Frontier(size, self._frontier.subtrees)
        for leaf in leaves:
            frontier.append(leaf)
        head = trusted(rows[-1].checkpoint, self._identity)
        if [row.position for row in rows] != list(range(size, frontier.size)) or head != Checkpoint(
            self._origin or head.origin, frontier.size, frontier.root()
        ):
            raise changed()
        self._frontier, self._origin, self.checkpoint = frontier, head.origin, rows[-1].checkpoint
        new = [row.envelope for row in rows]
        self.envelopes += new
        self.leaves += leaves
        return new

    def append(self, session: Session, statement: Statement, key: SigningKey, *, after: Iterable[str] = ()) -> str:
        """Sign the statement and add it to what was read; the envelope. It is known here once it is committed and read.

        `after`: the envelopes that were appended in this transaction. The session must have held the write lock since
        before the reading.
        """
        envelope = seal(statement.payload(), key)
        frontier = Frontier(self._frontier.size, self._frontier.subtrees)
        for each in (*after, envelope):
            frontier.append(leaf_hash(each.encode()))
        checkpoint = Checkpoint(self._origin or self._first_origin, frontier.size, frontier.root()).signed(key)
        session.add(LogEntryRow(position=frontier.size - 1, envelope=envelope, checkpoint=checkpoint))
        session.flush()
        return envelope


def trusted(note: str, identity: Identity) -> Checkpoint:
    """The checkpoint in a signed note. Raises NotVerified unless somebody signed it who is trusted today."""
    signed = read_checkpoint(note)
    if not signed.signed_by(identity.trust.keys()):
        if signed.signed_by(map(PublicKey, identity.trust.revoked)):
            raise NotVerified(
                "The key that last signed the registry's log is revoked, so nobody can tell what was done with it.",
                advice="Judge its functions again, into another registry: `cleanroom registry adopt`.",
            )
        raise NotVerified(
            "The registry's log was not signed by anybody whom you trust.",
            advice="`cleanroom keys trust KEY --person NAME` with the key that `cleanroom keys list` shows its signer, "
            "or `cleanroom registry adopt`.",
        )
    return signed.checkpoint


def _new_origin() -> str:
    """The name of a new log."""
    return f"cleanroom-registry/{secrets.token_hex(16)}"


def changed(where: str = "") -> NotVerified:
    """The error for a log that is not what was signed."""
    return NotVerified(f"The registry's log was changed after it was signed{where and ', '}{where}.", advice=_ADVICE)
