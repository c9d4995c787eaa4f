"""Identifiers that are written in several ways and name one thing: UUIDs, DOIs, addresses of networks and machines.

Called by looked_up.py. Sources: RFC 9562, ISO 26324, RFC 791, IEEE 802.
"""

import re
from collections.abc import Callable

from orchestrator.gate.information.similarity import key

MAX_LENGTH = 200
UUID = 20  # letters and figures that show which one is meant
_UUID = re.compile(r"(?:urn:uuid:)?\{?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?")
_DOI = re.compile(  # without the full stop of a sentence that it ends
    r"(?:https?://(?:dx\.|www\.)?doi\.org/|doi:?\s*)?(10\.\d{4,9}/\S*[^\s.,;])[.,;]?"
)
_IP = re.compile(r"(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})")
_SHORT_MAC = re.compile(r"[0-9a-f]{1,2}(?::[0-9a-f]{1,2}){5}")  # as BSD and Solaris write it: 0:1a:2b:3:4d:5
_MAC = re.compile(r"[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}|[0-9a-f]{12}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}")


def same_identifier(before: str, after: str) -> bool | None:
    """Whether both name the same thing; None where they are no identifiers of one kind."""
    if max(len(before), len(after)) > MAX_LENGTH:
        return None
    for read in _KINDS:
        one, other = read(before.strip().casefold()), read(after.strip().casefold())
        if one and other:
            return one == other
    if _groups(_UUID)(before.strip().casefold()) and key(before)[:UUID] == key(after)[:UUID]:
        return False  # cut off, or with another letter
    return None


def _groups(pattern: re.Pattern[str]) -> Callable[[str], tuple[str, ...]]:
    return lambda text: match.groups() if (match := pattern.fullmatch(text)) else ()


def _address(text: str) -> tuple[str, ...]:
    """The numbers without zeros in front. Programs read `010` as 8, people as 10."""
    numbers = _groups(_IP)(text)
    return tuple(str(int(number)) for number in numbers) if all(int(number) <= 255 for number in numbers) else ()


def _machine(text: str) -> tuple[str, ...]:
    if _SHORT_MAC.fullmatch(text):
        text = ":".join(byte.zfill(2) for byte in text.split(":"))
    found = _MAC.fullmatch(text)
    return (re.sub(r"[:.-]", "", text),) if found and not text.isdigit() else ()


_KINDS: tuple[Callable[[str], tuple[str, ...]], ...] = (_groups(_UUID), _groups(_DOI), _address, _machine)
