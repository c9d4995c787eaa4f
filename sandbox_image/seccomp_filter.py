"""The second system call filter: from here on no new process, no exec, no socket, no signal to others. For confine.py.

An allow-list, smaller than the container's (which must let the supervisor fork and Python start). A refused call
answers EPERM, never a kill: a library that merely tries something goes on. Threads are allowed; they count against the
container's limit of processes. syscall_numbers.py has the names and numbers; here they become a program for the kernel.
The host makes the filter of its own helpers with `compiled` and `load`, from another list.
"""

import ctypes
import os
import platform
import struct
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from syscall_numbers import ALWAYS, numbers
from syscalls import gain_no_privileges, system_call

_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_SET_FILTER, _ALL_THREADS = 1, 1
_LOAD, _AND, _EQUAL, _RETURN = 0x20, 0x54, 0x15, 0x06
_ALLOW, _EPERM, _EAGAIN, _ENOSYS = 0x7FFF0000, 0x00050001, 0x0005000B, 0x00050026
_NUMBER, _MACHINE = 0, 4  # where the kernel's description of a call has them
ARGUMENTS = (16, 24, 32)  # lower halves; the upper half of a pointer comes after its lower one

WHOLE = 0xFFFFFFFF
_NEW_THREAD = 0x00010000
_NEW_THREAD_OR_NAMESPACE = _NEW_THREAD | 0x7E020080
_PRCTL = (3, 16, 15, 0x53564D41)  # is it dumpable; get, set a thread's name; name a mapping
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # terminal? its size; bytes left; do not block; close on exec


class Test(NamedTuple):
    """The 32 bits at a place of the call's description, masked, are one of the values."""

    place: int
    mask: int
    values: tuple[int, ...]


def install() -> None:
    """Filter this process and its threads, for good. Raises OSError; KeyError on an unknown architecture."""
    load(program(platform.machine(), os.getpid()))


def load(code: bytes) -> None:
    """Hand a program of `compiled` to the kernel. Raises OSError; KeyError on an unknown architecture."""
    kept = ctypes.create_string_buffer(code, len(code))
    gain_no_privileges()
    call = numbers(platform.machine())["seccomp"]
    system_call(call, _SET_FILTER, _ALL_THREADS, struct.pack("HP", len(code) // 8, ctypes.addressof(kept)))


def program(machine: str, pid: int) -> bytes:
    """The filter of a process with this id, in the kernel's instructions."""
    return compiled(machine, ALWAYS, _conditional(pid))


def compiled(
    machine: str, always: Iterable[str], conditional: Mapping[str, tuple[Test, ...]], exhausted: Iterable[str] = ()
) -> bytes:
    """A filter that allows the calls of the first list, those of the second while all their tests hold, and no other.

    `exhausted` answer EAGAIN, as at a limit. `clone3`, whose flags a filter cannot see, answers ENOSYS. Raises
    KeyError on an unknown architecture.
    """
    number = numbers(machine)
    code = [_step(_LOAD, _MACHINE), _step(_EQUAL, _ARCHITECTURE[machine], 1), _step(_RETURN, _EPERM)]
    code.append(_step(_LOAD, _NUMBER))
    for name in always:
        if name in number:
            code += [_step(_EQUAL, number[name], 0, 1), _step(_RETURN, _ALLOW)]
    for name, tests in conditional.items():
        if name in number:
            body = [step for test in tests for step in _tested(test)] + [_step(_RETURN, _ALLOW)]
            code += [_step(_EQUAL, number[name], 0, len(body)), *body]
    for name in exhausted:
        code += [_step(_EQUAL, number[name], 0, 1), _step(_RETURN, _EAGAIN)]
    code += [_step(_EQUAL, number["clone3"], 0, 1), _step(_RETURN, _ENOSYS)]  # glibc then asks for clone
    return b"".join([*code, _step(_RETURN, _EPERM)])


def _conditional(pid: int) -> dict[str, tuple[Test, ...]]:
    """Calls that are allowed while all tests of their arguments hold."""
    first, second, third = ARGUMENTS
    itself = Test(first, WHOLE, (pid,))
    return {
        "clone": (Test(first, _NEW_THREAD_OR_NAMESPACE, (_NEW_THREAD,)),),
        "kill": (itself,),
        "tgkill": (itself,),
        "prctl": (Test(first, WHOLE, _PRCTL),),
        "ioctl": (Test(second, WHOLE, _IOCTL),),
        "prlimit64": (Test(first, WHOLE, (0, pid)), Test(third, WHOLE, (0,)), Test(third + 4, WHOLE, (0,))),
    }


def _tested(test: Test) -> list[bytes]:
    """Goes on behind itself when the test holds; refuses otherwise."""
    steps = [_step(_LOAD, test.place), _step(_AND, test.mask)]
    last = len(test.values) - 1
    steps += [_step(_EQUAL, value, last - position + 1) for position, value in enumerate(test.values)]
    return [*steps, _step(_RETURN, _EPERM)]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
