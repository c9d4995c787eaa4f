"""Fetches the guest's Python packages on the host, by the hashes of the lock, so that the build needs no network.

pip does the fetching, with the user's own settings for indexes and proxies. Called by image_build.py.
"""

import hashlib
import importlib.util
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from orchestrator.core.errors import SetupError
from orchestrator.data.files import file_sha256
from orchestrator.sandbox.provision import paths
from orchestrator.sandbox.provision.debian_packages import last_line, tail
from orchestrator.sandbox.provision.engine_client import NO_SPACE, no_space
from orchestrator.sandbox.provision.machine import Machine, ThisMachine

PLATFORMS = {"amd64": "x86_64", "arm64": "aarch64"}


def ensure_wheels(
    lock: bytes, architecture: str, cache: Path, report: Callable[[str], None], machine: Machine | None = None
) -> tuple[Path, ...]:
    """The wheels that the lock names, for the engine's architecture. Raises SetupError."""
    if architecture not in PLATFORMS:
        raise SetupError(f"The engine's machine is {architecture}; the sandbox image is made for amd64 and arm64 only.")
    hashes = set(re.findall(rb"--hash=sha256:([0-9a-f]{64})", lock))
    wanted = len(re.findall(rb"^[A-Za-z0-9].*==", lock, re.MULTILINE))
    folder = cache / f"wheels-{hashlib.sha256(lock).hexdigest()[:16]}-{architecture}"
    if _complete(folder, wanted, hashes):
        return tuple(sorted(folder.glob("*.whl")))
    report("fetching the guest's Python packages (pinned, with hashes)")
    partial = folder.with_suffix(".part")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
    partial.mkdir(parents=True)
    (partial / "requirements.lock").write_bytes(lock)
    _download(partial, PLATFORMS[architecture], machine or ThisMachine())
    partial.rename(folder)
    if not _complete(folder, wanted, hashes):
        raise SetupError(
            "The fetched Python packages do not match their hashes.", advice="Run `cleanroom setup` again."
        )
    return tuple(sorted(folder.glob("*.whl")))


def _complete(folder: Path, wanted: int, hashes: set[bytes]) -> bool:
    wheels = list(folder.glob("*.whl"))
    return len(wheels) == wanted and all(file_sha256(w).encode() in hashes for w in wheels)


def _download(folder: Path, platform: str, machine: Machine) -> None:
    if importlib.util.find_spec("pip") is None:
        raise SetupError(
            "pip is missing from the Python that runs cleanroom, and it fetches the guest's packages.",
            advice=f"Run `{sys.executable} -m ensurepip`, then `cleanroom setup` again.",
        )
    tags = [
        word
        for tag in ("manylinux_2_28", "manylinux_2_17", "manylinux2014")
        for word in ("--platform", f"{tag}_{platform}")
    ]
    command = [
        *(sys.executable, "-P", "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input"),
        *("--no-deps", "--require-hashes", "--only-binary=:all:", "--python-version", "3.11", "--implementation", "cp"),
        *(*tags, "--dest", str(folder), "--requirement", str(folder / "requirements.lock")),
    ]
    log = paths.setup_log()
    with log.open("ab") as out:
        start = out.tell()
        code = machine.run(command, out)
    if code != 0:
        said = tail(log, start)
        if NO_SPACE in said.lower():
            raise no_space("Fetching the guest's Python packages")
        raise SetupError(
            f"Fetching the guest's Python packages failed: {last_line(said)}",
            advice=f"pip needs a package index (PIP_INDEX_URL, proxies); see {log}, then run `cleanroom setup` again.",
        )
