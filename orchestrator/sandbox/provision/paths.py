"""Where provisioning keeps its files: downloads in the user's cache, the log and the lock in the user's state.

Works with HOME empty or not writable (services, containers): then a folder below the temporary folder serves, unless
somebody else made it: its name can be guessed, and whoever has it could lead what is written there elsewhere.
"""

import os
import pwd
import stat
import tempfile
from pathlib import Path

from orchestrator.core.errors import SetupError
from orchestrator.data.files import private_folder

ENGINE_LOG = Path("/var/log/cleanroom-dockerd.log")  # only root starts an engine, so one place is enough


def cache_folder() -> Path:
    """Downloaded wheels and unfinished work; may be deleted at any time."""
    return _folder("XDG_CACHE_HOME", ".cache")


def setup_log() -> Path:
    """What apt, pip and mmdebstrap said."""
    return _folder("XDG_STATE_HOME", ".local/state") / "setup.log"


def setup_lock() -> Path:
    """Held by the one `cleanroom setup` of this user that is at work."""
    return _folder("XDG_STATE_HOME", ".local/state") / "setup.lock"


def _folder(variable: str, below_home: str) -> Path:
    base = os.environ.get(variable, "")
    home = os.environ.get("HOME", "") or _passwd_home()
    wanted = []
    if base.startswith("/"):
        wanted.append(Path(base) / "cleanroom")
    if home.startswith("/"):
        wanted.append(Path(home) / below_home / "cleanroom")
    temporary = Path(tempfile.gettempdir()) / f"cleanroom-{os.getuid()}"
    wanted.append(temporary / below_home.rpartition("/")[2])
    for folder in wanted:
        try:
            if folder.parent == temporary:
                private_folder(temporary)
                _check_own(temporary)
            private_folder(folder)
        except OSError:
            continue
        if folder.stat().st_uid == os.getuid() and os.access(folder, os.W_OK):
            return folder
    raise SetupError(
        f"There is no folder to work in: neither one in the home folder nor {temporary} is this user's to write.",
        advice=f"Set {variable} to a folder that this user may write.",
    )


def _check_own(folder: Path) -> None:
    """Raises PermissionError where others made the folder, or may write to it."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError


def _passwd_home() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:  # a user id without an account, as in many containers
        return ""
