"""Landlock: from here on the kernel keeps this process and its threads to a few folders. Called by confine.py.
The host keeps its own helpers to fewer ones by the same function.

Reading: the Python installation, the libraries, the time zones, this process's own /proc folder. Writing: the scratch
space. Nothing may be executed; where the kernel knows how, TCP, abstract sockets and signals to anyone outside are
refused as well. All by raw system calls, whose numbers are the same on every architecture.
"""

import errno
import os
import struct
import sys
from collections.abc import Iterable

from syscalls import gain_no_privileges, system_call

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_ASK_VERSION = 1
_PATH_BENEATH = 1
_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG, _MAKE_SYM = 1 << 4, 1 << 5, 1 << 7, 1 << 8, 1 << 12
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_FILES = (13, 14, 15, 15, 16)  # how many kinds of access versions 1 to 5 of the interface know
_TCP = 0b11  # bind, connect: from version 4
_SCOPES = 0b11  # abstract sockets, signals: from version 6

READ = _READ_FILE | _READ_DIR
_SCRATCH = (
    READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _MAKE_SYM | _REFER | _TRUNCATE
)  # fmt: skip  # no devices, pipes or sockets
_ALLOWED = (
    ("/tmp", _SCRATCH),  # noqa: S108 - the sandbox's own scratch space
    ("/dev", _READ_DIR),
    ("/dev/null", _READ_FILE | _WRITE_FILE),
    ("/dev/zero", _READ_FILE),
    ("/dev/random", _READ_FILE),
    ("/dev/urandom", _READ_FILE),
    ("/etc/ld.so.cache", _READ_FILE),
    ("/etc/localtime", _READ_FILE),
    ("/sys/devices/system/cpu", READ),  # how many there are
    *((folder, READ) for folder in dict.fromkeys((
        "/usr", "/lib", "/lib64", os.path.dirname(os.path.abspath(__file__)), sys.prefix, sys.base_prefix,
    ))),
)  # fmt: skip


def version() -> int:
    """The version of the kernel's interface, 0 where there is none."""
    try:
        return system_call(_CREATE, None, 0, _ASK_VERSION)
    except OSError:
        return 0


def restrict(known: int, allowed: Iterable[tuple[str, int]] | None = None) -> None:
    """Lock this process in, for good. `known`: what `version` said. Raises OSError.

    `allowed`: folders and files, each with what may be done there; None: what a candidate needs.
    """
    if allowed is None:
        allowed = (*_ALLOWED, (f"/proc/{os.getpid()}", READ))
    if known < 1:
        raise OSError(errno.EOPNOTSUPP, "this kernel has no Landlock")
    handled = (1 << _FILES[min(known, len(_FILES)) - 1]) - 1
    attributes = struct.pack("=QQQ", handled, _TCP if known >= 4 else 0, _SCOPES if known >= 6 else 0)
    ruleset = system_call(_CREATE, attributes, 8 if known < 4 else 16 if known < 6 else 24, 0)
    try:
        for path, access in allowed:
            _allow(ruleset, path, access & handled)
        gain_no_privileges()
        system_call(_RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        system_call(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", access, place), 0)
    finally:
        os.close(place)
