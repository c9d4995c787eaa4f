"""Cells of a changed column that held something and are empty afterwards. Called by changed_column.py."""

import re
from decimal import Decimal

from orchestrator.gate.checks.changed_columns.cell_keys import plain_key
from orchestrator.gate.checks.changed_columns.column_cells import ColumnCells
from orchestrator.gate.checks.changed_columns.suspected import Suspected
from orchestrator.gate.information.emptied import emptied_like_others, gone_alike, lists_emptied, values_emptied
from orchestrator.gate.information.null_tokens import (
    holds_something,
    is_missing,
    is_placeholder,
    is_unanswered,
    stands_for_missing,
)
from orchestrator.gate.information.row_evidence.moved import at_home, moved_into, numbered_alike, repeats
from orchestrator.gate.information.row_evidence.named_beside import named_beside
from orchestrator.gate.information.similarity import key

_NUMBER, _STOPS = re.compile(r"[+-]?\d{1,18}(?:[.,]\d{1,9})?"), re.compile(r"[\s._]+")
MAX_FLAGGED_LOSS = 0.25  # of a column's different values that a function may blank where `detect` flags them
MAX_SENTINELS = 2  # different numbers that a column writes where there is none


def new_nulls(cells: ColumnCells) -> Suspected | None:
    """Cells that held something and hold nothing now, unless a witness or `detect` shows that they should."""
    lost = [row for row in cells.rows if is_missing(cells.after[row]) and holds_something(cells.before[row])]
    shown = {_folded(before) for before, after in cells.shown if is_missing(after)}
    unanswered = any(is_unanswered(before) for before, after in cells.shown if is_missing(after))
    lost = [row for row in lost if not (unanswered and is_unanswered(cells.before[row]))]
    lost = [row for row in _not_moved(cells, lost) if _folded(cells.before[row]) not in shown]
    if not lost or _only_flagged(cells, lost) or _sentinels(cells, lost):
        return None
    held = sum(1 for value in cells.before if holds_something(value))
    if len(lost) / max(held, 1) <= cells.policy.max_new_null_share:
        return None
    detail = f"{len(lost)} cells that held something are empty afterwards"
    return Suspected("cells-emptied", detail, lost[0], "the value kept", len(lost))


def emptied_alike(cells: ColumnCells) -> Suspected | None:
    """Values that become empty though they are some, or look like others, unless a witness shows such a one."""
    lost = emptied_like_others(cells.before, cells.after, [before for before, _ in cells.elsewhere])
    lost += named_beside(cells.before, cells.after, cells.rows, cells.case.other_columns(cells.name))
    values = values_emptied(cells.before, cells.after)
    gone = [before for before, after in cells.shown if is_missing(after)]
    both = [row for row in {*lost, *values} if not any(gone_alike(cells.before[row], one) for one in gone)]
    found, alike = _not_moved(cells, both, doubted=True), {*lost}
    lost = [row for row in found if row in alike]
    detail = f"{len(lost)} cells become empty that look like others which stay"
    if not lost:
        lost, detail = found, f"{len(found)} cells that hold a value become empty"
    return Suspected("cells-emptied", detail, min(lost), "the value kept", len(lost)) if lost else None


def texts_become_empty_lists(cells: ColumnCells) -> Suspected | None:
    """Texts that say something and become a list or object with nothing in it."""
    rows = lists_emptied(cells.before, cells.after, cells.shown)
    detail = f"{len(rows)} texts become an empty list or object"
    return Suspected("cells-emptied", detail, rows[0], "what the text says", len(rows)) if rows else None


def _not_moved(cells: ColumnCells, rows: list[int], *, doubted: bool = False) -> list[int]:
    """Those of the rows whose value does not come to stand in an empty cell of another column of the row.

    `doubted`: with those that do, or that repeat another cell, and whose value other rows of the column keep.
    """
    if not rows:
        return []
    case, before = cells.case, cells.before
    others = [case.pairs(name) for name in case.masks if name != cells.name]
    shown = [(one.input, one.output) for one in cells.witnesses]
    own = at_home(cells.name, cells.pairs, others, shown) if doubted else ()
    left = [
        row
        for row in rows
        if key(str(before[row])) in own or not moved_into(before[row], [other[row] for other in others if other])
    ]
    given = case.kept_input
    same = [] if given is None else [name for name in given.column_names if left and name not in case.masks]
    sure = {name for name in same if not doubted or numbered_alike(name, cells.name)}
    found = (repeats(before, case.values(given, name), left, by_chance=name in sure) for name in same)
    return [] if any(found) else left


def _sentinels(cells: ColumnCells, lost: list[int]) -> bool:
    """Only numbers that are written where there is none, and not all that the column holds."""
    gone = {plain_key(cells.before[row]) for row in lost}
    kept = any(holds_something(value) for value in cells.after)
    return kept and len(gone) <= MAX_SENTINELS and all(stands_for_missing(cells.before[row]) for row in lost)


def _only_flagged(cells: ColumnCells, lost: list[int]) -> bool:
    """The function only blanks in this column, only where `detect` flags, and only a small part of the values."""
    if not cells.all_flagged() or not all(is_missing(cells.after[row]) for row in cells.rows):
        return False
    kinds = {plain_key(value) for value in cells.before if holds_something(value)}
    gone = {plain_key(cells.before[row]) for row in lost}
    if len(gone) < len(kinds) and all(is_placeholder(cells.before[row]) for row in lost):
        return True
    return len(gone) == 1 < len(kinds) or len(gone) <= MAX_FLAGGED_LOSS * len(kinds)


def _folded(value: object) -> str:
    """By which what goes is found again: a word in other capitals or with other stops, a number written otherwise."""
    text = plain_key(value).strip().casefold()
    if _NUMBER.fullmatch(text):
        return str(Decimal(text.replace(",", ".")).normalize())
    return _STOPS.sub("", text) if any(map(str.isalpha, text)) else text
