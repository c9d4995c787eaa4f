"""Files appear whole or not at all, follow no link, and are open to nobody whom their folder keeps out."""

import errno
import os
import resource
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from orchestrator.core.errors import OutputError
from orchestrator.data.files import append_text, atomic_file, open_for_appending, private_folder, write_file, write_new
from orchestrator.data.targets import check_target


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def test_the_old_content_stays_until_all_is_written(tmp_path: Path) -> None:
    """A reader finds the old bytes while the new ones are written, and then the new ones and no other file."""
    path = tmp_path / "out.csv"
    path.write_bytes(b"old")
    with atomic_file(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["out.csv"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_permissions_of_another_users_file_are_not_taken_over(tmp_path: Path) -> None:
    """Who put a file there that all may write could add rows to the result of somebody else; an own one's are kept."""
    path = tmp_path / "out.csv"
    tmp_path.chmod(0o755)
    for owner, expected in ((65534, 0o644), (0, 0o666)):
        path.write_bytes(b"old")
        path.chmod(0o666)
        os.chown(path, owner, -1)
        with umask(0o022):
            write_file(path, b"new")
        assert (mode(path), path.stat().st_uid) == (expected, 0)


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    """Whatever is raised while the file is written, an interrupt too, what was there is as it was."""
    path = tmp_path / "out.csv"
    path.write_bytes(b"old")

    def break_off(error: type[BaseException]) -> None:
        with atomic_file(path) as file:
            file.write(b"half")
            raise error

    for error in (ValueError, KeyboardInterrupt):
        with pytest.raises(error):
            break_off(error)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["out.csv"]


@pytest.mark.parametrize("target", ["victim", "nowhere"])
def test_a_link_with_the_final_name_is_replaced_not_followed(tmp_path: Path, target: str) -> None:
    """What a link points to keeps its bytes, and a link to nothing makes nothing there."""
    (tmp_path / "victim").write_bytes(b"precious")
    (tmp_path / "out.csv").symlink_to(tmp_path / target)
    write_file(tmp_path / "out.csv", b"new")
    assert not (tmp_path / "out.csv").is_symlink()
    assert (tmp_path / "out.csv").read_bytes() == b"new"
    assert (tmp_path / "victim").read_bytes() == b"precious"
    assert names(tmp_path) == ["out.csv", "victim"]


@pytest.mark.parametrize("place", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/no-device.csv"])
def test_no_file_takes_the_place_of_a_device(tmp_path: Path, place: str) -> None:
    """With stdout in a file, root's /dev/stdout, a link, was replaced by the result, for all programs."""
    code = "import sys; from pathlib import Path; from orchestrator.data.files import check_writable as check\n"
    with (tmp_path / "stdout").open("wb") as stdout:
        done = subprocess.run(
            [sys.executable, "-c", f"{code}check(Path(sys.argv[1]))", place],
            stdout=stdout, stderr=subprocess.PIPE, check=False, text=True,
        )  # fmt: skip
    assert "lies among devices" in done.stderr


def test_a_planted_temporary_name_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where somebody guessed the random name and put a link or a file there, it is neither followed nor overwritten."""
    (tmp_path / "victim").write_bytes(b"precious")
    monkeypatch.setattr("secrets.token_hex", lambda _: "guessed")
    planted = tmp_path / ".out.csv.guessed.part"
    planted.symlink_to(tmp_path / "victim")
    with pytest.raises(OutputError, match="exists"):
        write_file(tmp_path / "out.csv", b"new")
    assert planted.is_symlink()
    planted.unlink()
    planted.write_bytes(b"somebody's")
    with pytest.raises(OutputError, match="exists"):
        write_file(tmp_path / "out.csv", b"new")
    assert planted.read_bytes() == b"somebody's"
    assert (tmp_path / "victim").read_bytes() == b"precious"
    assert not (tmp_path / "out.csv").exists()


def test_temporary_names_differ(tmp_path: Path) -> None:
    """Two writers of the same file do not meet, and the last one to finish wins."""
    with atomic_file(tmp_path / "out.csv") as one, atomic_file(tmp_path / "out.csv") as other:
        assert len(names(tmp_path)) == 2
        one.write(b"one")
        other.write(b"other")
    assert (tmp_path / "out.csv").read_bytes() == b"one"
    assert names(tmp_path) == ["out.csv"]


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk may be full when the bytes are written, or only when they are forced to it; the advice says so."""
    path = tmp_path / "out.csv"
    path.write_bytes(b"old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, limits[1]))
    try:
        with pytest.raises(OutputError, match="too large"):
            write_file(path, b"x" * 2**22)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OutputError, match="no space left") as caught:
        write_file(path, b"new")
    assert "Free some space" in caught.value.advice
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["out.csv"]


def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    """A directory, a pipe and a device are not replaced by a file, also not through a link."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "null").symlink_to("/dev/null")
    for name in (".", "pipe", "null"):
        with pytest.raises(OutputError, match="cannot be written there"):
            write_file(tmp_path / name, b"new")
    assert names(tmp_path) == ["null", "pipe"]
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_place_that_cannot_be_written_is_found_before_any_work(tmp_path: Path) -> None:
    """A folder that is not there, a file in the place of a folder, a folder as the file; an older file may stay."""
    (tmp_path / "old.csv").write_text("old")
    for place in ("typo/out.csv", "old.csv/out.csv", "."):
        with pytest.raises(OutputError):
            check_target(tmp_path / place)
    check_target(tmp_path / "old.csv")
    check_target(tmp_path / "new.csv")
    check_target(Path("-"))
    assert [one.name for one in tmp_path.iterdir()] == ["old.csv"]


def test_a_new_file_is_as_open_as_its_folder(tmp_path: Path) -> None:
    """Folder and mask together decide; a file that was there keeps its own permissions, a replaced link has none."""
    private_folder(tmp_path / "run")
    (tmp_path / "shared").mkdir(mode=0o755)
    (tmp_path / "shared/kept").touch(mode=0o604)
    (tmp_path / "shared/link").symlink_to(tmp_path / "shared/kept")
    with umask(0o022):
        for name in ("run/new", "shared/new", "shared/kept", "shared/link"):
            write_file(tmp_path / name, b"x")
    with umask(0o077):
        write_file(tmp_path / "shared/masked", b"x")
    assert mode(tmp_path / "run/new") == 0o600
    assert mode(tmp_path / "shared/new") == mode(tmp_path / "shared/link") == 0o644
    assert mode(tmp_path / "shared/kept") == 0o604
    assert mode(tmp_path / "shared/masked") == 0o600


def test_a_private_folder_is_for_its_owner(tmp_path: Path) -> None:
    """A new folder lets nobody else in, nor do those above it, whatever the mask; an older one is left as it is."""
    (tmp_path / "there").mkdir(mode=0o755)
    with umask(0):
        for name in ("there", "a/b/c"):
            private_folder(tmp_path / name)
    assert mode(tmp_path / "a/b/c") == mode(tmp_path / "a/b") == mode(tmp_path / "a") == 0o700
    assert mode(tmp_path / "there") == 0o755


def test_a_file_that_grows_follows_no_link(tmp_path: Path) -> None:
    """A new one must be new and is for its owner; an old one is opened only where it is no link."""
    (tmp_path / "victim").write_bytes(b"precious")
    (tmp_path / "link").symlink_to(tmp_path / "victim")
    with pytest.raises(FileExistsError):
        open_for_appending(tmp_path / "link", new=True)
    with pytest.raises(OSError, match="symbolic links"):
        open_for_appending(tmp_path / "link", new=False)
    os.close(open_for_appending(tmp_path / "new", new=True))
    assert mode(tmp_path / "new") == 0o600
    assert (tmp_path / "victim").read_bytes() == b"precious"


def test_a_file_that_grows_is_on_the_disk_after_each_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For its owner only, unless something else is asked for."""
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    for line in ("a\n", "b\n"):
        append_text(tmp_path / "log", line)
    assert (tmp_path / "log").read_text() == "a\nb\n"
    assert mode(tmp_path / "log") == 0o600
    assert len(synced) == 2


def test_a_new_file_replaces_nothing(tmp_path: Path) -> None:
    """Neither a file nor a link, and nothing is left beside it."""
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    write_new(tmp_path / "key", b"first")
    for name in ("key", "link"):
        with pytest.raises(FileExistsError):
            write_new(tmp_path / name, b"second")
    assert (tmp_path / "key").read_bytes() == b"first"
    assert mode(tmp_path / "key") == 0o600
    assert names(tmp_path) == ["key", "link"]
