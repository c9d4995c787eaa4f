"""Where setup works: the user's folders, or the temporary folder where there are none."""

import os
from pathlib import Path

import pytest

from orchestrator.core.errors import SetupError
from orchestrator.sandbox.provision import paths


def test_the_cache_variable_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """XDG_CACHE_HOME decides where downloads go."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert paths.cache_folder() == tmp_path / "cleanroom"


def test_the_home_folder_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the variables, the usual folders below HOME are used."""
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert paths.setup_log() == tmp_path / ".local/state/cleanroom/setup.log"


def test_a_home_that_is_no_folder_falls_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the home folder cannot hold anything, a folder of this user below the temporary folder serves."""
    (tmp_path / "home").write_text("a file")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = paths.cache_folder()
    assert folder == tmp_path / f"cleanroom-{os.getuid()}" / ".cache"
    assert folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("planted", ["link", "link inside", "open"])
def test_a_fallback_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: str) -> None:
    """The name below the temporary folder can be guessed: by a link there the log was written to where it led."""
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/dev/null")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    theirs, victim = tmp_path / f"cleanroom-{os.getuid()}", tmp_path / "victim"
    victim.mkdir()
    if planted == "link":
        theirs.symlink_to(victim)
    else:
        theirs.mkdir()
        theirs.chmod(0o777)
    if planted == "link inside":
        (theirs / "state").symlink_to(victim)
    with pytest.raises(SetupError, match=f"neither one in the home folder nor {theirs} is this user's to write"):
        paths.setup_log()
    assert list(victim.iterdir()) == []


def test_a_relative_variable_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The XDG rules call a relative path invalid; it is not used."""
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert paths.cache_folder() == tmp_path / ".cache/cleanroom"
