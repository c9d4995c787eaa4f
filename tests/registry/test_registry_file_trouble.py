"""What can go wrong with a registry in a file: one sentence, an exit code, nothing changed."""

import os
import shutil
import sqlite3
import struct
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import RegistryError
from orchestrator.core.promoted import Evidence
from orchestrator.registry import sqlite_snapshot
from orchestrator.registry.functions import functions_in
from orchestrator.registry.store import SqlRegistry
from tests.support.command import Call, in_this_process

MakeCandidate = Callable[..., Candidate]
MakeEvidence = Callable[..., Evidence]
RELEASE = Path(__file__).parents[1] / "golden" / "release-0.1.0" / "registry" / "registry.db"


@pytest.fixture
def folder(tmp_path: Path, candidate: MakeCandidate, evidence: MakeEvidence) -> Path:
    """A registry with three functions."""
    place = tmp_path / "team"
    with SqlRegistry(f"sqlite:///{place}/registry.db") as registry:
        for number in range(3):
            made = candidate(f"f{number}", f"c{number}")
            registry.promote(made, evidence(made))
    return place


@pytest.fixture
def read_only(folder: Path) -> Iterator[Path]:
    """The same, where nobody can write, root included; with a registry of release 0.1.0 beside it."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a folder read-only")
    shutil.copy(RELEASE, folder / "old.db")
    subprocess.run(["mount", "--bind", folder, folder], check=True)
    subprocess.run(["mount", "-o", "remount,ro,bind", folder], check=True)
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.fixture
def cleanroom(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Call:
    return in_this_process(tmp_path, capfd)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_read_only_registry_can_be_listed_and_applied(read_only: Path, cleanroom: Call) -> None:
    """Whoever may not write can still use it; nothing is made beside it."""
    before = content(read_only)
    assert [function.name for function in functions_in(read_only)] == ["f0", "f1", "f2"]
    for command in (("list",), ("show", "f1"), ("verify",)):
        done = cleanroom("registry", *command, "--registry", read_only)
        assert done.returncode == 0, done.stderr
    assert content(read_only) == before


def test_a_read_only_registry_is_not_written(
    read_only: Path, cleanroom: Call, candidate: MakeCandidate, evidence: MakeEvidence
) -> None:
    """Promoting and revoking say so, also where the tables would have to be migrated first."""
    before = content(read_only)
    made = candidate("late")
    with (
        SqlRegistry(f"sqlite:///{read_only}/registry.db") as registry,
        pytest.raises(RegistryError, match="is read-only"),
    ):
        registry.promote(made, evidence(made))
    revoked = cleanroom("registry", "revoke", "f0", "--reason", "x", "--registry", read_only)
    assert (revoked.returncode, "is read-only" in revoked.stderr) == (3, True), revoked
    old = cleanroom("registry", "revoke", "trim_city", "--reason", "x", "--registry", read_only / "old.db")
    assert (old.returncode, "older cleanroom, and is read-only" in old.stderr) == (3, True), old
    assert content(read_only) == before


@pytest.mark.parametrize("largest", [sqlite_snapshot._LARGEST, 1000])
@pytest.mark.parametrize("named", ["copy", "link.db"])
def test_a_read_only_copy_of_a_registry_in_use_is_not_read_in_part(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, largest: int
) -> None:
    """What a writer has left in its log beside the file counts: else a revoked function would come back.

    It lies beside the file that a link leads to, and counts where the file is read in its place, too.
    """
    if os.geteuid() != 0:
        pytest.skip("only root can mount a folder read-only")
    monkeypatch.setattr(sqlite_snapshot, "_LARGEST", largest)
    copy = tmp_path / "copy"
    (tmp_path / "link.db").symlink_to(copy / "registry.db")
    with closing(sqlite3.connect(folder / "registry.db")) as reader:
        reader.execute("SELECT * FROM events").fetchone()  # keeps the log from being folded into the file
        with SqlRegistry(f"sqlite:///{folder}/registry.db") as registry:
            registry.revoke("f1", "wrong")
        copy.mkdir()
        for name in ("registry.db", "registry.db-wal"):
            shutil.copy(folder / name, copy / name)
    subprocess.run(["mount", "--bind", copy, copy], check=True)
    subprocess.run(["mount", "-o", "remount,ro,bind", copy], check=True)
    try:
        if largest == 1000:  # SQLite cannot read a log without a file of its own beside it
            with pytest.raises(RegistryError, match="cannot be opened"):
                functions_in(tmp_path / named)
        else:
            assert [function.name for function in functions_in(tmp_path / named)] == ["f0", "f2"]
    finally:
        subprocess.run(["umount", copy], check=True)


def test_a_file_that_is_removed_in_the_middle_is_not_made_again(
    folder: Path, candidate: MakeCandidate, evidence: MakeEvidence
) -> None:
    """One sentence, and no empty registry in its place."""
    registry, made = SqlRegistry(f"sqlite:///{folder}/registry.db"), candidate("late")
    for path in folder.iterdir():
        path.unlink()
    with pytest.raises(RegistryError, match="cannot be opened"):
        registry.promote(made, evidence(made))
    with pytest.raises(RegistryError, match="cannot be opened"):
        registry.functions()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("damage", ["half", "zeros", "schema"])
def test_a_damaged_file_is_said_to_be_one(folder: Path, damage: str, cleanroom: Call) -> None:
    """Cut in half, overwritten with zeros, without one of its tables: exit code 3 and a sentence."""
    path = folder / "registry.db"
    data = path.read_bytes()
    if damage == "half":
        path.write_bytes(data[: len(data) // 2])
    elif damage == "zeros":
        path.write_bytes(data[:100] + bytes(len(data) - 100))
    else:
        with closing(sqlite3.connect(path)) as raw:
            raw.execute("DROP TABLE log_entries")
    for command in ("list", "verify", "migrate"):
        done = cleanroom("registry", command, "--registry", folder)
        assert done.returncode == (1 if command == "verify" else 3), done
        assert "Traceback" not in done.stderr
        assert done.stderr.startswith("error: The registry"), done.stderr
        assert "is damaged" in done.stderr


def test_a_disk_that_is_full_while_tables_are_migrated(tmp_path: Path) -> None:
    """The old registry is as it was, and is migrated once there is space."""
    old = Path(shutil.copy(RELEASE, tmp_path / "registry.db"))
    with closing(sqlite3.connect(old)) as raw:
        pages, before = (
            raw.execute("PRAGMA page_count").fetchone()[0],
            raw.execute("SELECT * FROM functions").fetchall(),
        )

    def no_room(connection: Any, _record: Any) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    event.listen(Engine, "connect", no_room)
    try:
        with pytest.raises(RegistryError, match="disk is full"):
            SqlRegistry(f"sqlite:///{old}", create=False)
    finally:
        event.remove(Engine, "connect", no_room)
    with closing(sqlite3.connect(old)) as raw:
        assert raw.execute("SELECT version FROM schema_version").fetchone() == (1,)
        assert raw.execute("SELECT * FROM functions").fetchall() == before
    with SqlRegistry(f"sqlite:///{old}", create=False) as registry:
        assert len(registry.history()) == 1


@pytest.mark.parametrize("last", ["nothing", "a super-journal"])
def test_a_journal_beside_it_deletes_no_other_file(folder: Path, tmp_path: Path, last: str) -> None:
    """One that a crash left is rolled back; one that names a file, which SQLite would delete then, is refused."""
    path = folder / "registry.db"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA journal_mode = DELETE")
    (tmp_path / "precious").write_text("mine")
    named, magic = str(tmp_path / "precious").encode(), bytes.fromhex("d9d505f920a163d7")
    data = path.read_bytes()
    (page,) = struct.unpack(">H", data[16:18])
    journal = (magic + struct.pack(">5I", 0, 0, len(data) // page, 512, page)).ljust(512, b"\0")
    if last == "a super-journal":
        journal += struct.pack(">I", 2**30 // page + 1) + named + struct.pack(">2I", len(named), sum(named)) + magic
    path.with_name(f"{path.name}-journal").write_bytes(journal)
    if last == "nothing":
        with SqlRegistry(f"sqlite:///{path}", create=False) as registry:
            assert len(registry.functions()) == 3
    else:
        with pytest.raises(RegistryError, match="names another file"):
            SqlRegistry(f"sqlite:///{path}", create=False)
    assert (tmp_path / "precious").read_text() == "mine"
