"""Two things of one name, as two branches of a chain: what the sources say of one is no slip of what they say of the
other. Called by `conflicting_sources`.

Then nearly all reports are in two groups that each agree in most columns, and have next to nothing in common. Sources
that agree on what others dispute, thing after thing, may copy from each other: in a group they count as one.
"""

from collections.abc import Callable, Mapping, Sequence

from orchestrator.propose.builtin.working_rows import Cell, TextColumn

_COMPARED = 12  # reports of one thing with each other
_TOGETHER = 3  # columns in which two reports say the same: they are of one thing
_APART = 0.25  # of the columns, at most, in which reports of two things say the same
_OF_ALL = 2 / 3  # of the reports are of one of the two
_OFTEN = 0.02  # of the things
_SEVERAL = 2  # things, of the part of the rows that is looked at
_COPIED = 0.85  # of what others dispute two sources say alike: one copies from the other
_DISPUTED = 12  # cells, or nothing is known of the two

ThingReports = list[tuple[Cell, list[str]]]  # of one thing: who says it, and what of each column; "" for nothing


def name_two(
    source: TextColumn,
    columns: Sequence[TextColumn],
    things: Sequence[Sequence[int]],
    meanings: Callable[[TextColumn], Mapping[str, str]],
) -> bool:
    """Whether some of the things are two, and so their name alone does not say of which one a report is.

    `columns`: those in which reports of a thing often agree; others tell of no thing.
    """
    if len(columns) < _TOGETHER:
        return False
    meant = [(column.cells, meanings(column)) for column in columns]
    told: list[ThingReports] = [
        [(source.cells[row], [of.get(cells[row] or "", "") for cells, of in meant]) for row in rows[:_COMPARED]]
        for rows in things
    ]
    groups = [_two_groups([cells for _, cells in said]) for said in told]
    one_thing = [said for said, two in zip(told, groups, strict=True) if two is None]
    found = sum(
        two is not None and all(_have_two_voices([said[report][0] for report in group], one_thing) for group in two)
        for said, two in zip(told, groups, strict=True)
    )
    return found >= max(_SEVERAL, _OFTEN * len(things))


def _two_groups(said: Sequence[Sequence[str]]) -> tuple[list[int], list[int]] | None:
    """The reports of each of two things, of which one has at most twice as many as the other; None where it is one."""
    groups: list[list[int]] = []
    for report in range(len(said)):
        near = [group for group in groups if any(_share(said[report], said[one]) > 1 / 2 for one in group)]
        groups = [group for group in groups if group not in near] + [
            [report, *(one for group in near for one in group)]
        ]
    few, many = ([], [], *sorted(groups, key=len))[-2:]
    apart = all(_share(said[one], said[other]) <= _APART for one in few for other in many)
    nearly_all = len(few) + len(many) >= _OF_ALL * len(said)
    return (few, many) if len(few) > 1 and len(many) <= 2 * len(few) and apart and nearly_all else None


def _have_two_voices(sources: Sequence[Cell], things: Sequence[ThingReports]) -> bool:
    """Whether two of the sources do not copy from each other, as far as these things show."""
    return any(not _are_copies({sources[0], other}, things) for other in sources[1:])


def _are_copies(two: set[Cell], things: Sequence[ThingReports]) -> bool:
    """Whether two sources nearly always agree where the reports of a thing do not."""
    alike = disputed = 0
    for said in things:
        own = [cells for name, cells in said if name in two]
        for place in range(len(own[0]) if len(own) == len(two) else 0):
            answers = [cells[place] for cells in own]
            if all(answers) and len({cells[place] for _, cells in said} - {""}) > 1:
                disputed += 1
                alike += len(set(answers)) == 1
    return disputed >= _DISPUTED and alike >= _COPIED * disputed


def _share(one: Sequence[str], other: Sequence[str]) -> float:
    """In what share of the columns two reports say the same; a half where they have too few to tell."""
    pairs = [(left, right) for left, right in zip(one, other, strict=True) if left and right]
    return sum(left == right for left, right in pairs) / len(pairs) if len(pairs) >= _TOGETHER else 1 / 2
