"""Questions that a person answers: no example before somebody has looked at it."""

import json
from pathlib import Path
from typing import Any

import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.errors import DataError
from orchestrator.core.verdict import CandidateInfo, Outcome, Question, Verdict
from orchestrator.data.user_files.example_files import read_examples
from orchestrator.run.verify.questions_file import write_questions


def verdict(*cells: tuple[Any, Any]) -> Verdict:
    asked = tuple(Question(column="a", input={"a": one, "n": 1}, output={"a": two}, why="w") for one, two in cells)
    candidate = CandidateInfo(name="f", sha256="0" * 64)
    return Verdict(candidate=candidate, verdict=Outcome.HOLD, checks=(), questions=asked)


def entries(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def answer(path: Path, **said: Any) -> Path:
    path.write_text("".join(json.dumps({**entry, **said}) + "\n" for entry in entries(path)))
    return path


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    path = tmp_path / "q.jsonl"
    assert write_questions([verdict(("x", "y")), verdict(("1", 1))], path) == 2
    return path


def test_what_is_answered_is_an_example(asked: Path) -> None:
    """The row goes in, the changed columns are wanted; what is there for the reader is no part of it."""
    assert read_examples(answer(asked, right=True)) == (
        Example(input={"a": "x", "n": 1}, output={"a": "y"}),
        Example(input={"a": "1", "n": 1}, output={"a": 1}),
    )


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({}, "has no answer"),
        ({"right": None}, "has no answer"),
        ({"right": "true"}, "has no answer"),
        ({"right": 1}, "has no answer"),
        ({"right": False}, "is answered with false"),
    ],
)
def test_what_nobody_has_confirmed_is_refused(asked: Path, said: dict[str, Any], told: str) -> None:
    """The file that was written, given back as it is, would be the candidate's own word."""
    with pytest.raises(DataError, match=told) as caught:
        read_examples(answer(asked, **said))
    assert caught.value.message.startswith(f"Question 1 in {asked}")


def test_one_without_an_answer_among_others(asked: Path) -> None:
    """Each line has to be answered; the message says which one is not."""
    lines = asked.read_text().splitlines()
    asked.write_text(lines[0].replace('"right": null', '"right": true') + "\n" + lines[1] + "\n")
    with pytest.raises(DataError, match="Question 2 in"):
        read_examples(asked)


def test_what_cannot_be_seen_is_written_out(tmp_path: Path) -> None:
    """A cell that turns the direction of the line round, or moves the cursor, cannot hide what is asked."""
    path = tmp_path / "q.jsonl"
    write_questions([verdict(("a\u202eb", "\x1b[2K\ud800\u200bé"))], path)
    assert all(char.isprintable() or char == "\n" for char in path.read_text(encoding="utf-8"))
    assert "é" in path.read_text(encoding="utf-8")
    assert entries(path)[0]["output"] == {"a": "\x1b[2K\ud800\u200bé"}


def test_a_file_with_no_questions_is_empty(tmp_path: Path) -> None:
    """It is written all the same, so that an older one is not taken for it."""
    path = tmp_path / "q.jsonl"
    path.write_text("old")
    assert write_questions([verdict()], path) == 0
    assert path.read_text() == ""
