"""Cells that change otherwise than witnesses show of others. Called by suspicions.py.

A witness settles what it shows. What it does not show is judged as if there were none: a cell that has not kept what
all witnesses of its build keep, and one that does what no witness does.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal

from orchestrator.gate.information.beyond_shown.calendar_parts import CalendarParts
from orchestrator.gate.information.beyond_shown.minutes_with_seconds import with_seconds
from orchestrator.gate.information.beyond_shown.not_by_any import NotByAny
from orchestrator.gate.information.beyond_shown.order_as_shown import put_in_order
from orchestrator.gate.information.beyond_shown.replaced_as_shown import ReplacedAsShown
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.column_evidence.shown_factors import ShownFactors, numbers_otherwise
from orchestrator.gate.information.column_evidence.shown_formula import ShownFormula
from orchestrator.gate.information.done_by_none import done_by_none
from orchestrator.gate.information.kept_of_text import KEPT, TAKEN, Copied, Kept, build, numbers_taken
from orchestrator.gate.information.shown import filled_with_zeros_as_shown, items_shown, number_shown
from orchestrator.gate.information.signs_of_numbers.joined_figures import scaled_as_shown
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.telephones import is_international, same_number

LONGEST = 300  # characters of a text
SURE, ONCE = 2, 3  # different figures or letters that are not kept by chance: by several witnesses, by one


def otherwise_than_shown(column: Column) -> list[Change]:
    """The changes that the column's witnesses do not speak for."""
    as_shown, otherwise = CalendarParts(column.shown).judged(column.not_settled)
    judged = {*as_shown, *otherwise}
    texts = [one for one in _texts(column) if one not in judged]
    return [*otherwise, *texts, *numbers_otherwise(column.changed, column.witnesses)]


def _texts(column: Column) -> list[Change]:
    shown = [one for one in column.shown if max(map(len, one)) <= LONGEST]
    open_changes = [one for one in column.not_settled if max(map(len, one)) <= LONGEST] if shown else []
    not_by_any = NotByAny(shown)
    apart = [one for one in open_changes if not_by_any.does(one)]
    open_changes = [one for one in open_changes if not not_by_any.does(one)]
    signs = set[str]().union(*(_currencies(before) for before, _ in shown))
    rounded = {one for one in open_changes if _currencies(one[0]) <= signs and _is_rounded(one)}
    open_changes = [one for one in open_changes if not (one in rounded or column.moves.known(one))]
    open_changes = [one for one in open_changes if not (number_shown(one, shown) or items_shown(one, shown))]
    open_changes = [one for one in open_changes if not filled_with_zeros_as_shown(one, shown)]
    formula, replaced = ShownFormula(shown), ReplacedAsShown(shown)
    open_changes = [one for one in open_changes if not (formula.fits(one) or replaced.fits(one))]
    open_changes = [one for one in open_changes if not (put_in_order(one, shown) or scaled_as_shown(one, shown))]
    if any(map(with_seconds, shown)):
        open_changes = [one for one in open_changes if not with_seconds(one)]
    if not open_changes:
        return apart
    builds, forms = defaultdict(list), defaultdict(list)
    for one in shown:
        builds[build(one[0])].append(one)
        forms[build(one[0]), build(one[1])].append(one)
    alike = {key: _Build(witnesses) for key, witnesses in builds.items()}
    formed = {key: _Form(witnesses, column) for key, witnesses in forms.items()}
    factors, not_shown = ShownFactors(shown), done_by_none(shown)
    numbers = [one for one in shown if is_international(one[1])]
    only_numbers = bool(numbers) and all(same_number(*one, frozenset()) for one in numbers)
    only_taken = [way for way in TAKEN if _are_sure([way(one) for one in shown])]

    def otherwise(change: Change) -> bool:
        key = build(change[0]), build(change[1])
        return (
            any(does(change) for does in not_shown)
            or (only_numbers and is_international(change[1]) and not same_number(*change, frozenset()))
            or any(not way(change) for way in only_taken)
            or (key[0] in alike and alike[key[0]].broken(change))
            or (key in formed and formed[key].broken(change))
            or factors.contradicted(change)
        )

    return [*apart, *(change for change in open_changes if otherwise(change))]


class _Build:
    """Witnesses whose texts before have one build."""

    def __init__(self, witnesses: Sequence[Change]) -> None:
        kept = [(way, [way(one) for one in witnesses]) for way in KEPT]
        self._ways = [way for way, theirs in kept if all(theirs) and (_is_sure(theirs) or _are_taken(way, theirs))]

    def broken(self, change: Change) -> bool:
        """Whether the change does not keep what all of them keep, in one of the ways."""
        return any(not way(change) for way in self._ways)


class _Form:
    """Witnesses whose texts before, and those after, have one build."""

    def __init__(self, witnesses: Sequence[Change], column: Column) -> None:
        self._ways = [way for way in KEPT if all(map(way, witnesses))]
        self._copied = Copied(witnesses)
        self._says_the_same = all(column.says_the_same(*one) for one in witnesses)

    def broken(self, change: Change) -> bool:
        """Whether it copies from another place (`04_2015` as `04/01/2016`), or says something else where all only
        have another form, and has nothing of what they keep.
        """
        copied = self._copied.of(change)
        if any(
            not is_copied and _is_sure(parts) and (parts[0].isdecimal() or len(set(parts)) > 1)
            for is_copied, parts in copied
        ):
            return True
        if not self._says_the_same or not any(map(str.isdigit, "".join(change))):
            return False
        all_copied = bool(copied) and all(is_copied for is_copied, _ in copied)
        return not all_copied and not any(way(change) for way in self._ways)


def _is_sure(kept: Iterable[str]) -> bool:
    several = set(kept)
    return max(map(_surely, several)) >= (SURE if len(several) > 1 else ONCE)


def _are_taken(way: Kept, kept: Sequence[str]) -> bool:
    """Whether several witnesses take different whole numbers, be they of one figure: `2 bds` as 2 and `4 bds` as 4."""
    return way is numbers_taken and len(set(kept)) > 1


def _surely(kept: str) -> int:
    """How many different figures or letters it has; of two letters one word may begin with the other by chance."""
    count = len(set(kept))
    return count - 1 if kept.isalpha() else count


def _are_sure(taken: Sequence[str]) -> bool:
    """Whether all witnesses take what they have from the text, and two of them enough of it."""
    return all(taken) and len({one for one in taken if len(set(one)) >= ONCE}) > 1


def _currencies(text: str) -> set[str]:
    return {sign for sign in text if unicodedata.category(sign) == "Sc"}


def _is_rounded(change: Change) -> bool:
    before, after = map(reading, change)
    if before is None or after is None:
        return False
    return abs(before - after) < Decimal(1).scaleb(int(after.as_tuple().exponent))
