"""The functions of meaning, with which the gate's suspicions are measured, are what they say. No gate judges here."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from benchmarks.gate import meaning, prove
from benchmarks.gate.meaning import Meaning, meanings
from benchmarks.gate.prove import PROVED_FILES, changed_since_proved, unproved
from benchmarks.gate.tables import column_types
from benchmarks.gate.witness import difference
from orchestrator.core.candidate import Shape
from orchestrator.gate.candidate_file import read

SETS = tuple(
    f"unseen_{number}"
    for number in (
        "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
    )
)  # fmt: skip
EVERY = 40  # of more than 13,000 wrong forms
OTHERS = [one for one in meanings() if one.kind.startswith(SETS)]


def test_sets_of_other_authors_are_large() -> None:
    """The totals of what nobody looked at come from enough functions, each with two to four wrong forms."""
    assert len(OTHERS) >= 60
    assert sum(len(one.wrong) for one in OTHERS) >= 150
    assert [one.name for one in OTHERS if not 2 <= len(one.wrong) <= 4] == []


def test_wrong_forms_behave_otherwise() -> None:
    """Each wrong form differs on some drawn input from the good function that it was made of.

    All are tried of files that changed since they were proved (`python -m benchmarks.gate.prove`), some of the others.
    """
    changed = changed_since_proved()
    assert unproved(one for one in meanings() if one.kind in changed) == []
    assert unproved((one for one in meanings() if one.kind not in changed), EVERY) == []


def test_a_file_that_changed_is_proved_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its digest is what says so, not its name."""
    first, *rest = PROVED_FILES.read_text().splitlines(keepends=True)
    monkeypatch.setattr(prove, "PROVED_FILES", tmp_path / "proved.tsv")
    prove.PROVED_FILES.write_text("".join([f"{first.partition(chr(9))[0]}\tother\n", *rest[1:]]))
    assert changed_since_proved() >= {first.partition("\t")[0], rest[0].partition("\t")[0]}
    assert len(changed_since_proved()) < len(rest)


def test_form_that_only_looks_otherwise_is_no_wrong_one() -> None:
    """The negative control: an edit that changes nothing of what the function does is no proof."""
    one = OTHERS[0]
    assert not difference(one.source, f"{one.source}\n# otherwise\n", one.name)


@pytest.mark.parametrize("one", OTHERS, ids=lambda one: one.name)
def test_examples_show_what_the_good_function_does(one: Meaning) -> None:
    """A user's examples hold for the good function, and one of them shows a change."""
    pairs = [(dict(shown), dict(wanted)) for shown, wanted in map(_cells, one.examples)]
    assert [_made(one, shown) for shown, _ in pairs] == [wanted for _, wanted in pairs]
    assert any(shown != wanted for shown, wanted in pairs)


def _cells(example: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    if isinstance(example.input, str):
        return {"text": example.input}, {"text": example.output}
    return example.input, example.output


def _made(one: Meaning, shown: dict[str, Any]) -> dict[str, Any]:
    candidate, space = read(one.source), dict[str, Any]()
    exec(compile(one.source, "candidate", "exec"), space)  # noqa: S102 - our own code
    function = space[candidate.name]
    if candidate.contract.shape is Shape.TEXT:
        return {"text": function(shown["text"])}
    if candidate.contract.shape is Shape.RECORD:
        return dict(function(shown))
    numbers = {name: kind for name, kind in column_types(one.name).items() if kind != "string" and name in shown}
    made = function(pd.DataFrame([shown]).astype(numbers)).iloc[0].to_dict()
    return {name: None if pd.isna(value) else value for name, value in made.items()}


def test_name_in_two_files_is_an_error(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function of the same name in two files would take the place of the other without a word."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text("twice: {column: x, cells: [y]}\n")
    monkeypatch.setattr(meaning, "HERE", tmp_path)
    meaning._entries.cache_clear()
    with pytest.raises(ValueError, match=r"b\.yaml: twice stands in a\.yaml, too"):
        meaning.columns()
    monkeypatch.undo()
    meaning._entries.cache_clear()
