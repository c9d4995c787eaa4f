"""What is in the sandbox image, and what is not. Reads the file system of the real image, file by file."""

import contextlib
import io
import json
import subprocess
import sys
import tarfile
from collections.abc import Iterator

import docker
import pytest

from orchestrator.sandbox.provision.engine_client import connect
from orchestrator.sandbox.provision.recipe import base_tag
from orchestrator.sandbox.provision.setup import ensure_ready
from orchestrator.sandbox.provision.smoke_test import run_in_image

pytestmark = pytest.mark.docker

SHELLS = {"sh", "ash", "bash", "busybox", "csh", "dash", "fish", "ksh", "rbash", "tcsh", "zsh"}
PACKAGE_MANAGERS = {"apk", "apt", "apt-get", "dpkg", "easy_install", "pip", "pip3", "rpm", "snap"}
COMPILERS = {"as", "c++", "cc", "clang", "cpp", "g++", "gcc", "gold", "ld", "make", "rustc", "tcc"}
TOOLS = {"curl", "env", "nc", "perl", "python2", "ssh", "su", "sudo", "wget", "xargs"}


@pytest.fixture(scope="module")
def client() -> Iterator[docker.DockerClient]:
    with contextlib.closing(connect()) as client:
        yield client


@pytest.fixture(scope="module")
def image() -> str:
    return ensure_ready(lambda _: None)


def members_of(client: docker.DockerClient, image: str) -> list[tarfile.TarInfo]:
    container = client.containers.create(image, command=["/nothing"])
    try:
        stream = io.BytesIO(b"".join(container.export()))  # type: ignore[arg-type]  # the stubs take bytes for str
    finally:
        container.remove()
    with tarfile.open(fileobj=stream) as tar:
        return tar.getmembers()


@pytest.fixture(scope="module")
def members(client: docker.DockerClient, image: str) -> list[tarfile.TarInfo]:
    return members_of(client, image)


def unwanted(members: list[tarfile.TarInfo]) -> set[str]:
    """Names of shells, package managers, compilers and tools among the files; names of setuid and setgid files."""
    names = {member.name for member in members if not member.isdir()}
    named = {n for n in names if n.rpartition("/")[2] in SHELLS | PACKAGE_MANAGERS | COMPILERS | TOOLS}
    return named | {f"{member.name} {member.mode:o}" for member in members if member.isfile() and member.mode & 0o6000}


def test_nothing_that_helps_an_attacker(members: list[tarfile.TarInfo]) -> None:
    """There is no shell, package manager, compiler or network tool, and no setuid or setgid file."""
    assert unwanted(members) == set()


def test_the_search_would_find_them(client: docker.DockerClient) -> None:
    """The same search finds all of these kinds in the base image, so it can fail."""
    found = unwanted(members_of(client, base_tag()))
    assert found >= {"usr/bin/dash", "usr/bin/apt-get", "usr/bin/env"}
    assert any(name.endswith(("4755", "6755", "2755")) for name in found)


def test_python_is_the_only_program(members: list[tarfile.TarInfo]) -> None:
    """The folders of programs hold the interpreter and nothing else."""
    programs = {m.name for m in members if not m.isdir() and ("/bin/" in m.name or "/sbin/" in m.name)}
    assert programs == {"usr/bin/python3", "usr/bin/python3.11"}


def test_nothing_can_be_written_by_others(members: list[tarfile.TarInfo]) -> None:
    """All belongs to root and is closed to others, but for /tmp, whose mode the engine gives to the tmpfs."""
    ours = [
        m for m in members if not m.issym() and not m.name.startswith(("dev", "proc", "sys")) and m.name != ".dockerenv"
    ]
    assert [m.name for m in ours if m.mode & 0o002 or m.uid or m.gid] == ["tmp"]


