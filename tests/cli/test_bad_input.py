"""Whatever a user hands in: one clear sentence, the documented exit code, no traceback, nothing left behind.

All of this is found out before an engine is needed, so `DOCKER_HOST` points to nowhere here.
"""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from orchestrator.cli import console
from orchestrator.cli.telemetry_options import told_of_apply
from tests.support.command import Call

NO_ENGINE = {"DOCKER_HOST": "unix:///nowhere/docker.sock"}
GOOD = "city,n\n Bonn,1\nKiel,2\n"


def _said(done: "object") -> str:
    error = str(getattr(done, "stderr", ""))
    assert "Traceback" not in error
    assert error.startswith("error: ")
    return error


def _bad_files() -> dict[str, tuple[bytes, str]]:
    return {
        "empty": (b"", "empty"),
        "header-only": (b"city,n\n", "no rows"),
        "bad-bytes": (b"city,n\nBonn,1\nK\x81\xfe\x00\xffln,2\n", ""),
        "ragged": (b"city,n\nBonn,1\nKiel,2,3\n", "row 3"),
        "no-column-names": (b",\nBonn,1\n", "column"),
    }


@pytest.mark.parametrize("name", _bad_files())
@pytest.mark.parametrize("command", ["run", "verify"])
def test_data_that_cannot_be_read(cleanroom: Call, tmp_path: Path, name: str, command: str) -> None:
    """The sentence names the file and what is wrong with it; the exit code is 2."""
    content, word = _bad_files()[name]
    data = tmp_path / f"{name}.csv"
    data.write_bytes(content)
    function = tmp_path / "f.py"
    function.write_text('"""i"""\ndef f(df):\n    """d"""\n    return df\n')
    arguments = ("run", data) if command == "run" else ("verify", function, "--data", data)
    done = cleanroom(*arguments, env=NO_ENGINE)
    assert done.returncode == 2, done.stderr
    error = _said(done)
    assert data.name in error
    assert word.lower() in error.lower()
    assert {p.name for p in tmp_path.iterdir()} == {data.name, "f.py"}


def test_a_missing_file(cleanroom_process: Call, tmp_path: Path) -> None:
    """The file that is not there is named."""
    done = cleanroom_process("run", "nothing.csv", env=NO_ENGINE)
    assert done.returncode == 2
    assert "nothing.csv" in _said(done)
    assert list(tmp_path.iterdir()) == []


def test_a_directory(cleanroom: Call, tmp_path: Path) -> None:
    """A folder is no data file."""
    done = cleanroom("run", tmp_path, env=NO_ENGINE)
    assert done.returncode == 2
    assert "directory" in _said(done)


def test_an_unknown_kind_of_file(cleanroom: Call, tmp_path: Path) -> None:
    """The formats that work are named."""
    (tmp_path / "a.qqq").write_bytes(b"x")
    done = cleanroom("run", "a.qqq", env=NO_ENGINE)
    assert done.returncode == 2
    assert "Parquet" in _said(done)


