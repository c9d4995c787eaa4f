"""Which changes somebody has to confirm so that no concern is left, and what a mistake of the function shows in.

A concern shows one change, and a mapping of twenty words would raise it of one word after the other. So the changes of
a column in doubt are listed: each form of them, twice where it can be, and then what is still in doubt if all of these
are confirmed. Called by the checks that raise concerns.
"""

import random
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from orchestrator.core.candidate import Example, Shape
from orchestrator.core.verdict import Question
from orchestrator.data.cells import has_column
from orchestrator.gate.checks.changed_columns.asked_rows import question_about
from orchestrator.gate.checks.changed_columns.cell_keys import pair_key, plain_key
from orchestrator.gate.checks.changed_columns.column_doubts import changed_columns, doubts
from orchestrator.gate.information.tokens import layout
from orchestrator.gate.judge.observations import CaseObservation, Observations

MOST = 40
"""So many questions are asked in all: more are not read."""
MOST_FORMS = 30
"""So many of them show the forms of the changes; the others are what is in doubt then."""
MORE_ROWS = 4
"""So many rows are drawn for each value that comes to stand in empty cells."""
MAX_ROUNDS = 3
"""How often the columns are looked at again."""
MAX_SECONDS = 4.0
"""Of processor time: the judge has an end, and a list that is not complete is better than no verdict."""

UNASKED = "unasked-column"
"""The kind of the concern about a column that nobody asked for."""

_Pair = tuple[str, str]


def questions(cases: Sequence[CaseObservation], observations: Observations, *, forms: bool = True) -> list[Question]:
    """The changes that a person is asked about; those in doubt first, then each of their `forms` where that is wanted.

    Those of the sample show the forms; what was held out adds only what is in doubt.
    """
    if observations.contract.shape is Shape.FITTED:
        return []  # what it makes of a row depends on the others, and an example shows one row
    asked: dict[str, Question] = {}
    started = time.process_time()
    for case in cases:
        in_doubt = list(_in_doubt(case, observations, ()))
        columns = dict.fromkeys(question.column for question in in_doubt if forms)
        _ask(asked, in_doubt)
        _ask(asked, (one for name in columns for one in _forms(case, name, in_doubt)), MOST_FORMS)
        for _ in range(MAX_ROUNDS):
            if not in_doubt or time.process_time() - started > MAX_SECONDS:
                break
            if not _ask(asked, _in_doubt(case, observations, list(asked.values()))):
                break
    return list(asked.values())


def new_columns(cases: Sequence[CaseObservation], names: Sequence[str]) -> list[Question]:
    """Cells of columns that nobody asked for: whoever confirms them wants the columns."""
    asked: dict[str, Question] = {}
    for case in cases:
        for name in names:
            has = case.result is not None and has_column(case.result, name)
            cells = case.values(case.result, name) if has else []
            rows: dict[_Pair, list[int]] = defaultdict(list)
            for row, cell in enumerate(cells):
                rows["", plain_key(cell)].append(row)
            _ask(asked, _of_each_form(case, name, rows, UNASKED), MOST_FORMS)
    return list(asked.values())


def _ask(asked: dict[str, Question], more: Iterable[Question], most: int = MOST) -> bool:
    """Add those that are new while there is room; whether there were any."""
    before = len(asked)
    for question in more:
        if len(asked) >= most:
            break
        asked.setdefault(question.key, question)
    return len(asked) > before


def _in_doubt(case: CaseObservation, observations: Observations, confirmed: Sequence[Question]) -> Iterator[Question]:
    """What is in doubt once the answers to some questions are known."""
    answers = [Example(input=one.input, output=one.output) for one in confirmed]
    known = replace(observations, declared=[*observations.declared, *answers])
    for name, one in doubts(changed_columns(case, known)):
        question = question_about(case, name, one.row, one.kind)
        if question is not None:
            yield question


def _forms(case: CaseObservation, name: str, in_doubt: Sequence[Question]) -> Iterator[Question]:
    """Changes of a column that is in doubt."""
    why = next(question.why for question in in_doubt if question.column == name)
    pairs = case.pairs(name)
    rows: dict[_Pair, list[int]] = defaultdict(list)
    for row in np.flatnonzero(case.masks[name]).tolist():
        rows[pair_key(pairs[row])].append(row)
    return _of_each_form(case, name, rows, why)


def _of_each_form(
    case: CaseObservation, name: str, rows: Mapping[_Pair, Sequence[int]], why: str
) -> Iterator[Question]:
    """Of each form the shortest pair of cells, and then some by lot, so that nobody can know which.

    A cell that held nothing says nothing of what it should become: its row does, and more of them are shown.
    """
    groups = _grouped(rows, _figures_alike)
    if len(groups) > MOST_FORMS:
        groups = _grouped(rows, _built_alike)
    lot = random.Random(repr(sorted(rows)))  # noqa: S311 - the same for the same changes, so that a replay is exact
    lot.shuffle(groups)
    shown = [rows[group[0]][0] for group in groups] + [lot.choice(rows[lot.choice(group)]) for group in groups]
    filled = [pair for pair in sorted(rows) if not pair[0].strip() or pair[0] == "None"]
    shown += [lot.choice(rows[pair]) for _ in range(MORE_ROWS) for pair in filled]
    for row in shown:
        question = question_about(case, name, row, why)
        if question is not None:
            yield question


def _grouped(pairs: Iterable[_Pair], form: Callable[[_Pair], _Pair]) -> list[list[_Pair]]:
    """The pairs of each form, short ones first."""
    groups: dict[_Pair, list[_Pair]] = defaultdict(list)
    for pair in sorted(pairs, key=lambda pair: (len(pair[0]), *pair)):
        groups[form(pair)].append(pair)
    return list(groups.values())


def _figures_alike(pair: _Pair) -> _Pair:
    before, after = (re.sub(r"\d+", "0", text.casefold()) for text in pair)
    return before, after


def _built_alike(pair: _Pair) -> _Pair:
    return layout(pair[0]), layout(pair[1])
