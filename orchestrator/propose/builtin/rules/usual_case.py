"""The case in which a column writes its texts, and which of two ways to write a text gives way to the other.

Called by the rules on spelling and variants, and by the one on null words. A column that writes the same texts in every
case, "Sales", "sales" and "SALES", has none of its own: there the case that nearly all of these have counts, first the
one of names. Left alone: capitals that may be short for something, and case that is the meaning ("5 mW", "5 MW").
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection
from typing import NamedTuple

from orchestrator.propose.builtin.rules.exemptions.meant_case import CASE_COUNTS, are_units, is_unit_sign
from orchestrator.propose.builtin.rules.number_words import words_of
from orchestrator.propose.builtin.working_rows import TextColumn

_DIGIT = re.compile(r"\d")
INNER_CAPITAL = re.compile(r"[^\W\d_A-Z][A-Z]")
_SHORT = 3  # letters of a code
_SIGN_APART = re.compile(r"(?<=^[-\u2013\u2014])\s+|(?<=\S)\s{1,9}(?=[-\u2013\u2014]$)")  # `A -` gives way to `A-`
_RATHER = 1.5  # times as often a text with hyphens stands, where most have blanks
_MOST, _SHARE = 0.6, 0.25  # of the rows have the usual case; of the rows of texts in several cases
_NEARLY_ALL = 0.8  # of these texts
_SHORT_TWINS, _BY_THE_WAY = 3, 0.2
_OF_UNITS = frozenset({"unit", "units", "uom", "einheit", "unité", "unidad"})
_NO_CODES = frozenset(
    """
    all bad blue card cash day dr east fair frau good herr high hot ja left low male miss mme mr mrs ms new no non none
    off ok old on open oui paid poor prof red true west yes
    """.split()  # noqa: SIM905 - prose is easier to keep than quoted words
)
_LETTERS = ("sml", "mfoux", "mwd", "yn", "tf")  # sizes, sexes, answers: else `a` and `A` may be two things
_LETTERED = frozenset(
    """
    band block category class classe division gender grade group klasse level note pos priority rating section sex shift
    size status team tier
    """.split()  # noqa: SIM905 - prose is easier to keep than quoted words
)  # columns whose letters mean the same in both cases
_HABIT = 2  # texts of more letters in two cases, and half of all: then short ones are no codes


class UsualCase(NamedTuple):
    """`style`: "upper", "lower", "mixed", or "none" without a majority; `besides`: cases of the same texts as well.

    `titles`: whether all words of most mixed texts have a capital. `short`: the case of the short ones, half of which
    have two; else "". `sign`: what parts the words of most texts of several words. `stops`: whether what is
    shortened mostly ends with a stop, as "Ph.D.".
    """

    style: str
    besides: frozenset[str]
    titles: bool
    short: str
    sign: str
    stops: bool


def usual_case(column: TextColumn) -> UsualCase:
    """The case of the column's texts; found once, as long as the column stays as it is."""
    return column.learnt(_usual_case, _usual_case)


def _usual_case(column: TextColumn) -> UsualCase:
    """A word of few letters, such as CNG among Petrol and Diesel, may be short for others: it shows nothing."""
    cases, of_words = Counter[str](), Counter[str]()
    titles, stops, signs = Counter[bool](), Counter[bool](), Counter[str]()
    twins: dict[str, Counter[str]] = defaultdict(Counter)
    short: dict[str, Counter[str]] = defaultdict(Counter)
    for text, count in column.counts.items():
        cases[_case(text)] += count
        if len(text) > _SHORT or not text.isalpha():
            of_words[_case(text)] += count
        if not _DIGIT.search(text):  # Trp53 is the gene of a mouse, TRP53 of a man
            (short if _is_short(text) else twins)[text.casefold()][_case(text)] += count
        if _case(text) == "mixed" and " " in text:
            titles[_is_title(text)] += count
        signs[_sign(text)] += count
        if text.endswith(".") and (bare := column.counts[text.replace(".", "")]):
            stops[True] += count
            stops[False] += bare
    if 2 * of_words.total() >= column.filled:
        cases = of_words
    style, rows = cases.most_common(1)[0]
    if rows < _MOST * cases.total():
        style = _shared_case([forms for forms in twins.values() if len(forms) > 1])
        if style == "none":
            style = _case_of_others(twins, short)
    with_style = [forms for forms in twins.values() if style in forms]
    again = Counter(case for forms in with_style for case in forms if case != style and forms[case] > 1)
    besides = frozenset(case for case, n in again.items() if n >= max(_HABIT, len(with_style) / 2))
    of_short = _case_of_short(column, short, style)
    if style == "none":
        style = of_short or style
    del signs[""]
    sign = max(signs, key=signs.__getitem__, default=" ")
    return UsualCase(style, besides, titles[True] >= titles[False], of_short, sign, stops[True] >= stops[False])


