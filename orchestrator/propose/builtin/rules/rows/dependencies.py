"""Columns that settle others: the provider number settles name, city and telephone; a row that says otherwise is wrong.

Learnt, no rule is given: a column settles another where nearly all rows with the same text agree in the other column.
For each settled column, up to four settling ones vote row by row. A text that nobody else uses is corrected when it is
a slip of the winning text. A text that is right elsewhere, or a blank, is corrected only when two or more columns vote,
all alike, such contradictions are rare, and it is no amount, grade or answer to one question (yes and no, left and
right): of these, another one is as likely as the voted one. Left alone: any other text, for it is a fact, a minority
that occurs more than once, also as a slip of the winning text where the thing has changed (`lasting_changes`),
and one that another column accounts for. What the user declares (`settled_by`) is for `declared_keys`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from orchestrator.propose.builtin.distance import _edits, _is_slip_of
from orchestrator.propose.builtin.function_names import listed, slug
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.rules.exemptions.lasting_changes import lasting
from orchestrator.propose.builtin.rules.number_parts import looks_numeric
from orchestrator.propose.builtin.rules.rows.composites import is_composite
from orchestrator.propose.builtin.working_rows import Cell, TextColumn, WorkingRows

_AGREE = 0.9  # of the rows agree with what most rows of their key say
_FIRM = 0.97  # of the rows do so, slips aside: then a contradiction is an error and no exception
_GAIN = 0.35  # of the rows that guessing the most frequent text gets wrong may be wrong
_REPEATED = 0.03  # of a key's rows may share the same wrong text; more are an exception of that key
_BLANK = 0.2  # of a key's rows may be blank; more are an answer
_UNCLEAR = 0.1  # of the rows may belong to keys with exceptions
_LONG = 6  # letters of a text that may be a slip of the other answer; shorter ones are answers
_SUPPORT = 4  # rows of a key must agree for it to be heard
_VOTERS = 4
_MOST_KEYS = 600
_MOST_CHARS = 24_000  # of what one column contributes to a function
_MOST_WORK = 20_000_000  # cells that are compared: wider tables are left to others

Votes = dict[str, Counter[Cell]]


def _settle(
    row: tuple[str | None, ...],
    rights: list[str],
    voters: list[dict[str, int]],
    known: list[str],
    facts: list[str],
    changes: list[tuple[str | None, ...]],
    firm: bool,
) -> tuple[str | None, ...]:
    """The row with its first cell as the other cells say, where that cell is a slip, or contradicts all of them."""
    cell = row[0]
    if cell in facts or row in changes:
        return row
    votes = [voter[key] for key, voter in zip(row[1:], voters) if key in voter]  # noqa: B905 - same length
    ballots = {vote: votes.count(vote) for vote in votes}
    best = max(ballots, key=lambda vote: ballots[vote], default=-1)
    if best < 0 or list(ballots.values()).count(ballots[best]) > 1 or cell == rights[best]:
        return row
    used = cell in rights or cell in known
    slip = cell is not None and not used and _is_slip_of(cell, rights[best])
    against = firm and len(votes) >= 2 and len(ballots) == 1 and (used or not (cell or "").strip())
    return (rights[best], *row[1:]) if slip or against else row


@dataclass(frozen=True)
class _Link:
    """How one column settles another: the right text per key, and how many rows agree (`firm`: slips aside)."""

    key: TextColumn
    rights: dict[str, str]
    agreeing: float
    firm: float


def find(table: WorkingRows, preferences: Preferences) -> Iterator[Remedy]:
    if is_too_wide(table):
        return
    columns = [c for c in table.columns if len(c.counts) > 1]
    keys = [c for c in columns if _is_key(c, table.rows)]
    for column in columns:
        if preferences[column.name].settled_by or is_composite(column, table):
            continue  # it is settled as declared, or says nothing of its own
        links = [link for key in keys if key is not column and (link := _link(key, column)) is not None]
        links = [link for link in links if not _explained(link, column, columns)]
        links = sorted(links, key=lambda link: (-link.agreeing, -len(link.rights), link.key.name))[:_VOTERS]
        if links:
            settled = _remedy(column, links, table.rows)
            yield from _slips_apart(settled, table)
            yield settled


def is_too_wide(table: WorkingRows) -> bool:
    """Whether to compare every column with every other would take too long."""
    keys = sum(_is_key(column, table.rows) for column in table.columns)
    return keys * len(table.columns) * table.rows > _MOST_WORK


def _is_key(column: TextColumn, rows: int) -> bool:
    """Whether most rows belong to texts that occur several times, and there are several such texts."""
    repeated = [count for count in column.counts.values() if count >= _SUPPORT]
    return 3 <= len(repeated) <= _MOST_KEYS and sum(repeated) >= 0.6 * rows


def _link(key: TextColumn, column: TextColumn) -> _Link | None:
    """How the key settles the column; None where it does not, or no better than a guess would."""
    votes = _votes(key, column)
    rows = sum(vote.total() for vote in votes.values())
    majorities = {name: vote.most_common(1)[0] for name, vote in votes.items()}
    agreeing = sum(count for _, count in majorities.values())
    if rows < 20 or agreeing < _AGREE * rows:
        return None
    unclear = {
        name
        for name, vote in votes.items()
        for cell, count in vote.items()
        if cell != majorities[name][0]
        and count > max(1, _REPEATED * vote.total())
        and not _is_rare_slip(cell, majorities[name], vote)
    }
    if sum(votes[name].total() for name in unclear) > _UNCLEAR * rows:
        return None  # too many keys have two texts: exceptions, no errors
    slips = sum(
        count
        for name, vote in votes.items()
        for cell, count in vote.items()
        if cell != majorities[name][0] and _is_rare_slip(cell, majorities[name], vote)
    )
    unguessed = rows * (1 - column.counts.most_common(1)[0][1] / len(column.cells)) - slips
    if rows - agreeing - slips > max(0.0, _GAIN * unguessed):
        return None  # no better than to guess
    rights = {
        name: text
        for name, (text, count) in majorities.items()
        if text and text.strip() and name not in unclear and count >= max(_SUPPORT, 0.6 * votes[name].total())
    }
    size = sum(map(len, rights)) + sum(map(len, set(rights.values())))
    if not rights or size > _MOST_CHARS:
        return None
    return _Link(key, rights, agreeing / rows, (agreeing + slips) / rows)


def _votes(key: TextColumn, column: TextColumn) -> Votes:
    votes: Votes = defaultdict(Counter)
    for (name, cell), rows in Counter(zip(key.cells, column.cells, strict=True)).items():
        if name and key.counts[name] >= _SUPPORT:
            votes[name][cell] = rows
    return {name: _without_few_blanks(vote) for name, vote in votes.items()}


def _without_few_blanks(vote: Counter[Cell]) -> Counter[Cell]:
    """What the filled rows of a key say: a blank contradicts nothing, unless so many are blank that it is an answer."""
    filled: Counter[Cell] = Counter({cell: rows for cell, rows in vote.items() if cell and cell.strip()})
    return filled if vote.total() - filled.total() <= _BLANK * vote.total() else vote


def _is_rare_slip(cell: Cell, majority: tuple[Cell, int], votes: Counter[Cell]) -> bool:
    text, count = majority
    return bool(cell and text and votes[cell] * 3 <= count and _is_slip_of(cell, text))


def _explained(link: _Link, column: TextColumn, columns: Sequence[TextColumn]) -> bool:
    """Whether another column accounts for the rows that disagree with their key: these are exceptions, no errors."""
    odd = {
        row
        for row, (name, cell) in enumerate(zip(link.key.cells, column.cells, strict=True))
        if name in link.rights and cell != link.rights[name]
    }
    for other in columns:
        if other is not column and other is not link.key:
            used = Counter(other.cells[row] for row in odd)
            bound = [n for text, n in used.items() if text and n >= 2 and n >= 0.7 * other.counts[text]]
            if sum(bound) >= 3 and (max(bound) >= 3 or sum(bound) >= 0.3 * len(odd)):
                return True
    return False


def _remedy(column: TextColumn, links: list[_Link], rows: int) -> Remedy:
    """What the links make of the column, but for the rows of a thing that has changed."""
    voted = _as_voted(column, links, rows)
    last = lasting(column.cells, [link.key.cells for link in links])
    changes = sorted((row for row in last if _settle(row, **voted.settings) != row), key=str)
    return replace(voted, settings={**voted.settings, "changes": changes[:_MOST_KEYS]})


def _as_voted(column: TextColumn, links: list[_Link], rows: int) -> Remedy:
    rights = sorted({text for link in links for text in link.rights.values()})
    place = {text: number for number, text in enumerate(rights)}
    sparse = column.blanks + column.nulls <= 0.05 * rows
    names = tuple(link.key.name for link in links)
    return Remedy(
        name=f"settle_{slug(column.name)}",
        issue=f"{column.name} is settled by {listed(names)}, but for some rows that say otherwise.",
        doc=f"Correct slips in {column.name}, and what contradicts the columns that settle it.",
        columns=(column.name, *names),
        fix=_settle,
        settings={
            "rights": rights,
            "voters": [{key: place[text] for key, text in sorted(link.rights.items())} for link in links],
            "known": sorted(t for t, n in column.counts.items() if n >= 3 and t not in place)[:2_000],
            "facts": facts(column),
            "changes": [],
            "firm": sparse
            and len(links) > 1
            and all(link.firm >= _FIRM for link in links)
            and not _holds_amounts(column),
        },
        helpers=(_edits, _is_slip_of),
        whole_rows=True,
        examples=24,
        modifies=1,
    )


def _slips_apart(settled: Remedy, table: WorkingRows) -> Iterator[Remedy]:
    """The remedy for slips alone, where there are contradictions, too.

    A slip shows in the cell what is meant. For a contradiction only other columns speak, so the gate may hold the
    function that settles it, and a function of both would take the slips with it.
    """
    column = settled.columns[0]
    slips = replace(
        settled,
        name=f"correct_slips_in_{slug(column)}",
        issue=f"{column} is settled by {listed(settled.columns[1:])}, but for some slips.",
        doc=f"Correct slips in {column} by the columns that settle it.",
        settings={**settled.settings, "firm": False},
    )
    if 0 < len(slips.changes(table)) < len(settled.changes(table)):
        yield slips


def _holds_amounts(column: TextColumn) -> bool:
    """Whether the column measures or counts: another price may be a sale, and a blank one is not to be made up."""
    if re.search(r"(?i:(?:^|[^a-z])(?:id|code|key|nr|no|number))$|(?:I[dD]|Code|Number)$", column.name.strip(" .")):
        return False
    lengths = {len(text) for text, count in column.counts.items() if count >= _SUPPORT}
    return column.share(looks_numeric) >= _AGREE and (len(lengths) > 1 or column.share(str.isdecimal) < _AGREE)


def facts(column: TextColumn) -> list[str]:
    """The texts that no other column overrules: grades, ratings, one-letter flags, and the two answers to a question.

    Of these another one is as likely as the voted one; what is none of them may still be a slip.
    """
    grades = [text for text in column.counts if re.fullmatch(r"[A-Za-z0-9][+-]?", text)]
    if sum(column.counts[text] for text in grades) >= _AGREE * column.filled:
        return sorted(grades)
    answers = column.counts.most_common(2)
    if sum(count for _, count in answers) < _FIRM * column.filled:
        return []
    (first, _), (second, _) = answers
    return [first] if len(second) >= _LONG and _is_slip_of(second, first) else [first, second]
