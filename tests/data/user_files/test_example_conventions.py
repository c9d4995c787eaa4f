"""Examples beside conventions: what no function can fulfil is said before anything is started."""

from pathlib import Path
from typing import Any

import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.conventions import Conventions
from orchestrator.core.errors import DataError
from orchestrator.data.user_files.example_conventions import check_examples
from orchestrator.run.request import RunRequest

FITTING: list[tuple[dict[str, Any], Any, Any]] = [
    ({"case": "upper"}, " Rome", "ROME"),
    ({"case": "title"}, "de la cruz", "de la Cruz"),
    ({"spellings": {"NYC": "New York"}}, "NYC", "New York"),
    ({"null_words": ["none"]}, "none", ""),
    ({"null": "UNANSWERED", "null_words": ["none"]}, "none", "UNANSWERED"),
    ({"values": ["open", "closed"]}, "Open ", "open"),
    ({"values": ["open", "closed"]}, "?", None),
    ({"leave": True}, " x", " x"),
    ({"dates": {"write": "d.m.yyyy"}}, "2024-03-04", "4.3.2024"),
    ({"dates": {"write": "yyyy-mm-dd"}}, "soon", "soon"),
    ({"numbers": {"whole": True, "decimal": ","}}, "7,50", "7.5"),
]
AGAINST: list[tuple[dict[str, Any], Any, Any, str]] = [
    ({"case": "upper"}, " Rome", "Rome", "upper case"),
    ({"case": "lower"}, " Rome", "Rome", "lower case"),
    ({"spellings": {"NYC": "New York"}}, "NYC", "NY City", 'write it "New York"'),
    ({"null_words": ["none"]}, "none", "nobody", "missing value"),
    ({"values": ["open", "closed"]}, "opened", "opened", "not among the values"),
    ({"leave": True}, " x", "x", "left alone"),
    ({"dates": {"write": "yyyy-mm-dd"}}, "4.3.24", "04.03.2024", "yyyy-mm-dd"),
    ({"dates": {"write": "d.m.yyyy"}}, "2024-03-04", "04.03.2024", "d.m.yyyy"),
    ({"numbers": {"whole": True}}, "7", "7.0", "without decimals"),
    ({"numbers": {"decimal": ","}}, "7,5 kg", "7,5", "with a point"),
]


def check(column: dict[str, Any], before: Any, after: Any) -> None:
    examples = [
        Example(input="a text", output="another"),
        Example(input={"a": 1}, output=None),
        Example(input={"town": before}, output={"town": after}),
    ]
    check_examples(examples, Conventions.model_validate({"columns": {"town": column}}))
    check_examples(examples, Conventions.model_validate({"all": column}))


@pytest.mark.parametrize(("column", "before", "after"), FITTING)
def test_examples_that_follow_the_conventions_are_taken(column: dict[str, Any], before: Any, after: Any) -> None:
    """What both can mean is no contradiction; of titles nobody can say which words have capitals."""
    check(column, before, after)


@pytest.mark.parametrize(("column", "before", "after", "says"), AGAINST)
def test_examples_against_the_conventions_are_refused(
    column: dict[str, Any], before: Any, after: Any, says: str
) -> None:
    """One sentence names the example, its cells and what the conventions say."""
    with pytest.raises(DataError, match=says) as refused:
        check(column, before, after)
    assert "Example 3 contradicts the conventions" in refused.value.message
    assert "nothing was started" in str(refused.value.advice)


def test_run_is_refused_before_it_starts(tmp_path: Path) -> None:
    """The request compares both and writes nothing: no folder, no journal."""
    data, examples = tmp_path / "towns.csv", tmp_path / "examples.jsonl"
    data.write_text("town\n rome\n", encoding="utf-8")
    examples.write_text('{"input": {"town": " rome"}, "output": {"town": "Rome"}}\n', encoding="utf-8")
    conventions = Conventions.model_validate({"columns": {"town": {"case": "upper"}}})
    request = RunRequest(data=data, examples=examples, out=tmp_path / "out")
    request.check()
    with pytest.raises(DataError, match="Example 1 contradicts the conventions"):
        request.model_copy(update={"conventions": conventions}).check()
    assert not (tmp_path / "out").exists()
