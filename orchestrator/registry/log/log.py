"""The log in the database: appends signed envelopes, and reads it as far as it can be proved. Called by the stores.

Theory of operation. An entry is the text of an envelope; its row also has the tree's head after it, as a checkpoint
signed by whoever appended. Whoever appends holds the write lock, checks the newest checkpoint's signature, and extends
exactly that tree: a log that somebody has changed is not gone on with. Who reads hashes all entries and compares
the root with the newest checkpoint. An entry that was changed, removed, added or moved by anybody without a trusted key
shows; a log that was cut back to an earlier, signed state shows against a checkpoint that was exported before.
"""

import secrets

from sqlalchemy import select
from sqlalchemy.orm import Session

from orchestrator.core.errors import NotVerified
from orchestrator.registry.log.checkpoint import Checkpoint, read_checkpoint
from orchestrator.registry.log.merkle import EMPTY, Frontier, leaf_hash
from orchestrator.registry.signing.dsse import seal
from orchestrator.registry.signing.identity import Identity
from orchestrator.registry.signing.keys import SigningKey
from orchestrator.registry.signing.statement import Statement
from orchestrator.registry.tables import LogEntryRow

_HEX = 2 * len(EMPTY)
_ADVICE = "Do not use the registry: restore it from a copy, or judge its functions again: `cleanroom registry adopt`."


class LogReader:
    """Reads a log again and again; what was proved once is not hashed again. Not safe for threads."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._frontier = Frontier()
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
            head.origin, frontier.size, frontier.root()
        ):
            raise changed()
        self._frontier, self.checkpoint = frontier, rows[-1].checkpoint
        new = [row.envelope for row in rows]
        self.envelopes += new
        self.leaves += leaves
        return new


def append(session: Session, identity: Identity, statement: Statement, key: SigningKey) -> str:
    """Sign the statement and add it to the log; the envelope. The session must hold the write lock.

    Raises NotVerified where the log's head is not what a trusted person signed.
    """
    last = session.scalars(select(LogEntryRow).order_by(LogEntryRow.position.desc()).limit(1)).first()
    origin, frontier = f"cleanroom-registry/{secrets.token_hex(16)}", Frontier()
    if last is not None:
        head = trusted(last.checkpoint, identity)
        origin, frontier = head.origin, _frontier(last, head)
    envelope = seal(statement.payload(), key)
    frontier.append(leaf_hash(envelope.encode()))
    checkpoint = Checkpoint(origin, frontier.size, frontier.root()).signed(key)
    session.add(
        LogEntryRow(
            position=frontier.size - 1,
            envelope=envelope,
            subtrees=b"".join(frontier.subtrees).hex(),
            checkpoint=checkpoint,
        )
    )
    session.flush()
    return envelope


def _frontier(row: LogEntryRow, head: Checkpoint) -> Frontier:
    """The tree after this entry, as its signed checkpoint has it."""
    try:
        subtrees = [bytes.fromhex(row.subtrees[at : at + _HEX]) for at in range(0, len(row.subtrees), _HEX)]
        frontier = Frontier(row.position + 1, subtrees)
    except ValueError as error:
        raise changed() from error
    if (head.size, head.root) != (frontier.size, frontier.root()):
        raise changed()
    return frontier


def trusted(note: str, identity: Identity) -> Checkpoint:
    """The checkpoint in a signed note. Raises NotVerified unless somebody signed it who is trusted today."""
    signed = read_checkpoint(note)
    if not signed.signed_by(identity.trust.keys()):
        raise NotVerified(
            "The registry's log was not signed by anybody whom you trust.",
            advice="`cleanroom keys trust KEY --person NAME` if you know who signed it, or `cleanroom registry adopt`.",
        )
    return signed.checkpoint


def changed(where: str = "") -> NotVerified:
    """The error for a log that is not what was signed."""
    return NotVerified(f"The registry's log was changed after it was signed{where and ', '}{where}.", advice=_ADVICE)
