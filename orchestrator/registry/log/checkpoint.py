"""The signed head of a log, as the C2SP specifications tlog-checkpoint and signed-note write it. Called by the log.

cleanroom-registry/5f0c…         the log
7                                its entries
Nl3c…=                           the root of its Merkle tree

— cleanroom-registry/5f0c… Az3…= a signature
"""

import base64
import hashlib
import re
from collections.abc import Iterable
from typing import NamedTuple

from orchestrator.core.errors import NotVerified
from orchestrator.registry.signing.keys import PublicKey, SigningKey, decode_base64

_ED25519 = b"\x01"
_SIGNATURE = re.compile(r"— (\S+) ([A-Za-z0-9+/]+={0,2})")
_TEXT = re.compile(r"([!-~]{1,200})\n(0|[1-9][0-9]{0,17})\n([A-Za-z0-9+/]{43}=)\n")
_MAX_CHARACTERS = 10_000


class Checkpoint(NamedTuple):
    """How far a log had grown. `root`: bytes[32]."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """What is signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"

    def signed(self, key: SigningKey) -> str:
        """The checkpoint as a signed note."""
        text = self.text()
        made = base64.b64encode(_key_id(self.origin, key.public) + key.sign(text.encode())).decode()
        return f"{text}\n— {self.origin} {made}\n"


class SignedCheckpoint(NamedTuple):
    """A checkpoint as it was read, with signatures that have not been verified: names, key ids and signatures."""

    checkpoint: Checkpoint
    signatures: tuple[tuple[str, bytes, bytes], ...]

    def signed_by(self, keys: Iterable[PublicKey]) -> tuple[PublicKey, ...]:
        """Those of the keys that have signed it, each once."""
        text = self.checkpoint.text().encode()
        return tuple(
            key
            for key in dict.fromkeys(keys)
            if any(given == _key_id(name, key) and key.verifies(text, sig) for name, given, sig in self.signatures)
        )


def read_checkpoint(note: str) -> SignedCheckpoint:
    """The checkpoint in a signed note. Raises NotVerified for a text that is none."""
    text, blank, signatures = note.partition("\n\n") if len(note) <= _MAX_CHARACTERS else ("", "", "")
    found = _TEXT.fullmatch(text + "\n")
    *signed, end = signatures.split("\n")
    lines = [_SIGNATURE.fullmatch(line) for line in signed]
    if not blank or found is None or end or not lines or not all(lines):
        raise _unreadable()
    try:
        root = decode_base64(found[3])
        decoded = [(line[1], decode_base64(line[2])) for line in lines if line]
    except ValueError as error:
        raise _unreadable() from error
    checkpoint = Checkpoint(found[1], int(found[2]), root)
    if f"{checkpoint.text()}" != f"{text}\n" or any(len(data) != 4 + 64 for _, data in decoded):
        raise _unreadable()
    return SignedCheckpoint(checkpoint, tuple((name, data[:4], data[4:]) for name, data in decoded))


def _key_id(name: str, key: PublicKey) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + _ED25519 + key.raw).digest()[:4]


def _unreadable() -> NotVerified:
    return NotVerified("That is no signed checkpoint of a log.", advice="Name a file that `registry audit` wrote.")
