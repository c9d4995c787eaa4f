"""Which few texts of a column are written in another form than most. Called where a run says what is left in the end.

Silence is better than noise: a text counts only where the column itself shows the usual form. Names, free text, and
numbers of any length and decimals have no form that could be missed.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from orchestrator.data.profile.missing_words import NULL_TOKENS

_FEWEST_CELLS, _FEWEST_ODD = 20, 3
_USUAL, _ODD = 0.6, 0.15  # shares: of the most frequent form at least, and of all odd ones together at most
_NEARLY_ALL = 0.85
_LONGEST, _LONGEST_CODE = 60, 24  # characters: what is longer is text
_MOST_UNITS = 12
_NUMBER = re.compile(
    r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+(?=,\d)|\d{1,3}(?:\.\d{3}){2,}|\d+)(?:[.,]\d+)?(?:[eE][-+]?\d+)?(?![\d.,]*\d)"
)
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")
_UNIT = re.compile(r"(?<=\d)([ \u00a0]?[°º]?)([^\W\d_]{1,5})(?=\W*$)")
_MARK = "\0"  # around a unit in a form
_MARKED = re.compile(f"{_MARK}[^{_MARK}]*{_MARK}")
_WORDS_ALIKE = re.compile(r"(?<![Aa])(Aa|A|a)(?: \1)+(?![Aa])")
_BOUND = re.compile(r"[<>\u2264\u2265~] ?[-+]?\d.*")
_LABEL = re.compile(r"\d{1,4} ?[A-Za-z]|[A-Za-z]\d{1,4}|\d{7}(?:\d\d)?[Xx]")  # of a flat, a seat; a check digit
_RANGE = re.compile(r"(\d+) ?[-\u2013/] ?(\d+)")
_LOOSE = re.compile(r"[\s.,;:'\u2019\"_]+")
_JOINED = re.compile(r"(?<=\w)-(?=\w)")
_CODE = re.compile(r"[A-Z]{2,3}|[a-z]{2,3}")
_OTHERS = frozenset({"other", "others", "all", "any", "both", "various", "mixed", "none", "total", *NULL_TOKENS})
_HOLDS_MORE = re.compile(r"[\[{<]|://|@|\n")


class OddForm(NamedTuple):
    """The texts of one form, and the form that most have."""

    form: str
    usual: str
    texts: frozenset[str]


def odd_forms(counts: Mapping[str, int]) -> list[OddForm]:
    """The forms of which the column has few cells beside a usual one, the most frequent first. `counts`: by text."""
    counts = {text: n for text, n in counts.items() if text.strip() and text.strip().casefold() not in NULL_TOKENS}
    total = sum(counts.values())
    counts = {text: n for text, n in counts.items() if len(text) <= _LONGEST}
    if total < _FEWEST_CELLS or sum(counts.values()) < _NEARLY_ALL * total or any(map(_HOLDS_MORE.search, counts)):
        return []
    found: dict[str, tuple[str, str]] = {}
    for learn in (_spellings, _in_figures, _codes, _lengths):
        for text, pair in learn(counts, total).items():
            found.setdefault(text, pair)
    groups: dict[tuple[str, str], set[str]] = defaultdict(set)
    for text, pair in found.items():
        groups[pair].add(text)
    rows = {pair: sum(counts[text] for text in texts) for pair, texts in groups.items()}
    told = [pair for pair in sorted(rows, key=lambda pair: (-rows[pair], pair)) if rows[pair] >= _FEWEST_ODD]
    if sum(rows.values()) > _ODD * total:
        return []
    return [OddForm(*pair, frozenset(groups[pair])) for pair in told]


def form_of(text: str) -> str:
    """How a text looks: `9` for a number, and words by their case."""
    words = _WORD.sub(_case, _NUMBER.sub("9", text))
    return _WORDS_ALIKE.sub(r"\1", _DIGITS.sub("9", words))


def _case(word: "re.Match[str]") -> str:
    text = word[0]
    if text.isupper():
        return "A"
    return (
        "Aa" if text[0].isupper() and text[1:].islower() else "a" if text.islower() or text.lower() == text else "AaA"
    )


def _spellings(counts: Mapping[str, int], _: int) -> dict[str, tuple[str, str]]:
    """Texts that are others of the column but for case, blanks, stops, and figures."""
    written: dict[str, Counter[str]] = defaultdict(Counter)
    for text, count in counts.items():
        if _WORD.search(text):
            written[_loose(text)][_masked(text)] += count
    usual = {
        key: most[0][0]
        for key, forms in written.items()
        if len(forms) > 1
        and len(key) > 1
        and (most := forms.most_common(1))[0][1] >= max(_FEWEST_ODD + 2, _NEARLY_ALL * forms.total())
    }
    odd = {text: usual[key] for text in counts if (key := _loose(text)) in usual and _masked(text) != usual[key]}
    return {text: pair for text, most in odd.items() if (pair := _apart(text, most))}


def _loose(text: str) -> str:
    return _LOOSE.sub("", _JOINED.sub("", _DIGITS.sub("9", text.casefold())))


def _masked(text: str) -> str:
    return _DIGITS.sub("9", text)


def _apart(text: str, most: str) -> tuple[str, str] | None:
    """The two forms, where they differ."""
    one, other = form_of(text), form_of(most)
    return (one, other) if one != other else None


def _in_figures(counts: Mapping[str, int], total: int) -> dict[str, tuple[str, str]]:
    """Texts of numbers with other signs between them, or with another unit, than most."""
    units = {unit for text in counts for _, unit in _UNIT.findall(text)}
    if len(units) <= _MOST_UNITS:
        found = _beside_usual(counts, total, _with_unit)
        if found is not None:
            return found
    return _beside_usual(counts, total, form_of) or {}


def _with_unit(text: str) -> str:
    """The form, in which a unit behind the last number is itself: of metres and feet one may be the odd one."""
    if (unit := _UNIT.search(text)) is None:
        return form_of(text)
    before = form_of(text[: unit.start()])
    if _WORD.search(before):
        return form_of(text)
    return f"{before}{_MARK}{unit[1]}{unit[2].rstrip('s')}{_MARK}{form_of(text[unit.end() :])}"


def _beside_usual(
    counts: Mapping[str, int], total: int, form: Callable[[str], str]
) -> dict[str, tuple[str, str]] | None:
    """Texts with figures whose form is among the rarest; None where the column has no usual form of figures.

    With words beside the numbers there is none: streets, titles and codes are of many forms.
    """
    forms: Counter[str] = Counter()
    for text, count in counts.items():
        forms[form(text).lstrip("-")] += count
    usual, most = forms.most_common(1)[0]
    if most < _USUAL * total or "9" not in usual or _WORD.search(_MARKED.sub("", usual)):
        return None
    rare, sum_rare = set(), 0
    for one, count in reversed(forms.most_common()):
        if (sum_rare := sum_rare + count) > _ODD * total:
            break
        rare.add(one)
    return {
        text: (form(text).replace(_MARK, ""), usual.replace(_MARK, ""))
        for text in counts
        if (one := form(text).lstrip("-")) in rare and "9" in one and not _stays(text, usual)
    }


def _stays(text: str, usual: str) -> bool:
    """What is right beside numbers: bounds, labels of flats, ranges, and a name among figures."""
    if usual != "9":
        return False
    run = _RANGE.fullmatch(text)
    return bool(_BOUND.fullmatch(text) or _LABEL.fullmatch(text) or (run and int(run[1]) < int(run[2])))


def _codes(counts: Mapping[str, int], total: int) -> dict[str, tuple[str, str]]:
    """Codes whose letters and figures stand as in most, with other signs between them; words among codes of letters."""
    return dict(_parted_otherwise(counts, total)) or dict(_words_among_codes(counts, total))


def _parted_otherwise(counts: Mapping[str, int], total: int) -> Iterator[tuple[str, tuple[str, str]]]:
    plain = {text: count for text, count in counts.items() if _may_be_code(text)}
    if sum(plain.values()) < _NEARLY_ALL * total:
        return
    signs: dict[str, Counter[str]] = defaultdict(Counter)
    for text, count in plain.items():
        signs[_bare(text)][_dressed(text)] += count
    for text in plain:
        forms = signs[_bare(text)]
        usual, most = forms.most_common(1)[0]
        if _dressed(text) == usual or most < _NEARLY_ALL * forms.total() or most <= _FEWEST_ODD:
            continue
        if "a" in usual and "aaaaa" not in usual and "aaaaa" not in _dressed(text):
            yield text, (_short(_dressed(text)), _short(usual))


def _may_be_code(text: str) -> bool:
    """Short, with figures, and no words: `45 2nd Ave` has as many letters and figures as `123 Oak Ave`."""
    if len(text) > _LONGEST_CODE or text.count(" ") > 1 or _DIGITS.search(text) is None:
        return False
    return all(word.isupper() or word.islower() for word in _WORD.findall(text))


def _bare(text: str) -> str:
    """The letters and figures, in kind and number, without what stands between them."""
    return "".join("9" if char.isdigit() else "a" for char in text if char.isalnum())


def _dressed(text: str) -> str:
    return "".join("9" if char.isdigit() else "a" if char.isalpha() else char for char in text)


def _short(dressed: str) -> str:
    return re.sub(r"([9a])\1+", r"\1", dressed).replace("a", "A")


def _words_among_codes(counts: Mapping[str, int], total: int) -> Iterator[tuple[str, tuple[str, str]]]:
    """`California` among `CA`, `English` among `eng`: the codes all have one length and one case."""
    codes: dict[tuple[int, bool], Counter[str]] = defaultdict(Counter)
    for text, count in counts.items():
        if _CODE.fullmatch(text):
            codes[len(text), text.isupper()][text] += count
    if not codes:
        return
    (_, upper), usual = max(codes.items(), key=lambda one: one[1].total())
    if len(usual) < _FEWEST_ODD or usual.total() < _NEARLY_ALL * total:
        return
    for text in counts:
        if text not in usual and _WORD.search(text) and text.casefold() not in _OTHERS:
            form, most = form_of(text), "A" if upper else "a"
            if form != most and "9" not in form:
                yield text, (form, most)


def _lengths(counts: Mapping[str, int], total: int) -> dict[str, tuple[str, str]]:
    """Codes of figures that are shorter than most, where zeros in front show that the length is fixed."""
    by_length: Counter[int] = Counter()
    for text, count in counts.items():
        if text.isascii() and text.isdigit():
            by_length[len(text)] += count
    length, most = by_length.most_common(1)[0] if by_length else (0, 0)
    zeros = sum(count for text, count in counts.items() if len(text) == length and text.startswith("0"))
    if length < _FEWEST_ODD or most < _NEARLY_ALL * total or zeros < _FEWEST_ODD:
        return {}
    return {
        text: ("9" * len(text), "9" * length)
        for text in counts
        if text.isascii() and text.isdigit() and len(text) < length
    }


def counted_texts(texts: Iterable[str]) -> Counter[str]:
    """How often each text stands, without blanks at its ends."""
    return Counter(text.strip() for text in texts)
