"""Changes of case that say something else, or that no other cell of the column speaks for. Called by laws.py."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.value_kinds.known_words import DECORATION

ENOUGH = 3  # different cells that show how names of several words are written
TWICE = 2  # different cells that write a word with a capital inside
LETTERS = 2  # at the front that stay, and at most more or fewer, where a word is spelt otherwise
NAMES = 8  # different words that lose their capital: labels of a column are fewer
SHORTEST = 3  # letters of a word that is no unit
PROSE = 5  # words of a text of which only names have capitals
_LATER = re.compile(r"(?<=[\s-])[^\W\d_]+")
# Words that names write in small letters.
_SMALL = frozenset(
    {
        "a", "al", "am", "an", "and", "as", "at", "auf", "aux", "av", "bei", "by", "cum", "da", "das", "de",
        "degli", "dei", "del", "della", "delle", "dem", "den", "der", "des", "di", "do", "dos", "du", "e", "el",
        "en", "et", "for", "from", "i", "im", "in", "la", "las", "le", "les", "lez", "los", "nel", "nor", "o",
        "och", "of", "og", "on", "op", "or", "os", "per", "sous", "sul", "sur", "ten", "ter", "the", "to", "und",
        "upon", "van", "vom", "von", "vor", "with", "y", "zu", "zum", "zur",
    }
)  # fmt: skip
_INNER = re.compile(r"\b(?:Mc|Mac|De|Du|Di|La|Le|Fitz|O['\u2019])[A-Z][a-z]+")  # two capitals of one name
_LETTERS_ONLY = re.compile(r"[B-DF-HJ-NP-TV-XZ]{2,4}")  # without a vowel nobody reads it as a word
_PREFIXED_UNIT = re.compile(r"(?<=\d)\s?([mM](?:W|Wh|Hz|Pa|V|A|J|eV)|[KMGT]i?[bB](?:/s|ps))(?![\w/])")
_ACRONYM = re.compile(r"(?<![\w'\u2019.-])(?:[A-Z]{2,3}|(?=[XVI]{4,})X{0,3}(?:V?I{1,3}|I[VX]|V))(?![\w'\u2019-])")
_SHOUTED = re.compile(r"[^\W\d_]{4,}")
_CAMEL = re.compile(r"(?<![^\W_])[^\W\d_]{0,30}[a-z][A-Z][^\W\d_]{0,30}(?![^\W_])")
_CAMEL_WORD = re.compile(r"[^\W\d_]+")
_TITLES = frozenset({"mr", "mrs", "ms", "dr", "st", "jr", "sr", "fr", "rd", "phd", "md", "ln", "blvd", "pkwy", "hwy"})
_SENTENCE = re.compile(r"(?<!\w)[^\W\d_]{2,}[.!?](?:\s|$)")
_ESCAPE = re.compile(r"%[0-9a-f]{2}", re.IGNORECASE)  # of a sign in a link: its letters mean the same in both cases
_ASKED = re.compile(r"[?&#]")
_LINK = re.compile(r"(?:https?://)?[\w.-]+\.[a-z]{2,}(/\S*)", re.IGNORECASE)
_PUT_INSIDE = re.compile(r"[^\W\d_][a-z\u00df-\u00ff][A-Z]")
_MIXED = re.compile(r"(?<![^\W_])[A-Za-z0-9]{0,10}[A-Z][a-z][A-Z0-9][A-Za-z0-9]{0,10}(?![^\W_])")
_CAPITAL_INSIDE = re.compile(r"[A-Z][a-z]{1,3}[A-Z][a-z]+")


def names_uncapitalised(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A name of several words of which only the first begins with a capital, where other cells write all so."""
    stay = {one for one in unchanged_texts(cells) if _later(one)}
    if len(stay) < ENOUGH or any(not word[0].isupper() for text in stay for word in _later(text)):
        return None
    found = next((change for change in changed if uncapitalised(*change)), None)
    return None if found is None else ("a name is written in small letters, as no other cell is", found)


def many_names_uncapitalised(changed: Sequence[Change]) -> Found | None:
    """The same of many different words, of which only the first letter was large: `Ada lovelace`, `Grace hopper`."""
    lost = [(word, change) for change in changed for word in uncapitalised(*change)]
    found = {word: change for word, change in lost if word.capitalize() in change[0]}
    if len(found) < NAMES:
        return None
    return "names keep the capital of their first word only", next(iter(found.values()))


