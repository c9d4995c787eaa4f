"""The repository keeps its own promises: one version, a changelog that names it, a licence, documented decisions."""

import tomllib
from pathlib import Path

import orchestrator

ROOT = Path(__file__).resolve().parents[1]


def test_the_changelog_names_the_version() -> None:
    """The version of the package has an entry in the changelog."""
    assert f"## {orchestrator.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_licence_is_the_declared_one() -> None:
    """The LICENSE file is the Apache-2.0 that pyproject.toml declares."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license"] == "Apache-2.0"
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_every_module_says_why_it_exists() -> None:
    """Each Python file of the product starts with a docstring."""
    files = [*ROOT.glob("orchestrator/**/*.py"), *ROOT.glob("sandbox_image/**/*.py")]
    bare = [str(f) for f in files if not f.read_text(encoding="utf-8").startswith('"""')]
    assert files
    assert bare == []


def test_no_module_is_longer_than_three_hundred_lines() -> None:
    """Modules hold one idea each."""
    files = [*ROOT.glob("orchestrator/**/*.py"), *ROOT.glob("sandbox_image/**/*.py")]
    long = [str(f) for f in files if len(f.read_text(encoding="utf-8").splitlines()) > 300]
    assert long == []
