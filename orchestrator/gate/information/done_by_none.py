"""What a change does that no witness does, and so none shows. Called by otherwise_than_shown.py.

That it loses a number, a word, a mark, a bound or a sign, or gets a number. Of long texts and of texts of several lines
too much goes by chance, so that marks and words of values alone count.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.kept_of_text import build, plain
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.units import names_unit

SHORT_FORM = 3  # letters of a word's beginning that is a short form of it
MAJOR_MINOR = 2  # parts of a version that is short
LONG = 5  # figures that are not among others by chance
IDENTIFIER, PLACES = 6, 2  # figures of a number that names something; of it that are others
VALUE = 60  # characters of a value; what is longer is a text
_NUMBER, _ALONE = re.compile(r"\d[\d.,'’]*(?:e[+-]\d+)?"), re.compile(r"(?<![^\W_])\d[\d.,'’]*")
_INEXACT = re.compile(
    r"(?:[<>~\u2248\u2264\u2265\u00b1]=?|\b(?:c(?:irc)?a|about|approx\w*|around|roughly|nearly|almost|up to|from"
    r"|until|at (?:least|most)|over|under|less than|more than|(?<!\d\s)(?:max\w*|min(?:imum)?))\b)\W{0,3}(?!0\d)\d"
    r"|\d\s?\+(?!\w)",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"[^\d-]{0,4}(\d{1,6})\s?(?:-|\u2013|to|bis)\s?[^\d-]?(\d{1,6})(?:\s?[^\W\d_]{1,12}\.?)?", re.IGNORECASE
)
_VERSION, _LISTED = re.compile(r"[^\W\d_]{0,9}[ -]?\d+(?:\.\d+)+"), re.compile(r"[,;]\s")
_HYPHEN = re.compile(r"[^\W\d_]-\d")
_MINUS = re.compile(r"(?<![\w.,)])[-\u2212]\d")
_BELOW = re.compile(
    r"[-\u2010-\u2015\u2212]|\([^()\w]*\d[\d.,'\u2019 ]*[^()\w]*\)|\d\s?[SWDC]\b|\b(?:minus|negative|below|bc)",
    re.IGNORECASE,
)
_QUANTITY = re.compile(r"\W{0,3}\d[\d.,]*\s?([^\W\d_]{1,12})\b[\s,]*(.*)")
_FIGURES, _WORD = re.compile(r"\d+"), re.compile(r"[^\W\d_]+")
_PART, _TAG = re.compile(r"\w+"), re.compile(r"<[^<>]*>|\x1b\[[^a-z]*[a-z]", re.IGNORECASE)
_MARK = re.compile(r"(?<!\w)[^\w\s.,:&×]|[^\w\s.,:&×](?!\w)|[/+#]")  # not in names, numbers and behind labels
_AND = re.compile(r"(?<=\w) \+ (?=\w)")  # between parts: `60% Merlot + 40% Syrah`
_TO = re.compile(r"(?<=\d) - (?=\d)")
_ALIKE = str.maketrans("[]{}+", "()()#")
Trait = Callable[[Change], bool]


def done_by_none(shown: Sequence[Change]) -> list[Trait]:
    """What a change may do that none of the witnesses does."""
    lost = set[str]().union(*map(_marks_lost, shown))
    most = max([0, *map(_numbers_more, shown)])
    numbers: dict[str, int] = {}
    for before, after in shown:
        form = build(after)
        numbers[form] = min(_count(before), numbers.get(form, _count(before)))
    return [
        *(does for does, shows in DONE if not any(map(shows, shown))),
        lambda change: bool(_is_value(change) and _marks_lost(change) - lost),
        lambda change: _numbers_more(change) > 0 >= most or _made_of_fewer(change, numbers),
    ]


def _is_value(change: Change) -> bool:
    return len(change[0]) <= VALUE and "\n" not in change[0].strip()


def _marks_lost(change: Change) -> set[str]:
    """Which marks stand less often afterwards."""
    texts = (_AND.sub(", ", _TO.sub("-", _TAG.sub(" ", plain(text)))).translate(_ALIKE) for text in change)
    one, other = (Counter(_MARK.findall(text)) for text in texts)
    return set(one - other)


def _loses_number(change: Change) -> bool:
    """Whether it has fewer numbers, those not counted that stand in a word, `S19`, or alone: 20 may be a code."""
    one, other = (len(_ALONE.findall(text)) for text in change)
    return other < one and _loses_figures(change) and reading(change[0]) is None


def _loses_figures(change: Change) -> bool:
    one, other = (len(_NUMBER.findall(text)) for text in change)
    return other < one


def _loses_run(change: Change) -> bool:
    """Whether figures of a value that stand together are nowhere among others: the 30 of `06:30` as `06:00`."""
    one, left = _runs(change[0]), "".join(_runs(change[1]))
    return _is_value(change) and left != "" and any(len(run) > 1 and run.lstrip("0") not in left for run in one)


def _changes_run(change: Change) -> bool:
    """The same of figures that may be among others by chance, as 2 in 2048 is: long ones are not."""
    one, other = map(_runs, change)
    numbers, left = {run.lstrip("0") for run in other} | {""}, "".join(other)
    lost = [run for run in one if run.lstrip("0") not in numbers and not (len(run) >= LONG and run.lstrip("0") in left)]
    joined = "".join(one).lstrip("0")
    return bool(lost) and not (len(joined) >= LONG and joined in left)


def _misspells_number(change: Change) -> bool:
    """Whether a long number inside a text becomes another one in one place or two; not one that is rounded."""
    one, other = map(_runs, change)
    if reading(change[0]) is not None:
        return False
    ours = [run for run in one if len(run) >= IDENTIFIER and run not in "".join(other)]
    theirs = [run for run in other if len(run) >= IDENTIFIER and run not in "".join(one)] if ours else []
    return any(len(run) == len(left) and _one_slip(run, left) for run in ours for left in theirs)


def _one_slip(run: str, left: str) -> bool:
    apart = [at for at, (figure, other) in enumerate(zip(run, left, strict=True)) if figure != other]
    return 0 < len(apart) <= PLACES and bool(left[apart[0] :].strip("0"))


def _runs(text: str) -> list[str]:
    return _FIGURES.findall(plain(text))


def _numbers_more(change: Change) -> int:
    """How many numbers more it has afterwards."""
    return _count(change[1]) - _count(change[0])


def _made_of_fewer(change: Change, numbers: dict[str, int]) -> bool:
    """Whether a form that witnesses make of two numbers is made of one: `UNK MAR2021` as `2021-03-01`."""
    return 0 < _count(change[0]) < numbers.get(build(change[1]), 0) and _numbers_more(change) > 0


def _count(text: str) -> int:
    return len(_NUMBER.findall(text))


def _loses_part(change: Change) -> bool:
    """Whether a version of three parts or more, or a list of items that are built alike, has fewer afterwards."""
    versions, items = map(_version, change), [len(_items(plain(text))) for text in change]
    parts, left = versions
    return (parts > MAJOR_MINOR and 0 < left < parts) or items[0] > items[1]


def _version(text: str) -> int:
    """The number of parts of a version; 0 where it is none."""
    found = _VERSION.fullmatch(text.strip())
    return found[0].count(".") + 1 if found else 0


def _items(text: str) -> list[str]:
    """The items of a list that are built alike, but for a plural; one where it is none."""
    items = [item for item in _LISTED.split(text) if item.strip()]
    return items if len({_FIGURES.sub("0", "".join(item.split())).removesuffix("s") for item in items}) == 1 else [text]


def _loses_word(change: Change) -> bool:
    """Whether a value loses a word and gets nothing for it: `Chef (pastry)` as `Chef`."""
    one, other = map(plain, change)
    left = tuple(word for word in _WORD.findall(other) if len(word) >= SHORT_FORM)  # `feat.` of `featuring`
    goes = any(
        len(word) > 1 and word not in other and not any(map(word.startswith, left)) for word in _WORD.findall(one)
    )
    said = f"{one} {''.join(_PART.findall(one))}"  # the parts of a code may stand together afterwards
    return goes and _is_value(change) and all(part in said for part in _PART.findall(other))


def _loses_behind_quantity(change: Change) -> bool:
    """Whether what stands behind a quantity goes while it is converted: `3.0L V6` as `3000 cc`; no other quantity."""
    one, other = (_QUANTITY.fullmatch(plain(text).strip()) for text in change)
    if one is None or other is None or not names_unit(one[1]) or _QUANTITY.match(one[2]):
        return False
    rest = [word for word in _PART.findall(one[2]) if not word.isdigit()]
    return bool(rest) and not other[2] and not any(word in plain(change[1]) for word in rest)


def _loses_letters(change: Change) -> bool:
    one, other = (set(_WORD.findall(plain(text))) for text in change)
    return bool(one - other) and all(word in plain(change[0]) for word in other)


def _turns_sign(change: Change) -> bool:
    """Whether a number changes its sign; a hyphen behind a letter, as of `T-3`, is none."""
    before, after = map(reading, change)
    if before is None or after is None or all(map(_BELOW.search, change)):  # `-$2` as `-2`
        return False
    return before * after < 0 and not any(map(_HYPHEN.search, change))


def _gets_minus(change: Change) -> bool:
    """Whether a number comes to be below zero where nothing said so: `2 (8 dead)` as `-6 alive, 8 dead`."""
    return _MINUS.search(change[1]) is not None and _BELOW.search(change[0]) is None


def _loses_bound(change: Change) -> bool:
    """Whether it loses what says that its number is no exact one: `ca. 0.7 l` as `700 ml`."""
    return _INEXACT.search(change[0]) is not None and _INEXACT.search(change[1]) is None


def _loses_range(change: Change) -> bool:
    """Whether a range becomes one number: `3-5 years` as 60; not a code whose parts are joined, `n91-516130`."""
    found = _RANGE.fullmatch(change[0].strip())
    if found is None or not int(found[1]) < int(found[2]) or reading(change[1]) is None:
        return False
    joined = "".join(_runs(change[1]))
    whole = len(joined) >= max(LONG, len(found[1] + found[2]))
    return not (whole and joined.startswith(found[1]) and joined.endswith(found[2]))


# What a cell does, and what shows it.
DONE: Sequence[tuple[Trait, Trait]] = (
    (_loses_number, _loses_figures),
    (_loses_run, _changes_run),
    (_misspells_number, _misspells_number),
    (_loses_word, _loses_letters),
    (_loses_behind_quantity, _loses_behind_quantity),
    (_loses_part, _loses_part),
    (_turns_sign, _turns_sign),
    (_gets_minus, _gets_minus),
    (_loses_bound, _loses_bound),
    (_loses_range, _loses_range),
)
