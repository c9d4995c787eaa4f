"""Several sources report the same things and disagree: what they say together decides (`reports`).

Found by its look: a column that is named like a source, and a column of things, each of which many sources report, each
source once. A reported column is one in which sources often agree on a thing, rows of different things hardly ever, and
which is no amount, no flag and no grade: those are facts of their own.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from orchestrator.propose.builtin import reports
from orchestrator.propose.builtin.fitted_remedy import FittedRemedy
from orchestrator.propose.builtin.names import listed
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.rules.numbers import looks_numeric
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_SOURCE = re.compile(
    r"(?i)(?:data|report(?:ed)?|info)?[\W_]*(?:by[\W_]*)?"
    r"(?:src|source|web[\W_]*site|site|feed|publisher|reporter)[\W_]*(?:name|id)?"
)
_SETTLED = 0.9  # of two reports agree: then columns settle each other, and `dependencies` is more careful
_REPORTS = 3  # of a thing, or it is not heard
_THINGS = 5
_TWICE = 0.02  # of the rows may repeat what the same source says of the same thing
_AGREE = 0.2  # of two reports of a thing agree
_LIFT = 5.0  # times as often as two reports of anything
_NUMERIC = 0.5
_MOST = 20_000_000  # pairs of columns, times rows


def find(table: WorkingRows, preferences: Preferences) -> Iterator[FittedRemedy]:
    del preferences
    sources = [c for c in table.columns if _SOURCE.fullmatch(c.name) and 3 <= len(c.counts) <= 0.5 * table.rows]
    for source in sources:
        found = [
            (reported, key)
            for key in table.columns
            if key is not source and (reported := _reported(key, source, table))
        ]
        if found:
            reported, key = max(found, key=lambda one: len(one[0]))
            names = tuple(column.name for column in reported)
            yield FittedRemedy(
                name="settle_reports",
                issue=f"The sources in {source.name} disagree on {listed(names)} of the same {key.name}.",
                doc=f"Write what the sources together say of a {key.name}, weighed by how they agree.",
                columns=names,
                read=(key.name, source.name),
                by=(key.name,),
                learner=reports,
            )
            return


def _reported(key: TextColumn, source: TextColumn, table: WorkingRows) -> list[TextColumn]:
    """The columns in which the sources report something of the key; none where it is not what they report on."""
    groups: dict[str, list[int]] = defaultdict(list)
    for row, (name, by) in enumerate(zip(key.cells, source.cells, strict=True)):
        if name and by:
            groups[name].append(row)
    heard = [rows for rows in groups.values() if len(rows) >= _REPORTS]
    rows = sum(map(len, heard))
    if len(heard) < _THINGS or rows < 0.5 * table.rows:
        return []
    pairs = Counter(zip(key.cells, source.cells, strict=True))
    if sum(count - 1 for count in pairs.values()) > _TWICE * table.rows:
        return []
    others = [c for c in table.columns if c is not key and c is not source]
    return [column for column in others if _is_reported(column, heard)]


def _is_reported(column: TextColumn, heard: list[list[int]]) -> bool:
    if column.filled == 0 or column.share(looks_numeric) > _NUMERIC:
        return False
    meanings = {text: reports._meaning(text, by_time=True) for text in column.counts}  # noqa: SLF001 - as it will vote
    told = [[meanings[cell] for row in rows if (cell := column.cells[row]) in meanings] for rows in heard]
    agree = _agreement(Counter(said) for said in told)
    chance = _agreement([Counter(answer for said in told for answer in said)])
    split = sum(len(set(said)) > 1 for said in told)
    return split > 0 and _AGREE <= agree < _SETTLED and agree >= _LIFT * chance


def _agreement(counters: "Iterator[Counter[str]] | list[Counter[str]]") -> float:
    """The share of pairs, of the same counter, that are alike."""
    alike = pairs = 0
    for counter in counters:
        total = counter.total()
        pairs += total * (total - 1)
        alike += sum(count * (count - 1) for count in counter.values())
    return alike / pairs if pairs else 0.0
