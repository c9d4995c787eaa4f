"""Runs a program as a user without any rights, for attacks that root must try as somebody else, too. A plain script.

    python ordinary_user.py PLACE… -- PROGRAM ARGUMENT…

Started by root. The user has no name and no files; among its groups is that of the engine's socket, as for people who
use Docker. The places (Python, the package) may lie where only root can look, below /root for example: in a mount
namespace of its own such a folder is replaced by one that holds nothing but them.
"""

import ctypes
import os
import sys
from collections.abc import Sequence
from pathlib import Path

USER = 54_321
_NEW_MOUNTS, _BIND, _RECURSIVE, _PRIVATE = 0x20000, 0x1000, 0x4000, 0x40000
_libc = ctypes.CDLL(None, use_errno=True)


def main(arguments: list[str]) -> None:
    """Become the user and run the program. Raises OSError where this process is not root."""
    end = arguments.index("--")
    _checked(_libc.unshare(_NEW_MOUNTS))
    _mount(None, "/", None, _RECURSIVE | _PRIVATE, None)
    _show([Path(place) for place in arguments[:end]])
    engine = Path("/var/run/docker.sock")
    os.setgroups([engine.stat().st_gid] if engine.exists() and engine.stat().st_gid else [])
    os.setresgid(USER, USER, USER)
    os.setresuid(USER, USER, USER)
    os.execv(arguments[end + 1], arguments[end + 1 :])  # noqa: S606 - the program that root named


def _show(places: Sequence[Path]) -> None:
    """Make the places readable by all, and what is beside them invisible."""
    hidden: dict[Path, list[tuple[Path, int]]] = {}
    for place in dict.fromkeys(places):
        closed = next((each for each in reversed(place.parents) if not each.stat().st_mode & 0o001), None)
        if closed is not None:
            hidden.setdefault(closed, []).append((place, os.open(place, os.O_PATH)))
    for folder, kept in hidden.items():
        _mount("none", str(folder), "tmpfs", 0, "mode=755")
        for place, opened in kept:
            place.mkdir(mode=0o755, parents=True, exist_ok=True)
            _mount(f"/proc/self/fd/{opened}", str(place), None, _BIND | _RECURSIVE, None)
            os.close(opened)


def _mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None) -> None:
    words = [None if word is None else word.encode() for word in (source, target, kind, options)]
    _checked(_libc.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3]))


def _checked(result: int) -> None:
    if result:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


if __name__ == "__main__":
    main(sys.argv[1:])
