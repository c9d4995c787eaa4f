"""Marks around words that come to say something else: struck, bold, links. Called by prose_laws.py."""

import re
from collections.abc import Sequence
from itertools import islice

from orchestrator.gate.information.changes import Change, Found

MOST = 100  # marks of one text
_STRUCK = re.compile(
    r"(?<![~\w])(~{1,2})(?=[^\s~])([^~\n]+?)(?<=\S)\1(?![~\w])|<(s|del|strike)>([^<>\n]+)</\3>", re.IGNORECASE
)
_STILL_STRUCK = re.compile(r"~|<(?:s|del|strike)\b|\u0336|\\sout", re.IGNORECASE)
_PRODUCT = re.compile(r"(?<![\w*])(\d+)\*(\d+)(?![\w*]*\*\*)")
_LINK = re.compile(r"\[(?:https?://|www\.)[^\[\]\s]*\]\((?!https?://|www\.|/|#|mailto:)[^()\n]*\)")


def struck_as_valid(changed: Sequence[Change]) -> Found | None:
    """What was struck out stands as if it were valid, or in bold: `~blue~ red` as `blue red`."""
    for before, after in changed:
        struck = [match[2] or match[4] for match in islice(_STRUCK.finditer(before), MOST)]
        if struck and not _STILL_STRUCK.search(after) and any(words in after for words in struck):
            return "what was struck out is not struck out any more", (before, after)
    return None


def products_as_marks(changed: Sequence[Change]) -> Found | None:
    """The sign of a product that becomes a mark of bold text: `2*3*4` as `2**3**4`."""
    for before, after in changed:
        for one, other in islice(dict.fromkeys(_PRODUCT.findall(before)), MOST):
            if f"{one}**{other}" in after and f"{one}**{other}" not in before:
                return "the sign of a product is doubled", (before, after)
    return None


def links_exchanged(changed: Sequence[Change]) -> Found | None:
    """A link whose address stands where its text belongs: `[https://x.example](here)`."""
    for before, after in changed:
        if _LINK.search(after) and not _LINK.search(before):
            return "the text and the address of a link are exchanged", (before, after)
    return None
