"""A cluster in this process, new for each test, and what is applied on it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[2]))

from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile.decode_entry import ENTRY
from orchestrator.scale.certificates import make_certificates
from tests.scale.cluster_in_process import InProcess


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cluster") / "certificates"
    make_certificates(folder, days=1)
    return folder


@pytest.fixture
def cluster(certificates: Path, tmp_path: Path) -> Iterator[InProcess]:
    """A scheduler without workers."""
    made = InProcess(certificates, tmp_path / "workers")
    yield made
    made.close()


@pytest.fixture(scope="session")
def decoder() -> Iterator[DisposableProcess]:
    with DisposableProcess(ENTRY) as made:
        yield made
