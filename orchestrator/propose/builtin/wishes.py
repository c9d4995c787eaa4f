"""The few plain words of an instruction that the rules understand; everything else is for language models.

Clauses end with a full stop, a semicolon or a line end. A clause that names columns speaks of these, any other of all.
Understood: "upper case", "lower case", "ISO dates" (with "month first" or "day first"), "null word X", "E.164",
"whole numbers" (without ".0"), "leave … alone".
"""

import re
from dataclasses import dataclass

from orchestrator.propose.builtin.profile import Table

_CASES = {"upper": r"\bupper[ -]?case\b", "lower": r"\blower[ -]?case\b"}


@dataclass(frozen=True)
class Wishes:
    """What was asked for, per column."""

    case: dict[str, str]  # column → "upper" | "lower"
    iso_dates: frozenset[str]  # columns whose dates become ISO even where they are uniform
    date_order: dict[str, str]  # column → "mdy" | "dmy"
    null_word: dict[str, str]  # column → the word that stands for nothing
    e164: frozenset[str]  # columns whose telephone numbers become +15125550199
    whole_numbers: frozenset[str]  # columns whose whole numbers are written without ".0"
    alone: frozenset[str]  # columns that no rule may touch

    @classmethod
    def read(cls, instruction: str, table: Table) -> "Wishes":
        names = [column.name for column in table.columns]
        case: dict[str, str] = {}
        iso: set[str] = set()
        order: dict[str, str] = {}
        word: dict[str, str] = {}
        e164: set[str] = set()
        whole: set[str] = set()
        alone: set[str] = set()
        for clause in re.split(r"[;\n]|\.(?:\s|$)", instruction):
            named = _named(clause, names)
            meant = named or names
            for style, pattern in _CASES.items():
                if re.search(pattern, clause, re.IGNORECASE):
                    case |= dict.fromkeys(meant, style)
            if re.search(r"\biso\b.*\bdates?\b|\bdates?\b.*\biso\b|yyyy-mm-dd", clause, re.IGNORECASE):
                iso |= set(meant)
            if found := re.search(r"\b(month|day)[ -]first\b", clause, re.IGNORECASE):
                order |= dict.fromkeys(meant, "mdy" if found[1].lower() == "month" else "dmy")
            if found := re.search(r"\bnull word:?\s+[\"'“]?([^\s\"'”,;]+)", clause, re.IGNORECASE):
                word |= dict.fromkeys(meant, found[1])
            if re.search(r"\be\.?164\b", clause, re.IGNORECASE):
                e164 |= set(meant)
            if re.search(r"\bwhole numbers?\b", clause, re.IGNORECASE):
                whole |= set(meant)
            if named and re.search(r"\bleave\b.*\balone\b|\bdo not (?:touch|change)\b", clause, re.IGNORECASE):
                alone |= set(named)
        return cls(case, frozenset(iso), order, word, frozenset(e164), frozenset(whole), frozenset(alone))


def _named(clause: str, names: list[str]) -> list[str]:
    """The columns that a clause names, as whole words; longest first, so that "city" is not seen in "city state"."""
    found: list[str] = []
    rest = clause
    for name in sorted(names, key=len, reverse=True):
        pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
        if re.search(pattern, rest, re.IGNORECASE):
            found.append(name)
            rest = re.sub(pattern, " ", rest, flags=re.IGNORECASE)
    return [name for name in names if name in found]