def test_parts_that_install_or_test_are_left_out(members: list[tarfile.TarInfo]) -> None:
    """ensurepip, idlelib, tkinter, distutils, the tests and PyArrow's network parts are not there."""
    names = [m.name for m in members]
    for part in (
        "ensurepip",
        "idlelib",
        "tkinter",
        "distutils",
        "lib2to3",
        "/test/",
        "/tests/",
        "_ssl.",
        "flight",
        "libarrow_s3",
    ):
        assert [n for n in names if part in n] == [], part


def test_the_image_starts_from_scratch(client: docker.DockerClient, image: str) -> None:
    """Two layers: Python with its packages, and the guest. Nobody runs it, and the entry point is the guest."""
    attributes = client.images.get(image).attrs
    assert len(attributes["RootFS"]["Layers"]) == 2
    config = attributes["Config"]
    assert config["User"] == "65534:65534"
    assert config["Entrypoint"] == ["/usr/bin/python3", "-I", "-B", "/cleanroom/guest.py"]
    assert not config.get("Volumes")
    assert not config.get("ExposedPorts")


WORK = """
import datetime, decimal, hashlib, io, json, os, statistics, time, unicodedata, zoneinfo
begin = time.process_time()
import pandas as pd, pyarrow as pa
imported = time.process_time() - begin
import importlib.util, pyarrow.compute as pc, pyarrow.csv, pyarrow.ipc, pyarrow.json
df = pd.DataFrame({"city": [" Oslo", None], "n": [1.5, 2.0], "when": pd.to_datetime(["2024-03-31", "2024-10-27"])})
table = pa.Table.from_pandas(df)
sink = pa.BufferOutputStream()
with pa.ipc.new_stream(sink, table.schema) as writer:
    writer.write_table(table)
seen = {
    "csv": pd.read_csv(io.StringIO("a,b\\n1,x\\n"))["a"].tolist(),
    "ipc": pa.ipc.open_stream(sink.getvalue()).read_all().equals(table),
    "joined": table.join(table, "n").num_rows,
    "files": [name for name in ("dataset", "fs", "parquet") if importlib.util.find_spec("pyarrow." + name)],
    "compute": pc.utf8_trim_whitespace(table["city"])[0].as_py(),
    "zone": str(df["when"].dt.tz_localize("Europe/Oslo").iloc[0].utcoffset()),
    "arrow_zone": pc.assume_timezone(table["when"], "Europe/Oslo")[0].as_py().isoformat(),
    "dateutil": pd.to_datetime("31 March 2024").isoformat(),
    "groups": df.groupby("n").size().tolist(),
    "sha": hashlib.sha256(b"").hexdigest()[:8],
    "uid": os.getuid(),
    "home": os.path.expanduser("~"),
    "compiled": pd.__spec__.cached is not None and os.path.exists(pd.__spec__.cached),
    "imported": imported,
}
print(json.dumps(seen, default=str))
"""


def _imported_here() -> float:
    """The processor seconds of the same import by this Python, on a machine that is as quick and as busy."""
    script = "import time; begin = time.process_time(); import pandas, pyarrow; print(time.process_time() - begin)"
    return float(subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout)


def test_pandas_and_arrow_work_locked_down(client: docker.DockerClient, image: str) -> None:
    """As nobody, with a read-only root, no network and no shared memory, the libraries work and load quickly."""
    ended = run_in_image(client, image, WORK)
    assert ended.code == 0, ended.output
    seen = json.loads(ended.output.splitlines()[-1])
    assert seen.pop("imported") < 3 * _imported_here()  # what is not compiled takes several times as long
    assert seen == {
        "csv": [1],
        "ipc": True,
        "joined": 2,
        "files": [],
        "compute": "Oslo",
        "zone": "1:00:00",
        "arrow_zone": "2024-03-31T00:00:00+01:00",
        "dateutil": "2024-03-31T00:00:00",
        "groups": [1, 1],
        "sha": "e3b0c442",
        "uid": 65534,
        "home": "/nonexistent",
        "compiled": True,
    }
