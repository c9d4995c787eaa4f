"""The attack: a colleague's policy takes layers away. Every output says so, and --strict refuses."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer import main

from orchestrator.cli.main import app
from tests.support.command import Call

NO_ENGINE = {"DOCKER_HOST": "unix:///nowhere/docker.sock"}
WEAK = "container: {child_filter: 'off'}\nlimits: {wall_s: 60}\n"
TRIM = (
    '"""Cities have stray blanks."""\nCONTRACT = {"modifies": ["city"]}\n\n\n'
    'def trim(df):\n    """Trim."""\n    return df.assign(city=df["city"].str.strip())\n'
)
FILTER, WALL = "container.child_filter: off (default required)", "limits.wall_s: 60.0 (default 10.0)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.csv").write_text("city,n\n" + "".join(f" Bonn{i},{i}\nKiel{i},{i}\n" for i in range(40)))
    (tmp_path / "trim.py").write_text(TRIM)
    (tmp_path / "weak.yaml").write_text(WEAK)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "trim.py", "--data", "a.csv", "--policy", "weak.yaml", "--strict"),
        ("run", "a.csv", "--policy", "weak.yaml", "--strict"),
        ("verify", "trim.py", "--data", "a.csv", "--no-screen", "--strict"),
    ],
)
def test_strict_refuses_before_anything_is_started(cleanroom: Call, folder: Path, words: tuple[str, ...]) -> None:
    """Exit code 2 and the name of the layer, without an engine."""
    done = cleanroom(*words, env=NO_ENGINE)
    assert done.returncode == 2, done.stderr
    assert "child_filter" in done.stderr or "--no-screen" in done.stderr


def test_strict_refuses_what_a_found_configuration_names(cleanroom: Call, folder: Path) -> None:
    """An archive brings cleanroom.toml and the policy; --strict on the command line wins."""
    (folder / "cleanroom.toml").write_text('[sandbox]\npolicy = "weak.yaml"\n')
    done = cleanroom("verify", "trim.py", "--data", "a.csv", "--strict", env=NO_ENGINE)
    assert done.returncode == 2, done.stderr
    assert "child_filter" in done.stderr


PARSE = '''"""Lines of one city and one number."""
CONTRACT = {"shape": "parser", "columns": ["city", "n"]}


def parse(data, state, last):
    """Two columns."""
    rows = []
    at = 0
    while at < len(data):
        end = data.find(b"\\n", at) + 1 or (len(data) if last else 0)
        if not end:
            break
        city, n = data[at:end].decode("utf-8").rstrip("\\n").split(",", 1)
        rows.append((end - at, {"city": city, "n": n}))
        at = end
    return rows, state
'''


@pytest.mark.parametrize(
    "words",
    [
        ("analyze", "a.log", "--parser", "lines.py"),
        ("diff", "a.log", "b.log", "--parser", "lines.py"),
        ("parse", "a.log", "--parser", "lines.py"),
        ("redteam", "--class", "network"),
        ("serve", "--registry", "r"),
        ("mcp", "--root", "."),
    ],
)
def test_a_team_that_is_strict_is_strict_with_every_command(
    cleanroom: Call, folder: Path, words: tuple[str, ...]
) -> None:
    """What the file sets for all of them is not left out by one that runs code."""
    (folder / "cleanroom.toml").write_text('[sandbox]\npolicy = "weak.yaml"\nstrict = true\n')
    (folder / "lines.py").write_text(PARSE)
    for name in ("a.log", "b.log"):
        (folder / name).write_bytes((folder / "a.csv").read_bytes())
    done = cleanroom(*words, env=NO_ENGINE)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "A strict policy may weaken nothing" in done.stderr
    assert not {"r", "cleanroom-runs"} & {path.name for path in folder.iterdir()}


def test_every_command_with_a_parser_or_a_policy_can_be_strict() -> None:
    """Each takes all three options, but for the broker, which runs what others judge by a policy of their own."""

    def commands(group: Any, above: str = "") -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for name, command in group.commands.items():
            words = f"{above}{name}"
            inner = hasattr(command, "commands")
            found |= commands(command, f"{words} ") if inner else {words: {o for p in command.params for o in p.opts}}
        return found

    running = {
        name: options
        for name, options in commands(main.get_command(app)).items()
        if options & {"--parser", "--policy"} and name not in {"broker", "config"}
    }
    assert {"analyze", "diff", "registry diff", "redteam", "runs resume"} <= running.keys()
    assert [name for name, options in running.items() if not {"--policy", "--strict"} <= options] == []


@pytest.mark.docker
@pytest.mark.usefixtures("warm")
def test_every_output_names_the_weakened_layers(cleanroom: Call, folder: Path) -> None:
    """Terminal, JSON, JUnit, SARIF, the run's summary and report, the evidence, and apply."""
    weak = ("--policy", "weak.yaml")
    told = cleanroom("verify", "trim.py", "--data", "a.csv", "--quick", "--junit", "j.xml", "--sarif", "s.json", *weak)
    assert told.returncode == 0, told.stdout + told.stderr
    for text in (told.stdout, (folder / "j.xml").read_text(), (folder / "s.json").read_text()):
        assert FILTER in " ".join(text.split())
        assert WALL in " ".join(text.split())
    verdict = json.loads(cleanroom("verify", "trim.py", "--data", "a.csv", "--quick", "--json", *weak).stdout)
    assert verdict["weakened"] == [FILTER, WALL]

    summary = json.loads(cleanroom("run", "a.csv", "--out", "out", "--json", *weak).stdout)
    assert summary["weakened"] == [FILTER, WALL]
    assert FILTER in (folder / "out" / "report.html").read_text()
    (function,) = cleanroom("registry", "list", "--registry", "out", "--json").stdout.splitlines()
    assert json.loads(function)["evidence"]["verdict"]["weakened"] == [FILTER, WALL]

    (folder / "lines.py").write_text(PARSE)
    (folder / "a.log").write_text("Bonn,1\nKiel,2\n")
    by_parser = ("--parser", "lines.py", *weak)
    assert FILTER in json.loads(cleanroom("parse", "a.log", "--json", *by_parser).stdout)["weakened"]
    assert FILTER in " ".join(cleanroom("parse", "a.log", *by_parser).stdout.split())
    assert FILTER in json.loads(cleanroom("analyze", "a.log", "--json", *by_parser).stdout)["weakened"]
    assert FILTER in " ".join(cleanroom("analyze", "a.log", *by_parser).stdout.split())
    compared = cleanroom("diff", "a.log", "a.log", *by_parser)
    assert " ".join(compared.stderr.split()).count(FILTER) == 1

    applied = cleanroom("apply", "a.csv", "--functions", "out", "-o", "b.csv", *weak)
    assert FILTER in " ".join(applied.stdout.split())
    usual = cleanroom("apply", "a.csv", "--functions", "out", "-o", "c.csv", "--json")
    assert "weakened" not in json.loads(usual.stdout)