def test_no_permission(tmp_path: Path) -> None:
    """A file that may not be read is said to be so (root may read everything, so it becomes somebody else first)."""
    (tmp_path / "good.csv").write_text(GOOD)
    data = tmp_path / "a.csv"
    data.write_text(GOOD)
    data.chmod(0)
    code = (
        "import os\n"
        "from orchestrator.core.errors import DataError\n"
        "from orchestrator.data.formats import open_dataset\n"
        f"open_dataset({str(tmp_path / 'good.csv')!r}).rows\n"  # loads what is loaded late
        "os.geteuid() == 0 and os.setuid(65534)\n"
        "try:\n"
        f"    open_dataset({str(data)!r})\n"
        "except DataError as error:\n"
        "    print(error.exit_code, error.message)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("2 ")
    assert "permission" in done.stdout.lower()


@pytest.mark.slow
def test_a_line_of_two_hundred_megabytes(cleanroom_process: Call, tmp_path: Path) -> None:
    """It is refused with a sentence, not with an exhausted machine."""
    data = tmp_path / "long.csv"
    with data.open("wb") as file:
        file.write(b"city,n\nBonn,1\n")
        for _ in range(200):
            file.write(b"x" * 2**20)
        file.write(b",2\n")
    done = cleanroom_process("run", data, env=NO_ENGINE)
    assert done.returncode == 2, done.stderr
    assert "long.csv" in _said(done)


def test_no_engine(cleanroom_process: Call, tmp_path: Path) -> None:
    """Without an engine: exit code 3, and the sentence says what to do."""
    (tmp_path / "a.csv").write_text(GOOD)
    done = cleanroom_process("run", "a.csv", env=NO_ENGINE)
    assert done.returncode == 3, done.stderr
    assert "engine" in _said(done).lower()
    assert {p.name for p in tmp_path.iterdir()} == {"a.csv"}


def test_an_out_folder_with_other_files_is_left_alone(cleanroom: Call, tmp_path: Path) -> None:
    """Results never go over something that is not ours."""
    (tmp_path / "a.csv").write_text(GOOD)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    done = cleanroom("run", "a.csv", "--out", "mine", env=NO_ENGINE)
    assert done.returncode == 2
    assert "mine" in _said(done)
    assert [p.name for p in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


def test_a_wrong_policy_names_the_setting(cleanroom: Call, tmp_path: Path) -> None:
    """An unknown key in the policy is an error, not ignored."""
    (tmp_path / "a.csv").write_text(GOOD)
    (tmp_path / "policy.yaml").write_text("container:\n  memroy_bytes: 1\n")
    done = cleanroom("run", "a.csv", "--policy", "policy.yaml", env=NO_ENGINE)
    assert done.returncode == 2
    assert "memroy_bytes" in _said(done)


@pytest.mark.parametrize(
    ("content", "word"),
    [("", "no examples"), ("{}", "Example 1"), ("nonsense", "JSON"), ('[{"input": 1}]', "Example 1")],
)
def test_wrong_examples(cleanroom: Call, tmp_path: Path, content: str, word: str) -> None:
    """The entry at fault is named."""
    (tmp_path / "a.csv").write_text(GOOD)
    (tmp_path / "examples.jsonl").write_text(content)
    done = cleanroom("run", "a.csv", "--examples", "examples.jsonl", env=NO_ENGINE)
    assert done.returncode == 2, done.stderr
    assert word in _said(done)


def test_verify_without_screen_cannot_promote(cleanroom: Call, tmp_path: Path) -> None:
    """The two options exclude each other."""
    (tmp_path / "a.csv").write_text(GOOD)
    (tmp_path / "f.py").write_text("")
    done = cleanroom("verify", "f.py", "--data", "a.csv", "--no-screen", "--promote", env=NO_ENGINE)
    assert done.returncode == 2
    assert "--no-screen" in _said(done)


@pytest.mark.parametrize(("content", "word"), [(b"\xff\xfe\x00bad", "UTF-8"), (b"", "")])
def test_a_function_file_that_is_no_text(cleanroom: Call, tmp_path: Path, content: bytes, word: str) -> None:
    """A source that is not UTF-8 is a usage error; an empty one needs an engine no more than that."""
    (tmp_path / "a.csv").write_text(GOOD)
    (tmp_path / "f.py").write_bytes(content)
    done = cleanroom("verify", "f.py", "--data", "a.csv", env=NO_ENGINE)
    assert done.returncode in {2, 3}
    assert word in _said(done)


@pytest.mark.parametrize(
    ("lineage", "word"), [("data.csv", "data"), ("./out.csv", "output"), ("rest.csv", "quarantine")]
)
def test_the_lineage_is_not_added_to_what_is_read_or_written(
    cleanroom: Call, tmp_path: Path, lineage: str, word: str
) -> None:
    """Its events were lines at the end of the data, or of the cleaned file."""
    (tmp_path / "data.csv").write_text(GOOD)
    done = cleanroom(
        *("apply", "data.csv", "--functions", "nowhere", "-o", "out.csv", "--quarantine", "rest.csv"),
        *("--lineage", lineage),
        env=NO_ENGINE,
    )
    assert done.returncode == 2, done.stderr
    assert f"The {word} and the lineage are the same file" in _said(done)
    assert (tmp_path / "data.csv").read_text() == GOOD


@pytest.mark.parametrize(
    ("lineage", "begins"), [("ftp://host/x", "ftp://"), ("file:///x", "file:///"), ("http:/host/x", "http:/")]
)
def test_lineage_goes_to_no_other_kind_of_address(cleanroom: Call, tmp_path: Path, lineage: str, begins: str) -> None:
    """It was taken for the name of a file; and http:/ was said to be http://, which can be sent to."""
    (tmp_path / "data.csv").write_text(GOOD)
    words = ("apply", "data.csv", "--functions", "nowhere", "-o", "out.csv", "--lineage", lineage)
    done = cleanroom(*words, env=NO_ENGINE)
    assert done.returncode == 2, done.stderr
    assert f"Lineage cannot be sent to {begins}…." in _said(done)
    assert "Name a file, or an address with http:// or https://." in done.stderr


def test_lineage_that_cannot_be_sent_is_said_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The end of an apply fails as its beginning did."""
    console.stderr.cache_clear()
    data: Any = SimpleNamespace(place=tmp_path / "data.csv", sha256="0")
    with told_of_apply("off", str(tmp_path), data, tmp_path / "out.csv", []):
        pass
    assert capfd.readouterr().err.count("note: The lineage cannot be written") == 1


@pytest.mark.parametrize(
    "command",
    [
        ("verify", "{long}.py", "--data", "data.csv"),
        ("run", "data.csv", "--out", "{long}"),
        ("apply", "data.csv", "--functions", "{long}", "-o", "out.csv"),
        ("registry", "list", "--registry", "{long}"),
        ("runs", "show", "{long}"),
    ],
)
def test_a_name_that_is_too_long_is_usage(cleanroom_process: Call, tmp_path: Path, command: tuple[str, ...]) -> None:
    """The file system refuses it, wherever it is looked at first; that was an internal error."""
    (tmp_path / "data.csv").write_text(GOOD)
    done = cleanroom_process(*(word.format(long="x" * 300) for word in command), env=NO_ENGINE)
    assert done.returncode == 2, done.stderr
    assert "too long" in _said(done)
    assert len(_said(done)) < 200


def test_an_unknown_option_is_usage(cleanroom_process: Call) -> None:
    """The command line's own errors have exit code 2 as well."""
    assert cleanroom_process("run", "--no-such-option").returncode == 2


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (("verify", "f.py", "--data", "data.csv", "--checks", "a.py", "--checks", "b.py"), "--checks"),
        (("run", "data.csv", "--policy", "a.yaml", "--policy", "b.yaml"), "--policy"),
        (("run", "data.csv", "--privacy", "masked", "--privacy=raw"), "--privacy"),
        (("run", "data.csv", "-i", "ISO dates", "--instruction", "no dates"), "--instruction"),
        (("run", "data.csv", "--seed", "1", "--seed", "1"), "--seed"),
        (("apply", "data.csv", "--functions", "a", "--functions", "b", "-o", "out.csv"), "--functions"),
        (("apply", "data.csv", "--functions", "a", "-o", "x.csv", "-o", "y.csv"), "--output"),
        (("diff", "data.csv", "data.csv", "--rows", "1", "--rows", "2"), "--rows"),
        (("registry", "list", "--registry", "a", "--registry", "b"), "--registry"),
        (("config", "--for", "run", "--for", "apply"), "--for"),
        (("config", "--seed", "1", "--seed", "2"), "--seed"),
    ],
)
def test_an_option_with_one_value_is_not_given_twice(
    cleanroom: Call, tmp_path: Path, command: tuple[str, ...], option: str
) -> None:
    """One of both would not count: it may be the one that asks for more, or the registry that was meant."""
    (tmp_path / "data.csv").write_text(GOOD)
    done = cleanroom(*command, env=NO_ENGINE)
    assert (done.returncode, _said(done).splitlines()[0]) == (
        2,
        f"error: {option} is given twice, and only one counts.",
    )
    assert not done.stdout


