"""Words for nothing that are names in their column stay, are said to be perhaps values, and are not left as dirt."""

import pandas as pd
import pyarrow as pa
import pytest

from orchestrator.core.conventions import Conventions
from orchestrator.core.ports import Sample
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.rules.exemptions.meant_words import meant_in
from orchestrator.propose.builtin.working_rows import profile
from orchestrator.run.loop.stopping import untidy
from tests.propose.builtin_help import ask

_PERSONS = ["Martin", "Dupont", "Petit", "Moreau", "Garnier"] * 6
_BOOKS = ["The Trial", "Animal Farm", "Emma", "War and Peace", "The Castle"] * 6


@pytest.mark.parametrize(
    ("name", "others", "words", "meant"),
    [
        ("Nom", _PERSONS, ["Null"] * 4, ["Null"]),
        ("title", _BOOKS, ["Unknown"] * 4, ["Unknown"]),
        ("Nom", _PERSONS, ["Null"] * 2, []),  # twice may be anything
        ("Nom", _PERSONS, ["Null"] * 4 + ["n/a"] * 3, []),
        ("Nom", _PERSONS, ["Unknown"] * 4, []),
        ("title", _BOOKS, ["unknown"] * 4, []),
        ("title", ["Mr", "Mrs", "Dr", "Prof", "Ms"] * 6, ["Unknown"] * 4, []),
        ("city", ["Ulm", "Bad Homburg", "Köln", "Bonn", "Halle"] * 6, ["Unknown"] * 4, []),
    ],
)
def test_names_that_are_words_for_nothing_are_no_dirt(
    name: str, others: list[str], words: list[str], meant: list[str]
) -> None:
    """A run was finished, and not complete, for a family of the name of Null."""
    frame = pd.DataFrame({name: [*others, *words]})
    table = pa.Table.from_pandas(frame, preserve_index=False)
    rows = profile(table)
    found = meant_in(rows, Preferences.read("", rows, None))
    assert found == ({name: meant} if meant else {})
    assert bool(untidy(Sample(table, table.slice(0, 0)), None, found)) is not bool(meant)
    if meant:
        assert any(f"'{meant[0]}' in {name} may be a value" in note for note in ask(frame).notes)
        declared = Conventions.model_validate({"columns": {name: {"null_words": meant}}})
        assert not meant_in(rows, Preferences.read("", rows, declared))
