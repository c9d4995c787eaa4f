"""Changes that take a value for another one than the column's other cells show. Called by laws.py."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.similarity import key, related
from orchestrator.gate.information.text_changes.words_changed import spells
from orchestrator.gate.information.tokens import all_figures, layout, words
from orchestrator.gate.information.value_kinds.known_words import DECORATION, contradict

MOST = 60  # different values of a column of labels: each is laid beside all of them
CODE = 3  # letters of a short form that is known by its first one
ENOUGH = 3  # different codes that show how a column writes them
LONG = 6  # figures of a code, behind which a letter is no unit
_PHRASE = re.compile(r"[^\W\d_]+\.?(?:[ -][^\W\d_]+\.?)+")
_PREFIXED = re.compile(r"([^\W\d_]{1,4})[\s-]?\d")
_SCHEME = re.compile(r"^(?:https?://(?:www\.)?|www\.|mailto:)", re.IGNORECASE)
_ENDED = re.compile(r".*\d[A-Z]")


def qualified_merged(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """`partially shipped` becomes what `shipped` is: the word that told the two apart is gone."""
    said: dict[str, set[str]] = defaultdict(set)
    for before, after in cells:
        if isinstance(before, str) and isinstance(after, str):
            said[key(after)].add(before)
    values = {word for befores in said.values() for one in befores for word in [key(one)]}
    left_out = Counter(word for before, after in changed for word in {*words(before)} - {*words(after)})
    for change in changed:
        before, after = change
        others = said[key(after)]
        if not _PHRASE.fullmatch(before.strip()) or len(others) > MOST or (after.isupper() and not before.isupper()):
            continue
        mine, left = set(words(before)), set(words(after))
        for other in others - {before}:
            theirs = set(words(other))
            more = mine - theirs - DECORATION
            shades = {word for word in more if any(contradict(word, other) for other in left)}  # navy and blue
            alone = all(
                left_out[word] == 1 and word not in values | shades for word in more
            )  # more often it is a label
            if more and theirs and theirs < mine and alone and not any(_written(one, left | theirs) for one in more):
                return "a value becomes another one that has a word less", change
    return None


def _written(word: str, others: set[str]) -> bool:
    return any(spells(word, other) for other in others)


def passed_over(changed: Sequence[Change], cells: Sequence[Change], same: Callable[[str, str], bool]) -> Found | None:
    """A value becomes what no other cell has, though other cells have what it is known, or as likely, to stand for."""
    texts = [cell for cell in cells if all(isinstance(text, str) and text.strip() for text in cell)]
    stay = {before for before, after in texts if before == after}
    if len(stay) > MOST or len(changed) > MOST:
        return None
    for before, after in changed:
        if any(map(str.isdigit, before + after)) or key(before) == key(after):
            continue
        others = {other for one, other in texts if key(one) != key(before)} - {after}
        if after in stay or any(other == after for one, other in texts if key(one) not in (key(before), key(after))):
            continue
        fits = [one for one in stay if layout(one) == layout(after) and same(before, one) and not same(after, one)]
        if fits and sorted(words(before)) != sorted(words(after)):
            return "a value becomes another one than the one that other cells have for it", (before, after)
        if _short_for(before, after) and any(_short_for(before, one) and not related(one, after) for one in others):
            return "a short form becomes what no other cell has, and another value fits as well", (before, after)
    return None


def _short_for(short: str, long: str) -> bool:
    letters = key(short)
    return letters.isalpha() and len(letters) <= CODE < len(key(long)) and key(long).startswith(letters)


def found_inside(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A word becomes another value that is only a part of it: `re-opened` as `open`, `female` as `male`."""
    stay = {key(one) for one in unchanged_texts(cells)}
    for before, after in changed:
        inside = key(after)
        shortest = 2 if before.isupper() and after.isupper() else CODE
        if len(inside) < shortest or inside not in stay or inside in words(before) or not inside.isalpha():
            continue
        if key(_SCHEME.sub("", before.strip())) == inside:
            continue  # the host of a web address, or the address of a mail, is what it was
        if len(before.split()) == 1 and inside in key(before)[1:] and not key(before).startswith(inside):
            return "a word becomes another value that is only a part of it", (before, after)
    return None


def code_parts_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Letters in front of some codes that are left out while others keep theirs, or the letter at the end of a few."""
    kept = {match[1].casefold() for one, other in cells if (match := _kept_prefix(one, other))}
    lost: dict[str, list[Change]] = defaultdict(list)
    ended = []
    texts = {one for one, _ in cells if isinstance(one, str)}
    for before, after in changed:
        if prefix := loses_prefix(before, after):
            lost[prefix].append((before, after))
        if (
            "." not in before
            and _ENDED.fullmatch(before.strip())
            and key(after) == key(before)[:-1]
            and len(all_figures(before)) >= LONG
        ):
            ended.append((before, after))
    for prefix, found in lost.items():
        if len(found) >= ENOUGH and kept - {prefix} and prefix not in DECORATION | kept:
            return "letters in front of some codes are left out that others keep", found[0]
    if len(ended) >= ENOUGH and not all(text.strip()[-1:].isalpha() for text in texts):
        return "letters at the end of a code are left out", ended[0]
    return None


def loses_prefix(before: str, after: str) -> str:
    """The letters in front of a code that are left out of it; empty where there are none."""
    match = _PREFIXED.match(before.strip())
    return match[1].casefold() if match and after[:1].isdigit() and match[1].casefold() not in words(after) else ""


def _kept_prefix(before: object, after: object) -> re.Match[str] | None:
    if not isinstance(before, str) or not isinstance(after, str):
        return None
    one, other = _PREFIXED.match(before.strip()), _PREFIXED.match(after.strip())
    return one if one and other and one[1].casefold() == other[1].casefold() else None


def shorter_than_others(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Zeros in front are lost of a number that was as long as the others, and is now shorter than any of them."""
    lengths: dict[int, set[str]] = defaultdict(set)
    for one, other in cells:
        if isinstance(one, str) and one == other and one.isdigit():
            lengths[len(one)].add(one)
    for before, after in changed:
        cut = before.isdigit() and before.startswith("0") and after == before.lstrip("0")
        short = any(found for length, found in lengths.items() if length <= len(after))
        if cut and not short and len(lengths[len(before)]) >= ENOUGH:
            return "zeros in front are lost, and no other number is as short", (before, after)
    return None
