"""What changed cells have lost or got where nothing is known of what they say: words.

Called by laws.py. What is left out of many different cells alike is decoration (`kg`, `Dr.`, `SKU:`); what is
left out of each cell is its own is content.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations, filterfalse, islice

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.column_evidence.left_out import tells_apart
from orchestrator.gate.information.similarity import key, related
from orchestrator.gate.information.text_changes.list_parts import only_repeated_go
from orchestrator.gate.information.text_changes.opposites import FACING_WORDS, became_sign, opposite
from orchestrator.gate.information.text_changes.several_words import MOST_WORDS, is_acronym, written_apart
from orchestrator.gate.information.tokens import kinds_of_words, tokens, words
from orchestrator.gate.information.value_kinds.known_words import DECORATION, contradict, is_known, same_thing
from orchestrator.gate.information.value_kinds.units import other_unit

_NEGATION = frozenset({"not", "no", "non", "never", "without", "except", "former", "ex", "kein", "keine", "nicht"})
_SAYS_MINUS = frozenset({"bc", "bce", "b", "c", "minus", "negative"})  # nothing is lost where the number gets the sign
_MINUS = re.compile(r"(?:^|\s)[-\u2212]\s*\d")
_NEGATION |= {"ohne", "sans", "bc", "bce"}
_CLOCK = frozenset({"am", "pm"})
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_GENERATIONS = frozenset({"jr", "sr", "jun", "sen", "ii", "iii", "iv"})
_TWO_WORDS = re.compile(r"([^\W\d_]{2,})[\s,]+([^\W\d_]{2,})")
_MARK = re.compile(r"(?<=\w)[+*#\u2212-]+$")
_LINK = re.compile(r"\s*(?:https?://|www\.)[\w.-]+", re.IGNORECASE)
CLEAN = 3  # different cells that stay, and show how the cells of a column are built
FEW = 2  # different words that a column leaves out everywhere, and that are no content
MANY = 8  # different words that are compared with each other
COMPARED = 32  # cells that stand for all that become the same
LABELS = 3  # different words that a column writes otherwise, each in as many different cells


def words_replaced(changed: Sequence[Change], cells: Sequence[Change] = ()) -> list[Change]:
    """The changes in which a word becomes another one that is no spelling of it.

    A label that is exchanged is none where it is exchanged everywhere, and for one that no cell had: nothing is merged.
    """
    found = [(change, pairs) for change in changed if (pairs := _new_words(*change))]
    counts = Counter(pair for _, pairs in found for pair in pairs)
    labels = {pair for pair, count in counts.items() if count >= LABELS and not _contradict(*pair)}
    if labels and cells:
        texts = [cell for cell in cells if all(isinstance(text, str) for text in cell)]
        had = Counter(word for before, after in texts if before == after for word in words(before))
        labels = {(old, new) for old, new in labels if not had[old] and (not had[new] or _slip(old, new))}
    few = labels if len(labels) <= LABELS else set()
    return [change for change, pairs in found if not (pairs <= few and _is_label(*change))]


def _is_label(before: str, after: str) -> bool:
    """Whether the rest of the cell stays, and is more than the number of which the word is the unit."""
    kept = set(tokens(before)) & set(tokens(after))
    return bool(kept) and not re.fullmatch(r"\s*[\d.,]+\s*[^\W\d]+\W*", before)


def _new_words(before: str, after: str) -> set[tuple[str, str]]:
    """The words that are new, each with the one that it takes the place of; none where they are spellings of it."""
    olds, news = words(before), words(after)
    gone, come = list((Counter(olds) - Counter(news)).elements()), list((Counter(news) - Counter(olds)).elements())
    gone, come = gone[:MOST_WORDS], come[: 2 * MOST_WORDS]
    parts = {old: found for old in gone if (found := written_apart(old, news))}
    gone = [old for old in gone if old not in parts]
    come = [new for new in come if not any(new in found for found in parts.values())]
    if not come or "".join(olds) == "".join(news) or not olds or not gone:
        return set()
    if key(before) == key(after):
        return set()
    if not any(map(str.isdigit, before + after)) and related(before, after) and not _another_word(olds, news):
        return set()
    replaced = [old for old in gone if not any(spells(old, new) or is_acronym(old, news) for new in come)]
    new = [word for word in come if not any(spells(old, word) for old in gone) and not is_acronym(word, olds)]
    explained = [old for old in gone if is_acronym(old, news)]
    return {(replaced[0], word) for word in new if not any(word[0] in old for old in explained)} if replaced else set()


def _another_word(olds: Sequence[str], news: Sequence[str]) -> bool:
    """Whether one of the words is no spelling and no slip of the one in its place, however long the rest."""
    if len(olds) != len(news):  # joined or parted: each is written in the others
        whole = "".join(olds)
        return any(len(new) > FEW and new not in whole and not any(spells(old, new) for old in olds) for new in news)
    pairs = islice((pair for pair in zip(olds, news, strict=False) if pair[0] != pair[1]), MOST_WORDS)
    return any(opposite(*pair) or (len(news) > 1 and not spells(*pair) and not _slip(*pair)) for pair in pairs)


def _slip(old: str, new: str) -> bool:
    """Whether one letter, or the order of two, is all that differs."""
    if len(old) != len(new) or len(old) < LABELS:
        return False
    apart = [n for n, (one, other) in enumerate(zip(old, new, strict=True)) if one != other]
    return len(apart) == 1 or (len(apart) == FEW and sorted(old) == sorted(new))


def spells(old: str, new: str) -> bool:
    """Whether one is a spelling or a short form of the other, and neither is known to say something else."""
    return (related(old, new) or related(new, old)) and not _contradict(old, new)


def _contradict(old: str, new: str) -> bool:
    """Whether the two are known to say different things."""
    return contradict(old, new) or other_unit(old, new) or opposite(old, new)


def collisions(changed: Sequence[Change]) -> set[Change]:
    """The changes that make the same of two cells that are no spellings of each other.

    Of very many that become the same, some from the whole column stand for the others: each with each takes minutes.
    """
    by_target: dict[str, list[Change]] = defaultdict(list)
    for change in changed:
        if not any(map(str.isdigit, change[1])):
            by_target[key(change[1])].append(change)
    return {
        change
        for group in by_target.values()
        for change in group
        if any(not spells(change[0], other[0]) for other in group[:: -(-len(group) // COMPARED)])
    }


def words_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Words that are left out of some cells and no decoration of them."""
    kept = {word for _, after in cells if isinstance(after, str) for word in words(after)}
    stay = {word for before, after in cells if before == after and isinstance(after, str) for word in words(after)}
    gone: dict[str, Change] = {}
    left: dict[str, set[str]] = defaultdict(set)
    for change in changed:
        olds, news = words(change[0]), words(change[1])
        if _domain_lost(*change):
            return "an address loses its domain", change
        if key(change[0]) == key(change[1]):
            continue  # A/C as AC
        if _MINUS.search(change[1]) and not _MINUS.search(change[0]):
            olds = tuple(old for old in olds if old not in _SAYS_MINUS)
        come = set(Counter(news) - Counter(olds))  # `rm. 3` beside `Room 2` comes to be one more room
        if come and (spelled := _spelled(set(olds) - set(news), come)):
            olds, come = tuple(old for old in olds if old not in spelled), set()  # the rest is left out
        for word in dict.fromkeys(filterfalse(set(news).__contains__, olds)):
            if come and "".join(sorted(news)) not in "".join(sorted(olds)):
                if _short_of(word, stay) and not any(spells(word, new) or same_thing(word, new) for new in come):
                    gone.setdefault(word, change)
            elif (not _decorates(word, change[0]) or _short_of(word, stay)) and (
                len(word) == 1 or word not in key(change[1]) or _sets_apart(word, *change)
            ):
                gone.setdefault(word, change)
                left[word].add(key(change[1]))
    others = {key(before) for before in unchanged_texts(cells)}
    content = [
        word
        for word in gone
        if word in kept
        or word in _NEGATION
        or tells_apart(word)
        or _inside(word, gone[word])
        or _short_of(word, stay)
        or (others and _sets_apart(word, *gone[word]))
    ]
    if content:
        return "words are left out of some cells that stay in others", gone[content[0]]
    if (apart := _telling_apart(left, gone)) is not None:
        return "words are left out that tell values from each other", gone[apart]
    alone = [
        word for word, values in left.items() if len(values) == 1 and words(gone[word][1]) and not values <= others
    ]
    if alone:
        return "a word is left out of one value only", gone[alone[0]]
    different: list[str] = []
    for word in gone:
        if len(different) <= FEW and not any(spells(word, other) for other in different):
            different.append(word)
    if len(different) > FEW:
        return f"{len(gone)} different words are left out", next(iter(gone.values()))
    return None


