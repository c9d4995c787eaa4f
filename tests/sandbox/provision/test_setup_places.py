"""Where setup works: the user's folders, or the temporary folder where there are none."""

import os
from pathlib import Path

import pytest

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


def test_a_relative_variable_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The XDG rules call a relative path invalid; it is not used."""
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert paths.cache_folder() == tmp_path / ".cache/cleanroom"
