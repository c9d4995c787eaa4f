"""Ed25519 keys, and the file with the user's own. Called by everything that signs or verifies.

A public key is written as `ed25519:` and base64 of its 32 bytes. A private key lies, as PEM (PKCS #8) and for its owner
only, at CLEANROOM_SIGNING_KEY_FILE or else in the user's config folder. `cryptography` is imported when a key is used:
it takes some time, and most commands need none.
"""

import base64
import os
import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.core.errors import UsageError
from orchestrator.data.secret_file import make_secret, own_home, read_secret

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_PREFIX = "ed25519:"
_TEXT = re.compile(r"ed25519:[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=")  # 32 bytes end in one of these
_LARGEST_FILE = 10_000
VARIABLE = "CLEANROOM_SIGNING_KEY_FILE"


def decode_base64(text: str) -> bytes:
    """What is encoded. Raises ValueError for a text that is not the one that encoding gives, with its padding.

    Otherwise the unused bits of the last character would let one signature be written in several ways.
    """
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode("ascii") != text:
        raise ValueError("not base64 as it is written")
    return data


class PublicKey:
    """A public key; equal to every other object of the same key."""

    def __init__(self, text: str) -> None:
        """Raises ValueError for a text that is no key."""
        if not _TEXT.fullmatch(text):
            raise ValueError(f"a key is written as {_PREFIX} and 44 characters")
        self.raw = decode_base64(text.removeprefix(_PREFIX))
        self.text = text

    def verifies(self, message: bytes, signature: bytes) -> bool:
        """Whether the signature is this key's, of exactly this message."""
        from cryptography.exceptions import InvalidSignature

        try:
            self._key.verify(signature, message)
        except InvalidSignature:
            return False
        return True

    @cached_property
    def _key(self) -> "Ed25519PublicKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        return Ed25519PublicKey.from_public_bytes(self.raw)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicKey) and other.raw == self.raw

    def __hash__(self) -> int:
        return hash(self.raw)

    def __repr__(self) -> str:
        return self.text


class SigningKey:
    """A private key. It never shows itself."""

    def __init__(self, key: "Ed25519PrivateKey") -> None:
        self._key = key
        self.public = PublicKey(_PREFIX + base64.b64encode(key.public_key().public_bytes_raw()).decode())

    @classmethod
    def new(cls) -> "SigningKey":
        """A new random key, which lies nowhere yet."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls(Ed25519PrivateKey.generate())

    def sign(self, message: bytes) -> bytes:
        """The signature: 64 bytes."""
        return self._key.sign(message)

    def pem(self) -> bytes:
        """The private key for its file."""
        from cryptography.hazmat.primitives import serialization

        return self._key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )


def config_folder() -> Path:
    """The user's config folder for cleanroom (XDG_CONFIG_HOME). Raises UsageError for a user without a home."""
    given = os.environ.get("XDG_CONFIG_HOME", "")
    try:
        return (Path(given) if given.startswith("/") else own_home() / ".config") / "cleanroom"
    except RuntimeError as error:
        raise UsageError(
            "There is no place for a signing key.", advice=f"Correct HOME, or name a file with {VARIABLE}."
        ) from error


def own_key_file() -> Path:
    """Where the user's own signing key lies or is to lie."""
    given = os.environ.get(VARIABLE)
    return Path(given) if given else config_folder() / "signing.key"


def read_key(path: Path) -> SigningKey | None:
    """The key in the file; None where there is no file. Raises UsageError where it is none, or is open to others."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        data = read_secret(path, _LARGEST_FILE, advice=f"Make it yours alone: `chmod 600 {path}`.")
        if data is None:
            return None
        key = load_pem_private_key(data, password=None)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"The key {path} cannot be read: {reason}.", advice="Name a regular file.") from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise _no_key(path) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise _no_key(path)
    return SigningKey(key)


def make_key(path: Path) -> SigningKey:
    """A new key in the file; where there was one, or another process was faster, the one that is there.

    Raises UsageError where it cannot be written.
    """
    try:
        make_secret(path, SigningKey.new().pem())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(
            f"The signing key {path} cannot be written: {reason}.", advice=f"Name another file with {VARIABLE}."
        ) from error
    key = read_key(path)
    if key is None:
        raise UsageError(f"The key {path} is gone.", advice="Try again.")
    return key


def _no_key(path: Path) -> UsageError:
    return UsageError(
        f"{path} is not a signing key: an Ed25519 key as PEM, without a password.",
        advice="Name another file, or move it away: `cleanroom keys new` then makes one.",
    )
