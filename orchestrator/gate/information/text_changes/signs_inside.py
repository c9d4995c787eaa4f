"""Signs inside words and numbers that a change loses or turns, though they are content. Called by laws.py.

An underscore of a name, an apostrophe, the sign between two numbers, the end of a line: none of them has letters, and
without it two things become one, or one becomes two.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice

from orchestrator.gate.information.changes import Change, Found, unchanged_texts
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.value_kinds.check_digits import isbn
from orchestrator.gate.information.value_kinds.moments import moments

LONG_CODE, SHAPED = 8, 3  # characters of a code, cells that have its very shape
ENOUGH = 3  # different cells that keep a sign, and show that it belongs there
MOST = 50  # different words of one text that are looked for
AROUND = 3  # characters on each side by which a place is found again
_INSIDE = re.compile(r"(?<=\w)(['\u2019&+#/-])(?=\w)|(?<=[^\W_])(_)(?=[^\W_])")
_NAME = re.compile(r"\b([A-Z])['\u2019]([A-Z](?:[a-z]+|[A-Z]{2,}))")
_APOSTROPHE = re.compile(r"([^\W\d_])['\u2019]([^\W\d_])")
_OPERATOR = re.compile(r"(?<!\d)(\d+)\s*[*\u00d7x]\s*(\d+)", re.IGNORECASE)
_MIXED = re.compile(r"(?<![\d/])(\d{1,3})[ -](\d/\d{1,2})(?![\d/])")
_FRACTION_BESIDE = re.compile(r"[\u00bc-\u00be\u2150-\u215e]/\d|\d/[\u00bc-\u00be\u2150-\u215e]")
_FRACTION = re.compile(r"(\d)\s?([\u00bc-\u00be\u2150-\u215e])")
_SIDE = re.compile(r"\s*(?:([NSEW])\s*)?(\d+\.\d+)\s*\u00b0?\s*([NSEW]?)\s*")
_BREAK = re.compile(r"(?i)(?:(?<!\s)\s+)?(?:\n(?:[ \t]*>)*|<br\s*/?>|</(?:p|li|div|tr|h\d)>)\s*(?:<[^<>]*>\s*)*")
_WITHOUT_BLANKS = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")  # scripts of such lines
_WORDS = re.compile(r"[^\W\d_]{2,}")
_BARE = r"(?<![\w.,$€£])(?<![$€£] )(?<![A-Z]{3} )"  # in front of a number that has no currency there
_ENDS = r"(?![\w,]|\.\d|\s?[°%‰$€£]|\s(?:thousand |million |billion |m |bn )?[A-Z]{3}\b)"
_UNIT_SIGN = re.compile(r"(?<![\d.,])(\d+(?:[.,]\d+)*)\s?(°\s?[CF]\b|[%‰€])|([$€£])\s?(\d+(?:[.,]\d+)*)")
_HYPHENED = re.compile(r"(?<![\w-])([^\W\d_]{2,20})-([^\W\d_]{2,20})(?![\w-])")
_LETTER_SIGN = re.compile(r"(?<![\w&])([A-Z]{1,2}|[a-z])(\+{1,2}|#)(?![\w+#])")
_WORD_PLUS = re.compile(
    r"[^\W\d_]{3,}\+|[^\W\d_]{1,2}\+{2,3}"
)  # one plus behind a letter or two may be left out of a grade
_SCHEME = re.compile(r"://(?!/)")
_PROSE = re.compile(r"(?<!\w)[^\W\d_]{2,} [^\W\d_]{2,} [^\W\d_]{2,}")  # words with nothing but blanks between them
_PUNCTUATED = re.compile(r"(?<!\w)([^\W\d_]{2,})(?:\s{1,9}([.,])\s{0,9}|([.,])\s{1,9})(\w+)")
_JOINED = re.compile(r"(?<!\w)[^\W\d_]{2,}[.,]\w+")
SENTENCE = 6  # words of a text that has sentences
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_REPEATED = re.compile(r"([/,;:|@&])\1+")
_POLES = (
    (re.compile(r"\b(?:minus|negative)\b", re.IGNORECASE), re.compile(r"\+")),
    (re.compile(r"\b(?:plus|positive)\b", re.IGNORECASE), re.compile(r"[-\u2212](?!\w)|^\s*[-\u2212]")),
)


def kept_signs_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A sign between two letters or figures that goes, where other cells keep it in such a place."""
    keep: dict[tuple[str, bool, bool], set[str]] = defaultdict(set)
    for one, other in cells:
        if isinstance(one, str) and one == other:
            for place in _places(one):
                keep[place[0]].add(one)
    codes = any(is_long_code(after) for _, after in changed)
    shapes = Counter(_shape(one) for one, other in cells if codes and one == other and isinstance(one, str))
    most = max(SHAPED, *shapes.values()) if shapes else SHAPED
    for before, after in changed:
        if isbn(before) == isbn(after) != "" or (is_long_code(after) and shapes[_shape(after)] >= most):
            continue
        shown, folded = after.casefold(), before.casefold()
        for kind, left, sign, right in dict.fromkeys(_places(before)):
            gone = left + right in shown and left + right not in folded and f"{left}{sign}{right}" not in shown
            # 05/19/96 as 05/19/1996 only looks as if 19/96 were joined, and 04/20/23 as 2023-04-20 as if 20/23 were
            fewer = shown.count(sign) < folded.count(sign) and left not in re.findall(r"\d+", shown)
            if gone and fewer and len(keep[kind]) >= ENOUGH:
                return "a sign is left out that other cells keep", (before, after)
    return None


