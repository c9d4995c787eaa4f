"""Changes of one form that a column has in great number: laws look at some for all. Called by changed_column.py.

4,000 telephone numbers that lose their signs are one form, `(999) 999-9999` as `9999999999`, and to try a hundred and
sixty laws on each would take most of a verdict's time. A change that says something else than before is of no form: it
is always looked at, and so is every change of a form that is rare.
"""

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain

from orchestrator.gate.information.changes import Change

MOST, FEWEST = 300, 100  # changes of one form that are looked at, in a column alone and in each of very many
OF_ALL = 2_400  # of one form in each of the columns that change, together
LONGEST = 500  # characters of a text that has a form
SHORT = 3  # letters of a word that is a part of the form, as `USA` is: it may be written in a way of its own
_RUN = re.compile(r"(\d+)|[^\W\d_]+")

Form = tuple[object, ...]


def some_of_each_form(cells: Sequence[Change], columns: int = 1) -> list[int]:
    """The places of the cells, in ascending order, but of those of one form no more than `MOST`.

    `columns`: how many change; of very many, each is given less.
    """
    most = max(FEWEST, min(MOST, OF_ALL // columns))
    if len(cells) <= most:
        return list(range(len(cells)))
    of_form: dict[Form, list[int]] = defaultdict(list)
    for at, cell in enumerate(cells):
        of_form[_form(cell) or (at,)].append(at)
    lot = random.Random(len(cells))  # noqa: S311 - the same for the same cells; who wrote the function chose none of them
    return sorted(
        chain.from_iterable(lot.sample(some, most) if len(some) > most else some for some in of_form.values())
    )


def _form(cell: Change) -> Form | None:
    """How the text is built before and after, and in which order what it says stands; None if it says something else.

    Numbers and figures of any length say the same if they have the same figures, but for zeros in front.
    """
    before, after = cell
    if not isinstance(before, str) or not isinstance(after, str):
        return (type(before),) if before == after and type(before) is type(after) else None
    if max(len(before), len(after)) > LONGEST:
        return None
    if before == after:
        return (_built(before),)
    ours, theirs = ([run[0] for run in _RUN.finditer(text.casefold())] for text in cell)
    if "".join(ours) == "".join(theirs):
        return _built(before), _built(after)
    ours, theirs = ([run.lstrip("0") for run in runs] for runs in (ours, theirs))
    if sorted(ours) != sorted(theirs):
        return None
    return _built(before), _built(after), *map(ours.index, theirs)


def _built(text: str) -> str:
    return _RUN.sub(_kind, text)


def _kind(run: re.Match[str]) -> str:
    if run[1]:
        return "9" * len(run[1])
    if len(run[0]) <= SHORT:
        return run[0]
    return "A" if run[0].isupper() else "a" if run[0].islower() else "Aa"
