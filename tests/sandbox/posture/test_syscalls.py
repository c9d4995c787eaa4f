"""The two lists of system calls: what the reference workload needs is allowed, what is dangerous is not."""

import json
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from orchestrator.sandbox.posture.posture import seccomp_profile
from orchestrator.sandbox.posture.proof.deviations import call_numbers, child_calls, container_calls

GOLDEN = Path(__file__).parents[2] / "golden" / "syscalls"
SANDBOX_IMAGE = Path(__file__).parents[3] / "sandbox_image"
LEFT_OUT = {
    "sendfile": "shutil.copy tries it and then copies itself; it has been half of a hole in the page cache",
    "mbind": "OpenBLAS asks about memory nodes and goes on without an answer",
}
FLAGS = {"new user": 0x10000000, "new network": 0x40000000, "new mounts": 0x20000, "new time": 0x80}
THREAD = 0x3D0F00  # what glibc asks for


def golden(name: str) -> set[str]:
    return set((GOLDEN / f"{name}.txt").read_text(encoding="utf-8").split())


@pytest.fixture(scope="module")
def guest() -> Iterator[dict[str, ModuleType]]:
    """The guest's modules, imported as the guest imports them, and forgotten afterwards."""
    before = set(sys.modules)
    sys.path.insert(0, str(SANDBOX_IMAGE))
    try:
        import seccomp_filter as call_filter
        import syscall_numbers as calls

        yield {"calls": calls, "filter": call_filter}
    finally:
        sys.path.remove(str(SANDBOX_IMAGE))
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(SANDBOX_IMAGE)):
                del sys.modules[name]


def test_what_the_workload_needs_is_allowed() -> None:
    """Every traced call is on its list, but for those left out with a reason."""
    assert golden("guest-x86_64") - set(container_calls()) == set(LEFT_OUT)
    assert golden("child-x86_64") - set(child_calls()) == {"sendfile"}


def test_what_is_dangerous_is_refused() -> None:
    """No call of the stored deny list is allowed; each has a number, so that it can be tried."""
    denied = golden("denied")
    assert denied.isdisjoint(container_calls())
    assert denied.isdisjoint(child_calls())
    assert denied <= set(call_numbers("x86_64")) | {"uselib"}
    assert len(denied) > 120


def test_a_child_may_do_less_than_its_container() -> None:
    """The child's list is inside the container's, and lacks processes, programs, sockets and other people's affairs."""
    child, container = child_calls(), container_calls()
    assert set(child) <= set(container)
    assert {name for name, kind in child.items() if kind == "always" and container[name] == "some"} == set()
    gone = {"fork", "vfork", "execve", "setsid", "socket", "connect", "landlock_restrict_self"}
    assert gone <= set(container)
    assert gone.isdisjoint(child)


def test_the_profile_is_for_the_native_architecture_and_kills_nobody() -> None:
    """Everything else answers an error; calls with dangerous arguments are allowed only with others."""
    profile = json.loads(seccomp_profile())
    assert "architectures" not in profile
    assert "archMap" not in profile
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    assert {rule["action"] for rule in profile["syscalls"]} == {"SCMP_ACT_ALLOW", "SCMP_ACT_ERRNO"}
    assert {name for name, kind in container_calls().items() if kind == "some"} == {"socket", "clone", "prlimit64"}


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_numbers_are_the_kernels(guest: dict[str, ModuleType], machine: str) -> None:
    """The guest's own table agrees with the full one."""
    assert guest["calls"].numbers(machine).items() <= call_numbers(machine).items()


def answer(program: bytes, machine: int, number: int, *arguments: int) -> int:
    """What the kernel would make of a call: an interpreter of the few instructions that filters are made of."""
    padded = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    data = struct.pack("=IIQ6Q", number, machine, 0, *(value & (2**64 - 1) for value in padded))
    steps = [struct.unpack_from("=HBBI", program, at) for at in range(0, len(program), 8)]
    value, at = 0, 0
    while True:
        code, if_true, if_false, operand = steps[at]
        at += 1
        if code == 0x06:
            return int(operand)
        if code == 0x20:
            (value,) = struct.unpack_from("=I", data, operand)
        elif code == 0x54:
            value &= operand
        else:
            assert code == 0x15
            at += if_true if value == operand else if_false


ALLOWED, REFUSED, UNKNOWN = 0x7FFF0000, 0x00050001, 0x00050026
ARGUMENTS: list[tuple[str, tuple[int, ...], int]] = [
    ("read", (3, 0, 0), ALLOWED),
    ("clone", (THREAD,), ALLOWED),
    ("clone", (17,), REFUSED),
    *[("clone", (THREAD | flag,), REFUSED) for flag in FLAGS.values()],
    ("clone3", (0,), UNKNOWN),
    ("kill", (42, 9), ALLOWED),
    ("kill", (1, 9), REFUSED),
    ("kill", (-1, 9), REFUSED),
    ("kill", (0, 9), REFUSED),
    ("tgkill", (42, 43, 9), ALLOWED),
    ("tgkill", (1, 1, 9), REFUSED),
    ("prctl", (15, 0), ALLOWED),
    ("prctl", (4, 1), REFUSED),
    ("prctl", (22, 1), REFUSED),
    ("ioctl", (0, 0x5401), ALLOWED),
    ("ioctl", (0, 0x5412), REFUSED),
    ("prlimit64", (0, 7, 0, 1), ALLOWED),
    ("prlimit64", (42, 7, 0, 1), ALLOWED),
    ("prlimit64", (1, 7, 0, 1), REFUSED),
    ("prlimit64", (0, 7, 4096, 0), REFUSED),
    ("prlimit64", (0, 7, 1 << 40, 0), REFUSED),
    ("seccomp", (1, 0, 0), REFUSED),
]


@pytest.mark.parametrize(("machine", "architecture"), [("x86_64", 0xC000003E), ("aarch64", 0xC00000B7)])
def test_the_filter_decides_by_arguments(guest: dict[str, ModuleType], machine: str, architecture: int) -> None:
    """Threads but no processes, oneself but nobody else, looking but not setting; other architectures get nothing."""
    program = guest["filter"].program(machine, 42)
    number = guest["calls"].numbers(machine)
    for name, arguments, wanted in ARGUMENTS:
        assert answer(program, architecture, number[name], *arguments) == wanted, (name, arguments)
        assert answer(program, 0x40000003, number[name], *arguments) == REFUSED
    assert answer(program, architecture, number["read"] | 0x40000000) == REFUSED  # x32


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_is_no_longer_than_the_kernel_takes(guest: dict[str, Any], machine: str) -> None:
    """The kernel takes 4,096 instructions, and every jump stays inside."""
    program = guest["filter"].program(machine, 2**22)
    assert len(program) % 8 == 0
    assert len(program) // 8 < 1024
    for name, numbered in call_numbers(machine).items():
        assert answer(program, {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}[machine], numbered) in (
            ALLOWED, REFUSED, UNKNOWN,
        ), name  # fmt: skip