def _telling_apart(left: Mapping[str, set[str]], gone: Mapping[str, Change]) -> str | None:
    """A word without which values are the same that another one told apart: lamp (black) and lamp (white)."""
    for one, other in combinations(left, 2) if len(left) <= MANY else ():
        same = {value for value in left[one] & left[other] if not value.isdigit()}
        if len(same) >= LABELS and not spells(one, other) and other not in words(gone[one][0]):
            return one
        if {one, other} in FACING_WORDS and not any(became_sign(word, *gone[word]) for word in (one, other)):
            return one
    return None


def _domain_lost(before: str, after: str) -> bool:
    """Whether a mail address loses what stands behind its sign, or the end of it."""
    if (link := _LINK.match(before)) and "." not in after and key(after) in key(link[0]):
        return True
    if "@" not in after:
        return "@" in before and not re.search(r"(?:^|\s)@", before)
    cut = re.search(r"\w@[\w-]+$", after) is not None
    return cut and not before.endswith(after) and len(words(after)) < len(words(before))


def _spelled(gone: set[str], come: set[str]) -> set[str]:
    """The words that became others which only spell them; none where a word came that spells none of them."""
    pairs = {
        (old, new)
        for new in come
        for old in gone
        if same_thing(old, new) or (spells(old, new) and not old.startswith(new))  # what is cut spells nothing
    }
    return {old for old, _ in pairs} if {new for _, new in pairs} == come else set()


