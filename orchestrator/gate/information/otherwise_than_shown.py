"""Cells that change otherwise than witnesses show of others. Called by suspicions.py.

A witness settles what it shows. What it does not show is judged as if there were none: a cell that has not kept what
all witnesses of its build keep, and one that does what no witness does.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.column_evidence.shown_factors import ShownFactors
from orchestrator.gate.information.kept_of_text import KEPT, TAKEN, build, sources
from orchestrator.gate.information.value_kinds.number_parsing import reading

LONGEST = 300  # characters of a text
SURE, ONCE = 2, 3  # different figures or letters that are not kept by chance: by several witnesses, by one
_NUMBER, _ALONE = re.compile(r"\d[\d.,'’]*"), re.compile(r"(?<![^\W_])\d[\d.,'’]*")
_INEXACT = re.compile(
    r"(?:[<>~\u2248\u2264\u2265\u00b1]=?|\b(?:c(?:irc)?a|about|approx\w*|around|roughly|nearly|almost|up to|from"
    r"|at (?:least|most)|over|under|less than|more than|max\w*|min(?:imum)?)\b)\W{0,3}\d|\d\s?\+(?!\w)",
    re.IGNORECASE,
)
_HYPHEN = re.compile(r"[^\W\d_]-\d")
Trait = Callable[[Change], bool]


def otherwise_than_shown(column: Column) -> list[Change]:
    """The changes of texts that the column's witnesses do not speak for."""
    shown = [one for one in column.shown if max(map(len, one)) <= LONGEST]
    alike: dict[str, list[Change]] = defaultdict(list)
    for one in shown:
        alike[build(one[0])].append(one)
    factors, not_shown = ShownFactors(shown), [does for does, shows in DONE if not any(map(shows, shown))]
    only_taken = [way for way in TAKEN if _are_sure([way(one) for one in shown])]
    found = []
    for change in column.not_settled if shown else ():
        if max(map(len, change)) > LONGEST or _is_rounded(change) or column.moves.known(change):
            continue
        witnesses = alike.get(build(change[0]), [])
        formed = [one for one in witnesses if build(one[1]) == build(change[1])]
        if (
            any(does(change) for does in not_shown)
            or any(not way(change) for way in only_taken)
            or _breaks(change, witnesses)
            or _is_no_form(change, formed, column)
            or _copies_otherwise(change, formed)
            or factors.contradicted(change)
        ):
            found.append(change)
    return found


def _breaks(change: Change, witnesses: Sequence[Change]) -> bool:
    """Whether it does not keep what all the witnesses keep, in one of the ways."""
    for kept in KEPT if witnesses else ():
        theirs = [kept(one) for one in witnesses]
        if all(theirs) and _is_sure(theirs) and not kept(change):
            return True
    return False


def _is_no_form(change: Change, witnesses: Sequence[Change], column: Column) -> bool:
    """Whether it says something else, and the witnesses say the same in another form, of which nothing is kept."""
    if not witnesses or not any(map(str.isdigit, "".join(change))):
        return False
    copied = [is_copied for is_copied, _ in sources(change, witnesses)]
    kept = any(way(change) and all(map(way, witnesses)) for way in KEPT) or (bool(copied) and all(copied))
    return not kept and all(column.says_the_same(*one) for one in witnesses)


def _copies_otherwise(change: Change, witnesses: Sequence[Change]) -> bool:
    """Whether a word or number has not come from where all the witnesses have it from: `04_2015` as `04/01/2016`."""
    return any(
        not is_copied and _is_sure(parts) and (parts[0].isdecimal() or len(set(parts)) > 1)
        for is_copied, parts in sources(change, witnesses)
    )


def _is_sure(kept: Iterable[str]) -> bool:
    several = set(kept)
    return max(map(_surely, several)) >= (SURE if len(several) > 1 else ONCE)


def _surely(kept: str) -> int:
    """How many different figures or letters it has; of two letters one word may begin with the other by chance."""
    count = len(set(kept))
    return count - 1 if kept.isalpha() else count


def _are_sure(taken: Sequence[str]) -> bool:
    """Whether all witnesses take what they have from the text, and two of them enough of it."""
    return all(taken) and len({one for one in taken if len(set(one)) >= ONCE}) > 1


def _is_rounded(change: Change) -> bool:
    before, after = map(reading, change)
    if before is None or after is None:
        return False
    return abs(before - after) < Decimal(1).scaleb(int(after.as_tuple().exponent))


def _loses_number(change: Change) -> bool:
    """Whether it has fewer numbers, those not counted that stand in a word, `S19`, or alone: 20 may be a code."""
    one, other = (len(_ALONE.findall(text)) for text in change)
    return other < one and _loses_figures(change) and reading(change[0]) is None


def _loses_figures(change: Change) -> bool:
    one, other = (len(_NUMBER.findall(text)) for text in change)
    return other < one


def _gets_number(change: Change) -> bool:
    return not any(map(str.isdigit, change[0])) and any(map(str.isdigit, change[1]))


def _turns_sign(change: Change) -> bool:
    """Whether a number changes its sign; a hyphen behind a letter, as of `T-3`, is none."""
    before, after = map(reading, change)
    return before is not None and after is not None and before * after < 0 and not any(map(_HYPHEN.search, change))


def _loses_bound(change: Change) -> bool:
    """Whether it loses what says that its number is no exact one: `ca. 0.7 l` as `700 ml`."""
    return _INEXACT.search(change[0]) is not None and _INEXACT.search(change[1]) is None


# What no witness does is not shown, whatever else they show: what a cell does, and what shows it.
DONE: Sequence[tuple[Trait, Trait]] = (
    (_loses_number, _loses_figures),
    (_gets_number, _gets_number),
    (_turns_sign, _turns_sign),
    (_loses_bound, _loses_bound),
)
