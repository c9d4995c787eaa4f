"""One country, state or language that gets two codes in one column: `Reino Unido` as `GB`, and `England` as `UK`.

Called by character_laws.py.
"""

from collections import Counter
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.known_words import things

KINDS = ("country", "state", "currency", "language")
LONGEST, CODE = 40, 3  # letters of a name, and of a code
SEVERAL = 2


def two_codes_of_one(changed: Sequence[Change], shown: Sequence[Change]) -> Found | None:
    """A name that becomes another code, as long as the one that a witness or most names of the same thing become."""
    texts = [change for change in changed if _is_code(change[1]) and len(change[0]) <= LONGEST]
    for kind in KINDS if texts else ():
        wanted = {(thing, len(after)): after for before, after in shown if (thing := _thing(kind, before, after))}
        made: dict[tuple[object, int], Counter[str]] = {}
        for before, after in texts:
            if thing := _thing(kind, before, after):
                made.setdefault((thing, len(after)), Counter())[after] += 1
        for before, after in texts:
            thing = _thing(kind, before, after)
            codes = made.get((thing, len(after)), Counter()) if thing else Counter[str]()
            usual = wanted.get((thing, len(after))) or (codes.most_common(1)[0][0] if len(codes) >= SEVERAL else after)
            if thing and after != usual:
                return f"a {kind} gets another code than the one that it has elsewhere in the column", (before, after)
    return None


def _is_code(text: str) -> bool:
    return 1 < len(text) <= CODE and text.isalpha() and text.isupper()


def _thing(kind: str, before: str, after: str) -> frozenset[object]:
    """What the name and its code stand for; nothing where they are several, or not known."""
    if not _is_code(after) or len(before) > LONGEST:
        return frozenset()
    found = frozenset[object](things(kind, before)) & frozenset[object](things(kind, after))
    return found if len(found) == 1 else frozenset()