def signs_gone(before: str, after: str) -> set[tuple[str, bool, bool]]:
    """In what places a sign goes from a text that keeps the rest, but for zeros in front: `A-12` as `A012`."""
    one, other = (_ZEROS.sub("", key(text)) for text in (before, after))
    left = {place[0] for place in _places(after)} if one == other else set()
    return {place[0] for place in _places(before)} - left if one == other else set()


def is_long_code(text: str) -> bool:
    """Whether it is letters and figures alone, and many."""
    return text.isalnum() and len(text) >= LONG_CODE


def _shape(text: str) -> str:
    """How each character is a figure or a letter."""
    return "".join("9" if char.isdecimal() else "A" if char.isupper() else char for char in text)


def _places(text: str) -> list[tuple[tuple[str, bool, bool], str, str, str]]:
    """The signs between letters and figures: the kind of each, and what stands around it."""
    folded = text.casefold()
    found = []
    for match in _INSIDE.finditer(folded):
        sign = match[0].replace("\u2019", "'")
        left, right = folded[max(0, match.start() - AROUND) : match.start()], folded[match.end() : match.end() + AROUND]
        left, right = re.split(r"[\W_]", left)[-1], re.split(r"[\W_]", right)[0]
        if left and right:
            found.append(((sign, left[-1].isdigit(), right[0].isdigit()), left, match[0], right))
    return found


def names_joined(changed: Sequence[Change]) -> Found | None:
    """The apostrophe between two capitals of a name that goes: `ONeil`, `Oneil`."""
    for before, after in changed:
        names = islice(dict.fromkeys(one + other for one, other in _NAME.findall(before)), MOST)
        joined = {way for name in names for way in (name, name.capitalize())}
        if any(name in after and name not in before for name in joined):
            return "the apostrophe of a name is left out", (before, after)
    return None


def words_split(changed: Sequence[Change]) -> Found | None:
    """An apostrophe inside a word that becomes a blank: `It s`."""
    for before, after in changed:
        split = {f"{one} {other}" for one, other in _APOSTROPHE.findall(before)}
        if "  " not in after and any(pair in after and pair not in before for pair in split):
            return "a word is split where it had an apostrophe", (before, after)
    return None


