"""The changes in doubt as a file that a person answers, and gives back as examples. Called by `cleanroom verify`.

One JSON object per line: an example that is none before somebody has set `right` to true
(`data.user_files.answers`).
"""

import json
from collections.abc import Sequence
from pathlib import Path

from orchestrator.core.verdict import Question, Verdict
from orchestrator.data.files import atomic_file
from orchestrator.data.user_files.answers import UNANSWERED


def write_questions(verdicts: Sequence[Verdict], path: Path) -> int:
    """Write every question, those of each function in turn; how many. Raises OutputError."""
    asked = [(verdict.candidate.name, question) for verdict in verdicts for question in verdict.questions]
    with atomic_file(path) as file:
        for name, question in asked:
            file.write(_line(name, question).encode() + b"\n")
    return len(asked)


def _line(function: str, question: Question) -> str:
    before, after = question.cells
    entry = {
        **UNANSWERED,
        "function": function,
        "column": question.column,
        "before": before,
        "after": after,
        "input": question.input,
        "output": question.output,
    }
    text = json.dumps(entry, ensure_ascii=False)
    # What cannot be seen, or turns the direction of the text round, must not hide from the reader what is asked.
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)
