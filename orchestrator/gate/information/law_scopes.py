"""Which of a column's changes a law looks at, and which witness settles it. Called by laws.py.

Each makes a law of the column out of one that looks at changes, or at changes and the cells beside them.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.column import Column
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.text_changes import words_changed
from orchestrator.gate.information.tokens import unmarked

UNKNOWN = attrgetter("unlike")  # the changes of a column that nobody knows to be right
ALL_TEXTS = attrgetter("texts")  # what is known to say the same, too
NOT_SAME = attrgetter("not_same")
EVIDENCE = attrgetter("different")  # the unchanged cells, too, and those of other rows


def unless_shown(
    *laws: Callable[[Sequence[Change]], Found | None], of: Callable[[Column], Sequence[Change]] = ALL_TEXTS
) -> Callable[[Column], Found | None]:
    """The first law, unless a witness shows what it, or one of the others, is about. `of`: the changes it looks at."""

    def law_of_column(column: Column) -> Found | None:
        found = laws[0](changed) if (changed := of(column)) else None
        return None if found and any(law([change]) for law in laws for change in column.shown) else found

    return law_of_column


def unless_seen(
    law: Callable[..., Found | None],
    alike: Callable[[str, str], object],
    *of: Callable[[Column], Sequence[Change]],
) -> Callable[[Column], Found | None]:
    """A law, unless a witness shows a change that is alike: before and after. `of`: what the law is given."""
    return lambda column: None if any(alike(*one) for one in column.shown) else law(*(group(column) for group in of))


def unless_witnessed(law: Callable[[Sequence[Change]], Found | None]) -> Callable[[Column], Found | None]:
    """A law of lists and objects as they are, unless a witness shows what it is about."""
    return lambda column: None if any(law([cell]) for cell in column.witnesses) else law(column.changed)


def unless_shown_of_all(law: Callable[[Sequence[Change]], Found | None]) -> Callable[[Column], Found | None]:
    """A law that looks at what is known to say the same, too, unless a witness shows a change of the kind.

    Two blanks that become one show nothing.
    """
    return unless_seen(law, lambda one, other: key(one) == key(other) and one.split() != other.split(), ALL_TEXTS)


def beside(
    law: Callable[[Sequence[Change], Sequence[Change]], Found | None],
    of: Callable[[Column], Sequence[Change]] = ALL_TEXTS,
) -> Callable[[Column], Found | None]:
    """A law that looks at the unchanged cells, too, unless a witness shows what it is about."""

    def law_of_column(column: Column) -> Found | None:
        found = law(changed, column.different) if (changed := of(column)) else None
        return None if found and any(law([one], column.different) for one in column.shown) else found

    return law_of_column


def beside_of_its_kind(
    law: Callable[[Sequence[Change], Sequence[Change]], Found | None],
    kinds: Callable[[Change], Iterable[frozenset[object]]],
) -> Callable[[Column], Found | None]:
    """A law of what tells cells apart, such as currencies: a witness settles the kinds that it shows, and no others."""

    def law_of_column(column: Column) -> Found | None:
        shown = [kind for change in column.shown for kind in kinds(change)]
        changed = [
            change for change in column.texts if any(not any(kind & one for one in shown) for kind in kinds(change))
        ]
        return law(changed, column.different) if changed else None

    return law_of_column


def unless_words_go(
    law: Callable[[Sequence[Change], Sequence[Change]], Found | None],
    of: Callable[[Column], Sequence[Change]] = UNKNOWN,
) -> Callable[[Column], Found | None]:
    """A law of words that are lost, unless a witness shows a word that goes.

    Where witnesses show tags or entities that go, these are no words, of the witnesses or of any other cell.
    """

    def law_of_column(column: Column) -> Found | None:
        shown = list(map(_unmarked, column.shown))
        changed = {_unmarked(one) if shown != column.shown else one: one for one in of(column)}
        found = law([*changed], column.different) if changed else None
        if not found or words_changed.words_shown_gone(shown) or any(law([one], column.different) for one in shown):
            return None
        return found[0], changed.get(found[1], found[1])

    return law_of_column


def _unmarked(change: Change) -> Change:
    return unmarked(change[0]), unmarked(change[1])
