"""Who only reads a registry leaves its file and its folder as they are: they may be a stranger's."""

import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
from contextlib import closing
from pathlib import Path

import pytest

from orchestrator.core.errors import RegistryError
from orchestrator.registry import sqlite_snapshot
from orchestrator.registry.functions import functions_in, open_to_read
from orchestrator.registry.location import registry_url
from orchestrator.registry.queue.token_store import TokenScope, TokenStore
from orchestrator.registry.store import SqlRegistry
from orchestrator.run.verify.adoption import functions_to_adopt
from tests.registry.conftest import make_candidate, make_evidence
from tests.support.command import CLEANROOM, Call, in_this_process, surroundings

GOLDEN = Path(__file__).parents[1] / "golden"
OLD_RUNS = [GOLDEN / "release-0.1.0" / "run", GOLDEN / "signed" / "run"]


@pytest.fixture
def cleanroom(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Call:
    return in_this_process(tmp_path, capfd)


@pytest.fixture
def team(tmp_path: Path) -> Path:
    """A registry of this version with two functions."""
    place = tmp_path / "team"
    with SqlRegistry(f"sqlite:///{place}/registry.db") as registry:
        for name in ("first", "second"):
            made = make_candidate(name, name)
            registry.promote(made, make_evidence(made))
    return place


def traces(folder: Path) -> dict[str, tuple[bytes, int]]:
    """All that is in the folder, with the times at which files and folders were changed last."""
    found = [folder, *folder.rglob("*")]
    return {str(path): (path.read_bytes() if path.is_file() else b"", path.stat().st_mtime_ns) for path in found}


def write_and_die(place: Path) -> None:
    """Revoke a function in a process that is killed before it closes the file: its log stays behind."""
    child = os.fork()
    if child == 0:
        registry = SqlRegistry(f"sqlite:///{place}/registry.db", create=False)
        with registry._engine.connect():  # the last one that closes the file would fold the log into it
            registry.revoke("second", "wrong")
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)


@pytest.mark.parametrize("run", OLD_RUNS, ids=["0.1.0", "signed"])
def test_commands_that_read_leave_an_older_registry_as_it_is(run: Path, tmp_path: Path, cleanroom: Call) -> None:
    """Its tables are brought to this version in a copy; no file is changed, and none is left beside it."""
    place = shutil.copytree(run, tmp_path / "strangers")
    before = traces(place)
    for words in (
        ("registry", "list"),
        ("registry", "list", "--json"),
        ("registry", "show", "trim_blanks"),
        ("registry", "verify"),
        ("registry", "audit"),
        ("registry", "export", "-o", tmp_path / "exported"),
        ("tokens", "list"),
    ):
        done = cleanroom(*words, "--registry", place)
        assert done.returncode in {0, 1}, done  # 1: nobody whom this user trusts has signed it
    assert cleanroom("check", "--history", "--functions", place).returncode == 0
    cleanroom("review", place)
    assert functions_to_adopt(str(place / "registry"), elsewhere=True)
    assert traces(place) == before
    cleanroom("registry", "migrate", "--registry", place)
    assert traces(place) != before


def test_a_registry_of_this_version_is_left_as_it_is(team: Path, cleanroom: Call) -> None:
    """Not even for a moment is a file made beside it: the folder's time is the same."""
    before = traces(team)
    assert [function.name for function in functions_in(team)] == ["first", "second"]
    for words in (("list",), ("show", "first", "--signed"), ("audit",), ("verify",)):
        assert cleanroom("registry", *words, "--registry", team).returncode == 0
    assert traces(team) == before


def test_what_a_killed_process_has_left_is_read_and_stays(team: Path) -> None:
    """Its last change counts, and the log in which it stands is not folded into the file."""
    write_and_die(team)
    before = traces(team)
    assert f"{team}/registry.db-wal" in before
    assert [function.name for function in functions_in(team)] == ["first"]
    assert traces(team) == before


def test_what_was_broken_off_is_taken_back_in_the_copy_alone(team: Path) -> None:
    """A journal beside the file, as other programs leave one: what it holds counts, and it stays."""
    path = team / "registry.db"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA journal_mode = DELETE")
    child = os.fork()
    if child == 0:
        raw = sqlite3.connect(path, isolation_level=None)
        raw.execute("PRAGMA cache_size = 1")  # so that the file is written before the transaction ends
        raw.execute("BEGIN")
        raw.execute("CREATE TABLE half (a)")
        raw.executemany("INSERT INTO half VALUES (?)", [("x" * 3000,)] * 200)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    before = traces(team)
    assert f"{team}/registry.db-journal" in before
    with open_to_read(team) as registry, registry._engine.connect() as connection:
        assert len(registry.functions()) == 2
        assert not connection.exec_driver_sql("SELECT * FROM sqlite_master WHERE name = 'half'").all()
    assert traces(team) == before


