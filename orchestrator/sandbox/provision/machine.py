"""This machine as the decisions of provisioning see it, behind one Protocol so that tests can decide on a fake one.

Called by engine_install.py, debian_packages.py and base_image.py.
"""

import os
import platform
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Protocol

SBIN = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"  # a user's PATH often lacks the sbin folders


class Machine(Protocol):
    """Facts about a machine, and the one way to change it: running a program."""

    def is_root(self) -> bool: ...
    def is_debian_like(self) -> bool: ...
    def has_systemd(self) -> bool: ...
    def find(self, program: str) -> str | None: ...
    def has_package_lists(self) -> bool: ...
    def run(self, command: Sequence[str], log: IO[bytes], environment: Mapping[str, str] | None = None) -> int: ...


class ThisMachine:
    """The real one."""

    def is_root(self) -> bool:
        return os.geteuid() == 0

    def is_debian_like(self) -> bool:
        try:
            release = platform.freedesktop_os_release()
        except OSError:
            return False
        family = f"{release.get('ID', '')} {release.get('ID_LIKE', '')}".split()
        return bool({"debian", "ubuntu"} & set(family)) and self.find("apt-get") is not None

    def has_systemd(self) -> bool:
        return Path("/run/systemd/system").is_dir()

    def find(self, program: str) -> str | None:
        return shutil.which(program, path=f"{os.environ.get('PATH', '')}:{SBIN}")

    def has_package_lists(self) -> bool:
        return any(Path("/var/lib/apt/lists").glob("*_Packages*"))

    def run(self, command: Sequence[str], log: IO[bytes], environment: Mapping[str, str] | None = None) -> int:
        """Runs to the end; what it says goes to the log file (never a pipe: a daemon it starts would hold it open)."""
        path = {"PATH": f"{os.environ.get('PATH', '')}:{SBIN}"}
        log.flush()
        return subprocess.run(  # noqa: S603 - fixed program names, no shell
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={**os.environ, **path, **(environment or {})},
            check=False,
        ).returncode
