"""The repository keeps its own promises: one version, a changelog that names it, a licence, documents that are true."""

import re
import tomllib
from pathlib import Path

import pytest

import orchestrator
from orchestrator.data.disposable.own_process import own_command
from orchestrator.data.files import file_sha256
from orchestrator.gate.checks.catalog import CHECKS
from orchestrator.sandbox.posture.environments import PYTHON_FLAGS
from tests.support import documents

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


def test_no_python_that_is_started_looks_for_modules_in_the_current_folder() -> None:
    """A folder from somebody else may hold a `statistics.py`, which `python -m` would run outside of any sandbox."""
    texts = [path.read_text(encoding="utf-8") for path in ROOT.glob("orchestrator/**/*.py")]
    started = [found for text in texts for found in re.findall(r"[\[(]sys\.executable, ([^,\]]+)", text)]
    own = [found for text in texts for found in re.findall(r"own_command\(.*flags=\((.*),\)", text)]
    assert len(started) >= 5
    assert own == ['"-I"']
    assert set(started) - {"*flags"} <= {'"-P"', '"-I"', "*PYTHON_FLAGS"}
    assert "-P" in PYTHON_FLAGS
    assert own_command("m", "a")[1] == "-P"
    assert not any('"-m", "orchestrator' in text for text in texts)


def test_no_module_is_longer_than_three_hundred_lines() -> None:
    """Modules hold one idea each."""
    files = [*ROOT.glob("orchestrator/**/*.py"), *ROOT.glob("sandbox_image/**/*.py")]
    long = [str(f) for f in files if len(f.read_text(encoding="utf-8").splitlines()) > 300]
    assert long == []


def _named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("document", documents.documents(), ids=_named)
def test_a_document_names_only_what_is_there(document: Path) -> None:
    """Files, links, commands, options and names in README and docs exist. After a renaming, mend the document."""
    text = document.read_text(encoding="utf-8")
    assert documents.missing_files(text) == []
    assert documents.dead_links(text, document.parent) == []
    assert documents.wrong_commands(text) == []
    assert documents.unknown_options(text) == []
    assert documents.misplaced_names(text) == []


def test_what_is_wrong_in_a_document_is_noticed() -> None:
    """The negative control of each look at the documents, beside something that is right."""
    paths = (
        "`orchestrator/api.py` `orchestrator/nowhere.py` `tests/{cli,nowhere}/` `docs/*.nothing` `orchestrator.nowhere`"
    )
    assert documents.missing_files(paths) == [
        "orchestrator/nowhere.py", "tests/{cli,nowhere}/", "docs/*.nothing", "orchestrator.nowhere",
    ]  # fmt: skip
    links = "[a](README.md#cleanroom) [b](NOWHERE.md) [c](README.md#nowhere) [d](https://example.org/nowhere)"
    assert documents.dead_links(links, ROOT) == ["NOWHERE.md", "README.md#nowhere"]
    block = (
        "```\n$ cleanroom run a.csv --out b  # --nothing\nX=1 cleanroom run a.csv --outt b\ncleanroom runs shw\n```\n"
    )
    assert documents.wrong_commands(f"{block}`cleanroom verify f.py --datum a.csv` `cleanroom cleanup`") == [
        "cleanroom run a.csv --outt b: there is no option --outt",
        "cleanroom runs shw: there is no command shw",
        "cleanroom verify f.py --datum a.csv: there is no option --datum",
        "cleanroom cleanup: there is no command cleanup",
    ]
    assert documents.unknown_options("`--chunk-rows N`, `--chunky`") == ["--chunky"]
    table = "| `orchestrator/api.py` | `Cleanroom`, `Dirtyroom` | … |"
    assert documents.misplaced_names(table) == ["Dirtyroom in `orchestrator/api.py`"]


@pytest.mark.parametrize("folder", ["docs", "docs/decisions"])
def test_the_index_of_a_folder_names_every_document_in_it(folder: str) -> None:
    """docs/README.md and docs/decisions/README.md link to everything beside them, once."""
    index = (ROOT / folder / "README.md").read_text(encoding="utf-8")
    linked = [link for link in re.findall(r"\]\(([^)#]+)\)", index) if "/" not in link]
    beside = [file.name for file in (ROOT / folder).glob("*.md") if file.name != "README.md"]
    assert sorted(linked) == sorted(beside)


def test_every_package_folder_is_on_the_map() -> None:
    """docs/architecture.md has a line for it, or names it in that of the folder above."""
    lines = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").splitlines()
    mapped = {line.split("`")[1]: line for line in lines if line.startswith("| `orchestrator/")}
    folders = {path.parent for path in (ROOT / "orchestrator").rglob("*.py") if path.name != "__init__.py"}
    named = {folder: f"{folder.relative_to(ROOT)}/" for folder in folders - {ROOT / "orchestrator"}}
    assert [
        name
        for folder, name in named.items()
        if name not in mapped and f"`{folder.name}/`" not in mapped.get(f"{folder.parent.relative_to(ROOT)}/", "")
    ] == []


def test_what_older_releases_wrote_is_what_they_wrote() -> None:
    """Whatever opens a registry of an older release brings it to this version: tests and people work on copies."""
    golden = documents.ROOT / "tests/golden"
    for sums in golden.glob("*.sha256"):
        wanted = {name: sha256 for sha256, _, name in (line.partition("  ") for line in sums.read_text().splitlines())}
        there = (path for path in (golden / sums.stem).rglob("*") if path.is_file())
        assert {str(path.relative_to(golden)): file_sha256(path) for path in there} == wanted
    samples = {path.name for path in golden.iterdir() if path.is_dir()} - {"syscalls", "wire"}
    assert samples == {sums.stem for sums in golden.glob("*.sha256")} != set()


def test_the_readme_is_short() -> None:
    """What is longer than a few screens belongs into docs/."""
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


def test_the_gate_document_has_every_check_with_its_law() -> None:
    """docs/gate.md lists the checks as the gate does: in the same order, each with the law that reports show."""
    text = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
    table = text.split("## The checks")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", table, re.MULTILINE)
    assert [name for name, _ in rows] == [check.id for check in CHECKS]
    assert [check.id for check, (_, law) in zip(CHECKS, rows, strict=True) if not law.startswith(check.law)] == []
