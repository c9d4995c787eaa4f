"""Commands are quick because they import nothing heavy that they do not need."""

import json
import os
import resource
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.gate import candidate_file
from orchestrator.gate.fake import ScriptedGate
from orchestrator.registry.bundle import export_bundle

CLEANROOM = Path(sys.executable).parent / "cleanroom"


SOURCE = 'def f(df):\n    """Same."""\n    return df\n'


def promoted() -> Promoted:
    """The function as a run would leave it."""
    rows = pa.table({"city": ["Bonn"]})
    verdict = ScriptedGate().verify(VerifyRequest(SOURCE, Sample(rows, rows)))
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    candidate = candidate_file.read(SOURCE)
    return Promoted(candidate=candidate, evidence=evidence, order=1, promoted_at=datetime.now(UTC))


def loaded_by(folder: Path, *arguments: str) -> set[str]:
    """The top-level modules that a process of the command has imported when it ends."""
    code = (
        "import json, sys\n"
        "from orchestrator.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))\n"
    )
    nowhere = os.environ | {"DOCKER_HOST": "unix:///nowhere/docker.sock"}
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder, env=nowhere)
    return set(json.loads(done.stdout.splitlines()[-1]))


HEAVY = {"asyncio", "docker", "hypothesis", "jinja2", "litellm", "numpy", "pandas", "pyarrow", "sqlalchemy", "yaml"}
ALLOWED = {
    "--help": (["--help"], set()),
    "analyze": (["analyze", "a.csv"], {"numpy", "pyarrow"}),
    "verify": (["verify", "f.py", "--data", "a.csv"], {"docker", "numpy", "pyarrow"}),
    "apply": (["apply", "a.csv", "--functions", "functions", "-o", "b.csv"], {"docker", "numpy", "pyarrow"}),
    "registry list": (["registry", "list"], {"asyncio", "sqlalchemy"}),
    "runs list": (["runs", "list"], set()),
}


@pytest.mark.parametrize("command", ALLOWED)
def test_a_command_imports_only_the_heavy_libraries_that_it_needs(command: str, tmp_path: Path) -> None:
    """What is needed is imported, so that the list cannot go stale; up to the engine, which is not there."""
    (tmp_path / "a.csv").write_text("city,n\n Bonn,1\nKiel,2\n")
    (tmp_path / "f.py").write_text(SOURCE)
    export_bundle([promoted()], tmp_path / "functions")
    arguments, allowed = ALLOWED[command]
    loaded = loaded_by(tmp_path, *arguments)
    assert "typer" in loaded
    assert loaded & HEAVY == allowed


def test_times_in_nanoseconds_bring_pandas(tmp_path: Path) -> None:
    """Only pandas' Timestamp can hold them: a file that has some is analysed as before."""
    times = pa.array([1, 1_700_000_000_123_456_789, None], pa.timestamp("ns"))
    pq.write_table(pa.table({"seen": times, "city": ["Bonn", " Kiel", "Ulm"]}), tmp_path / "a.parquet")
    assert "pandas" in loaded_by(tmp_path, "analyze", "a.parquet")


def test_help_answers_in_well_under_half_a_second() -> None:
    """The best of three calls needs less than half a second of processor time, whatever else the machine does."""
    best = 10.0
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([CLEANROOM, "--help"], capture_output=True, text=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert "verify" in done.stdout
    assert best < 0.5
