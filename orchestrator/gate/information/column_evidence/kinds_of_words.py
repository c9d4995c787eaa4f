"""Words that become none of the kind of which the others are: `Jan` as `Janxary` among months. Called by laws.py."""

from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.null_tokens import says_nothing
from orchestrator.gate.information.value_kinds.known_words import kinds_of, things

ENOUGH = 3  # different words that others become


def no_word_of_the_kind(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A word of a known kind that becomes none of it, where nearly all others become one."""
    words = {after for before, after in cells if isinstance(after, str) and isinstance(before, str)}
    kinds = kinds_of(words) if len(words) >= ENOUGH else []
    for before, after in changed:
        is_word = after.isalpha() and not says_nothing(after)
        if is_word and any(things(kind, before) for kind in kinds) and not any(things(kind, after) for kind in kinds):
            return "a word becomes none of the kind that the others are", (before, after)
    return None