def operators_changed(changed: Sequence[Change]) -> Found | None:
    """The sign of a size or a product between two numbers that becomes another one: `2 * 4`, `2 - 4`."""
    for before, after in changed:
        if moments(after):
            continue  # 2024-09x05
        for one, other in dict.fromkeys(_OPERATOR.findall(before)):
            pair = rf"(?<!\d){one}\s*[-+\u2212]\s*{other}(?!\d)"
            if re.search(pair, after) and not re.search(pair, before):
                return "the sign between two numbers becomes another one", (before, after)
    return None


def fractions_joined(changed: Sequence[Change]) -> Found | None:
    """A number that runs into the fraction behind it: `2\u00bd` as `21/2`."""
    for before, after in changed:
        for whole, fraction in _MIXED.findall(before):
            joined = (f"{whole}{fraction}", f"{whole}.{fraction[0]}", f"{whole}.{fraction.replace('/', '')}")
            if any(one in after and one not in before for one in joined):
                return "a number runs into the fraction behind it", (before, after)
        for whole, sign in _FRACTION.findall(before):
            fraction = unicodedata.normalize("NFKC", sign).replace("\u2044", "/")
            if f"{whole}{fraction}" in after:
                return "a number runs into the fraction behind it", (before, after)
    return None


def fractions_in_dates(changed: Sequence[Change]) -> Found | None:
    """Two of the three numbers of a date as the sign of a fraction: `1/2/2024` as `\u00bd/2024`."""
    for before, after in changed:
        if _FRACTION_BESIDE.search(after) and not _FRACTION_BESIDE.search(before):
            return "a part of a date becomes a fraction", (before, after)
    return None


def units_in_sentences_gone(changed: Sequence[Change]) -> Found | None:
    """The sign of a unit or a currency that a number among words loses: `Temp. 38.2 °C, no cough` without the sign."""
    return units_gone([change for change in changed if len(_WORDS.findall(change[0])) >= ENOUGH])


def units_gone(changed: Sequence[Change]) -> Found | None:
    """The same among few words, as witnesses may show it."""
    for before, after in changed:
        for number, sign in dict.fromkeys((m[1] or m[4], m[2] or m[3]) for m in _UNIT_SIGN.finditer(before)):
            bare = re.compile(rf"{_BARE}{re.escape(number)}{_ENDS}")
            if sign not in after and len(bare.findall(after)) > len(bare.findall(before)):
                return "a number among words loses its unit", (before, after)
    return None


def letters_bare(changed: Sequence[Change]) -> Found | None:
    """The sign behind one or two capitals that goes: `C++` and `F#` are no `C` and no `F`."""
    for before, after in changed:
        for letters, sign in islice(dict.fromkeys(_LETTER_SIGN.findall(before)), MOST):
            bare = re.compile(rf"(?<!\w){letters}(?![\w+#-])")
            gone = letters + sign not in after and after.count(sign) < before.count(sign)
            if gone and len(bare.findall(after)) > len(bare.findall(before)):
                return "the sign behind a letter is left out", (before, after)
    return None


def hyphens_as_dashes(changed: Sequence[Change]) -> Found | None:
    """The hyphen of a word that becomes a dash, as between two years: `well-known` as `well–known`."""
    for before, after in changed:
        for one, other in islice(dict.fromkeys(_HYPHENED.findall(before)), MOST):
            if any(f"{one}{dash}{other}" in after for dash in "\u2013\u2014" if dash not in before):
                return "the hyphen inside a word becomes a dash", (before, after)
    return None


def plus_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """The plus behind a word that other cells have without it: `Gold+` is not `Gold`."""
    stay = {one.strip() for one in unchanged_texts(cells)}
    for before, after in changed:
        if _WORD_PLUS.fullmatch(before.strip()) and after.strip() == before.strip()[:-1] and after.strip() in stay:
            return "a plus is left out, and other cells have none", (before, after)
    return None


