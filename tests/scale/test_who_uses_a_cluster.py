"""Which commands, and which of the library's methods, work on the cluster that is named; there is no engine here."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from orchestrator import Cleanroom
from orchestrator.cli.main import app
from orchestrator.core.errors import EngineUnavailable, UsageError
from orchestrator.core.policy import Policy
from orchestrator.sandbox.containers.local import LocalSandbox
from orchestrator.scale.cluster import OpenCluster
from orchestrator.scale.cluster_address import ClusterAddress

TRIM = '''CONTRACT = {"shape": "record", "modifies": ["city"]}
def trim_city(record):
    """Strip blanks."""
    city = record.get("city")
    return {**record, "city": city.strip()} if isinstance(city, str) else record
'''


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[ClusterAddress]:
    """The clusters that were asked for, which are sandboxes of this process."""
    found: list[ClusterAddress] = []

    @contextmanager
    def opened(address: ClusterAddress, policy: Policy) -> Iterator[OpenCluster]:
        del policy
        found.append(address)
        with LocalSandbox() as sandbox:
            yield OpenCluster(sandbox, 2)

    monkeypatch.setattr("orchestrator.scale.cluster.open_cluster", opened)
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    monkeypatch.chdir(tmp_path)
    Path("trim.py").write_text(TRIM)
    Path("data.csv").write_text("city,n\n" + "".join(f" Rome ,{row}\n" for row in range(60)))
    return found


def test_commands_that_run_functions(asked: list[ClusterAddress]) -> None:
    """Verify, check, and an apply that is checked first."""
    for command in (
        "verify trim.py --data data.csv --quick --promote",
        "check data.csv --functions registry",
        "apply data.csv --functions registry -o out.csv --require-valid",
    ):
        done = CliRunner().invoke(app, [*command.split(), "--cluster", "local:2"])
        assert done.exit_code == 0, (command, done.output)
    assert asked == [ClusterAddress(local=2)] * 3
    assert Path("out.csv").read_text().splitlines()[1] == "Rome,0"


def test_the_library_names_one_for_all_but_runs(asked: list[ClusterAddress]) -> None:
    """One cluster for verify, apply and check; a run asks for this machine's engine."""
    CliRunner().invoke(app, ["verify", "trim.py", "--data", "data.csv", "--quick", "--promote", "--cluster", "local:1"])
    with Cleanroom(cluster="local:2") as room:
        assert room.verify(TRIM, "data.csv", quick=True).passed
        assert room.apply("data.csv", "registry", "out.csv").rows_out == 60
        assert room.check("data.csv", "registry").valid
        with pytest.raises(EngineUnavailable):
            room.run("data.csv")
    assert asked == [ClusterAddress(local=1), ClusterAddress(local=2)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"cluster": "local:0"}, "workers, not 0"),
        ({"cluster": "tcp://a:1"}, "is no cluster"),
        ({"cluster": "tls://a:1"}, "asks for certificates"),
        ({"cluster": 2}, "Invalid argument 'cluster'"),
        ({"tls": "client"}, "Argument 'tls' is for 'cluster'"),
        ({"cluster": "local:2", "tls": "client"}, "local:2 makes certificates of its own"),
    ],
)
def test_what_names_no_cluster_is_refused_at_once(arguments: dict[str, str], words: str) -> None:
    """In a sentence, before anything is started; on the command line, too."""
    with pytest.raises(UsageError, match=words):
        Cleanroom(**arguments)  # type: ignore[arg-type] # what a caller without types may hand in


def test_certificates_without_a_cluster_are_refused(asked: list[ClusterAddress]) -> None:
    """By every command that takes both."""
    for command in (
        "verify trim.py --data data.csv",
        "check data.csv --functions x",
        "apply data.csv -o y --functions x",
    ):
        done = CliRunner().invoke(app, [*command.split(), "--tls", "client"])
        assert isinstance(done.exception, UsageError) or done.exit_code == 2, command
    assert asked == []
