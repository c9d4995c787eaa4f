"""Words that come to stand in a text and that nothing said before. Called by laws.py."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from orchestrator.data.writing.lookalikes import plain_letters
from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.text_changes.words_changed import spells
from orchestrator.gate.information.tokens import all_figures, layout, tokens, words
from orchestrator.gate.information.value_kinds.encodings import decoded
from orchestrator.gate.information.value_kinds.known_words import currency
from orchestrator.gate.information.value_kinds.units import names_unit

_OF_FORM = frozenset(
    {"http", "https", "www", "com", "org", "mailto", "tel", "isbn", "issn", "doi", "vol", "page", "version", "sku"}
    | {"art", "ref"}
)
_PREFIXED = re.compile(r"[A-Z]{1,4}[-/_#: ]{0,2}\d[\d./ -]*")  # a number that gets the letters of its kind: INV-2021-42
_LABELLED = re.compile(r"([^\W\d_]+)\.?\s#?\d+(?:[.,]\d+)?\w?")
_BARE = re.compile(r"#?\s?\d+(?:[.,]\d+)?\w?")
ENOUGH, SEVERAL = 2, 2  # cells with a word, and words, that show that a bare number may be of any of them
OFTEN = 0.25  # of the cells with figures and one word that have another word
MOSTLY = 0.9  # of the cells that stay
MOST_LOST = 5  # words that others can stand for
LONGEST = 40  # characters of a cell with figures and one word
_NUMBER = re.compile(r"[0-9]+")
_WORD = re.compile(r"[^\W\d_]+")
SHORTEST = 2  # letters of a word that is no part of a code


def words_added(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A word that is put in, which no cell had beside others: `Oslo` as `Oslo (verified)`, and as `Oslo Rome`."""
    texts = [decoded(one) for one, _ in cells if isinstance(one, str)]
    had = {word for text in texts if len(tokens(text)) > 1 for word in words(text)}
    values = {other for _, other in cells if isinstance(other, str)}
    for change in changed:
        before = decoded(change[0])
        olds, news = Counter(words(before)), Counter(words(change[1]))
        rest, _, last = change[1].rpartition(" ")
        if [*"".join(words(before))] == [word[0] for word in words(change[1])]:
            continue  # the initials are written out: `CL` as `clay loam`
        known = rest and (rest in values or before.casefold().rstrip().endswith(rest.casefold()))
        if known and last.isalpha() and not set(words(last)) & olds.keys() and _made_up(last.casefold(), had):
            return "a word is put behind a value", change
        if not _keeps_figures(*change) or not tokens(change[0]) or _PREFIXED.fullmatch(change[1]):
            continue
        if (olds - news).total() > MOST_LOST or not all(any(spells(new, old) for new in news) for old in olds - news):
            continue  # it took the place of another one, which is looked at as such
        run = "".join(words(change[0]))
        said = {*olds, *words(plain_letters(before))}
        if any(_made_up(word, had) and word not in run and not any(spells(word, old) for old in said) for word in news):
            return "a word is put in that no cell had beside others", change
    return None


def _keeps_figures(before: str, after: str) -> bool:
    """Whether all figures stay, but for zeros around them and for a number in front."""
    return all_figures(decoded(before)).strip("0").endswith(all_figures(after).strip("0"))


def label_added(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A word in front of a bare number where other cells have several: 588 as `Apt 588` beside `Ste 3` and `Unit 9`."""
    stay = [
        match[1].casefold()
        for one, other in cells
        if one == other and isinstance(one, str) and (match := _LABELLED.fullmatch(one.strip()))
    ]
    labels = Counter(stay)
    if len([label for label, count in labels.items() if count >= ENOUGH]) < SEVERAL:
        return None
    for before, after in changed:
        labelled = _LABELLED.fullmatch(after.strip())
        if _BARE.fullmatch(before.strip()) and labelled and labels[labelled[1].casefold()] < MOSTLY * len(stay):
            return "a number gets one of several words of the other cells", (before, after)
    return None


def word_of_some_others(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """One of several words of the other cells at figures that say none: `34/2` as `Nm 34/2` beside `Ne 30/1`.

    Not where the figures are as large as those with the word, and no others are: `171` as `171 cm` beside `54 kg`.
    """
    said: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for before, after in cells:
        ours, theirs = _with_word(before), _with_word(after)
        if ours and theirs and ours[1] and theirs[1]:
            said[theirs[0]][theirs[1]].append(theirs[2])
    for before, after in changed:
        ours, theirs = _with_word(before), _with_word(after)
        if not (ours and theirs and theirs[1] and not ours[1] and ours[0] == theirs[0]):
            continue
        form, word, number = theirs
        sizes = said[form]
        enough = OFTEN * sum(map(len, sizes.values()))
        others = [found for other, found in sizes.items() if other != word and len(found) >= enough]
        among = len(sizes[word]) >= ENOUGH and min(sizes[word]) <= number <= max(sizes[word])
        if others and sizes[word] and not (among and all(not min(o) <= number <= max(o) for o in others)):
            return "figures get one of several words of the other cells", (before, after)
    return None


def gets_word(before: str, after: str) -> bool:
    """Whether figures without a word get one, as a witness may show it."""
    ours, theirs = _with_word(before), _with_word(after)
    return bool(ours and theirs and theirs[1] and not ours[1])


def _with_word(text: object) -> tuple[str, str, int] | None:
    """How the figures of a text stand, the one word beside them, and the first figures; None where it has others."""
    if not isinstance(text, str) or len(text) > LONGEST or len(found := _WORD.findall(text)) > 1:
        return None
    number = _NUMBER.search(text)
    form = layout(_WORD.sub("", text)).strip(" -/:#().,")
    return (form, found[0].casefold() if found else "", int(number[0])) if number else None


def _made_up(word: str, had: set[str]) -> bool:
    return (
        len(word) >= SHORTEST
        and word not in had
        and word not in _OF_FORM
        and not currency(word)
        and not names_unit(word)
    )
