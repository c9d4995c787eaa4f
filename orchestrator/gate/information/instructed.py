"""Whether the user's instruction says in so many words what becomes of a value. Called by settled_cells.py.

`red 1, orange 2`, `HR means Human Resources`, `clear sky or SKC (0)`, `Mum, Mom and mama become mother`, `"NY" -> "New
York"`, `people typed HR or Personnel for Human Resources`, `treat TX as missing`. Only the user writes the instruction,
so what it says of a value is a witness for that value, and for no other. Where a sentence says `not` or the like before
it, nothing is taken from it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.similarity import key

LONGEST = 60  # characters of a value
FEW = 2  # values of a list in which each stands in front of what it becomes
MOST = 20_000  # characters of an instruction that are read
_SENTENCE = re.compile(r"(?<=[^\W_A-Z]|[)\]\"'\u201d])[.!?]\s+|;\s|\n")
_NOT = re.compile(r"\b(?:not|never|no|nor|without|except|unless|rather|wrong(?:ly)?|leave|keep)\b|n['\u2019]t\b")
_ITEM = re.compile(r"\s*(?:,|;|:|\(|\)|/|\bor\b|\band\b)\s*")
_END = re.compile(r"\s*(?:[,;:()]|\.\s|\.$|\bor\b|\band\b|$)")
_AHEAD = re.compile(r"^(?:where|so|that|the|an?|then|also|e\.g\.|i\.e\.|is|=)\s+")
_ASIDE = re.compile(r"\s*\([^()]{0,60}\)$")  # medium (or regular) is D
_MARKS = " \"'`\u2018\u2019\u201c\u201d.,;:"
_VERB = re.compile(
    r"\b(?:(change|turn|convert|map|rename|replace|correct|translate|make|set|expand|spell)"
    r"|(typed|wrote|written|said|entered|put in)|(use|put|write|want))(?:s|d|ed|ing)?\b"
)
_CONNECTOR = re.compile(
    r"(?P<arrow>->|=>|\u2192|\u21d2|=)"
    r"|\b(?P<becomes>(?:is|are|means?|becomes?|stands? for|should (?:be|become)|(?:must|has to|have to) be(?:come)?)"
    r"(?: all| both)?)\b"
    r"|(?P<bracket>\()(?!or\b|and\b|also\b|e\.g\.)(?:that is|i\.e\.|meaning)?"
    r"|\b(?P<to>to|into|with|by|as)\b|\b(?P<for>for|instead of)\b"
)

_IS_NOTHING = re.compile(
    r"(?:\b(?:as|is|are|means?|be|to|into|for)|[=\u2192]|->)\s+(?:an?\s|the\s)?"
    r"(?:missing|empty|blanks?|null|none|unknown|nothing|no value)\b"
)
_TO_EMPTY = re.compile(
    r"(?:^|[,:]\s*|\b(?:please|and|then|to)\s+)(?:blank(?: out)?|empty|clear|remove|delete|drop)\s+(.*?)"
    r"(?:\s(?:from|in|of|where|when|with|if|that|which|because)\b|$)"
)
_OTHER_VERB = re.compile(r"\b(?:is|are|means?|becomes?|be)\b")
_BEFORE = r"s?(?: (?:comes?|stands?|is|are|goes|written))?(?: (?:first|in front)\b| before (?:the )?(?:{other}))"
_FIRST = {
    "day": re.compile(rf"\bday{_BEFORE.format(other='month')}|\bdd?([/.-])mm?\1|\b(?:european|british) dates?\b"),
    "month": re.compile(rf"\bmonth{_BEFORE.format(other='day')}|\bmm?([/.-])dd?\1|\b(?:american|us) dates?\b"),
}
_LEADING = re.compile(
    r"^(?:(?:treat|set|make|take|read|consider|count|mark|turn|change|convert|the|an?|that|word|value|text|code)s?\s+)+"
)


class _Said(NamedTuple):
    """`becomes`: what values become; `items`: the parts of its lists, as they stand."""

    becomes: frozenset[tuple[str, str]]
    items: frozenset[str]


def said_of(instruction: str, changes: Sequence[Change]) -> set[Change]:
    """Those of the changes that the instruction says, where one text becomes another."""
    said = _read(instruction[:MOST])
    texts = {change: (_folded(change[0]), _folded(change[1])) for change in changes}
    texts = {change: (one, other) for change, (one, other) in texts.items() if one and other and key(one) != key(other)}
    plain = {change for change, pair in texts.items() if pair in said.becomes}
    listed = {change for change, pair in texts.items() if " ".join(pair) in said.items}
    return plain | listed if len({texts[change][0] for change in plain | listed}) >= FEW else plain


def said_to_go(instruction: str, values: Iterable[str]) -> set[str]:
    """Those of the values that the instruction says are none: `treat TX as missing`, `blank out fragile`."""
    said: set[str] = set()
    for written in _SENTENCE.split(instruction[:MOST]):
        sentence = " ".join(written.split()).casefold()
        if _NOT.search(sentence):
            continue
        named = [_OTHER_VERB.split(sentence[: found.start()])[-1] for found in _IS_NOTHING.finditer(sentence)]
        named += [found[1] for found in _TO_EMPTY.finditer(sentence)]
        items = (item for part in named for item in _ITEM.split(part))
        said.update(_LEADING.sub("", item.strip(_MARKS)).strip(_MARKS) for item in items)
    return {value for value in values if (folded := _folded(value)) and folded in said}


@lru_cache(maxsize=8)
def said_order(instruction: str) -> str:
    """`day` or `month`, whichever the instruction says that its dates have first; empty where it says neither, or both.

    `The day comes first`, `dd/mm/yyyy`, `American dates`.
    """
    sentences = [" ".join(one.split()).casefold() for one in _SENTENCE.split(instruction[:MOST])]
    said = {
        first
        for one in sentences
        if not _NOT.search(one)
        for first, way in _FIRST.items()
        if way.search(one) is not None
    }
    return said.pop() if len(said) == 1 else ""


def _folded(value: object) -> str:
    text = " ".join(str(value).casefold().split()).strip(_MARKS) if isinstance(value, str | int) else ""
    return text if len(text) <= LONGEST else ""


@lru_cache(maxsize=8)
def _read(instruction: str) -> _Said:
    becomes: set[tuple[str, str]] = set()
    items: set[str] = set()
    for written in _SENTENCE.split(instruction):
        sentence = " ".join(written.split()).casefold()
        becomes.update(_pairs(sentence))
        plain = _NOT.split(sentence, maxsplit=1)[0]
        items.update(_AHEAD.sub("", item.strip(_MARKS)) for item in _ITEM.split(plain))
    return _Said(frozenset(becomes), frozenset(items))


def _pairs(sentence: str) -> Iterator[tuple[str, str]]:
    """Each value and what it becomes. `start`: where what the last connector said ends."""
    start, verb = 0, None
    verbs = iter([*_VERB.finditer(sentence)])
    coming, turned_round = next(verbs, None), _NOT.search(sentence)
    for found in _CONNECTOR.finditer(sentence):
        while coming is not None and coming.end() <= found.start():
            start, verb, coming = max(start, coming.end()), coming, next(verbs, None)
        if found.start() < start or not _is_meant(found, verb):
            continue
        if turned_round and turned_round.start() < start:
            return
        end = _END.search(sentence, found.end() + 1)
        right = sentence[found.end() : end.start() if end else len(sentence)].strip(_MARKS)
        left = _ASIDE.sub("", sentence[start : found.start()])
        if found["bracket"]:
            left = re.split(r"[,)]", left)[-1]
        turned = found["for"] and verb is not None and verb[3]
        for item in _ITEM.split(left):
            one = _AHEAD.sub("", item.strip(_MARKS)).strip(_MARKS)
            if one and right:
                yield (right, one) if turned else (one, right)
        start = end.start() if end else len(sentence)


def _is_meant(found: re.Match[str], verb: re.Match[str] | None) -> bool:
    """Whether the connector says what becomes of something: `to` and `for` do so behind a verb only."""
    if found["to"]:
        return verb is not None and (verb[1] is not None or (verb[3] == "write" and found["to"] == "as"))
    if found["for"]:
        return verb is not None and verb[1] is None
    return True
