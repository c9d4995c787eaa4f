"""`cleanroom --help` is quick because it imports nothing heavy."""

import json
import resource
import subprocess
import sys
from pathlib import Path

CLEANROOM = Path(sys.executable).parent / "cleanroom"


def test_help_imports_no_heavy_library() -> None:
    """Pandas, litellm, docker and sqlalchemy stay out until a command needs them."""
    code = (
        "import json, sys\n"
        "sys.argv = ['cleanroom', '--help']\n"
        "from orchestrator.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout.splitlines()[-1]))
    assert "typer" in loaded
    assert not loaded & {"pandas", "pyarrow", "litellm", "docker", "sqlalchemy", "numpy"}


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
