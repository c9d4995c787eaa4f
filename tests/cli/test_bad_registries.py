"""Whatever stands where a registry, a bundle or a run should be: one sentence, what to do, and the documented code."""

import os
import subprocess
from pathlib import Path

import pytest

from orchestrator.registry.bundle import export_archive
from orchestrator.registry.store import SqlRegistry
from tests.registry.conftest import make_candidate, make_evidence
from tests.support.command import CLEANROOM, Call, Done, surroundings

WITHOUT_ROOTS_RIGHTS = ["setpriv", "--inh-caps", "-all", "--bounding-set", "-dac_override,-dac_read_search"]


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    """A registry with one function, and a bundle of it beside."""
    place = tmp_path / "registry"
    made = make_candidate("f")
    with SqlRegistry(f"sqlite:///{place}/registry.db") as opened:
        opened.promote(made, make_evidence(made))
        export_archive(opened.functions(), tmp_path / "b.zip", log=opened.log_proof())
    return place


def without_rights(folder: Path, *command: object) -> Done:
    """`cleanroom COMMAND…` by somebody for whom the permissions of files count, as they do not for root."""
    first = WITHOUT_ROOTS_RIGHTS if os.geteuid() == 0 else []
    words = [*first, str(CLEANROOM), *map(str, command)]
    return subprocess.run(words, cwd=folder, env=surroundings(), capture_output=True, text=True, check=False)


def said(done: Done, code: int) -> str:
    """The message, which is an error of this code."""
    assert done.returncode == code, done
    assert done.stderr.startswith("error: "), done
    assert "Internal error" not in done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize("command", ["list", "migrate"])
def test_a_pipe_in_place_of_a_database_is_not_waited_for(cleanroom_process: Call, tmp_path: Path, command: str) -> None:
    """To open it has no end, to read and to write."""
    os.mkfifo(tmp_path / "pipe")
    done = cleanroom_process("registry", command, "--registry", "sqlite:///pipe")
    assert "it is not a regular file" in said(done, 3)


@pytest.mark.parametrize(("kind", "words"), [("folder", "it is a folder"), ("text", "not an SQLite")])
@pytest.mark.parametrize("command", [("list",), ("audit",), ("approve", "f"), ("export", "-o", "out"), ("migrate",)])
def test_an_address_of_what_is_no_database(
    cleanroom: Call, tmp_path: Path, kind: str, words: str, command: tuple[str, ...]
) -> None:
    """A folder was taken for an error of the disk."""
    place = tmp_path / kind
    if kind == "folder":
        place.mkdir()
    else:
        place.write_text("hello")
    assert words in said(cleanroom("registry", *command, "--registry", f"sqlite:///{place}"), 3)


@pytest.mark.parametrize("content", [b"", b"city,n\nBonn,1\n"])
@pytest.mark.parametrize("command", [("registry", "list"), ("registry", "show", "f"), ("check", "d.csv")])
def test_a_file_that_is_neither_registry_nor_bundle(
    cleanroom: Call, tmp_path: Path, content: bytes, command: tuple[str, ...]
) -> None:
    """It was taken for a broken archive, to be exported again."""
    (tmp_path / "file").write_bytes(content)
    (tmp_path / "d.csv").write_text("city\nBonn\n")
    option = "--functions" if command[0] == "check" else "--registry"
    error = said(cleanroom(*command, option, "file"), 3)
    assert "file is neither a registry nor a bundle." in error
    assert "Name the --out folder of a run" in error


@pytest.mark.parametrize("command", ["show", "approve", "suspend", "revoke"])
def test_a_function_that_is_not_there_is_a_matter_of_usage(cleanroom: Call, registry: Path, command: str) -> None:
    """It ended as if the database could not be used."""
    reason = ("--reason", "x") if command in {"suspend", "revoke"} else ()
    done = cleanroom("registry", command, "nothing", *reason, "--registry", registry)
    assert "has no function nothing" in said(done, 2)


