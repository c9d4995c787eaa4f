"""Notes what a candidate tries that no cleaning function needs: files, sockets, processes. Called by child.py.

The locks deny most of it; this says that it was tried, which a candidate that catches the error would hide. It is a
signal and no boundary: the candidate shares this process, and calls that do not go through Python leave no trace.
What Python and pandas open for themselves (modules, time zones, locales) does not count.
"""

import os
import sys
from typing import Any

_MOST = 8
_LONGEST = 200
_FILES = frozenset({"open", "os.listdir", "os.scandir"})
_OTHERS = frozenset(
    {
        "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.chown", "os.utime",
        "os.truncate", "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.system", "os.spawn", "os.kill",
        "subprocess.Popen", "pty.spawn", "socket.__new__", "socket.connect", "socket.bind", "socket.getaddrinfo",
        "socket.gethostbyname", "sqlite3.connect",
    }
)  # fmt: skip
_OWN = ("/dev/null", "/dev/urandom", "/etc/localtime", "/etc/timezone", "/usr/share/locale/", "/usr/lib/locale/")
_seen: list[str] = []


def watch() -> None:
    """Begin. A child calls it once, when all that it needs is imported, and nothing takes it back."""
    library = os.path.dirname(os.__file__)
    roots = {library, os.path.dirname(__file__), *(path for path in sys.path if _is_library(path))}
    own = tuple(f"{root.rstrip('/')}/" for root in sorted(roots)) + _OWN
    listed = frozenset(os.path.abspath(path) for path in sys.path)  # a search for a module lists them

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _FILES:
            path = arguments[0] if arguments else "."
            searched = event != "open" and isinstance(path, str) and os.path.abspath(path) in listed
            if not searched and not _is_own(path, own):
                _note(f"{event} {path!s}")
        elif event in _OTHERS:
            _note(f"{event} {arguments[0] if arguments else ''!s}")

    sys.addaudithook(hook)


def taken() -> list[str]:
    """What was noted since the last call."""
    noted, _seen[:] = list(_seen), []
    return noted


def _is_library(path: str) -> bool:
    return path.endswith(("-packages", "lib-dynload", "/lib")) or os.path.basename(path).startswith("python3")


def _is_own(path: Any, own: tuple[str, ...]) -> bool:
    """Whether Python or pandas opens it for itself; descriptors were opened before."""
    if not isinstance(path, str | bytes):
        return True
    name = os.path.abspath(os.fsdecode(path))
    return name.startswith(own) or f"{name}/" in own or "/zoneinfo/" in f"{name}/" or name.endswith("/localtime")


def _note(what: str) -> None:
    if len(_seen) < _MOST:
        _seen.append(what[:_LONGEST].encode("utf-8", "backslashreplace").decode())
