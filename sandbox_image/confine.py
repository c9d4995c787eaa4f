"""Takes from a child everything that its candidate has no use for, before the candidate is loaded. Called by child.py.

Limits that every kernel has come first (descriptors, environment, rlimits), then two locks that cannot be opened again:
Landlock and a system call filter. What cannot be locked is not run: `Unconfined` ends the child with a status of its
own. Which locks are wanted is the host's word, in the environment of PID 1, read once when it starts:
`CLEANROOM_LAYERS=filter=required,landlock=available`. Without a word, the strictest is meant.
"""

import os
import random
import resource
import sys
from collections.abc import Callable
from typing import Any

import landlock
import seccomp_filter as call_filter
from syscalls import memory_in_use, offer_to_oom_killer

PIPE = 3
EXIT_UNCONFINED = 79
_WANTED = {"filter": "required", "landlock": "required"} | dict(
    word.split("=", 1) for word in os.environ.get("CLEANROOM_LAYERS", "").split(",") if "=" in word
)
_LANDLOCK = landlock.version()  # asked once; a child needs no call for it


class Unconfined(Exception):
    """A lock that is wanted cannot be had."""


def confine(limits: dict[str, Any], pipe: int) -> None:
    """Everything, in order; afterwards `PIPE` is the only open descriptor that leads anywhere. Raises Unconfined."""
    os.setsid()
    os.dup2(pipe, PIPE, inheritable=False)
    os.closerange(PIPE + 1, max(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[0]))
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)
    os.environ.clear()
    offer_to_oom_killer()
    _limit(limits)
    random.seed()  # the supervisor's state would make every child draw the same numbers
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed()  # the global state is what candidates use
    lock()


def _limit(limits: dict[str, Any]) -> None:
    space, data = memory_in_use()
    memory = int(limits["memory_bytes"])
    cpu = int(limits["cpu_s"]) + 1
    for what, soft, hard in (
        (resource.RLIMIT_AS, space + memory, space + memory),
        (resource.RLIMIT_DATA, data + memory, data + memory),
        (resource.RLIMIT_CPU, cpu, cpu + 1),
        (resource.RLIMIT_FSIZE, int(limits["file_bytes"]), int(limits["file_bytes"])),
        (resource.RLIMIT_NOFILE, int(limits["open_files"]), int(limits["open_files"])),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        resource.setrlimit(what, (soft, hard))


def lock() -> None:
    """Both locks, as the host wants them. Raises Unconfined."""
    if _WANTED["landlock"] != "off" and (_LANDLOCK or _WANTED["landlock"] == "required"):
        _locked("landlock", lambda: landlock.restrict(_LANDLOCK))
    if _WANTED["filter"] != "off":
        _locked("filter", call_filter.install)


def _locked(name: str, act: Callable[[], None]) -> None:
    try:
        act()
    except (OSError, KeyError) as error:
        raise Unconfined(f"{name}: {error}") from error
