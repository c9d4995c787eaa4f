"""Hosts of mailboxes and links that a column has, and those that a change makes up. Called by equivalence.py, laws.py.

`gmial.com` is `gmail.com` where other cells have it, or where everybody knows it. A host that no cell had is made up.
"""

import re
from collections.abc import Iterable, Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.addresses import address, another_host, same_address

_WITHOUT_END = re.compile(r"[^@]*@\s*([\w-]+)\s*>?\s*")  # jane@example
_LINK = re.compile(r"(?:https?://)?((?:[\w-]{1,63}\.){1,9}[^\W\d_]{2,24})(?![\w.@-])", re.IGNORECASE)
_PROVIDERS = frozenset(
    {
        "gmail.com", "googlemail.com", "yahoo.com", "yahoo.co.uk", "hotmail.com", "outlook.com", "live.com",
        "icloud.com", "aol.com", "gmx.de", "gmx.net", "web.de", "t-online.de", "orange.fr", "free.fr", "libero.it",
        "mail.ru", "proton.me", "protonmail.com", "ymail.com", "rocketmail.com", "mail.com", "email.com", "gmx.com",
        "gmx.at", "gmx.ch", "msn.com", "me.com", "mac.com", "yahoo.de", "yahoo.fr", "hotmail.fr", "hotmail.co.uk",
    }
)  # fmt: skip


class Hosts:
    """The hosts of the texts that stay in one column."""

    def __init__(self, stay: Iterable[str]) -> None:
        self._known = _PROVIDERS | {found.host for text in stay if (found := address(text)) is not None}

    def corrected(self, before: str, after: str) -> bool:
        """Whether a mailbox only gets the host that its own one misspells."""
        one, other = (address(text) if "@" in text else None for text in (before, after))
        if one is None or other is None or one.of != other.of or one.host in self._known:
            return False
        return other.host in self._known and not another_host(one.host, other.host)


def misspells_provider(before: str, after: str) -> bool:
    """Whether a mailbox gets the host of a provider that everybody knows, which its own one misspells."""
    return "@" in before and _OF_PROVIDERS.corrected(before, after)


_OF_PROVIDERS = Hosts(())


def hosts_made_up(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A mailbox or a link of a host that no cell had."""
    had: set[str] | None = None
    for before, after in changed:
        one, other = address(before), address(after)
        if other is None or other.host in _PROVIDERS:
            if one and other and one.host in _PROVIDERS - {other.host} and not same_address(before, after):
                return "a mailbox gets the host of another provider", (before, after)
            continue
        if (bare := _WITHOUT_END.fullmatch(before)) and "@" in after:
            ends = {host for host in _hosts(cells) if host.startswith(f"{bare[1].casefold()}.")}
            if ends != {other.host}:
                return "an address gets an end of its host that nobody wrote", (before, after)
        if one is None or one.host == other.host:
            continue
        if same_address(before, after):
            continue  # the page to which a filter of mails sends on
        if had is None:
            had = _hosts(cells)
        if other.host not in had:
            return "an address gets a host that no cell had", (before, after)
    return None


def www_made_up(changed: Sequence[Change]) -> Found | None:
    """A www. in front of a host without one, which may have no such name."""
    for before, after in changed:
        one, other = _LINK.match(before.strip()), _LINK.match(after.strip())
        if one and other and other[1].casefold() == f"www.{one[1].casefold()}":
            return "a host gets a www. that nobody wrote", (before, after)
    return None


def _hosts(cells: Sequence[Change]) -> set[str]:
    return {found.host for text, _ in cells if isinstance(text, str) and (found := address(text)) is not None}