def uncapitalised(before: str, after: str) -> list[str]:
    """The words behind the first one that lose their capital, where it keeps its own."""
    if before.casefold() != after.casefold() or not after[:1].isupper():
        return []
    pairs = zip(_later(before), _later(after), strict=False)
    return [new for old, new in pairs if new[0].islower() and old[0].isupper()]


def sentences_recased(changed: Sequence[Change]) -> Found | None:
    """Sentences that lose all their capitals, or get nothing else: who and what they name cannot be told any more."""
    for before, after in changed:
        recased = before.casefold() == after.casefold() and after in (after.lower(), after.upper())
        if recased and (len(_SENTENCE.findall(before)) > 1 or len(before.split()) >= PROSE) and _names(before):
            return "sentences are written in letters of one size", (before, after)
    return None


def _names(text: str) -> bool:
    """Whether a word inside a sentence begins with a capital, and most words do not."""
    inside = re.findall(r"(?<=[^\W\d_] )[^\W\d_]{2,}", text)
    large = sum(1 for word in inside if word[0].isupper())
    return 0 < 2 * large < len(inside)


def _later(text: str) -> list[str]:
    """The words behind the first one that names write with a capital."""
    return [word for word in _LATER.findall(text) if word.casefold() not in _SMALL]


def paths_recased(changed: Sequence[Change]) -> Found | None:
    """The path of a link, in which capitals and small letters are two things."""
    for before, after in changed:
        parts, left = _path(before), _path(after)
        folded = {part.casefold() for part in parts}
        if any(part.casefold() in folded and part not in parts for part in left):
            return "the path of a link changes its letters", (before, after)
    return None


def _path(text: str) -> list[str]:
    """With what is asked of it: some of these parts may go, `utm_source=mail`, while the others stay."""
    match = _LINK.fullmatch(text.strip())
    return [] if match is None else _ASKED.split(_ESCAPE.sub(lambda escape: escape[0].upper(), match[1]))


def inner_capitals_gone(changed: Sequence[Change]) -> Found | None:
    """A name with two capitals that keeps the first one only (`Mchenry`), or letters without a vowel (`Lg` of `LG`)."""
    for before, after in changed:
        if before.casefold() != after.casefold():
            continue
        lost = [name for name in _INNER.findall(before) if name.capitalize() in after and name not in after]
        alone = _LETTERS_ONLY.fullmatch(before) and after == before.capitalize() and after.casefold() not in _TITLES
        if lost or alone:
            return "a name loses capitals inside of it", (before, after)
    return None


