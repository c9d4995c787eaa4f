"""Members of a cluster that are of no use: who has no sandbox is not counted, and who fails is named."""

import time
from pathlib import Path

import pytest

from orchestrator.core.errors import SandboxError
from orchestrator.core.policy import Policy
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.scale.cluster import open_cluster
from orchestrator.scale.cluster_address import ClusterAddress
from tests.scale.cluster_in_process import InProcess, connected, host
from tests.scale.test_workers_that_go_away import EXPECTED, Bad, cleaned

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def test_a_member_without_sandbox_takes_no_second_look(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess
) -> None:
    """The audit was given to it, which never ran, and the command waited for minutes before it said something."""
    cluster.add(host())
    cluster.add_without_sandbox()
    began = time.monotonic()
    with (
        connected(cluster, certificates, patience_s=1) as sandbox,
        pytest.raises(SandboxError, match="The second look takes another worker"),
    ):
        cleaned(tmp_path, sandbox, decoder)
    assert time.monotonic() - began < 60


def test_two_with_a_sandbox_are_enough(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess
) -> None:
    """Positive control: a member that is of no use does no harm."""
    cluster.add_without_sandbox()
    for _ in range(2):
        cluster.add(host())
    with connected(cluster, certificates) as sandbox:
        assert cleaned(tmp_path, sandbox, decoder) == EXPECTED


def test_a_cluster_without_any_sandbox_is_refused(cluster: InProcess, certificates: Path) -> None:
    """Before any work, and with what to start instead."""
    cluster.add_without_sandbox()
    address = ClusterAddress(scheduler=cluster.address, tls=certificates / "client")
    with pytest.raises(SandboxError, match=r"No worker .* has a sandbox") as caught, open_cluster(address, Policy()):
        pass
    assert "cleanroom worker" in caught.value.advice


@pytest.mark.parametrize("what", ["raises", "junk", "no engine"])
def test_a_worker_that_fails_is_named(
    tmp_path: Path, cluster: InProcess, certificates: Path, decoder: DisposableProcess, what: str
) -> None:
    """With twenty of them nobody knew which machine to look at."""
    address = cluster.add(Bad(what))
    with connected(cluster, certificates, apart=False) as sandbox, pytest.raises(SandboxError) as caught:
        cleaned(tmp_path, sandbox, decoder)
    assert address in caught.value.message
    assert address in str(caught.value)
