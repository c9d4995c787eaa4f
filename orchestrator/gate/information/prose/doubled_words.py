"""A word that stands twice and is kept once: `the the` is a slip of the pen, `Bora Bora` a name. For prose_laws.py."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.tokens import words

_TWICE = re.compile(r"\b([^\W\d_]{2,})[ -]+\1\b")
_RIGHT_TWICE = frozenset({
    "had", "that", "very", "so", "really", "much", "many", "far", "long", "too", "no", "yes", "bye", "ha", "ho", "hey",
    "now", "there", "never", "again", "ever", "please", "well",
})  # fmt: skip
MOST = 200  # words of one text that stand twice


def doubled_words_gone(changed: Sequence[Change]) -> Found | None:
    """A name, or a word that English says twice, is kept once: `Ali Ali`, `she had had enough`, `a very very old mug`.

    Words in capitals throughout the text are no names: nothing tells them from others.
    """
    for before, after in changed:
        twice = set() if before.isupper() else {match[1] for match in islice(_TWICE.finditer(before), MOST)}
        had, left = (Counter(words(text)) if twice else Counter[str]() for text in (before, after))
        for word in sorted(twice):
            own = "".join(words(word))
            if (word[0].isupper() or word in _RIGHT_TWICE) and 0 < left[own] < had[own]:
                return "a name or a word that is right twice is kept once", (before, after)
    return None
