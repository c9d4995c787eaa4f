"""Candidate files as a user names them: files, folders, patterns, some of them twice, some of them unreadable."""

from pathlib import Path

import pytest

from orchestrator.core.errors import UsageError
from orchestrator.run.verify import candidate_files


def _write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")


def _names(*paths: Path, under: Path) -> list[str]:
    return [str(path.relative_to(under)) for path in candidate_files.find(paths).files]


def test_a_folder_stands_for_its_python_files(tmp_path: Path) -> None:
    """At any depth, in order; hidden files, caches and modules with an underscore are no candidates."""
    _write(tmp_path, "b.py", "a/c.py", "a/_help.py", "__init__.py", ".venv/x.py", "__pycache__/y.py", "notes.md")
    assert _names(tmp_path, under=tmp_path) == ["a/c.py", "b.py"]


def test_a_pattern_that_the_shell_left_alone_is_expanded(tmp_path: Path) -> None:
    """Also with ** for any depth."""
    _write(tmp_path, "a.py", "b.py", "deep/er/c.py", "a.txt")
    assert _names(tmp_path / "*.py", under=tmp_path) == ["a.py", "b.py"]
    assert _names(tmp_path / "**" / "*.py", under=tmp_path) == ["a.py", "b.py", "deep/er/c.py"]


def test_a_file_with_a_star_in_its_name_is_that_file(tmp_path: Path) -> None:
    """What exists is meant literally."""
    _write(tmp_path, "a*.py", "ab.py")
    assert _names(tmp_path / "a*.py", under=tmp_path) == ["a*.py"]


def test_a_file_named_twice_is_judged_once(tmp_path: Path) -> None:
    """However it was named; and the caller learns of it."""
    _write(tmp_path, "a.py", "b.py")
    (tmp_path / "link.py").symlink_to(tmp_path / "a.py")
    named = candidate_files.find([tmp_path / "a.py", tmp_path / "b.py", tmp_path / "link.py", tmp_path])
    assert [path.name for path in named.files] == ["a.py", "b.py"]
    assert {path.name for path in named.again} == {"a.py", "b.py", "link.py"}


@pytest.mark.parametrize(
    ("name", "word"), [("nowhere.py", "no file"), ("*.txt", "No file matches"), ("empty", "holds no candidates")]
)
def test_a_name_that_stands_for_nothing_is_usage(tmp_path: Path, name: str, word: str) -> None:
    """One sentence with the name in it."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=word) as caught:
        candidate_files.find([tmp_path / name])
    assert name in caught.value.message


@pytest.mark.parametrize(
    ("content", "word"), [(b"\xff\xfea", "not UTF-8"), (b"x" * (2**24 + 1), "larger than 16 MiB")], ids=["utf16", "big"]
)
def test_what_is_no_text_has_a_problem(tmp_path: Path, content: bytes, word: str) -> None:
    """It is said of the file, so that the others can be judged."""
    (tmp_path / "a.py").write_bytes(content)
    assert word in candidate_files.read(tmp_path / "a.py").problem
    assert "cannot be read" in candidate_files.read(tmp_path).problem


def test_the_line_of_a_function_is_found() -> None:
    """For reports; the first line where there is no such function."""
    source = candidate_files.CandidateFile(Path("a.py"), '"""i"""\ndef trim_all(df): ...\n\n\ndef trim(df): ...\n')
    assert (source.line_of("trim"), source.line_of("other")) == (5, 1)


def test_data_in_the_place_of_a_function_is_said_to_be_no_python_file(tmp_path: Path) -> None:
    """It was judged, and called a function with a wrong octal integer."""
    _write(tmp_path, "a.csv", "b.py")
    with pytest.raises(UsageError, match=r"a\.csv: it is no Python file but data \(CSV\), by its name") as caught:
        candidate_files.named_sources([tmp_path / "a.csv"])
    assert "--data" in caught.value.advice
    both = candidate_files.named_sources([tmp_path / "a.csv", tmp_path / "b.py"]).sources
    assert [bool(one.problem) for one in both] == [True, False]