def test_what_is_opened_to_read_cannot_be_written(team: Path) -> None:
    """A promotion into a copy in memory would be lost."""
    with open_to_read(team) as registry:
        with pytest.raises(RegistryError, match="is read-only"):
            registry.revoke("first", "x")
        assert len(registry.functions()) == 2


def test_a_registry_that_is_written_all_the_time_can_be_read(team: Path) -> None:
    """Then it is read where it is, as all who work with it do."""
    over = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(team / "registry.db")) as raw:
            raw.execute("CREATE TABLE other (a)")
            while not over.wait(0.005):
                with raw:
                    raw.execute("INSERT INTO other VALUES (1)")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert [function.name for function in functions_in(team)] == ["first", "second"]
    finally:
        over.set()
        writer.join()


def test_a_checkpoint_that_was_broken_off_is_made_up_for(team: Path, tmp_path: Path) -> None:
    """Killed, or without space, behind the first page: the file is shorter than it says, and whole with its log."""
    copy = tmp_path / "copy"
    with SqlRegistry(f"sqlite:///{team}/registry.db") as registry, registry._engine.connect():
        for number in range(20):
            made = make_candidate(f"f{number}")
            registry.promote(made, make_evidence(made))
        shutil.copytree(team, copy)
    log = (copy / "registry.db-wal").read_bytes()
    page = int.from_bytes(log[8:12], "big")
    frames = [log[at : at + 24 + page] for at in range(32, len(log), 24 + page)]
    first = [frame[24:] for frame in frames if int.from_bytes(frame[:4], "big") == 1]
    with (copy / "registry.db").open("r+b") as file:
        file.write(first[-1])
    (copy / "registry.db-shm").unlink()
    before = traces(copy)
    assert len(functions_in(copy)) == 22
    assert traces(copy) == before


def test_a_registry_with_a_log_is_read_where_there_is_no_room_for_a_copy(
    team: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A temporary folder that is full keeps nobody from applying."""
    write_and_die(team)
    monkeypatch.setattr(tempfile, "tempdir", str(team / "nowhere"))
    assert [function.name for function in functions_in(team)] == ["first"]


def test_looking_at_a_file_lets_go_of_no_lock(team: Path) -> None:
    """Else another process believes that nobody uses its log, and deletes it: what is written then is lost."""
    path = team / "registry.db"
    place = f"sqlite:///{path}"
    with TokenStore(place) as service:  # keeps a connection open
        service.create("one", [TokenScope.READ], 1)
        assert len(functions_in(path)) == 2
        words = [str(CLEANROOM), "registry", "suspend", "first", "--reason", "x", "--registry", str(path)]
        subprocess.run(words, env=surroundings(), check=True)
        service.create("two", [TokenScope.READ], 1)
        with TokenStore(place) as other:
            assert [token.name for token in other.tokens()] == ["one", "two"]


def test_a_name_that_is_no_unicode(team: Path) -> None:
    """File systems have such names."""
    place = team.with_name(os.fsdecode(b"b\xff"))
    team.rename(place)
    assert len(functions_in(place)) == 2


@pytest.mark.parametrize(("suffix", "words"), [("-wal", "is not a file"), ("-journal", "it is not a file")])
def test_a_pipe_beside_it(team: Path, suffix: str, words: str) -> None:
    """It is not waited for, and no permissions are to be checked."""
    os.mkfifo(f"{team}/registry.db{suffix}")
    with pytest.raises(RegistryError, match=words) as caught:
        functions_in(team)
    assert "permissions" not in caught.value.advice


def test_a_large_registry_is_read_where_it_is(team: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not taken into memory; an older one says how it is brought to this version."""
    monkeypatch.setattr(sqlite_snapshot, "_LARGEST", 1000)
    assert len(functions_in(team)) == 2
    with open_to_read(team) as registry, pytest.raises(RegistryError, match="is read-only"):
        registry.revoke("first", "x")
    old = shutil.copytree(OLD_RUNS[0], tmp_path / "old")
    with pytest.raises(RegistryError, match="older cleanroom") as caught:
        SqlRegistry(registry_url(old, create=False), read_only=True)
    assert "cleanroom registry migrate" in caught.value.advice