def test_options_of_which_all_count_and_flags_may_be_given_twice(cleanroom: Call, tmp_path: Path) -> None:
    """Two keys are both keys, and a flag says the same twice."""
    (tmp_path / "data.csv").write_text("id,place,city\n1,a,Ulm\n1,b,Bonn\n")
    done = cleanroom("diff", "data.csv", "data.csv", "--key", "id", "--key", "place", "--json", "--json", env=NO_ENGINE)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("run", "a.csv", "--shape", "nonsense"), "'--shape': 'nonsense' is not one of 'table', 'record', 'text'"),
        (("config", "--for", "nonsense"), "'--for': 'nonsense' is not one of 'run',"),
        (("run", "a.csv", "--chunk-rows", "x"), "'--chunk-rows': it must be a whole number"),
        (("run", "a.csv", "--timeout", "x"), "'--timeout': it must be a number"),
        (("run", "a.csv", "--chunk-rows", "1"), "'--chunk-rows': it must be at least 10"),
        (("run", "a.csv", "--lanes", "9999"), "'--lanes': it must be at most 64"),
    ],
)
def test_a_value_that_does_not_fit_is_said_plainly(cleanroom: Call, command: tuple[str, ...], said: str) -> None:
    """What the library calls it is nobody's business."""
    done = cleanroom(*command, env=NO_ENGINE)
    words = " ".join(done.stderr.replace("│", " ").split())
    assert (done.returncode, said in words) == (2, True), done.stderr
    assert "Value error" not in words
    assert "Input should" not in words


def test_a_file_that_begins_as_an_option_is_told_how_to_be_named(cleanroom: Call, tmp_path: Path) -> None:
    """`No such option: -d` says nothing to who means a file; where there is no such file, it is an option."""
    (tmp_path / "-dash.csv").write_text("city\nRome\n")
    done = cleanroom("analyze", "-dash.csv")
    assert done.returncode == 2
    assert " ".join(done.stderr.split()) == "error: -dash.csv begins as an option does. Say ./-dash.csv."
    assert cleanroom("analyze", "./-dash.csv").returncode == 0
    assert "No such option" in cleanroom("analyze", "-gone.csv").stderr


@pytest.mark.parametrize(
    "command",
    [("--x\u202efdp",), ("registry", "--x\u202efdp"), ("analyze", "--x\u202efdp"), ("analyze", "a.csv", "x\u202efdp")],
)
def test_what_was_typed_wrongly_is_shown_with_its_hidden_signs(cleanroom: Call, command: tuple[str, ...]) -> None:
    """The parser repeats the word that it does not know: of a whole command, of a group, of a single command."""
    done = cleanroom(*command)
    assert done.returncode == 2
    assert r"x\u202efdp" in done.stderr
    assert "\u202e" not in done.stderr
