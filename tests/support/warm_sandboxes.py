"""Containers and readers that wait from one command to the next, for tests of what commands say and write.

Starting them takes most of a command's processor time. Every job has a container of its own all the same. Not for
tests of how a command starts or ends, of containers that are left, or of an engine in trouble.
"""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Any

import pytest

from orchestrator.core.policy import Policy
from orchestrator.data.disposable import client
from orchestrator.data.disposable.client import DisposableProcess
from orchestrator.sandbox import access
from orchestrator.sandbox.access import open_sandbox
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox

_KEPT = ("orchestrator.gate.judge.judge_process:judge", "orchestrator.data.hostile.decoder_process:decode")


class KeptProcess(DisposableProcess):
    """Stays when a command closes it."""

    def close(self) -> None:
        """It is closed by `warm_sandboxes`."""


@contextmanager
def warm_sandboxes() -> Iterator[None]:
    """Within it, commands that this process runs share sandboxes of the same policy and engine, and their readers."""
    sandboxes: dict[object, DockerSandbox] = {}
    processes: dict[object, KeptProcess] = {}

    def sandbox(policy: Policy, *, light: bool = False, **_: Any) -> AbstractContextManager[DockerSandbox]:
        small = policy.model_copy(update={"container": policy.container.model_copy(update={"pool_size": 1})})
        key = (small.model_dump_json(), os.environ.get("DOCKER_HOST"))
        if key not in sandboxes:
            sandboxes[key] = stack.enter_context(open_sandbox(small, light=light))
        return nullcontext(sandboxes[key])

    def process(entry: str, *arguments: Any, strict: bool = False, **options: Any) -> DisposableProcess:
        if entry not in _KEPT or arguments or options:
            return DisposableProcess(entry, *arguments, strict=strict, **options)
        if (entry, strict) not in processes:
            processes[entry, strict] = KeptProcess(entry, strict=strict)
            stack.callback(DisposableProcess.close, processes[entry, strict])
        return processes[entry, strict]

    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setattr(access, "open_sandbox", sandbox)
        patch.setattr(client, "DisposableProcess", process)
        yield
