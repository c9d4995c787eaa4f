"""What tests of runs share: a sandbox without isolation, and the processes that read and judge what comes out of it.

Each takes longer to start than most of the tests that use it. Also makes `tests.run.report_steps` importable however
pytest was started.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[2]))

from orchestrator.core.ports import SandboxAccess
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile import decode_entry
from orchestrator.gate.judge import judge_entry
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.run.journal.resume_help import ForkServer, write_messy


@pytest.fixture(scope="session")
def local_sandbox() -> Iterator[LocalSandbox]:
    with LocalSandbox() as made:
        yield made


@pytest.fixture(scope="session")
def decoder() -> Iterator[DisposableProcess]:
    with DisposableProcess(decode_entry.ENTRY) as made:
        yield made


@pytest.fixture(scope="session")
def judge() -> Iterator[DisposableProcess]:
    with DisposableProcess(judge_entry.ENTRY) as made:
        yield made


@pytest.fixture(scope="session")
def fork_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkServer]:
    """Runs that kill themselves, on a messy file that no test changes."""
    made = ForkServer(write_messy(tmp_path_factory.mktemp("data") / "messy.csv"))
    yield made
    made.close()


@pytest.fixture(scope="session")
def access(local_sandbox: LocalSandbox, decoder: DisposableProcess) -> SandboxAccess:
    return SandboxAccess(local_sandbox, decoder)
