"""Who is let into a cluster, and how its certificates are kept."""

import asyncio
import shutil
import stat
import subprocess
import sys
import threading
from contextlib import AbstractContextManager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from orchestrator.core.errors import SandboxError, UsageError
from orchestrator.core.policy import Policy
from orchestrator.scale.certificates import ROLES, check_certificates, make_certificates
from orchestrator.scale.cluster import OpenCluster, open_cluster
from orchestrator.scale.cluster_address import ClusterAddress, read_address, scheduler_address
from orchestrator.scale.cluster_member import MemberOptions
from orchestrator.scale.dask_scheduler import open_scheduler
from orchestrator.scale.dask_worker import serve_worker
from tests.scale.cluster_in_process import InProcess, host

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of dask, see `cluster`


def test_keys_are_their_owners_alone(tmp_path: Path) -> None:
    """Every file is closed to others, every role has a folder of its own, none with the authority's key."""
    folder = tmp_path / "certs"
    make_certificates(folder)
    for path in folder.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)
    assert sorted(path.name for path in folder.iterdir()) == sorted([*ROLES, "ca.key"])
    for role in ROLES:
        assert sorted(path.name for path in (folder / role).iterdir()) == ["ca.pem", "certificate.pem", "key.pem"]


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A folder with something in it, or a file in its place, is refused in one sentence."""
    (tmp_path / "something").write_text("mine")
    for place in (tmp_path, tmp_path / "something"):
        with pytest.raises(UsageError, match=r"is not empty|is no folder"):
            make_certificates(place)
    assert (tmp_path / "something").read_text() == "mine"


def test_an_open_key_is_refused(certificates: Path, tmp_path: Path) -> None:
    """So is a folder that is none of a member."""
    for name in ("ca.pem", "certificate.pem", "key.pem"):
        (tmp_path / name).write_bytes((certificates / "client" / name).read_bytes())
    with pytest.raises(UsageError, match="is open to others"):
        check_certificates(tmp_path, serves=False)
    with pytest.raises(UsageError, match=r"ca\.pem cannot be read"):
        check_certificates(certificates, serves=False)


@pytest.mark.parametrize(
    ("name", "of", "words"),
    [
        ("certificate.pem", b"no certificate", "no certificates that can be used"),
        ("ca.pem", b"", "no certificates that can be used"),
        ("key.pem", "scheduler", "no certificates that can be used"),
    ],
)
def test_a_damaged_folder_is_refused(
    certificates: Path, tmp_path: Path, name: str, of: bytes | str, words: str
) -> None:
    """Before anybody is asked for a connection: with such a folder it was said that no scheduler answers."""
    own = Path(shutil.copytree(certificates / "worker", tmp_path / "worker"))
    (own / name).write_bytes(of if isinstance(of, bytes) else (certificates / of / name).read_bytes())
    with pytest.raises(UsageError, match=words):
        check_certificates(own, serves=True)


def test_expired_certificates_are_refused(tmp_path: Path) -> None:
    """With the day on which they ended, for every role: a scheduler said that it was ready, and let nobody in."""
    make_certificates(tmp_path / "certs", days=0)
    for role in ROLES:
        with pytest.raises(UsageError, match=r"was good until \d{4}-\d\d-\d\d"):
            check_certificates(tmp_path / "certs" / role, serves=role != "client")


def test_a_member_ends_with_its_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It went on, nobody could connect to it, and the sentence about it named no reason. Control: it was ready."""
    monkeypatch.setattr("orchestrator.scale.certificates.timedelta", lambda **_: timedelta(seconds=8))
    make_certificates(tmp_path / "certs")
    options = MemberOptions(tls=tmp_path / "certs" / "scheduler", listen="127.0.0.1")
    command = [sys.executable, "-m", "orchestrator.scale.cluster_member"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as member:
        assert member.stdin is not None
        assert member.stdout is not None
        print(options.model_dump_json(), file=member.stdin, flush=True)
        ready, ended = member.stdout.readline(), member.stdout.readline()
    assert "address" in ready
    assert ("was good until" in ended, member.returncode) == (True, 2)


def test_certificates_of_a_clock_ahead_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the time from which they are good: it was said that no scheduler answers."""
    monkeypatch.setattr("orchestrator.scale.certificates._SKEW", timedelta(days=-2))
    make_certificates(tmp_path / "certs", days=9)
    for role in ROLES:
        with pytest.raises(UsageError, match=r"is good from \d{4}-\d\d-\d\d"):
            check_certificates(tmp_path / "certs" / role, serves=role != "client")


def test_a_scheduler_that_goes_away_before_a_worker_comes(certificates: Path, cluster: InProcess) -> None:
    """A sentence says so: it was an internal error."""
    gone = threading.Timer(1.0, cluster.end_scheduler)
    gone.start()
    with pytest.raises(SandboxError, match="scheduler went away"), opened(cluster, certificates / "client"):
        pass
    gone.join()


def test_a_clients_certificate_serves_nobody(certificates: Path) -> None:
    """A worker that was started with it said that it was ready, and every task that it was given was lost."""
    check_certificates(certificates / "client", serves=False)
    with pytest.raises(UsageError, match="is a client's"):
        check_certificates(certificates / "client", serves=True)
    for role in ("scheduler", "worker"):
        check_certificates(certificates / role, serves=True)


@pytest.mark.parametrize(
    "text",
    ["local", "local:0", "local:9999", "tcp://127.0.0.1:8786", "tls://host", "tls://host:0", "tls://h:70000", ""],
)
def test_what_is_no_cluster(text: str) -> None:
    """Nothing but workers of this machine, and schedulers over TLS."""
    with pytest.raises(UsageError):
        read_address(text, Path())


def test_a_worker_is_told_to_name_a_scheduler() -> None:
    """It was told to write `local:N`, which is refused there too."""
    with pytest.raises(UsageError, match="is no cluster") as caught:
        scheduler_address("local:2")
    assert "tls://HOST:PORT" in caught.value.advice
    assert "local:N" not in caught.value.advice
    with pytest.raises(UsageError, match="is no cluster") as caught:
        read_address("tcp://127.0.0.1:8786", Path())
    assert "local:N" in caught.value.advice


def test_what_is_a_cluster() -> None:
    """And a scheduler asks for certificates."""
    assert read_address("local:2") == ClusterAddress(local=2)
    assert read_address("tls://[::1]:8786", Path("c")) == ClusterAddress(scheduler="tls://[::1]:8786", tls=Path("c"))
    assert scheduler_address("tls://s.example.org:1") == "tls://s.example.org:1"
    with pytest.raises(UsageError, match="asks for certificates"):
        read_address("tls://host:8786")
    with pytest.raises(UsageError, match="makes certificates of its own"):
        read_address("local:2", Path("c"))


@pytest.mark.parametrize("who", ["a client of another authority", "a client with a worker", "a client without one"])
def test_who_may_send_tasks(
    cluster: InProcess, certificates: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    """A certificate of the cluster's own authority lets in, another does not; without workers there is a sentence."""
    own = certificates / "client"
    if who == "a client without one":
        monkeypatch.setattr("orchestrator.scale.cluster._JOIN_S", 2.0)
    if who == "a client of another authority":
        monkeypatch.setattr("orchestrator.scale.cluster._CONNECT_S", 3.0)
        make_certificates(tmp_path / "others")
        own = tmp_path / "others" / "client"
    if who == "a client with a worker":
        cluster.add(host())
        with opened(cluster, own) as found:
            assert found.lanes == 2
        return
    words = "No scheduler answers" if "authority" in who else "has no worker"
    with pytest.raises(SandboxError, match=words), opened(cluster, own):
        pass


def test_nothing_listens_without_tls(cluster: InProcess) -> None:
    """The scheduler and each worker have one port, that for TLS: dask opens one for plain HTTP beside it."""
    before = _listening() - {_port(cluster.address)}
    worker = cluster.add(host())
    assert _listening() == before | {_port(cluster.address), _port(worker)}
    assert cluster.scheduler.services == {}


def test_a_worker_listens_where_its_scheduler_reaches_it(cluster: InProcess) -> None:
    """Without --listen, too: dask takes every address of the machine, also those of networks without a scheduler."""
    port = _port(cluster.add(host(), listen=""))
    tables = "".join(Path(f"/proc/self/net/{kind}").read_text(encoding="ascii") for kind in ("tcp", "tcp6"))
    sockets = [line.split() for line in tables.splitlines()]
    places = {s[1] for s in sockets if s[3] == "0A" and s[1].endswith(f":{port:04X}")}
    assert places == {f"0100007F:{port:04X}"}


def test_a_scheduler_imports_from_no_folder_that_others_share(cluster: InProcess, tmp_path: Path) -> None:
    """Of its own accord dask puts a folder below the one of temporary files at the front of the paths of modules."""
    own = Path(cluster.scheduler.local_directory)
    assert str(own) in sys.path
    assert tmp_path in own.parents


def test_a_busy_or_wrong_place_of_a_scheduler_is_one_sentence(
    cluster: InProcess, certificates: Path, tmp_path: Path
) -> None:
    """A second start of the same command, and a port that stands where the host does."""
    for listen, port, words in (("127.0.0.1", _port(cluster.address), "already in use"), ("127.0.0.1:1", 2, "port")):
        with pytest.raises(SandboxError, match=words) as caught:
            cluster.do(open_scheduler(certificates / "scheduler", listen, port, str(tmp_path)))
        assert "--port" in str(caught.value.advice)
        assert "Errno" not in caught.value.message


def _port(address: str) -> int:
    return int(address.rsplit(":", 1)[1])


def _listening() -> set[int]:
    """The ports at which this process listens."""
    mine = set()
    for file in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            mine.add(file.readlink().name)
    tables = "".join(Path(f"/proc/self/net/{kind}").read_text(encoding="ascii") for kind in ("tcp", "tcp6"))
    sockets = [line.split() for line in tables.splitlines()]
    return {int(s[1].rsplit(":", 1)[1], 16) for s in sockets if s[3] == "0A" and f"socket:[{s[9]}]" in mine}


def opened(made: InProcess, tls: Path) -> AbstractContextManager[OpenCluster]:
    return open_cluster(ClusterAddress(scheduler=made.address, tls=tls), Policy())


def test_a_worker_that_nobody_answers_says_so_without_names_of_classes() -> None:
    """A scheduler with certificates of another authority does not answer; dask names the class that waited."""

    async def late() -> None:
        raise TimeoutError("TlsOnlyWorker start timed out after 30s.")

    with pytest.raises(SandboxError, match="none answered it within 30 s") as caught:
        asyncio.run(serve_worker(cast("Any", late), cast("Any", None), asyncio.Event(), print))
    assert "TlsOnlyWorker" not in str(caught.value)
