"""Signs of their own that become plain figures or letters beside others: `10²` as `102`. Called by character_laws.py.

The plain form (NFKC) of such a sign alone is harmless: `m²` as `m2`, `½` as `1/2`. Directly beside a figure or a
word it makes another number, or another word.
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import islice

from orchestrator.gate.information.changes import DASHES, Change, Found
from orchestrator.gate.information.value_kinds.units import names_unit

MOST = 50  # such signs of one text
NAME = 4  # letters of a word that is neither a symbol nor a formula: `Total¹`
_RAISED = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079"
_ENCLOSED = "\u2460-\u2473\u2776-\u277f"
_FRACTION = "\u00bc-\u00be\u2150-\u215e"
_BEHIND_FIGURES = re.compile(
    rf"(?<![\w.,])\d[\d.,]{{0,20}}(?:[\u207a\u207b]?[{_RAISED}]+|[{_ENCLOSED}]|[{_FRACTION}])(?![\w{_RAISED}])"
)
_BEHIND_WORD = re.compile(rf"(?<!\w)([^\W\d_]{{{NAME},30}})[{_RAISED}]{{1,2}}(?!\w)")
_LETTERS = re.compile(r"(?<!\w)[^\W_]{1,30}[\u2120\u2122](?!\w)|(?<!\w)\d{1,9}[\u00aa\u00ba](?!\w)")
_SLASH = str.maketrans({"\u2044": "/"})


def figures_run_together(changed: Sequence[Change]) -> Found | None:
    """A power, a note or a fraction whose figures become part of the number before: `10²` is not 102, `1½` not 11/2."""
    for before, after in changed:
        if not before.isascii() and any(_made_of(piece, after) for piece in _of_numbers(before)):
            return "a raised figure or a fraction becomes part of the number or word before it", (before, after)
    return None


def letters_run_together(changed: Sequence[Change]) -> Found | None:
    """A sign made of letters that become part of the word before it: `Acme™` as `AcmeTM`, `5º` as `5o`."""
    for before, after in changed:
        if not before.isascii() and any(_made_of(found[0], after) for found in islice(_LETTERS.finditer(before), MOST)):
            return "the letters of a sign become part of the word before it", (before, after)
    return None


def _of_numbers(text: str) -> list[str]:
    numbers = [found[0] for found in islice(_BEHIND_FIGURES.finditer(text), MOST)]
    words = islice(_BEHIND_WORD.finditer(text), MOST)
    return [*numbers, *(found[0] for found in words if not names_unit(found[1]))]


def _made_of(piece: str, text: str) -> bool:
    """Whether the text has the piece as a word in its plain form."""
    plain = re.escape(_plain(piece))
    return re.search(rf"(?<![\w.,]){plain}(?![\w/]|[.,]\d)", _plain(text, normalise=False)) is not None


def _plain(text: str, *, normalise: bool = True) -> str:
    plain = unicodedata.normalize("NFKC", text) if normalise else text
    return plain.translate(_SLASH).translate(DASHES)
