"""DSSE: what counts as a signature, held against the specification and against a second implementation."""

import base64
import json
from typing import Any

import pytest
from securesystemslib.dsse import Envelope as ForeignEnvelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import CryptoSigner, SSlibKey  # type: ignore[attr-defined]  # it says so in its docs

from orchestrator.core.errors import RegistryError
from orchestrator.registry.signing.dsse import PAYLOAD_TYPE, pae, read_envelope, seal
from orchestrator.registry.signing.json_text import read_json
from orchestrator.registry.signing.keys import PublicKey, SigningKey

PAYLOAD = b'{"_type": "https://in-toto.io/Statement/v1"}'


def foreign(key: PublicKey) -> SSlibKey:
    return SSlibKey(key.text, "ed25519", "ed25519", {"public": key.raw.hex()})


def test_what_is_signed_is_the_encoding_of_the_specification() -> None:
    """The example of the specification, byte for byte; lengths count bytes, not characters."""
    encoded = b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    assert pae("http://example.com/HelloWorld", b"hello world") == encoded
    assert pae("ü", b"") == b"DSSEv1 2 \xc3\xbc 0 "


def test_a_signature_counts_for_the_key_that_made_it() -> None:
    """Neither another key nor another payload verifies."""
    mine, other = SigningKey.new(), SigningKey.new()
    envelope = read_envelope(seal(PAYLOAD, mine))
    assert envelope.payload == PAYLOAD
    assert envelope.signed_by([other.public, mine.public]) == (mine.public,)
    assert envelope._replace(payload=PAYLOAD + b" ").signed_by([mine.public]) == ()


def test_two_signatures_of_one_key_are_one() -> None:
    """However often a key signs, and whatever it calls itself, it counts once."""
    mine, other = SigningKey.new(), SigningKey.new()
    plain = json.loads(seal(PAYLOAD, mine, mine, other))
    for number, signature in enumerate(plain["signatures"]):
        signature["keyid"] = f"somebody {number}"
    envelope = read_envelope(json.dumps(plain))
    assert len(envelope.signatures) == 3
    assert set(envelope.signed_by([mine.public, mine.public, other.public])) == {mine.public, other.public}
    assert len(envelope.signed_by([mine.public, mine.public, other.public])) == 2


def test_no_byte_of_payload_or_signature_can_be_changed() -> None:
    """Every single one, in turn."""
    key = SigningKey.new()
    plain = json.loads(seal(PAYLOAD, key))
    for place, of in ((plain, "payload"), (plain["signatures"][0], "sig")):
        data, kept = base64.b64decode(place[of]), place[of]
        for at in range(len(data)):
            place[of] = base64.b64encode(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]).decode()
            assert read_envelope(json.dumps(plain)).signed_by([key.public]) == (), (of, at)
        place[of] = kept
    assert read_envelope(json.dumps(plain)).signed_by([key.public]) == (key.public,)


def _changed(**fields: Any) -> str:
    return json.dumps(json.loads(seal(PAYLOAD, SigningKey.new())) | fields)


@pytest.mark.parametrize(
    "text",
    [
        "", "7", "[]", "{}", "\ud800", "[" * 100_000, b"\xff",
        _changed(payloadType="application/json"), _changed(payloadType=None), _changed(payload="no base64!"),
        _changed(payload=7), _changed(signatures=[]), _changed(signatures=None), _changed(signatures=[7]),
        _changed(signatures=[{"sig": "AA=="}] * 17), _changed(signatures=[{"keyid": "x"}]),
        _changed()[:-1] + ', "payloadType": "application/vnd.in-toto+json"}',
    ],
)  # fmt: skip
def test_what_is_no_envelope_of_the_type_is_refused(text: str | bytes) -> None:
    """One sentence each; a name that stands twice is refused, because readers would choose differently."""
    with pytest.raises(RegistryError, match=r"^An envelope [^.]*\.$"):
        read_envelope(text)


def test_a_second_implementation_verifies_ours() -> None:
    """securesystemslib accepts an envelope of ours for its key, and for no other."""
    mine, other = SigningKey.new(), SigningKey.new()
    made = ForeignEnvelope.from_dict(json.loads(seal(PAYLOAD, mine)))
    assert (made.payload, made.payload_type) == (PAYLOAD, PAYLOAD_TYPE)
    assert list(made.verify([foreign(mine.public)], 1)) == [mine.public.text]
    with pytest.raises(VerificationError):
        made.verify([foreign(other.public)], 1)


def test_ours_verifies_a_second_implementation() -> None:
    """An envelope of securesystemslib counts for the key that signed it, whatever its key id is."""
    signer = CryptoSigner.generate_ed25519()
    made = ForeignEnvelope(PAYLOAD, PAYLOAD_TYPE, {})
    made.sign(signer)
    raw = bytes.fromhex(signer.public_key.keyval["public"])
    key = PublicKey(f"ed25519:{base64.b64encode(raw).decode()}")
    text = json.dumps(made.to_dict())
    assert read_envelope(text).signed_by([SigningKey.new().public, key]) == (key,)
    assert read_envelope(text).payload == PAYLOAD


def test_either_alphabet_of_base64_is_read() -> None:
    """The specification allows both."""
    key = SigningKey.new()
    plain = json.loads(seal(b"\xff\xfe" * 40, key))
    for signature in (plain, *plain["signatures"]):
        for name in ("payload", "sig"):
            if name in signature:
                signature[name] = signature[name].replace("+", "-").replace("/", "_")
    assert read_envelope(json.dumps(plain)).signed_by([key.public]) == (key.public,)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_text_that_stands_for_millions_of_values_is_not_read(encoding: str) -> None:
    """Sixty kilobytes of an archive took three gigabytes of memory. What stands in strings does not count."""
    many = "[" + "{}," * 2_000_000 + "0]"
    for text in (many, '["\u2200",' + many[1:]):
        with pytest.raises(ValueError, match="too many values"):
            read_json(text.encode(encoding))
    for inner in ("{}," * 2_000_000, '\\"[,' * 1_000_000):
        assert len(read_json(f'["{inner}"]'.encode(encoding))[0]) == len(inner.replace("\\", ""))
    for broken in ('"' + '\\"[,' * 1_000_000, '"' + "[{," * 1_000_000 + "\\"):
        with pytest.raises(ValueError, match=r"Unterminated|Invalid"):
            read_json(broken.encode(encoding))
