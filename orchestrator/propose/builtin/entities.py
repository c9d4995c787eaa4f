"""Rows that describe the same thing (one provider, one measure) and should say the same of it.

Learnt: a key column whose value nearly settles other columns. The majority of a key's rows votes for the right texts. A
row that agrees with one known thing in most columns gets its odd cells corrected, if they are slips: near the right
text, unknown elsewhere, never one digit turned into another. A different value is a fact, not a slip, and stays.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator

from orchestrator.propose.builtin.composites import is_composite
from orchestrator.propose.builtin.distance import _edits, _is_slip_of
from orchestrator.propose.builtin.names import listed, slug
from orchestrator.propose.builtin.profile import Cell, Column, Table
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.wishes import Wishes

_SETTLED = 0.88  # of the rows agree with their key's majority
_SUPPORT = 4  # rows that a known thing must have
_MOST_THINGS = 400
_MOST_WORK = 20_000_000  # cells that are compared: wider tables are left to others


def _lookup(things: list[tuple[str, ...]], telling: list[int]) -> dict[tuple[int, str], list[tuple[str, ...]]]:
    """The things by the cells that tell them apart, and every right text by its place."""
    found: dict[tuple[int, str], list[tuple[str, ...]]] = {}
    for thing in things:
        for place, text in enumerate(thing):
            found.setdefault((place, text), []).append(thing)
            if place in telling:
                found.setdefault((-1 - place, text), []).append(thing)
    return found


def _agree(row: tuple[str | None, ...], lookup: dict[tuple[int, str], list[tuple[str, ...]]]) -> tuple[str | None, ...]:
    """The row with its slips corrected, if it clearly describes one of the known things."""
    scores: dict[tuple[str, ...], int] = {}
    for place, cell in enumerate(row):
        for thing in lookup.get((-1 - place, cell or ""), ()):
            scores[thing] = sum(mine == right for mine, right in zip(row, thing))  # noqa: B905 - same length
    best = max(scores, key=lambda thing: scores[thing], default=())
    if (
        not best
        or best == row
        or scores[best] < 2
        or scores[best] * 2 < len(row)
        or list(scores.values()).count(scores[best]) > 1
    ):
        return row
    return tuple(
        right if cell and right and _is_slip_of(cell, right) and (place, cell) not in lookup else cell
        for place, (cell, right) in enumerate(zip(row, best))  # noqa: B905 - same length
    )


def find(table: Table, _wishes: Wishes) -> Iterator[Remedy]:
    taken: set[str] = set()
    varied = [c for c in table.columns if len(c.counts) > 1]
    columns = [c for c in varied if not is_composite(c, table)]
    keys = [c for c in columns if _is_key(c, table.rows)]
    if len(keys) * len(columns) * table.rows > _MOST_WORK:
        return
    settled = {key.name: [c for c in columns if c is not key and _settles(key, c)] for key in keys}
    tells = {
        key.name: {
            c.name for c in settled[key.name] if c in keys and key in settled[c.name] and not _explained(c, key, varied)
        }
        for key in keys
    }
    for key in sorted(keys, key=lambda k: (-len(tells[k.name]), -len(settled[k.name]), -len(k.counts))):
        fellows = [c for c in settled[key.name] if c.name not in taken and not _explained(key, c, varied)]
        if key.name in taken or not fellows:
            continue
        group = [key, *fellows]
        taken |= {c.name for c in group}
        things = _things(group)
        telling = [
            place
            for place, column in enumerate(group)
            if place == 0 or (column.name in tells[key.name] and _apart(things, place))
        ]
        if 3 <= len(things) <= _MOST_THINGS:
            yield Remedy(
                rule="entities",
                name=f"agree_on_{slug(key.name)}",
                issue=f"Rows of the same {key.name} do not agree in {listed(tuple(c.name for c in fellows))}.",
                doc=f"Correct slips in rows that otherwise describe one of {len(things)} known things.",
                columns=tuple(c.name for c in group),
                fix=_agree,
                settings={"things": things, "telling": telling},
                derive=_lookup,
                helpers=(_edits, _is_slip_of),
                whole_rows=True,
                examples=24,
            )


def _is_key(column: Column, rows: int) -> bool:
    """Whether most rows belong to texts that occur several times, and there are several such texts."""
    repeated = [count for count in column.counts.values() if count >= _SUPPORT]
    return len(repeated) >= 5 and sum(repeated) >= 0.6 * rows


def _apart(things: list[tuple[str, ...]], place: int) -> bool:
    """Whether a column tells the things apart."""
    return len({thing[place] for thing in things}) >= 0.9 * len(things)


def _votes(key: Column, column: Column) -> dict[str, Counter[Cell]]:
    votes: dict[str, Counter[Cell]] = defaultdict(Counter)
    for name, cell in zip(key.cells, column.cells, strict=True):
        if name and key.counts[name] >= _SUPPORT:
            votes[name][cell] += 1
    return votes


def _settles(key: Column, column: Column) -> bool:
    """Whether the key's text settles the column's, but for a few slips."""
    votes = _votes(key, column).values()
    agreeing = sum(max(vote.values()) for vote in votes)
    return agreeing >= _SETTLED * sum(vote.total() for vote in votes)


def _explained(key: Column, column: Column, columns: list[Column]) -> bool:
    """Whether the rows that disagree with their key's majority are no slips: another column accounts for them.

    Then the key alone does not settle the column, and its odd cells are facts.
    """
    right = {name: vote.most_common(1)[0][0] for name, vote in _votes(key, column).items()}
    odd = {
        row
        for row, (name, cell) in enumerate(zip(key.cells, column.cells, strict=True))
        if name in right and cell != right[name]
    }
    if any(
        cell and count >= 3 for cell, count in Counter(column.cells[row] for row in odd).items() if _is_number(cell)
    ):
        return True
    for other in columns:
        if other is column or other is key:
            continue
        used = Counter(other.cells[row] for row in odd)
        bound = [n for text, n in used.items() if text and n >= 2 and n >= 0.7 * other.counts[text]]
        if sum(bound) >= 3 and (max(bound) >= 3 or sum(bound) >= 0.3 * len(odd)):
            return True
    return False


def _is_number(cell: Cell) -> bool:
    return bool(cell) and str(cell).replace(".", "").isdecimal()


def _things(group: list[Column]) -> list[tuple[str, ...]]:
    """The right texts of every known thing: what the majority of its rows says, "" where there is none."""
    voted = [_votes(group[0], column) for column in group]
    things = []
    for name in voted[0]:
        texts = []
        for votes in voted:
            text, count = votes[name].most_common(1)[0]
            texts.append(text or "" if count >= 0.6 * votes[name].total() else "")
        things.append(tuple(texts))
    return sorted(t for t in things if not any(_is_slip_of(t[0], o[0]) and t[1:] == o[1:] for o in things))
