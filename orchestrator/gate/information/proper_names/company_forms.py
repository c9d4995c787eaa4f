"""The legal form of a company, which is part of its name: cut, made up, or put where the word is none.

Called by name_laws.py.
"""

import re
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found

LONGEST = 300  # characters of a text that is a name
_PARTNERSHIP = re.compile(r"(?i)\b([^\W\d_.]{2,4})\.? ?(?:&|\+|und|and) ?co(?:\.|mp\.?)? ?(kgaa|kg|ohg)\b")
# What says a legal form, in short or in full; without dots, for they are left out before.
_FORMS = frozenset(
    {
        "ab", "ag", "as", "bv", "co", "company", "corp", "corporation", "gbr", "gmbh", "inc", "incorporated", "kg",
        "kgaa", "kk", "limited", "llc", "llp", "lp", "ltd", "mbh", "nv", "ohg", "oy", "plc", "pty", "sa", "sarl",
        "sas", "se", "spa", "srl", "ug",
    }
)  # fmt: skip
# Of these alone nobody thinks that they are another word at the end of a name.
_SURE_FORMS = frozenset({"corp", "gmbh", "inc", "kgaa", "llc", "llp", "ltd", "ohg", "plc"})
_LONG_FORM = re.compile(r"(Limited|Incorporated|Corporation)((?: [^\W\d_][\w'\u2019-]*)+)", re.IGNORECASE)
_SHORT_FORM = {"limited": "ltd", "incorporated": "inc", "corporation": "corp"}
_WORD = re.compile(r"[^\W_]+")


def forms_in(text: str) -> set[str]:
    """The words of a name that say a legal form: of `Acme, Inc.` that is `inc`."""
    return {word.casefold() for word in _WORD.findall(text.replace(".", ""))} & _FORMS


def partnership_cut(changed: Sequence[Change]) -> Found | None:
    """A partnership that becomes the company in front of it: `Knuth GmbH & Co. KG` as `Knuth GmbH` is another one."""
    for before, after in changed:
        found = _PARTNERSHIP.search(before) if len(before) <= LONGEST else None
        if found and found[1].casefold() in forms_in(after) and found[2].casefold() not in forms_in(after):
            return "a partnership becomes the company that is its partner", (before, after)
    return None


def form_made_up(changed: Sequence[Change]) -> Found | None:
    """A name that says no legal form and gets one behind it: `Knuth Holding` as `Knuth Holding GmbH`."""
    for before, after in changed:
        name, _, last = after.strip().rpartition(" ")
        form = last.replace(".", "").casefold()
        if len(before) <= LONGEST and form in _SURE_FORMS and name.casefold() == before.strip().casefold():
            return "a name gets a legal form that it does not say", (before, after)
    return None


def form_inside_shortened(changed: Sequence[Change]) -> Found | None:
    """A word in front of a name that is shortened as if it were a legal form: `Limited Edition lamp`."""
    for before, after in changed:
        found = _LONG_FORM.fullmatch(before.strip()) if len(before) <= LONGEST else None
        if found is None or forms_in(found[2]):
            continue
        first, _, rest = after.strip().partition(" ")
        if first.rstrip(".").casefold() == _SHORT_FORM[found[1].casefold()] and rest.split() == found[2].split():
            return "a word in front of a name is shortened as if it were a legal form", (before, after)
    return None
