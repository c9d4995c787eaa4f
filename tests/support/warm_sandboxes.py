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
from orchestrator.data.disposable import disposable_process
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.sandbox import access
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.posture.capacity import check_fits
from orchestrator.sandbox.provision.image_id import sandbox_image
from orchestrator.sandbox.provision.recipe import read_recipe

NO_COMMANDS = "test"  # the label of containers that are no single command's, as of the fixture `docker_sandbox`
_KEPT = ("orchestrator.gate.judge.judge_process:judge", "orchestrator.data.hostile.decoder_process:decode")


class KeptProcess(DisposableProcess):
    """Stays when a command closes it."""

    def close(self) -> None:
        """It is closed by `WarmSandboxes`."""


class WarmSandboxes:
    """What is started once, by the first command that needs it, and kept until `close`."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._sandboxes: dict[object, DockerSandbox] = {}
        self._processes: dict[object, KeptProcess] = {}

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Within it, commands of this process share sandboxes of the same policy and engine, and their readers."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(access, "open_sandbox", self._sandbox)
            patch.setattr(disposable_process, "DisposableProcess", self._process)
            yield

    def close(self) -> None:
        self._stack.close()

    def _sandbox(self, policy: Policy, *, light: bool = False, **_: Any) -> AbstractContextManager[DockerSandbox]:
        small = policy.model_copy(update={"container": policy.container.model_copy(update={"pool_size": 1})})
        key = (small.model_dump_json(), os.environ.get("DOCKER_HOST"))
        if key not in self._sandboxes:
            check_fits(small.container)
            made = DockerSandbox(small, sandbox_image(), NO_COMMANDS, light=light, libraries=read_recipe().libraries)
            self._sandboxes[key] = self._stack.enter_context(made)
        return nullcontext(self._sandboxes[key])

    def _process(self, entry: str, *arguments: Any, strict: bool = False, **options: Any) -> DisposableProcess:
        if entry not in _KEPT or arguments or options:
            return DisposableProcess(entry, *arguments, strict=strict, **options)
        if (entry, strict) not in self._processes:
            self._processes[entry, strict] = KeptProcess(entry, strict=strict)
            self._stack.callback(DisposableProcess.close, self._processes[entry, strict])
        return self._processes[entry, strict]