def capitals_inside_moved(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A word with a capital inside that several cells write so, and that becomes a name like others: `Iphone 12`."""
    texts = {one for one, _ in cells if isinstance(one, str)} | {one for one, _ in changed}
    usual = Counter(word for text in texts for word in set(_CAMEL.findall(text)))
    stay = {word for one in unchanged_texts(cells) for word in _CAMEL_WORD.findall(one)}
    for before, after in changed:
        come = set(_CAMEL_WORD.findall(after)) - stay
        for word in set(_CAMEL.findall(before)):
            if usual[word] >= TWICE and word not in come and word.capitalize() in come:
                return "a name loses capitals inside of it", (before, after)
    return None


def prefixes_recased(changed: Sequence[Change]) -> Found | None:
    """Mega as milli, bits as bytes, or the reverse: `5 MW` as `5 mW`."""
    for before, after in changed:
        one, other = _PREFIXED_UNIT.search(before), _PREFIXED_UNIT.search(after)
        if one and other and one[1] != other[1] and one[1].casefold() == other[1].casefold():
            return "a unit becomes a thousand times as large or small", (before, after)
    return None


def acronyms_lowered(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Two or three capitals among words in small letters that keep the first one only: `Vp Sales`, `Henry Iii`.

    Where longer words in capitals are written as names as well (`Ada KNUTH`), the short ones may be names, too, and
    where other cells write them so they are.
    """
    stay = {word for one in unchanged_texts(cells) for word in one.split()}
    stay_texts = [one for one, other in cells if one == other and isinstance(one, str) and re.search(r"[a-zà-ÿ]", one)]
    kept = any(word.isupper() for text in stay_texts for word in _SHOUTED.findall(text))
    found: Change | None = None
    for before, after in changed:
        if before.casefold() != after.casefold() or not re.search(r"[^\W\d_][a-zà-ÿ]", before):
            continue
        if lowered := [w for w in _SHOUTED.findall(_ACRONYM.sub("", before)) if w.isupper() and w not in after]:
            if kept and {word.capitalize() for word in lowered} & set(after.split()):
                return "letters that stand for words are written as a word", (before, after)
            return None
        for match in _ACRONYM.finditer(before):
            known = match[0].casefold() in _SMALL | _TITLES | DECORATION or match[0].capitalize() in stay
            if not known and after[match.start() : match.end()] == match[0].capitalize():
                found = found or (before, after)
    return None if found is None else ("letters that stand for words are written as a word", found)


def capitals_inside_lost(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A name in capitals that is written otherwise than another cell writes it: `MCDONALD` beside `McDonald`."""
    stay = {
        word.casefold(): word
        for one, other in cells
        if isinstance(one, str) and one == other
        for word in one.split()
        if _CAPITAL_INSIDE.fullmatch(word)
    }
    for before, after in changed if stay else ():
        for word in set(after.split()) - set(before.split()):
            if stay.get(word.casefold(), word) != word:
                return "a name is written otherwise than other cells write it", (before, after)
    return None


def capitals_of_respelt_gone(changed: Sequence[Change]) -> Found | None:
    """A word of a sentence that is spelt otherwise and loses its capital, too: `Daß` as `dass`, and not as `Dass`."""
    for before, after in changed:
        ours, theirs = _CAMEL_WORD.findall(before), _CAMEL_WORD.findall(after)
        if len(ours) != len(theirs) or len(ours) < PROSE or not any(word[0].isupper() for word in theirs):
            continue
        for one, other in zip(ours, theirs, strict=True):
            respelt = one.casefold() != other.casefold() or (one.lower() != other and "\u00df" in one)
            alike = one[:LETTERS].lower() == other[:LETTERS] and abs(len(one) - len(other)) <= LETTERS
            if respelt and alike and len(one) >= SHORTEST and one[0].isupper():
                return "a word loses its capital where it is spelt otherwise", (before, after)
    return None


def formulas_in_capitals(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Formulas and codes whose small letters become capitals, while other cells keep theirs: `CoCl2` as `COCL2`."""
    stay = {word for one in unchanged_texts(cells) for word in _MIXED.findall(one)}
    for before, after in changed if len(stay) >= ENOUGH else ():
        if any(word not in after and word.upper() in after for word in _MIXED.findall(before)):
            return "small letters of a formula become capitals", (before, after)
    return None


def capitals_put_inside(changed: Sequence[Change]) -> Found | None:
    """Words of texts that get a capital inside, where they had none: `Unſere Reiſe` as `UnSere ReiSe`."""
    found: dict[str, Change] = {}
    for before, after in changed:
        if len(words := _CAMEL_WORD.findall(after)) < PROSE:
            continue
        had = {word.casefold(): word for word in _CAMEL_WORD.findall(before)}
        for word in words:
            old = had.get(word.casefold(), "")
            if _PUT_INSIDE.search(word) and old and not _PUT_INSIDE.search(old) and not old.isupper():
                found.setdefault(word, (before, after))
    if len(found) < ENOUGH:
        return None
    return "words get capitals inside", next(iter(found.values()))


def capitals_with_marks_gone(changed: Sequence[Change]) -> Found | None:
    """A capital that becomes small where only its mark was to become another one: `\u015etefan` as `\u0219tefan`."""
    for before, after in changed:
        if len(before) != len(after) or before.isascii():
            continue
        other = [(one, new) for one, new in zip(before, after, strict=True) if one != new]
        turned = [one.isupper() and new.islower() and _plain(one) == _plain(new) for one, new in other]
        if any(turned) and not any(one.lower() == new for one, new in other):
            return "a capital becomes small", (before, after)
    return None


def _plain(letter: str) -> str:
    return unicodedata.normalize("NFD", letter)[0].casefold()