@pytest.mark.parametrize("place", ["nowhere", "folder"])
def test_functions_that_are_not_there_are_a_matter_of_usage(cleanroom: Call, tmp_path: Path, place: str) -> None:
    """A name without functions is a wrong name, for `apply` and `check` as for `registry`."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "d.csv").write_text("city\nBonn\n")
    for words in (("apply", "d.csv", "-o", "out.csv"), ("check", "d.csv")):
        assert f"There are no functions in {place}." in said(cleanroom(*words, "--functions", place), 2)


@pytest.mark.parametrize("bundle", ["nowhere", "registry"])
def test_an_import_of_what_is_no_bundle(cleanroom: Call, tmp_path: Path, registry: Path, bundle: str) -> None:
    """A registry was told to have no functions; nothing is made for it."""
    error = said(cleanroom("registry", "import", bundle, "--no-rerun", "--registry", "mine"), 2)
    assert f"{bundle} {'does not exist' if bundle == 'nowhere' else 'is not a bundle'}." in error
    assert registry.is_dir()
    assert not (tmp_path / "mine").exists()


def test_an_import_with_a_wrong_file_makes_no_registry(cleanroom: Call, registry: Path, tmp_path: Path) -> None:
    """What cannot be judged on is found out before."""
    assert registry.is_dir()
    said(cleanroom("registry", "import", "b.zip", "--data", "nowhere.csv", "--registry", "mine"), 2)
    assert not (tmp_path / "mine").exists()


def test_the_signed_bytes_of_a_bundle_are_shown(cleanroom: Call, registry: Path) -> None:
    """As those of a registry: the bundle was opened as a database."""
    shown = cleanroom("registry", "show", "f", "--signed", "--registry", "b.zip")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout == cleanroom("registry", "show", "f", "--signed", "--registry", registry).stdout != ""


@pytest.mark.parametrize(
    "command",
    [
        *(("registry", name, "--registry", "closed") for name in ("list", "audit", "verify")),
        ("registry", "approve", "f", "--registry", "closed"),
        ("runs", "show", "closed"),
        ("review", "closed"),
        ("diff", "closed"),
        ("check", "d.csv", "--functions", "closed"),
    ],
)
def test_a_folder_that_may_not_be_entered(tmp_path: Path, command: tuple[str, ...]) -> None:
    """It was an internal error of every command that looks for something in it."""
    (tmp_path / "d.csv").write_text("city\nBonn\n")
    (tmp_path / "closed").mkdir(mode=0)
    done = without_rights(tmp_path, *command)
    (tmp_path / "closed").chmod(0o700)
    error = said(done, 2)
    assert "You have no permission to look at closed/" in error
    assert "copy" not in error  # which takes the same permission


def test_a_file_that_may_not_be_read(tmp_path: Path, registry: Path) -> None:
    """Its permissions are to be checked: the journal was said to be none, the manifest not to be used."""
    for file, command, code in (
        ("run/run.jsonl", ("runs", "show", "run"), 2),
        ("bundle/manifest.json", ("registry", "list", "--registry", "bundle"), 3),
        ("b.zip", ("registry", "list", "--registry", "b.zip"), 3),
        ("registry/registry.db", ("registry", "list", "--registry", registry), 3),
    ):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
        (tmp_path / file).chmod(0)
        error = said(without_rights(tmp_path, *command), code)
        assert "cannot be read: Permission denied.\n       Check" in error
        assert "permissions" in error


@pytest.mark.parametrize("named", ["--junit", "--sarif", "--questions"])
@pytest.mark.parametrize("place", ["registry", "registry/registry.db", "sqlite:///registry/registry.db"])
def test_no_report_takes_the_place_of_the_registry(
    cleanroom: Call, tmp_path: Path, registry: Path, named: str, place: str
) -> None:
    """With all evidence in it, it became a file of XML after the verdict."""
    (tmp_path / "a.csv").write_text("city\n Bonn\n")
    (tmp_path / "f.py").write_text("def f(df):\n    return df\n")
    before = (registry / "registry.db").read_bytes()
    given = ("f.py", "--data", "a.csv", "--registry", place, named, "registry/registry.db")
    assert f"is named for a result, and belongs to {place}." in said(cleanroom("verify", *given), 2)
    assert (registry / "registry.db").read_bytes() == before
