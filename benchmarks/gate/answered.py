"""What one list of questions is worth: held functions of meaning, once somebody has answered their questions rightly.

    python -m benchmarks.gate.answered [FILE ...]

Whoever answers knows what the good function does. Of a good function every answer is "right", and it should pass then.
Of a wrong one an answer should be "wrong"; where none is, it has deceived them, and may pass. FILE: the beginning of
the name of a file of `meaning/`. Judged by `keeps-information` alone, in this process and one beside it.
"""

import json
import sys
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, NamedTuple

import pandas as pd

from benchmarks.gate.in_process import questioned, suspected
from benchmarks.gate.meaning import Meaning, meanings
from benchmarks.gate.records import RECORDS
from benchmarks.gate.tables import column_types
from orchestrator.core.candidate import Example, Shape
from orchestrator.core.verdict import Outcome, Question
from orchestrator.gate.candidate_file import read

JOBS = 2
ENDS = ("passed", "failed", "all right, passes", "all right, held", "one is wrong")


class Trial(NamedTuple):
    """A function as it is judged, with the good one that knows the answers; `wrong`: the kind of mistake, or ""."""

    meaning: Meaning
    name: str
    wrong: str
    source: str


class Answered(NamedTuple):
    """How it ended, one of ENDS; `asked`: how many questions there were."""

    corpus: str
    name: str
    wrong: str
    end: str
    asked: int


def trials(files: Sequence[str]) -> Iterator[Trial]:
    """The good functions and their wrong forms."""
    for one in meanings():
        if not files or one.kind.startswith(tuple(files)):
            yield Trial(one, one.name, "", one.source)
            yield from (Trial(one, wrong.name, wrong.kind, wrong.source) for wrong in one.wrong)


def answered(trial: Trial) -> Answered:
    """Judge it, answer its questions, and judge it again where every change is right."""
    warnings.simplefilter("ignore")
    known = trial.meaning
    end, asked = "failed", 0
    try:
        outcome, questions = questioned(trial.source, known.name)
        asked = len(questions)
        if outcome is Outcome.PASS:
            end = "passed"
        elif outcome is Outcome.HOLD:
            end = _of_answers(trial, questions)
    except Exception:  # noqa: BLE001 - a wrong function may raise anything, which the gate rejects
        end = "failed"
    corpus = "_".join(known.kind.split("_")[:2]) if known.kind.startswith("unseen") else "all others"
    return Answered(corpus, trial.name, trial.wrong, end, asked)


def _of_answers(trial: Trial, asked: Sequence[Question]) -> str:
    if any(_right(trial.meaning, question) != question.output for question in asked):
        return "one is wrong"
    answers = [Example(input=question.input, output=question.output) for question in asked]
    again = suspected(trial.source, trial.meaning.name, answers)
    return "all right, passes" if again.outcome is Outcome.PASS else "all right, held"


def _right(good: Meaning, question: Question) -> dict[str, Any]:
    """What the good function makes of the row, in the columns that the question shows."""
    candidate, space = read(good.source), dict[str, Any]()
    exec(compile(good.source, "candidate", "exec"), space)  # noqa: S102 - our own code
    function = space[candidate.name]
    if candidate.contract.shape is Shape.TEXT:
        return {question.column: function(question.input[question.column])}
    made: Mapping[str, Any]
    if candidate.contract.shape is Shape.RECORD:
        made = function(json.loads(json.dumps(question.input)))
    else:
        kinds = {} if good.name in RECORDS else column_types(good.name)
        numbers = {name: kind for name, kind in kinds.items() if kind != "string" and name in question.input}
        row = function(pd.DataFrame([question.input]).astype(numbers)).iloc[0].to_dict()
        made = {name: cell if isinstance(cell, list | dict) else _plain(cell) for name, cell in row.items()}
    return {name: made.get(name) for name in question.output}


def _plain(cell: Any) -> Any:
    if pd.isna(cell):
        return None
    return cell.item() if hasattr(cell, "item") else cell


def report(found: Sequence[Answered]) -> str:
    """A table of all corpora, and the wrong functions that deceive whoever answers."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for one in found:
        for corpus in (one.corpus, "in all"):
            counts[corpus, "wrong" if one.wrong else "good"][one.end] += 1
    lines = [f"| corpus | functions | {' | '.join(ENDS)} |", "|---|---|" + "---|" * len(ENDS)]
    for (corpus, kind), ends in sorted(counts.items()):
        lines.append(f"| {corpus} | {kind} | {' | '.join(str(ends[end]) for end in ENDS)} |")
    asked = sorted(one.asked for one in found if one.asked and not one.wrong)
    if asked:
        lines.append(f"\nquestions for a good function: {asked[len(asked) // 2]} in the median, {asked[-1]} at most")
    deceiving = [f"{one.name} ({one.wrong})" for one in found if one.wrong and one.end == "all right, passes"]
    return "\n".join([*lines, f"deceiving: {', '.join(deceiving) or 'none'}"])


def main() -> None:
    """Judge, print the table and the time."""
    started = time.perf_counter()
    with ProcessPoolExecutor(JOBS) as pool:
        found = list(pool.map(answered, trials(sys.argv[1:]), chunksize=8))
    print(report(found))
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
