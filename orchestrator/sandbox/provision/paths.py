"""Where provisioning keeps its files: downloads in the user's cache, the log and the lock in the user's state.

Works with HOME empty or not writable (services, containers): then a folder below the temporary folder serves.
"""

import os
import pwd
import tempfile
from pathlib import Path

from orchestrator.core.errors import SetupError

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
    wanted.append(Path(tempfile.gettempdir()) / f"cleanroom-{os.getuid()}" / below_home.rpartition("/")[2])
    for folder in wanted:
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError:
            continue
        if folder.stat().st_uid == os.getuid() and os.access(folder, os.W_OK):
            return folder
    raise SetupError(
        "There is no folder to work in: neither the home folder nor the temporary folder can be written.",
        advice=f"Set {variable} to a folder that this user may write.",
    )


def _passwd_home() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:  # a user id without an account, as in many containers
        return ""
