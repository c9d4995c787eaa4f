"""Words that come out with a letter more, less, exchanged or in another place, as no cell has them. Called by laws.py.

A slip that is corrected becomes a word that other cells have. One that a function makes, by a table with a typing error
or by a pattern that eats letters, does not.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.column_evidence.hosts import misspells_provider
from orchestrator.gate.information.similarity import alike_from_the_start, key
from orchestrator.gate.information.tokens import words
from orchestrator.gate.information.value_kinds.encodings import decoded
from orchestrator.gate.information.value_kinds.known_words import DECORATION, same_thing

_SMALL = frozenset({"new", "the", "and", "for", "old", "not"})  # no names: `Nfw Belgium`
_TAG = re.compile(r"<[^<>]{0,200}>")
_WORD = re.compile(r"[^\W\d_]+")
_IN_CODE = re.compile(r"(?<!\w)[^\W\d_]+(?=\d)")
SEVERAL, LONG_WORD = 2, 5  # cells that have a word, letters of one that is not another one by chance
FEW_WORDS = 6  # of a label that loses some
COMMON, LONGEST = 200, 200  # words, and characters of a text, that are compared letter by letter
LABELS = 60  # different values of a column that has few
_SHORTEST = 3  # letters of a word
_GARBLED = re.compile(
    r"[\u00c2\u00c3\u00e2][\u0080-\u00bf\u20ac]"
)  # UTF-8 read as another encoding, in a part of a text
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "å": "aa", "ø": "oe", "æ": "ae"})
# Both spellings of a word, British and American, and one and several of a thing, come to the same.
_VARIANTS = (
    (re.compile(r"our"), "or"),
    (re.compile(r"([iy])s(?=e|ing|ation)"), r"\1z"),
    (re.compile(r"ll(?=ed|ing|er|or|ation|ist|ous)"), "l"),
    (re.compile(r"[ao]e"), "e"),
    (re.compile(r"grey"), "gray"),
    (re.compile(r"re$"), "er"),
    (re.compile(r"ce$"), "se"),
    (re.compile(r"dgem"), "dgm"),
    (re.compile(r"s$"), ""),
)


def misspelt(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A word of letters A to Z that becomes nearly the same word, which no cell had. Capitals alone are codes."""
    known = {word.lower() for before, _ in cells if isinstance(before, str) for word in _WORD.findall(before)}
    for before, after in changed:
        if _GARBLED.search(before) or misspells_provider(before, after):
            continue
        olds, news = _WORD.findall(_TAG.sub(" ", decoded(before).lower())), _WORD.findall(after.lower())
        if len(news) > len(olds) or (before.isupper() and after.isupper()) or "".join(olds) == "".join(news):
            continue
        gone, come = set(Counter(olds) - Counter(news)), set(news) - set(olds) - set(_IN_CODE.findall(after.lower()))
        gone = gone if len(gone) == len(come) else gone - DECORATION
        few = len(come) < len(gone) and len(olds) <= FEW_WORDS  # of a label: `Department of Public Works`
        for new in come - known - _SMALL if few or len(come) == len(gone) else ():
            near = [old for old in gone if _nearly(old, new) and _variant(old) != _variant(new)]
            if any(not same_thing(old, new) for old in near):
                return "a word becomes nearly the same word, which no other cell has", (before, after)
    return None


def nearly_another_value(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A word that becomes nearly a value which other cells have: `P` as `Paxs` beside `Pass`."""
    values = {one.lower() for one in unchanged_texts(cells) if _WORD.fullmatch(one)}
    known = {word.lower() for before, _ in cells if isinstance(before, str) for word in _WORD.findall(before)}
    for before, after in changed if 0 < len(values) <= LABELS else ():
        new = after.lower()
        if not _WORD.fullmatch(after) or new in known or len(new) <= _SHORTEST or key(before) == key(after):
            continue
        if any(_neighbours(value, new) and _variant(value) != _variant(new) for value in values):
            return "a word becomes nearly a value that other cells have", (before, after)
    return None


def nearly_a_word_of_others(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A new word that is nearly one which several cells have, and that none has: `Boulxvard` beside `Boulevard`."""
    seen: Counter[str] = Counter()
    for cell in cells:
        seen.update({word for text in cell if isinstance(text, str) for word in words(text)})
    had = {word for before, _ in cells if isinstance(before, str) for word in words(before)}
    common = {word for word, count in seen.items() if count >= SEVERAL and len(word) >= LONG_WORD}
    for before, after in changed if len(common) <= COMMON else ():
        if len(after) > LONGEST:
            continue
        written = key(before)
        for new in set(words(after)) - had:
            near = (word for word in common if seen[word] > seen[new] and _inside(word, new))
            if new not in written and any(_variant(word) != _variant(new) for word in near):
                return "a word becomes nearly one that other cells have", (before, after)
    return None


def letters_slipped(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """One letter of a text that is only cut into other words: `unitPriceNet` as `unit_prxce_net`."""
    stay = unchanged_texts(cells)
    known = {word for text in stay for word in _WORD.findall(text.lower())} | _SMALL
    for before, after in changed:
        if max(len(before), len(after)) > LONGEST:
            continue
        one, other = key(decoded(before)), key(after)
        if after in stay or min(len(one), len(other)) < LONG_WORD or not (one + other).isascii():
            continue
        olds, news = (_WORD.findall(text.lower()) for text in (before, after))
        gone = Counter(olds) - Counter(news)
        if any(len(word) == 1 for word in gone):
            continue  # a letter by itself, such as the x of a hybrid
        short = any(len(word) <= _SHORTEST for word in gone) and not set(news) - set(olds) <= known
        if (short or len(olds) != len(news)) and _inside(one, other) and _among_letters(one, other):
            return "a letter of a text becomes another one", (before, after)
    return None


def _inside(one: str, other: str) -> bool:
    """Whether one letter is more, less or another one, and not the last: `hours` and `hour` are no slip."""
    start = alike_from_the_start(one, other)
    return _neighbours(one, other) and start < min(len(one), len(other)) - 1 and not one[start : start + 1].isdigit()


def _among_letters(one: str, other: str) -> bool:
    """Whether what differs are letters, with letters on both sides, or in front."""
    start = alike_from_the_start(one, other)
    around = one[max(start - 1, 0) : start + 2] + other[max(start - 1, 0) : start + 2]
    return not any(map(str.isdigit, around))


def _nearly(one: str, other: str) -> bool:
    """The same where a word has accents, which may go or come by themselves: `José` as `Josef`."""
    if (one + other).isascii():
        return _neighbours(one, other)
    ours, theirs = ({_bare(text), _bare(_written_out(text))} for text in (one, other))
    return ours.isdisjoint(theirs) and any(_neighbours(a, b) for a in ours for b in theirs)


def _bare(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def _written_out(text: str) -> str:
    return unicodedata.normalize("NFC", text).translate(_UMLAUTS)


def _neighbours(one: str, other: str) -> bool:
    """Whether they differ by one letter, or by two that change places."""
    if one == other or min(len(one), len(other)) < _SHORTEST or not (one + other).isascii():
        return False
    short, long = sorted((one, other), key=len)
    if len(short) < len(long):
        return len(short) > _SHORTEST and any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
    apart = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    turned = len(apart) == 2 and apart[1] == apart[0] + 1 and one[apart[0]] == other[apart[1]]
    return len(apart) == 1 or (turned and one[apart[1]] == other[apart[0]])


def _variant(word: str) -> str:
    for pattern, same in _VARIANTS:
        word = pattern.sub(same, word)
    return word