def _case_of_short(column: TextColumn, short: dict[str, Counter[str]], style: str) -> str:
    """The case that short codes get, half of which are in two; "" where case may be their meaning."""
    twins = {code: forms for code, forms in short.items() if forms["upper"] > 1 and forms["lower"] > 1}
    letters = {code for code in twins if sum(map(str.isalpha, code)) == 1}
    names = words_of(column.name)
    named, of_units = not names.isdisjoint(_LETTERED), not names.isdisjoint(_OF_UNITS)
    known = named or not letters or (not of_units and any(letters <= {*known} for known in _LETTERS))
    cases = sum(twins.values(), Counter[str]())
    several = (letters and not named) or of_units or are_units(column)
    least = _SHORT_TWINS if several else _HABIT
    if (
        len(twins) < max(least, 0 if named else len(short) / 2)
        or not known
        or cases["mixed"] > _BY_THE_WAY * cases.total()
    ):
        return ""
    return style if style in ("upper", "lower") else "lower" if cases["lower"] > 1.5 * cases["upper"] else "upper"


def _shared_case(twins: list[Counter[str]]) -> str:
    """The case that nearly all texts have which the column writes in several; "none" if there is none."""
    rows = sum(map(Counter.total, twins))
    cases = ("mixed", "upper", "lower")
    shared = (case for case in cases if sum(case in forms for forms in twins) >= _NEARLY_ALL * len(twins))
    often = (case for case in shared if sum(forms[case] for forms in twins) >= _SHARE * rows)
    return next(often, "none") if len(twins) >= _HABIT else "none"


def _case_of_others(twins: dict[str, Counter[str]], short: dict[str, Counter[str]]) -> str:
    """The case of all texts that the column writes in one only; "none" where these are few or have several."""
    others = sum((forms for forms in twins.values() if len(forms) == 1), Counter[str]())
    codes = {case for forms in short.values() for case in forms}
    in_several = sum(forms.total() for forms in twins.values() if len(forms) > 1)
    shared = len(others) == 1 and codes <= set(others) and 2 * others.total() >= in_several
    return next(iter(others)) if shared else "none"


def gives_way(text: str, count: int, other: str, other_count: int, usual: UsualCase) -> bool:
    """Whether the rarer way to write a text gives way to the common one, which must be in the column's usual case."""
    in_case = _case(text) == usual.style
    if other.lower() != text.lower():  # Busse and Buße do not differ in case
        differ = [{one, two} for one, two in zip(text, other, strict=False)] if len(other) == len(text) else []
        if other.islower() and {"i", "\u0131"} in differ:
            return False  # in Turkish, kir is no kır; a name as Kirikkale lost the letters of Kırıkkale
        if text.lower() in (other.strip(";, ").lower(), _SIGN_APART.sub("", other).lower()):
            return count > 1.5 * other_count
        return (
            count >= 5 * other_count
            or (in_case and _is_parted(text, other) and 1.5 * count >= other_count)
            or (_is_dotted(text, other) and (3 if text.endswith(".") == usual.stops else 0.9) * count >= other_count)
        )
    if CASE_COUNTS.search(text):
        return False
    habit = _case(other) in usual.besides or (usual.besides and other.istitle())
    if in_case and habit and (not _is_short(text) or text.isupper()) and not _DIGIT.search(text):
        return 4 * count >= other_count
    if _is_short(text) and other.isupper() != text.isupper():
        # PM and pM may be two units, Mg and MG; icu beside ICU is a slip, and so is Get beside GET
        if usual.short and _case(text) == usual.short and _case(other) != "mixed":
            return 4 * count >= other_count
        if (
            "lower" in usual.besides
            and text.isupper()
            and other.islower()
            and len(text) > 1
            and not is_unit_sign(other)
        ):
            return count >= other_count  # it beside IT, where sales stands beside Sales
        small = other.islower() or (len(other) == _SHORT and other.istitle() and usual.style == "upper")
        return count >= 5 * other_count and text.isupper() and small
    if len(text) <= _SHORT and text not in (text.upper(), text.lower(), text.title()):  # aBc, beside abC
        return in_case and count >= 5 * other_count
    if count >= 5 * other_count and INNER_CAPITAL.search(text) and not INNER_CAPITAL.search(other):
        return True  # FedEx, beside UPS and DHL
    return in_case and (count > 1.5 * other_count or _is_unusual(text, count, other, other_count, usual.titles))


