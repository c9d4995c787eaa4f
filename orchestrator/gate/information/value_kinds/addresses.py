"""Which mailbox or page a text names, however it is written. Called by looked_up.py. Sources: RFC 5322, RFC 3986.

The name in front of an address in angle brackets names nobody else; the scheme, `www.` and a slash at the end say
nothing of their own. Another host is another address.
"""

import re
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.similarity import ratio

MAX_LENGTH = 300
TWO = 2  # letters that two domains share of which one may be misspelt: con
TYPING_ERROR = 0.75  # how alike two hosts are of which one may be misspelt: gmial.com
_MAILBOX = re.compile(r"(?:[^<>@]*<)?\s*(?:mailto:)?\s*([\w.+%'-]+)@([\w-]+(?:\.[\w-]+)+)\s*>?[\s;,.]*", re.IGNORECASE)
_LINK = re.compile(
    r"\s*(?:(?:https?|ftp)://)?(?:www\.)?((?:[\w-]+\.)+[a-z]{2,})(?::\d{1,5})?(/[^\s?#]*)?([?#]\S*)?\s*", re.IGNORECASE
)

_FILTER = re.compile(r"https://[\w-]+\.safelinks\.protection\.outlook\.com/\?", re.IGNORECASE)
_AT = re.compile(r"\s*[\[({]\s*at\s*[\])}]\s*|\s+at\s+", re.IGNORECASE)  # how an address is hidden from programs
_DOT = re.compile(r"\s*[\[({]\s*dot\s*[\])}]\s*|\s+dot\s+", re.IGNORECASE)
_PORT = re.compile(r"(?:[a-z]+://)?[\w-]*[a-z][\w-]*(?:\.[\w-]+)+:(\d{2,5})(?=[/?#]|$)", re.IGNORECASE)
_BEGUN_TWICE = re.compile(r"\s*(?:https?|ftp):/{0,2}(?:https?|ftp):/", re.IGNORECASE)
_USUAL_PORTS = {"80", "443"}
TRACKING = re.compile(r"(?:utm_\w+|gclid|fbclid|mc_[ce]id|ref|source)=?", re.IGNORECASE)


class Address(NamedTuple):
    """`of`: the mailbox at the host, or the page of it."""

    host: str
    of: str


def same_address(before: str, after: str) -> bool | None:
    """Whether both name the same mailbox or page; None where they are no addresses, or nobody can say."""
    if max(len(before), len(after)) > MAX_LENGTH:
        return None
    if _BEGUN_TWICE.match(after) and not _BEGUN_TWICE.match(before):
        return False
    if _port(before) != _port(after) and "." in after:
        return False
    one, other = (_mailbox(before), _mailbox(after)) if "@" in before + after else (_link(before), _link(after))
    if one is None or other is None:
        return None
    if one == other or _wrapped(before) == other:
        return True
    if one.host == other.host and (_another_name(one, other) if "@" in before else _parameters_lost(one.of, other.of)):
        return False
    return False if another_host(one.host, other.host) else None


def _port(link: str) -> str:
    """The port at a host, empty where it is none, or the one that everybody means."""
    found = _PORT.match(link.strip())
    return "" if found is None or found[1] in _USUAL_PORTS else found[1]


def drops_parameters(before: str, after: str) -> bool:
    """Whether the same page is asked for without some of what was asked of it. Called by column.py."""
    one, other = _link(before), _link(after)
    return one is not None and other is not None and one.host == other.host and _parameters_lost(one.of, other.of)


def host_as_shown(change: Change, shown: Change) -> bool:
    """Whether a link becomes its host, as a witness shows of one that asks for a page and something of it."""
    return "?" in shown[0] and host_alone(*shown) and host_alone(*change)


def host_alone(before: str, after: str) -> bool:
    """Whether a link is left out but for its whole host, behind which no other port stood."""
    one = _link(before) if len(before) <= MAX_LENGTH else None
    return one is not None and one.host == after and not _port(before)


def _wrapped(link: str) -> Address | None:
    """The page to which a filter of mails sends on: the parameter `url` of its link."""
    parts = urlsplit(link.strip()) if _FILTER.match(link.strip()) else None
    targets = parse_qs(parts.query).get("url") if parts else None
    return _link(targets[0]) if targets else None


def _another_name(one: Address, other: Address) -> bool:
    """Whether the names differ in more than a tag: nobody knows of which hosts `ada+news` is `ada`."""
    return one.of.partition("+")[0] != other.of.partition("+")[0]


def _parameters_lost(one: str, other: str) -> bool:
    """Whether some of what is asked of a page is left out, and some stays."""
    (page, _, asked), (same, _, left) = one.partition("?"), other.partition("?")
    olds, news = ({part for part in text.partition("#")[0].split("&") if part} for text in (asked, left))
    return (
        page.rstrip("/") == same.rstrip("/") and any(not TRACKING.match(part) for part in olds - news) and news < olds
    )


def another_host(one: str, other: str) -> bool:
    """Whether neither is the other one misspelt: gmial.com is, example.org is not example.com."""
    if one.count(".") != other.count("."):
        return True
    (name, _, domain), (renamed, _, moved) = one.rpartition("."), other.rpartition(".")
    if name == renamed:
        return domain != moved and len(set(domain) & set(moved)) < TWO
    return one != other and ratio(one, other) < TYPING_ERROR


def address(text: str) -> Address | None:
    """The mailbox or page that a text is; None where it is none."""
    if len(text) > MAX_LENGTH:
        return None
    return _mailbox(text) if "@" in text else _link(text)


def _mailbox(text: str) -> Address | None:
    text = _DOT.sub(".", _AT.sub("@", text)) if "@" not in text else text
    match = _MAILBOX.fullmatch(text) if "@" in text else None
    return None if match is None else Address(match[2].casefold(), match[1].casefold())


def _link(text: str) -> Address | None:
    match = _LINK.fullmatch(text) if "." in text else None
    return None if match is None else Address(match[1].casefold(), (match[2] or "").rstrip("/") + (match[3] or ""))
