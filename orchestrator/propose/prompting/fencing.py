"""How untrusted data goes into a prompt: JSON between marker lines that no data can imitate.

Cells, column names, error texts and earlier replies may hold orders to the model. They are JSON-encoded (so that no
value can start a line of its own) and stand between markers with a nonce that occurs nowhere in the data. The nonce is
derived from the data itself: the same data gives the same prompt, which replay needs, and whoever writes the data would
have to find a text that contains its own hash. Called by `prompt_context`, by roles and by agents; `prompts/*.yaml`
carry the standing sentence that what lies between the markers is data and never orders.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple

from orchestrator.core.errors import ProposalError
from orchestrator.data.writing.lookalikes import is_unseen

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


class Fenced(NamedTuple):
    """Blocks ready for a prompt, and the nonce that all of them share."""

    nonce: str
    blocks: dict[str, str]


def fence(payloads: Mapping[str, Json]) -> Fenced:
    """Each payload as a fenced block. Lists and the values of objects get a line each, so that rows stay readable."""
    encoded = {label: _lines(payload) for label, payload in payloads.items()}
    nonce = _nonce("\n".join(encoded.values()))
    return Fenced(
        nonce, {label: f"{opening(label, nonce)}\n{text}\n{closing(label, nonce)}" for label, text in encoded.items()}
    )


def opening(label: str, nonce: str) -> str:
    return f"<<<data:{label}:{nonce}>>>"


def closing(label: str, nonce: str) -> str:
    return f"<<<end:{label}:{nonce}>>>"


def encode(value: Json) -> str:
    """One line of JSON in which everything invisible (control, format, private, odd blanks) shows as an escape."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ProposalError(f"Data could not be put into a prompt: {error}.") from error
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() and not is_unseen(c) else _escape(c) for c in text)


def _lines(payload: Json) -> str:
    if isinstance(payload, list):
        return "[\n" + ",\n".join(encode(item) for item in payload) + "\n]" if payload else "[]"
    if isinstance(payload, dict):
        parts = (
            f"{encode(key)}: {_lines(item) if isinstance(item, list) else encode(item)}"
            for key, item in payload.items()
        )
        return "{\n" + ",\n".join(parts) + "\n}" if payload else "{}"
    return encode(payload)


def _escape(char: str) -> str:
    code = ord(char)
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def _nonce(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    while digest[:24] in text:
        digest = hashlib.sha256(digest.encode()).hexdigest()
    return digest[:24]