def _decorates(word: str, text: str) -> bool:
    """Whether the word says nothing of its own. `st` does so behind a number only, `no` in front of one or alone."""
    if word == "no":
        return re.search(r"\bno(?:\.|\s?[\d#:])|^\W*no\W*$", text.casefold()) is not None
    if word in _CLOCK and not any(map(str.isdigit, text)):
        return False
    if word == "by":
        return re.search(r"\d\s*by\s*\d", text.casefold()) is not None
    if word in _ORDINALS:
        return re.search(rf"\d\s?{word}\b", text.casefold()) is not None
    if len(word) == 1 and re.search(rf"\w[-/]{word}\b|\d{word if word in 'ab' else '-'}\b", text.casefold()):
        return False  # the end of a code or a house number, or one of two sizes: INV-12-A, 12a High Street, S/M
    return word in DECORATION


def left_unlike_others(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A cell that loses a word and looks like none of the cells that stay, which are all built in a few ways."""
    stay = {before for before in unchanged_texts(cells) if before.strip()}
    built = {kinds_of_words(text) for text in stay}
    if len(stay) < CLEAN or len(built) > LABELS:
        return None
    for change in changed:
        olds, news = Counter(words(change[0])), Counter(words(change[1]))
        gone = {word for word in olds - news if len(word) == 1 or word not in DECORATION}
        if gone and not news - olds and not only_repeated_go(*change) and kinds_of_words(change[1]) not in built:
            return "a cell that loses a word looks like no other cell", change
    return None


def _inside(word: str, change: Change) -> bool:
    """Whether the word stands between other words, which stay: it is part of a sentence."""
    if Counter(re.sub(r"[\w\s]", "", change[1])) - Counter(change[0]):
        return False  # a sign took its place
    olds, left = tokens(change[0]), set(tokens(change[1]))
    at = olds.index(word)
    return bool(left & set(olds[:at])) and bool(left & set(olds[at + 1 :]))


def _sets_apart(word: str, before: str, after: str) -> bool:
    """Whether the word tells the cell from others, and nothing else goes: in brackets, or of a name (`Turing Jr.`)."""
    form = rf"\s*[(\[]\s*{re.escape(word)}\s*[)\]]"
    if word in _GENERATIONS:
        form += rf"|(?<=\w)[\s,]+{word}\.?\s*$"
    rest, count = re.subn(form, "", before, flags=re.IGNORECASE)
    return count > 0 and rest.strip().casefold() == after.strip().casefold()


def _short_of(word: str, stay: set[str]) -> bool:
    """Whether the word is known as a form of one that other cells have and keep: N of North."""
    return is_known(word) and any(long != word and same_thing(word, long) for long in stay)


def marks_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A mark behind a word that tells it from another of the column: B+ is not B where there is a B."""
    befores = {key(one) for one, _ in cells if isinstance(one, str) and not _MARK.search(one.strip())}
    for before, after in changed:
        one, other = before.strip(), after.strip()
        if _MARK.search(one) and not _MARK.search(other) and other[:1] != "-" and key(one) == key(other) in befores:
            return "a mark that tells a value from another is left out", (before, after)
    return None


def words_shown_gone(shown: Sequence[Change]) -> bool:
    """Whether a witness leaves out a word that is no decoration."""
    return any(set(Counter(words(one)) - Counter(words(other))) - DECORATION for one, other in shown)


def order_of_others(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Words that come to stand in another order than in the cells that stay: Hopper Grace beside Grace Turing."""
    stay = [match for one, other in cells if one == other and isinstance(one, str) and (match := _pair(one))]
    firsts, lasts = {match[1] for match in stay}, {match[2] for match in stay}
    turned, right = [], 0
    for change in changed:
        match = _pair(change[1])
        if match and "," in change[0] and "," not in change[1]:
            turned += [change] if match[1] in lasts - firsts and match[2] in firsts - lasts else []
            right += match[1] in firsts - lasts and match[2] in lasts - firsts
    if len(turned) >= LABELS and len(turned) > right:
        return "words stand in another order than in the cells that stay", turned[0]
    return None


def _pair(text: str) -> re.Match[str] | None:
    return _TWO_WORDS.fullmatch(text.strip().casefold())
