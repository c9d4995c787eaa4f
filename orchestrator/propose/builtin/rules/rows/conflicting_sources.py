"""Several sources report the same things and disagree: what they say together decides (`reports`).

Found by its look: a column that is named like a source or holds web sites or addresses of their pages, and a column of
things (or two or three that name one together: a city, a day and an hour), each of which many sources report, each
source once. Of the columns that could name them, those do of whose things most rows are. A reported column is one in
which sources often agree on a thing, rows of different things hardly ever, and which is no amount, no flag and no
grade: those are facts of their own, unless the user declares what settles them. Beside such a column, one of few
different values is reported, too, if a thing's reports agree twice as often as any two. What each place or time has for
itself is left alone (`own_observations`).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from orchestrator.propose.builtin import reports
from orchestrator.propose.builtin.fitted_remedy import FittedRemedy
from orchestrator.propose.builtin.function_names import listed
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.rules.exemptions.own_observations import (
    are_measured,
    has_changed,
    is_time,
    tell_of_changes,
)
from orchestrator.propose.builtin.rules.exemptions.two_of_a_name import name_two
from orchestrator.propose.builtin.rules.number_words import words_of
from orchestrator.propose.builtin.rules.rows.dependencies import facts
from orchestrator.propose.builtin.rules.rows.source_columns import are_amounts, is_source
from orchestrator.propose.builtin.working_rows import Cell, TextColumn, WorkingRows

_SETTLED = 0.9  # of two reports agree: then columns settle each other, and `dependencies` is more careful
_REPORTS = 3  # of a thing, or it is not heard
_THINGS = 5
_TWICE = 0.02  # of the rows may repeat what the same source says of the same thing
_AGREE = 0.2  # of two reports of a thing agree
_LIFT = 5.0  # times as often as two reports of anything
_LIFT_BESIDE = 2.0  # the same, beside a column that is reported for sure
_NUMERIC = 0.5
_KEYS = 8  # columns of which two or three together may name a thing
_MOST = 20_000_000  # pairs, or threes, of columns, times rows
_NEARLY_ALL = 0.9  # of the rows are about things: then no more columns are needed to name them
_AGREE_OF_SEVERAL = 0.3  # of two reports of what several columns name agree
_OF_PART = 0.9  # of that agreement shows in the rows of one of three columns: then it is that one which tells
_TELLS = 0.1  # of two reports of a thing agree: then the column says which thing a report is of
_LIFT_OF_AMOUNTS = 2.0  # as `_LIFT`, of amounts in several units or of few values, which are only told of
_FRACTION = re.compile(r"\d[.,]\d")
_NUMBERS = frozenset(
    """
    channel code constituency department district floor gate id grade isbn key lane line no nr num number platform plz
    postcode precinct room round route sku stop store track ward week year zip zone
    """.split()  # noqa: SIM905 - prose is easier to keep than quoted words
)  # by which something is called

SettledBy = Mapping[str, tuple[str, ...]]  # by column, those that settle it, as the user declares


@dataclass(frozen=True)
class _Reports:
    """What is reported of which things: `by` names a thing, `rows` counts those about things with enough reports.

    `few`: the columns of few different values, in which rows agree anyhow. `things`: these rows, by thing.
    """

    by: tuple[TextColumn, ...]
    columns: tuple[TextColumn, ...]
    few: tuple[TextColumn, ...]
    rows: int
    things: list[list[int]]


def find(table: WorkingRows, preferences: Preferences) -> Iterator[FittedRemedy]:
    """What is reported, and before it, in a function of its own, what is in columns of few values.

    These are known beside the others only, as long as they are not settled. The gate has a person decide on them.
    """
    asked = {column.name: preferences[column.name].settled_by for column in table.columns}
    for source in table.columns:
        if not is_source(source, table) or (found := _found(source, table, asked)) is None:
            continue
        by = tuple(column.name for column in found.by)
        for what, columns in (("few_values", found.few), ("reports", found.columns)):
            if names := tuple(column.name for column in columns):
                yield FittedRemedy(
                    name=f"settle_{what}",
                    issue=f"The sources in {source.name} disagree on {listed(names)} of the same {listed(by)}.",
                    doc=f"Write what the sources together say of a {listed(by)}, weighed by how they agree.",
                    columns=names,
                    read=(source.name,),
                    by=by,
                    learner=reports,
                )
        return


def left_amounts(table: WorkingRows, preferences: Preferences) -> Iterator[str]:
    """Sentences on what sources disagree on, and nobody has said to settle: amounts, and two things of one name."""
    asked = {column.name: preferences[column.name].settled_by for column in table.columns}
    for source in (column for column in table.columns if is_source(column, table)):
        found = _found(source, table, asked, amounts=True)
        rows, names = table.learnt((name_two, source.name), lambda _: (0, ("",)))
        if not any(asked.values()) and rows > (found.rows if found is not None else 0):
            yield (
                f"Several things seem to share one {listed(names)}, and so what the sources in {source.name}"
                " say of it stays. If each is one thing, declare what settles the columns (`settled_by` of"
                " --conventions)."
            )
        stay = {name for name, settled_by in asked.items() if settled_by} | preferences.untouched
        columns = found.columns if found is not None else ()
        left = tuple(column.name for column in columns if column.name not in stay and are_amounts(column))
        if found is not None and left:
            by = tuple(column.name for column in found.by)
            yield (
                f"The sources in {source.name} disagree on {listed(left)} of the same {listed(by)}, and these"
                " stay: an amount may be a fact of its own. Declare what settles them (`settled_by` of --conventions)."
            )
        if rows or found is not None:
            return


def _found(source: TextColumn, table: WorkingRows, asked: SettledBy, *, amounts: bool = False) -> _Reports | None:
    """What the sources report on: the things that most rows are about, named by one column, or else by two or three.

    A time alone names none: what several places see at a time is for each of them to say.
    """
    others = [column for column in table.columns if column is not source]
    repeated = [column for column in others if 2 <= len(column.counts) <= column.filled / 2]
    found: list[_Reports] = []
    for together in (1, 2, 3):
        keys = _keys(repeated, together, source, _MOST // max(1, table.rows * len(others)))
        found += [one for by in keys if (one := _reported(by, source, table, asked, amounts)) is not None]
        if any(one.rows >= _NEARLY_ALL * table.rows for one in found):
            break
    if not found:
        return None
    most = max(found, key=lambda one: (one.rows, len(one.columns)))
    return None if _are_observations(most, source, table) else _of_one_time(most, table)


def _keys(repeated: list[TextColumn], together: int, source: TextColumn, most: int) -> Iterator[tuple[TextColumn, ...]]:
    """So many columns that may name a thing together; none where they are too many to be compared."""
    if together == 1:
        yield from ((column,) for column in repeated if not is_time(column))
        return
    names = [column for column in repeated[:_KEYS] if is_time(column) or _may_be_part(column, together)]
    keys = [by for by in combinations(names, together) if _names_a_thing(by, source)]
    yield from keys if len(keys) <= most else ()


def _may_be_part(column: TextColumn, together: int) -> bool:
    """Whether the column may name a thing with others: no number with a fraction does, and of three only a number by
    which something is called."""
    if not are_amounts(column):
        return True
    if column.share(lambda text: _FRACTION.search(text) is not None) > _NUMERIC:
        return False
    return together == 2 or not _NUMBERS.isdisjoint(words_of(column.name))


def _of_one_time(found: _Reports, table: WorkingRows) -> _Reports | None:
    """Without the columns in which things have changed."""
    columns, few = (
        tuple(column for column in group if not has_changed(table, column, found.by, found.things, _meaning))
        for group in (found.columns, found.few)
    )
    return replace(found, columns=columns, few=few) if columns else None


def _are_observations(found: _Reports, source: TextColumn, table: WorkingRows) -> bool:
    """Whether each row tells of its own measurement, or of its own time: then nothing is in dispute."""
    if are_measured(table, source, found.by, found.things):
        return True
    return tell_of_changes(table, source, found.by, found.things, _meaning)


def _names_a_thing(by: tuple[TextColumn, ...], source: TextColumn) -> bool:
    """Whether, of times and other columns, each source tells of many at a time, and so the time is but a part."""
    times = [column for column in by if is_time(column)]
    if times:
        told = [row for row in zip(source.cells, *(time.cells for time in times), strict=True) if all(row)]
        if 2 * len(set(told)) > len(told):
            return False
    others = [column for column in by if column not in times]
    return bool(others) and (not times or max(len(column.counts) for column in others) >= _THINGS)


def _reported(
    by: tuple[TextColumn, ...], source: TextColumn, table: WorkingRows, asked: SettledBy, amounts: bool
) -> _Reports | None:
    """The columns in which the sources report something of the key; None where it is not what they report on.

    What the user wants settled by other columns is none of them. What is to be settled by this key may be an amount;
    with `amounts`, all may be.
    """
    groups: dict[tuple[Cell, ...], list[int]] = defaultdict(list)
    pairs: Counter[tuple[Cell, ...]] = Counter()
    for row, (name, *key) in enumerate(zip(source.cells, *(column.cells for column in by), strict=True)):
        if name and all(key):
            groups[tuple(key)].append(row)
            pairs[reports._site(name), *key] += 1  # noqa: SLF001
    heard = [rows for rows in groups.values() if len(rows) >= _REPORTS]
    rows = sum(map(len, heard))
    agree = _AGREE if len(by) == 1 else _AGREE_OF_SEVERAL
    if len(heard) < _THINGS or rows < 0.5 * table.rows or pairs.total() - len(pairs) > _TWICE * table.rows:
        return None
    others = [column for column in table.columns if column is not source and column not in by]
    telling = [column for column in others if not is_time(column) and _agree(column, heard) >= _TELLS]
    if name_two(source, telling, heard, _meanings):
        table.found.setdefault((name_two, source.name), (rows, tuple(column.name for column in by)))  # to be told
        return None
    names = {column.name for column in by}
    others = [column for column in others if {*asked[column.name]} in (set(), names)]
    lifts = {one.name: _lift(one, heard, amounts or bool(asked[one.name]), agree) for one in others}
    least = {one.name: _LIFT_OF_AMOUNTS if amounts and are_amounts(one) else _LIFT for one in others}
    if all(lifts[name] < least[name] for name in lifts):
        return None
    for one in others:  # what is hardly in dispute is settled beside what is
        lifts[one.name] = lifts[one.name] or _lift(one, heard, bool(asked[one.name]), agree, beside=True)
    columns = tuple(one for one in others if lifts[one.name] >= least[one.name])
    few = tuple(one for one in others if _LIFT_BESIDE <= lifts[one.name] < _LIFT and not facts(one))
    if len(by) > 2:
        columns, few = (
            tuple(column for column in group if not _is_of_less(column, by, source, heard)) for group in (columns, few)
        )
    return _Reports(by, columns, few, rows, heard) if columns else None


def _is_of_less(column: TextColumn, by: tuple[TextColumn, ...], source: TextColumn, heard: list[list[int]]) -> bool:
    """Whether one of three columns tells nearly as much (the unit of a commodity, by year), or each source has its own
    of two of them (the one who delivers books to an office, by year)."""

    def agree(groups: Iterable[Sequence[int]]) -> float:
        cells = column.cells
        return _agreement(Counter(cell for row in rows if (cell := cells[row])) for rows in groups)

    own: dict[tuple[Cell, ...], list[int]] = defaultdict(list)
    for two in combinations(by, 2):
        for row, key in enumerate(zip(source.cells, *(part.cells for part in two), strict=True)):
            own[(two[0].name, two[1].name, *key)].append(row)
    of_two = [[rows for key, rows in own.items() if key[:2] == (a.name, b.name)] for a, b in combinations(by, 2)]
    told = agree(heard)
    return max(agree(part.places.values()) for part in by) >= _OF_PART * told or max(map(agree, of_two)) >= 2 * told


def _lift(column: TextColumn, heard: list[list[int]], asked: bool, least: float, *, beside: bool = False) -> float:
    """How many times as often two reports of a thing agree as two of anything; 0 where nothing is to be settled.

    `least`: the share of the pairs that must agree. `beside` a column in dispute, nearly all or all may agree, and what
    some sources leave blank is to be settled, too.
    """
    if column.filled == 0 or (are_amounts(column) and not asked):
        return 0.0
    told = _told(column, heard)
    agree = _agree(column, heard)
    chance = _agreement([Counter(answer for said in told for answer in said)])
    if any(len(set(said)) > 1 for said in told):
        to_settle = beside or agree < _SETTLED
    else:
        to_settle = beside and column.filled < len(column.cells)
    return agree / max(chance, 1e-9) if to_settle and agree >= least else 0.0


def _told(column: TextColumn, heard: list[list[int]]) -> list[list[str]]:
    """What the reports of each thing mean."""
    meanings = _meanings(column)
    return [[meanings[cell] for row in rows if (cell := column.cells[row]) and cell in meanings] for rows in heard]


def _agree(column: TextColumn, heard: list[list[int]]) -> float:
    """The share of pairs of reports of a thing that agree."""
    return _agreement(map(Counter, _told(column, heard)))


def _meanings(column: TextColumn) -> Mapping[str, str]:
    """What each text of a column means."""
    return column.learnt(_meanings, lambda one: {text: _meaning(text) for text in one.counts})


def _meaning(text: str) -> str:
    return reports._meaning(text, by_time=True)  # noqa: SLF001 - as it will vote


def _agreement(counters: Iterable[Counter[str]]) -> float:
    """The share of pairs, of the same counter, that are alike."""
    alike = pairs = 0
    for counter in counters:
        total = counter.total()
        pairs += total * (total - 1)
        alike += sum(count * (count - 1) for count in counter.values())
    return alike / pairs if pairs else 0.0
