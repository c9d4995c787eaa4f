"""The YAML file of `--conventions`: what it can say, and what is said of a wrong one."""

from pathlib import Path

import pytest

from orchestrator.core.errors import UsageError
from orchestrator.data.user_files.conventions_file import check_columns, read_conventions


def written(folder: Path, text: str) -> Path:
    path = folder / "conventions.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_scalars_are_the_texts_that_stand_there(tmp_path: Path) -> None:
    """NO, null, -1 and 007 stay words: YAML's own ideas of them are not wanted."""
    found = read_conventions(
        written(tmp_path, "all: {null: NO, null_words: [null, -1, 007, yes]}\ncolumns:\n  on: {leave: yes}\n")
    )
    assert found.all.null == "NO"
    assert found.all.null_words == ("null", "-1", "007", "yes")
    assert found.of("on").leave


def test_an_empty_file_says_nothing(tmp_path: Path) -> None:
    """No convention is a convention too."""
    assert read_conventions(written(tmp_path, "# nothing yet\n")).of("a").model_fields_set == set()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("all: {case: UPPER}", "all.case"),
        ("columns: {a: {colour: red}}", "columns.a.colour: there is no such setting"),
        ("a: {case: upper}", "a: there is no such setting"),
        ("- case", "not a mapping"),
        ("all: {case: upper, case: lower}", "'case' occurs twice"),
        ("all: &x {case: upper}\ncolumns: {a: *x}", "references"),
        ("all: [", "not usable YAML"),
        ("? [a, b]\n: c", "a key is not text"),
        ("all: {null: " + "x" * 2**18 + "}", "256 KiB"),
        ("all: {null: " + "x" * 300 + "}", "all.null"),
        ("[" * 5000, "not usable YAML"),
    ],
)
def test_a_wrong_file_is_refused_with_the_place(tmp_path: Path, text: str, says: str) -> None:
    """One sentence with the setting at fault, and what to do."""
    with pytest.raises(UsageError) as caught:
        read_conventions(written(tmp_path, text))
    assert says in caught.value.message
    assert caught.value.advice


def test_a_missing_file_and_other_bytes_are_refused(tmp_path: Path) -> None:
    """Neither a traceback nor a guess."""
    with pytest.raises(UsageError, match="cannot be read"):
        read_conventions(tmp_path / "none.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="cannot be read"):
        read_conventions(tmp_path / "bytes.yaml")


def test_columns_that_the_data_lack_are_refused(tmp_path: Path) -> None:
    """A typo in a column's name is an error that names the likely one, also in `settled_by`."""
    found = read_conventions(written(tmp_path, "columns: {citty: {case: upper}}"))
    with pytest.raises(UsageError, match="citty") as caught:
        check_columns(found, ("city", "state"))
    assert "'city'" in (caught.value.advice or "")
    found = read_conventions(written(tmp_path, "columns: {city: {settled_by: [zip]}}"))
    with pytest.raises(UsageError, match="zip"):
        check_columns(found, ("city", "state"))
    check_columns(found, ("city", "zip"))
