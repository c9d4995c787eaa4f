"""Rows and columns that a function removes: which of them nobody asked it to. Called by the checks that raise concerns.

What goes cannot be seen in the result, and none of it comes back. The user asks for it with an example, or in the words
of the instruction: `drop rows whose status is cancelled`, `remove the column notes`.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from orchestrator.data.cells import has_column, python_rows
from orchestrator.data.record_tables import ABSENT
from orchestrator.gate.information.beyond_shown.rows_not_shown import rows_not_shown
from orchestrator.gate.information.null_tokens import holds_something, is_missing
from orchestrator.gate.information.similarity import key
from orchestrator.gate.judge.observations import CaseObservation, Observations

HEADINGS = 2  # cells of a row with the names of their columns, which make it a line of headings
SHORTEST = 2  # characters of a value that is looked for in a sentence
_SENTENCE = re.compile(r"(?<=\w[.!?])\s+|[;\n]")
_GO = re.compile(
    r"\b(?:drop|remove|delete|discard|omit|exclude|filter out|throw (?:away|out)|leave out|get rid of)"
    r"(?:s|p?ed|p?ing)?\b"
)
_NOT = re.compile(r"\b(?:not|never|nor)\b|n['\u2019]t\b")
_SPARES = re.compile(
    r"\b(?:except|unless|excepting|other than|apart from|besides|(?<!nothing )(?<!anything )but"
    r"|keep(?:ing)? (?:only|just|those))\b"
)
_COMPARES = re.compile(
    r"[<>\u2264\u2265]|\b(?:over|under|above|below|more|less|fewer|greater|smaller|larger|older|younger|before|after|since"
    r"|until|at least|at most|between)\b"
)
_NOTHING = re.compile(r"\b(?:empty|missing|blank|null|nan|without|no)\b")
_OF_ONE = r"(?<![\w'\u2019-]){}(?![\w'\u2019])(?=\s*(?:[^\w\s]|$|(?:or|and|nor)\b))"  # a row, or I put, is no grade


def removed_rows(case: CaseObservation, observations: Observations) -> list[int]:
    """The rows of the input that are gone, that hold something, and that nobody asked to be dropped.

    A line of headings that is repeated among the rows holds nothing: all its cells are names of their columns, but for
    the number of the row.
    An example of a row that goes speaks for the rows that are like it where none is which stays, in the sample or in
    an example with the whole row. The instruction speaks for the rows that it names, with an example and without. What
    an example with the whole row shows to stay goes for nobody's words.
    """
    if case.result is None or case.origin is None or len(case.origin) == case.input.num_rows:
        return []
    kept, rows = set(case.origin.tolist()), python_rows(case.input)
    numbered = _numbered(rows)
    gone = [at for at, row in enumerate(rows) if at not in kept and _holds(row, numbered)]
    shown = [one.input for one in observations.witnesses if one.output is None and isinstance(one.input, Mapping)]
    staying = [row for one in observations.witnesses if (row := _as_it_stays(one.input, one.output, case.columns))]
    sentences = [*_said_to_go(observations.instruction)]
    unnamed = [at for at in gone if not any(_names(one, rows[at]) for one in sentences)]
    open_ones = {*unnamed}
    if shown:
        stay = [*(row for at, row in enumerate(rows) if at in kept), *staying]
        open_ones = {unnamed[at] for at in rows_not_shown([rows[at] for at in unnamed], stay, shown)}
    again = [rows[at] for at in kept] if staying else []  # a copy of a row that stays may go
    return [at for at in gone if at in open_ones or (rows[at] in staying and rows[at] not in again)]


def asks_for_rows(observations: Observations) -> bool:
    """Whether the instruction says that something goes, so that only rows which it does not name are too many."""
    return any(_said_to_go(observations.instruction))


def _as_it_stays(given: object, made: object, columns: Sequence[str]) -> dict[str, Any]:
    """The row of an example that shows a whole row which stays; empty for any other example."""
    if not isinstance(given, Mapping) or not isinstance(made, Mapping) or not columns or not {*columns} <= {*given}:
        return {}
    return {name: given[name] for name in columns}


def removed_columns(case: CaseObservation, observations: Observations) -> list[str]:
    """The columns of the input that are gone, and that nobody asked to be dropped.

    Also one that is empty in the sample: in the other rows it may hold something.
    """
    if case.result is None:
        return []
    asked = {name for one in observations.witnesses for name in _left_out(one.input, one.output)}
    said = [_plain(sentence) for sentence in _said_to_go(observations.instruction)]
    return [
        name
        for name in case.columns
        if (not has_column(case.result, name) or _in_no_record(case, name))
        and name not in asked
        and not any(f" {_plain(name)} " in f" {sentence} " for sentence in said)
    ]


def _in_no_record(case: CaseObservation, name: str) -> bool:
    return (
        case.by_row and case.result is not None and all(cell == ABSENT for cell in case.result.column(name).to_pylist())
    )


def _holds(row: Mapping[str, Any], numbered: Container[str]) -> bool:
    """Whether it holds something, and is no line of headings. `numbered`: columns that say which row it is."""
    held = {name: value for name, value in row.items() if holds_something(value)}
    headings = {name for name, value in held.items() if isinstance(value, str) and key(value) == key(name)}
    return bool(held) and not (len(headings) >= HEADINGS and all(name in numbered for name in held.keys() - headings))


def _numbered(rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """The columns with a value in each row that has any, all of them different."""
    held = [[value for row in rows if holds_something(value := row[name])] for name in (rows[0] if rows else ())]
    filled = sum(any(map(holds_something, row.values())) for row in rows)
    pairs = zip(rows[0] if rows else (), held, strict=True)
    return {name for name, values in pairs if len(values) == filled == len(set(map(str, values)))}


def _left_out(given: object, made: object) -> Iterable[str]:
    if not isinstance(given, Mapping) or not isinstance(made, Mapping):
        return ()
    return (name for name in given if name not in made)


def _said_to_go(instruction: str) -> Iterator[str]:
    """What is to go, of each sentence that says so, in small letters; none that spares some: `all except paid ones`."""
    for sentence in _SENTENCE.split(instruction.casefold()):
        verb = _GO.search(sentence)
        if verb and not _NOT.search(sentence[: verb.start()]) and not _SPARES.search(sentence):
            yield sentence[verb.end() :]


def _names(sentence: str, row: Mapping[str, Any]) -> bool:
    """Whether the sentence names a value of the row, or a column that is empty there.

    Where it names columns, the value is one of theirs. Only then it may be a single letter, or a word for nothing:
    `drop rows whose grade is W`, `whose value is NaN`.
    """
    words, compares = f" {_plain(sentence)} ", _COMPARES.search(sentence)
    named = [name for name in row if f" {_plain(name)} " in words]
    for name, value in row.items():
        said = "" if is_missing(value) else _plain(str(value))
        limit = compares and any(map(str.isdigit, said))  # over 10 names no row with 10
        denied = any(f" {no} {said} " in words for no in ("not", "n t", "never"))
        surely = name in named or (not named and len(said) >= SHORTEST and holds_something(value))
        if said and surely and not (limit or denied) and _stands_in(said, str(value), words, sentence):
            return True
        if not holds_something(value) and name in named and _NOTHING.search(sentence):
            return True
    return False


def _stands_in(said: str, value: str, words: str, sentence: str) -> bool:
    """Whether the sentence has the value as a word of its own; one sign also at the end of what it says."""
    if len(said) >= SHORTEST:
        return f" {said} " in words
    return len(value.strip()) == 1 and re.search(_OF_ONE.format(re.escape(said)), sentence) is not None


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))