def _is_short(text: str) -> bool:
    """Whether the text may be short for something, and is no word that columns of words have in every case."""
    return len(text) <= _SHORT and text.casefold() not in _NO_CODES


def _is_parted(text: str, other: str) -> bool:
    """Whether the words of two texts are the same, and only what parts them differs: "credit card", "credit_card"."""
    words, others = (re.split("[ _-]", one.casefold().replace("&", "and")) for one in (text, other))
    return words == others and all(map(str.isalpha, words)) and sum(len(word) > 1 for word in words) > 1


def _is_dotted(text: str, other: str) -> bool:
    """Whether two texts differ only in the stops of something shortened: "Ph.D." and "PhD", and no code AB.C or ABC."""
    shortened = all(word.endswith(".") for one in (text, other) for word in one.split(" ") if "." in word)
    return shortened and text.replace(".", "") == other.replace(".", "")


def _has_other_stops(text: str, other: str) -> bool:
    return text.endswith(".") != other.endswith(".") and _is_dotted(text, other)


def _is_unusual(text: str, count: int, other: str, other_count: int, titles: bool) -> bool:
    """Whether only `other` is not in the usual case: all small it may be common; a word in capitals may be NATO."""
    if _case(other) == _case(text):
        as_usual = _is_title(text) == titles != _is_title(other)
        return " " in text and as_usual and 1.5 * count >= other_count
    times = 3 if other.islower() else 1.5 if len(text) > _SHORT + 1 or text.casefold() in _NO_CODES else 1
    return times * count >= other_count


def main_form(group: Counter[str], usual: UsualCase, meant: Collection[str]) -> str:
    """The most common way to write a text, or the same in the column's usual case, unless its own is `meant`."""
    text, count = group.most_common(1)[0]
    same = (other for other, _ in group.most_common() if text not in meant and _are_the_same(text, other))
    in_case = [other for other in same if _case(other) == usual.style or _has_other_stops(text, other)]
    as_usual = max((group[other] for other in in_case if _sign(other) == usual.sign), default=0)
    often = [other for other in in_case if 2 * group[other] >= count]
    in_case.sort(
        key=lambda o: (
            o not in often,
            _sign(o) != usual.sign and ("_" in _sign(o) + usual.sign or group[o] <= _RATHER * as_usual),
            o.endswith(".") != usual.stops,
            _is_title(o) != usual.titles,
        )
    )
    return next(
        (other for other in in_case if other == text or gives_way(other, group[other], text, count, usual)), text
    )


def _sign(text: str) -> str:
    """What parts the words of the text; "" for one word."""
    return next((sign for sign in " _-" if sign in text), "")


def _are_the_same(text: str, other: str) -> bool:
    return other.casefold() == text.casefold() or _is_parted(text, other) or _is_dotted(text, other)


def _is_title(text: str) -> bool:
    return all(word[:1].isupper() for word in text.split(" ") if word[:1].isalpha())


def _case(text: str) -> str:
    return "upper" if text.isupper() else "lower" if text.islower() else "mixed"
