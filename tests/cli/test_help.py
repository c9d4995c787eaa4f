"""Commands are quick because they import nothing heavy that they do not need."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

CLEANROOM = Path(sys.executable).parent / "cleanroom"


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


def test_help_imports_no_heavy_library(tmp_path: Path) -> None:
    """Pandas, litellm, docker and sqlalchemy stay out until a command needs them."""
    loaded = loaded_by(tmp_path, "--help")
    assert "typer" in loaded
    assert not loaded & {"pandas", "pyarrow", "litellm", "docker", "sqlalchemy", "numpy"}


def test_a_verdict_needs_no_registry_and_no_model(tmp_path: Path) -> None:
    """Up to the engine, `verify` imports Arrow, and not what only models or promotions need."""
    (tmp_path / "a.csv").write_text("city,n\n Bonn,1\nKiel,2\n")
    (tmp_path / "f.py").write_text('def f(df):\n    """d"""\n    return df\n')
    loaded = loaded_by(tmp_path, "verify", "f.py", "--data", "a.csv")
    assert {"pyarrow", "docker"} <= loaded
    assert not loaded & {"litellm", "sqlalchemy"}


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
