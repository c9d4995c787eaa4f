"""Changes of one form that a column has in great number: laws look at some for all. Called by changed_column.py.

4,000 telephone numbers that lose their signs are one form, `(999) 999-9999` as `9999999999`, and to try a hundred and
sixty laws on each would take most of a verdict's time. Changes that say something else than before have forms of their
own, of which many more are looked at. All changes of a form that is rare are looked at.

Which changes of a form are looked at is decided by a lot that the function cannot know, though it knows its rows.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain

from orchestrator.gate.information.changes import Change

MOST, FEWEST = 300, 100  # changes of one form that are looked at, in a column alone and in each of very many
OF_ALL = 2_400  # of one form in each of the columns that change, together
OTHERS = 6_000  # the same of changes that say something else than before
LONGEST = 500  # characters of a text that has a form
SHORT = 3  # letters of a word that is a part of the form, as `USA` is: it may be written in a way of its own
_RUN = re.compile(r"(\d+)|[^\W\d_]+")

_STAYS, _SAYS_THE_SAME, _SAYS_ELSE = "stays", "says the same", "says something else"

ChangeForm = tuple[object, ...]


def some_of_each_form(
    cells: Sequence[Change], lot: bytes, columns: int = 1, *, all_that_stay: bool = False
) -> list[int]:
    """The places of the cells, in ascending order, but of those of one form no more than `MOST`.

    `columns`: how many change; of very many, each is given less. `all_that_stay`: of cells that do not change no form
    is too frequent.
    """
    most = max(FEWEST, min(MOST, OF_ALL // columns))
    if len(cells) <= most:
        return list(range(len(cells)))
    of_form: dict[ChangeForm, list[int]] = defaultdict(list)
    for at, cell in enumerate(cells):
        of_form[_form(cell)].append(at)
    at_most: dict[object, int] = {_SAYS_ELSE: max(most, OTHERS // columns)}
    if all_that_stay:
        at_most[_STAYS] = len(cells)
    drawn = (_drawn(places, cells, at_most.get(form[0], most), lot) for form, places in of_form.items())
    return sorted(chain.from_iterable(drawn))


def _drawn(places: Sequence[int], cells: Sequence[Change], most: int, lot: bytes) -> Sequence[int]:
    """Of many places some; which ones, each cell's own text and the lot decide, whatever other cells there are."""
    if len(places) <= most:
        return places
    return sorted(places, key=lambda at: hashlib.blake2b(repr(cells[at]).encode(), key=lot, digest_size=8).digest())[
        :most
    ]


def _form(cell: Change) -> ChangeForm:
    """How the text is built before and after, and in which order what it says stands; or that it says something else.

    Numbers and figures of any length say the same if they have the same figures, but for zeros in front.
    """
    before, after = cell
    if not isinstance(before, str) or not isinstance(after, str):
        stays = before == after and type(before) is type(after)
        return _STAYS if stays else _SAYS_ELSE, type(before), type(after)
    if before == after:
        return _STAYS, _built(before) if len(before) <= LONGEST else ""
    if max(len(before), len(after)) > LONGEST:
        return _SAYS_ELSE, "a long text"
    ours, theirs = ([run[0] for run in _RUN.finditer(text.casefold())] for text in cell)
    if "".join(ours) == "".join(theirs):
        return _SAYS_THE_SAME, _built(before), _built(after)
    ours, theirs = ([run.lstrip("0") for run in runs] for runs in (ours, theirs))
    if sorted(ours) != sorted(theirs):
        return _SAYS_ELSE, _built(before), _built(after)
    return _SAYS_THE_SAME, _built(before), _built(after), *map(ours.index, theirs)


def _built(text: str) -> str:
    return _RUN.sub(_kind, text)


def _kind(run: re.Match[str]) -> str:
    if run[1]:
        return "9" * len(run[1])
    if len(run[0]) <= SHORT:
        return run[0]
    return "A" if run[0].isupper() else "a" if run[0].islower() else "Aa"
