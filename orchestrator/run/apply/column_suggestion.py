"""Which column of a file may be the one that functions know by another name. Called by `column_match`.

By its name, then by what its cells look like. One whose name says another unit is none, however much it looks alike.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.candidate import Candidate
from orchestrator.core.promoted import Promoted
from orchestrator.data.profile.patterns import patterns_of

LIKE_A_CELL = "its cells look alike, and its name looks like one of them"
_BLANKS = "the same but for blanks"
_ALIKE = 0.8
_MOSTLY = 0.9


class Suggestion(NamedTuple):
    """A column of the file, and why; empty for none. `other_unit`: one that may be it but for its unit.

    `score`: how much speaks for it; more than 1 where its name does.
    """

    name: str = ""
    why: str = ""
    other_unit: str = ""
    score: float = 0.0


def suggestions(
    missing: Mapping[str, Sequence[str]], free: Sequence[str], head: pa.Table | None, functions: Sequence[Promoted]
) -> dict[str, Suggestion]:
    """For each missing name, with the functions that use it. A column is suggested for one name, or for none.

    `free`: the columns that it may be. `head`: the first rows.
    """
    found = {name: _suggested(name, users, free, head, functions) for name, users in missing.items()}
    return {
        name: one if _is_best(name, found) else Suggestion(other_unit=one.other_unit) for name, one in found.items()
    }


def _is_best(name: str, found: Mapping[str, Suggestion]) -> bool:
    one = found[name]
    return not any(
        other.name == one.name and other.score >= one.score for known, other in found.items() if known != name
    )


def _suggested(
    known: str, users: Sequence[str], free: Sequence[str], head: pa.Table | None, functions: Sequence[Promoted]
) -> Suggestion:
    beside = _beside(known, functions)
    rivals = [name for name in free if name not in beside and _has_other_unit(known, name)]
    left = [name for name in free if name not in beside and name not in rivals]
    using = [function for function in functions if function.name in users]
    patterns = {*_examples(known, [f.candidate for f in using]), *_proved(known, using)}
    for names in (left, rivals):
        one = _by_name(known, names) or _by_cells(names, head, patterns)
        if one is not None:
            return one if names is left else Suggestion(other_unit=one.name)
    return Suggestion()


def _by_name(known: str, names: Sequence[str]) -> Suggestion | None:
    scored = [(SequenceMatcher(None, _plain(known), _plain(name)).ratio(), name) for name in names]
    score, name = max(scored, default=(0.0, ""))
    if score < _ALIKE:
        return None
    return Suggestion(name, _BLANKS if name.strip() == known.strip() else "its name is alike", score=1 + score)


def _by_cells(names: Sequence[str], head: pa.Table | None, patterns: set[str]) -> Suggestion | None:
    shares = [(_share(head.column(name), patterns), name) for name in names] if head is not None and patterns else []
    share, name = max(shares, default=(0.0, ""))
    if head is None or share < _ALIKE or sum(other >= share for other, _ in shares) > 1:
        return None
    like_a_cell = _share(pa.chunked_array([pa.array([name])]), patterns) == 1 and not _has_header(head)
    return Suggestion(name, LIKE_A_CELL if like_a_cell else "its cells look alike", score=share)


def _has_header(head: pa.Table) -> bool:
    """Whether names of columns are no cells of theirs: a word above figures."""
    for name in head.column_names:
        cells = head.column(name)
        if pa.types.is_string(cells.type) and not re.search(r"\d", name):
            filled = cells.filter(pc.not_equal(cells, ""))
            if len(filled) and pc.sum(pc.match_substring_regex(filled, r"\d")).as_py() >= _MOSTLY * len(filled):
                return True
    return False


def _has_other_unit(known: str, name: str) -> bool:
    """Whether both names say units or currencies, and not the same ones."""
    from orchestrator.gate.information.value_kinds.known_words import currency
    from orchestrator.gate.information.value_kinds.units import rival_unit, same_unit

    one, other = _words(known), _words(name)
    return any(
        (rival_unit(a, b) and not any(same_unit(a, word) for word in other))
        or (currency(a) and currency(b) and not any(currency(a) & currency(word) for word in other))
        for a in one - other
        for b in other - one
    )


def _words(name: str) -> set[str]:
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return {word.casefold() for word in re.split(r"[\W_]+", apart) if word}


def _beside(name: str, functions: Sequence[Promoted]) -> set[str]:
    """The columns that stood beside that one where functions were proved: they are others, and not it renamed."""
    orders = [b.order for f in functions if (b := f.evidence.verdict.baseline) is not None and name in b.order]
    return set[str]().union(*orders)


def _plain(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())


def _proved(name: str, functions: Sequence[Promoted]) -> Iterator[str]:
    """The patterns of the column in the rows on which the functions were proved."""
    for function in functions:
        baseline = function.evidence.verdict.baseline
        column = baseline.of(name) if baseline is not None else None
        yield from column.kinds.counts if column is not None else ()


def _examples(name: str, candidates: Sequence[Candidate]) -> Iterator[str]:
    """The patterns of the column in the functions' examples."""
    for candidate in candidates:
        for example in candidate.contract.examples:
            for row in (example.input, example.output):
                value = row.get(name) if isinstance(row, dict) else None
                if isinstance(value, str) and value:
                    yield from patterns_of(pa.array([value])).to_pylist()


def _share(column: pa.ChunkedArray, known: set[str]) -> float:
    """The share of the cells that look like the known ones."""
    if not pa.types.is_string(column.type) or not len(column):
        return 0.0
    found = patterns_of(pa.concat_arrays(column.fill_null("").chunks)).to_pylist()
    return sum(pattern in known for pattern in found) / len(found)
