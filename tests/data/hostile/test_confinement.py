"""What a disposable process may do once it was taken over: nothing. Each denial has its control."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from orchestrator.core.errors import PostureError
from orchestrator.data.assets import asset
from orchestrator.data.disposable import confinement, confinement_probe, system_calls
from orchestrator.data.disposable import zygote as zygote_module
from orchestrator.data.disposable.disposable_process import DisposableLimits, DisposableProcess
from orchestrator.data.disposable.proof import ConfinementProof, prove

LIMITS = DisposableLimits(wall_s=30.0, cpu_s=5, memory_bytes=300 * 2**20, reply_bytes=2**20)
NEEDS_THE_ENGINE = "connect to the container engine"


@pytest.fixture(scope="module")
def proof() -> ConfinementProof:
    return prove()


@pytest.fixture(autouse=True)
def entries_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zygote_module, "_ROOT", Path(__file__).parent)


@pytest.mark.parametrize("attempt", confinement_probe.ATTEMPTS)
def test_an_attempt_is_denied_that_succeeds_outside(attempt: str, proof: ConfinementProof) -> None:
    """Files, sockets, other processes, new processes: denied inside, granted to the same user outside."""
    assert proof.tried[attempt].startswith("denied ")
    if attempt == NEEDS_THE_ENGINE and not os.access("/var/run/docker.sock", os.W_OK):
        pytest.skip("this user cannot reach an engine either")
    assert proof.control[attempt] == "granted"


def test_this_kernel_gives_every_layer(proof: ConfinementProof) -> None:
    """Otherwise the attempts above would prove less than they seem to."""
    assert proof.missing == ()


@pytest.mark.parametrize(
    "layer",
    [
        "network namespace",
        "IPC namespace",
        "Landlock",
        "system call filter",
        pytest.param(
            "user namespace", marks=pytest.mark.skipif(os.getuid() != 0, reason="an ordinary user's is made earlier")
        ),
    ],
)
def test_a_layer_that_the_kernel_lacks_is_named(layer: str) -> None:
    """The process works without it and says so by its name; a strict one is refused."""
    with DisposableProcess("disposable_entries:act", LIMITS, subject=layer) as process:
        assert process.call(b"echo:a") == b"a"
        assert process.missing == (layer,)
    strict = DisposableProcess("disposable_entries:act", LIMITS, subject=layer, strict=True)
    with strict, pytest.raises(PostureError, match=layer):
        strict.call(b"echo:a")
    assert layer in confinement.LAYERS


def test_a_strict_process_works_where_nothing_is_missing() -> None:
    """The control of the refusal."""
    with DisposableProcess("disposable_entries:act", LIMITS, strict=True) as process:
        assert process.call(b"echo:a") == b"a"
        assert process.missing == ()


def test_a_filter_that_a_child_cannot_load_is_named() -> None:
    """Layers that are taken on in each child are told by each child."""
    with DisposableProcess("disposable_entries:act", LIMITS, subject="system call filter in a child") as process:
        assert process.missing == ("system call filter",)


@pytest.fixture(scope="module")
def numbers() -> Iterator[dict[str, dict[str, int]]]:
    """The guest's table of system calls, by architecture."""
    folder = str(asset("sandbox_image"))
    sys.path.insert(0, folder)
    try:
        import syscall_numbers

        yield {machine: syscall_numbers.numbers(machine) for machine in ("x86_64", "aarch64")}
    finally:
        sys.path.remove(folder)
        sys.modules.pop("syscall_numbers", None)


def test_every_allowed_call_has_a_number(numbers: dict[str, dict[str, int]]) -> None:
    """A name without a number would silently not be allowed; aarch64 lacks a few old ones."""
    assert set(system_calls.ALWAYS) <= set(numbers["x86_64"])
    lacking = set(system_calls.ALWAYS) - set(numbers["aarch64"])
    assert lacking == {"access", "getpgrp", "lstat", "poll", "readlink", "select", "stat", "time"}


def test_what_changes_anything_is_not_allowed() -> None:
    """No call that changes a file, makes a process or socket, or reaches another process stands on the list."""
    changing = {"rename", "unlink", "unlinkat", "mkdir", "mkdirat", "chmod", "fchmod", "link", "linkat", "truncate"}
    reaching = {"kill", "tgkill", "clone", "execve", "socket", "connect", "sendmsg", "ptrace", "unshare", "setns"}
    assert not (changing | reaching) & set(system_calls.ALWAYS)