def punctuation_joined(changed: Sequence[Change]) -> Found | None:
    """Words of a sentence between which a sign loses its blank: `fine , but` as `fine,but`, `a .NET` as `a.NET`."""
    for before, after in changed:
        if not _PROSE.search(before):
            continue
        new = set(_JOINED.findall(after)) - set(_JOINED.findall(before)) if "://" not in after else set()
        if new and any(f"{m[1]}{m[2] or m[3]}{m[4]}" in new for m in _PUNCTUATED.finditer(before)):
            return "words of a sentence are joined by a sign", (before, after)
    return None


def sentences_unmarked(changed: Sequence[Change]) -> Found | None:
    """All signs between and behind the sentences of a text: `It is late. Why?` as `It is late Why`."""
    for before, after in changed:
        words = before.split()
        marks = [word for word in words if word[-1] in ".,;!?"]
        kept = re.findall(r"\w+", before) == re.findall(r"\w+", after)
        if kept and len(words) >= SENTENCE and len(marks) > 1 and not re.search(r"[.,;!?]", after):
            return "the signs between sentences are left out", (before, after)
    return None


def lines_joined(changed: Sequence[Change]) -> Found | None:
    """The end of a line and the beginning of the next that become one word."""
    for before, after in changed:
        for match in _BREAK.finditer(before):
            left, right = (
                before[max(0, match.start() - AROUND) : match.start()],
                before[match.end() : match.end() + AROUND],
            )
            if not left or not right or left[-1] == "-" or not right[0].isalnum() or _WITHOUT_BLANKS.match(right):
                continue
            if left + right in after and left + right not in before:
                return "the words of two lines become one", (before, after)
    return None


def poles_turned(changed: Sequence[Change]) -> Found | None:
    """`minus` that becomes a plus sign, or `plus` a minus."""
    for before, after in changed:
        for word, sign in _POLES:
            gone = len(word.findall(after)) < len(word.findall(before))
            if gone and sign.search(after) and not sign.search(before):
                return "a word becomes the opposite sign", (before, after)
    return None


def fronts_cut(changed: Sequence[Change]) -> Found | None:
    """A text that begins in the middle of a word: `ew Knuth` of `Drew Knuth`."""
    for before, after in changed:
        cut = len(before) - len(after)
        if cut > 0 and before.endswith(after) and before[cut - 1].isalpha() and after[:1].islower():
            return "a word loses its beginning", (before, after)
    return None


def sides_left_out(changed: Sequence[Change]) -> Found | None:
    """Degrees north and south, or east and west, that lose the letter and get the same sign."""
    lost: dict[str, Change] = {}
    for before, after in changed:
        match = _SIDE.fullmatch(before)
        if match and (match[1] or match[3]) and re.fullmatch(r"[+-]?[\d.]+", after.strip()):
            lost.setdefault((match[1] or match[3]) + ("-" if after.strip().startswith("-") else "+"), (before, after))
    for one, other in ("NS", "EW"):
        same = next((sign for sign in "+-" if one + sign in lost and other + sign in lost), None)
        if same is not None:
            return "two sides get the same sign", lost[other + same]
    return None


def signs_repeated(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A sign that is repeated more often than in the cell before, or in any other: `https:////host`."""
    longest = _runs(one for one, _ in cells if isinstance(one, str))
    for before, after in changed:
        ours = _runs([before])
        if any(length > max(longest[sign], ours[sign]) for sign, length in _runs([after]).items() if sign in before):
            return "a sign is repeated as in no other cell", (before, after)
    return None


def _runs(texts: Iterable[str]) -> Counter[str]:
    """How often each sign stands behind itself, at most."""
    longest = Counter[str]()
    for text in texts:
        for match in _REPEATED.finditer(_SCHEME.sub(":", text)):
            longest[match[1]] = max(longest[match[1]], len(match[0]))
    return longest
