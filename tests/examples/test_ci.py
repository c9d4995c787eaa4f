"""The files for pipelines: they are what their readers expect, and every option in them is one that `verify` has."""

import re
from pathlib import Path
from typing import Any

import typer.main
import yaml

from orchestrator.cli.main import app
from orchestrator.core.policy import Policy

ROOT = Path(__file__).resolve().parents[2]
CI = ROOT / "examples" / "ci"


def _yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def _options(words: str) -> set[str]:
    return set(re.findall(r"(?<!\S)--[a-z-]+", words))


def _known() -> set[str]:
    commands: Any = typer.main.get_command(app)
    return {option for parameter in commands.commands["verify"].params for option in parameter.opts}


def test_the_workflow_calls_verify_as_it_is() -> None:
    """The job sets the sandbox up, judges, and hands both reports on even when something was rejected."""
    steps = _yaml(CI / "github-actions.yml")["jobs"]["verify"]["steps"]
    (judging,) = [step["run"] for step in steps if "cleanroom verify" in step.get("run", "")]
    assert _options(judging) == {"--data", "--examples", "--checks", "--policy", "--junit", "--sarif"}
    assert _options(judging) <= _known()
    assert "cleanroom setup" in [step.get("run") for step in steps]
    after = [step for step in steps if "upload" in step.get("uses", "")]
    assert len(after) == 2
    assert all("always()" in step["if"] for step in after)


def test_a_pull_request_cannot_change_what_judges_it() -> None:
    """Policy, checks, data and examples are the base branch's; only the functions are the request's own."""
    steps = _yaml(CI / "github-actions.yml")["jobs"]["verify"]["steps"]
    folders = {step["with"].get("path"): step["with"] for step in steps if "checkout" in step.get("uses", "")}
    assert folders["base"]["ref"] == "${{ github.event.pull_request.base.sha }}"
    assert "ref" not in folders["proposed"]
    assert all(folder["persist-credentials"] is False for folder in folders.values())
    (judging,) = [step["run"].split() for step in steps if "cleanroom verify" in step.get("run", "")]
    assert judging[2] == "proposed/functions/"
    for option in ("--data", "--examples", "--checks", "--policy"):
        assert judging[judging.index(option) + 1].startswith("base/")
    assert "working-directory" not in {key for step in steps for key in step}


def test_what_the_workflow_runs_cannot_be_exchanged() -> None:
    """Actions and this project are named by a whole commit, packages by their hashes."""
    workflow = _yaml(CI / "github-actions.yml")
    steps = workflow["jobs"]["verify"]["steps"]
    for used in (step["uses"] for step in steps if "uses" in step):
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", used), used
    installs = [step["run"] for step in steps if "pip install" in step.get("run", "")]
    assert all("--require-hashes" in one or "--no-deps ./" in one for one in installs)
    assert {step["with"]["ref"] for step in steps if step.get("with", {}).get("repository")} == {"COMMIT"}
    assert "pull_request_target" not in workflow[True]
    assert _yaml(CI / "pre-commit-config.yaml")["repos"][0]["rev"] == "COMMIT"


def test_the_hook_and_its_use_belong_together() -> None:
    """The configuration names the hook that the repository offers, with options that exist."""
    (hook,) = _yaml(ROOT / ".pre-commit-hooks.yaml")
    assert {"id", "name", "entry", "language", "types"} <= set(hook)
    assert hook["entry"] == "cleanroom verify"
    (repo,) = _yaml(CI / "pre-commit-config.yaml")["repos"]
    (used,) = repo["hooks"]
    assert used["id"] == hook["id"]
    assert _options(" ".join(used["args"])) <= _known()
    assert re.match(used["files"], "functions/a/trim_city.py")


def test_the_policy_is_one() -> None:
    """It is read without complaint and has rules for columns."""
    assert set(Policy.model_validate(_yaml(CI / "policy.yaml")).columns) == {"id", "city"}
