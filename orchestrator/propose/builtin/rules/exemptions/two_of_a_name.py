"""Two things of one name, as two branches of a chain: what the sources say of one is no slip of what they say of the
other. Called by `conflicting_sources`.

Then two groups of reports each agree in most columns, and have next to nothing in common.
"""

from collections.abc import Callable, Sequence

from orchestrator.propose.builtin.working_rows import TextColumn

_COMPARED = 12  # reports of one thing with each other
_TOGETHER = 3  # columns in which two reports say the same: they are of one thing
_APART = 0.25  # of the columns, at most, in which reports of two things say the same
_OFTEN = 0.02  # of the things
_SEVERAL = 2  # things, of the part of the rows that is looked at


def name_two(columns: Sequence[TextColumn], things: Sequence[Sequence[int]], meaning: Callable[[str], str]) -> bool:
    """Whether some of the things are two, and so their name alone does not say of which one a report is."""
    if len(columns) < _TOGETHER:
        return False
    found = 0
    for rows in things:
        said = [
            [meaning(cell) if (cell := column.cells[row]) and cell.strip() else "" for column in columns]
            for row in rows[:_COMPARED]
        ]
        found += _are_two(said)
    return found >= max(_SEVERAL, _OFTEN * len(things))


def _are_two(said: Sequence[Sequence[str]]) -> bool:
    """Whether the reports are of two things, of which one has at most twice as many as the other.

    A few that copy from each other may all be wrong.
    """
    groups: list[list[int]] = []
    for report in range(len(said)):
        near = [group for group in groups if any(_share(said[report], said[one]) > 1 / 2 for one in group)]
        groups = [group for group in groups if group not in near] + [
            [report, *(one for group in near for one in group)]
        ]
    few, many = ([], [], *sorted(groups, key=len))[-2:]
    apart = all(_share(said[one], said[other]) <= _APART for one in few for other in many)
    return len(few) > 1 and len(many) <= 2 * len(few) and apart


def _share(one: Sequence[str], other: Sequence[str]) -> float:
    """In what share of the columns two reports say the same; a half where they have too few to tell."""
    pairs = [(left, right) for left, right in zip(one, other, strict=True) if left and right]
    return sum(left == right for left, right in pairs) / len(pairs) if len(pairs) >= _TOGETHER else 1 / 2
