"""DSSE 1.0: bytes signed together with their type. What the registry's evidence is kept in; called by `statement`.

https://github.com/secure-systems-lab/dsse. The payload type is pinned: nothing that was signed as something else counts
here. A signature counts for the public key that it verifies with, each key once; the key id beside it is a hint that
nothing relies on.
"""

import base64
import json
from collections.abc import Iterable
from typing import NamedTuple

from orchestrator.core.errors import RegistryError
from orchestrator.registry.signing.json_text import read_json
from orchestrator.registry.signing.keys import PublicKey, SigningKey, decode_base64

PAYLOAD_TYPE = "application/vnd.in-toto+json"
_MAX_BYTES = 64 * 2**20
_MAX_SIGNATURES = 16
_ADVICE = "Do not use it: take it again from where it was made."


class Signature(NamedTuple):
    """Bytes that somebody says are a signature; `keyid` is what they call the key."""

    keyid: str
    sig: bytes


class Envelope(NamedTuple):
    """A payload of the pinned type, and its signatures, none of which has been verified."""

    payload: bytes
    signatures: tuple[Signature, ...]

    def signed_by(self, keys: Iterable[PublicKey]) -> tuple[PublicKey, ...]:
        """Those of the keys that have signed it, each once, however many signatures it made."""
        signed = pae(PAYLOAD_TYPE, self.payload)
        return tuple(
            key for key in dict.fromkeys(keys) if any(key.verifies(signed, given.sig) for given in self.signatures)
        )


def pae(payload_type: str, payload: bytes) -> bytes:
    """The pre-authentication encoding: the bytes that are signed."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def seal(payload: bytes, *keys: SigningKey) -> str:
    """The envelope as one line of JSON."""
    signed = pae(PAYLOAD_TYPE, payload)
    signatures = [{"keyid": key.public.text, "sig": _encoded(key.sign(signed))} for key in keys]
    return json.dumps(
        {"payload": _encoded(payload), "payloadType": PAYLOAD_TYPE, "signatures": signatures}, separators=(",", ":")
    )


def read_envelope(text: str | bytes) -> Envelope:
    """The envelope in the text. Raises RegistryError for everything that is not one of the pinned type."""
    if len(text) > _MAX_BYTES:
        raise RegistryError("An envelope of evidence is larger than 64 MiB.", advice=_ADVICE)
    try:
        found = read_json(text)
        if found["payloadType"] != PAYLOAD_TYPE:
            raise RegistryError("An envelope holds something other than an in-toto statement.", advice=_ADVICE)
        payload = _decoded(found["payload"])
        signatures = tuple(Signature(str(one.get("keyid", "")), _decoded(one["sig"])) for one in found["signatures"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise RegistryError("An envelope of evidence cannot be read.", advice=_ADVICE) from error
    if not 0 < len(signatures) <= _MAX_SIGNATURES:
        raise RegistryError(f"An envelope has {len(signatures)} signatures.", advice=_ADVICE)
    return Envelope(payload, signatures)


def _encoded(data: bytes) -> str:
    return base64.standard_b64encode(data).decode("ascii")


def _decoded(text: str) -> bytes:
    """Base64 of either alphabet, as the specification demands; padding is required."""
    return decode_base64(text.replace("-", "+").replace("_", "/"))
