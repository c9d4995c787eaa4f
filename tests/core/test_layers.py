"""The layers of packages hold, and the check that says so really finds a violation."""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.core.module_graph import circles, module_graph

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


def test_no_modules_import_each_other() -> None:
    """There is no circle of modules, also none by imports for type checking or within functions."""
    assert circles(module_graph(ROOT / "orchestrator")) == []


def test_planted_circles_are_found(tmp_path: Path) -> None:
    """Two modules that import each other, one of them for types only, and three in a row are each reported."""
    package = tmp_path / "planted"
    (package / "inner").mkdir(parents=True)
    modules = {
        "__init__.py": "",
        "one.py": "from planted.two import thing\n",
        "two.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from planted import one\n",
        "a.py": "import planted.inner.b\n",
        "inner/__init__.py": "",
        "inner/b.py": "def late():\n    from planted.c import thing\n",
        "c.py": "from planted.a import thing\nfrom planted.one import thing as other\n",
        "alone.py": "from planted import a, one\n",
    }
    for name, text in modules.items():
        (package / name).write_text(text)
    assert circles(module_graph(package)) == [
        ["planted.a", "planted.c", "planted.inner.b"],
        ["planted.one", "planted.two"],
    ]
