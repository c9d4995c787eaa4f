"""The layers of packages hold, and the check that says so really finds a violation."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINT = Path(sys.executable).parent / "lint-imports"


def _lint(place: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([LINT, "--no-cache"], cwd=place, capture_output=True, text=True, check=False)


def test_the_layers_hold() -> None:
    """Import-linter finds no package that imports from above or beside it."""
    result = _lint(ROOT)
    assert result.returncode == 0, result.stdout


def test_a_planted_violation_is_found(tmp_path: Path) -> None:
    """A module in core that imports the gate is reported."""
    shutil.copytree(ROOT / "orchestrator", tmp_path / "orchestrator", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "orchestrator" / "core" / "planted.py").write_text("import orchestrator.gate.screen\n")
    result = _lint(tmp_path)
    assert result.returncode == 1
    assert "orchestrator.core.planted" in result.stdout
