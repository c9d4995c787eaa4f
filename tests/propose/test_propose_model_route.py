"""A model of which nobody knows the provider is refused when the proposer is made, not at the first question."""

from pathlib import Path

import pytest

from orchestrator.core.errors import UsageError
from orchestrator.propose.llm.budget import Budget
from orchestrator.propose.wiring import ModelAccess, RoleChats, model_side
from tests.support.command import in_this_process

OWN = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize("roles", [RoleChats("nobody/m"), RoleChats("gpt-4o-mini", planner="nobody/m")])
def test_a_model_without_a_known_provider_is_refused(roles: RoleChats) -> None:
    """In any role."""
    with pytest.raises(UsageError, match="nobody/m names no provider") as caught:
        model_side(roles, ModelAccess(), Budget())
    assert "provider/model" in caught.value.advice


@pytest.mark.parametrize(
    ("model", "api_base"), [("openai/new-one", None), ("gpt-4o-mini", None), ("nobody/m", OWN), ("m", OWN)]
)
def test_other_models_are_taken(model: str, api_base: str | None) -> None:
    """Those of a provider that is known, whatever its models are called, and any at an address of one's own."""
    assert model_side(RoleChats(model), ModelAccess(api_base=api_base), Budget()).name == model


@pytest.mark.docker
def test_a_run_with_such_a_model_leaves_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Exit code 2 and no folder, so that there is nothing to go on with."""
    (tmp_path / "a.csv").write_text("city\n Bonn\nUlm\n")
    done = in_this_process(tmp_path, capfd)("run", "a.csv", "--model", "nobody/m", "--out", "out")
    assert done.returncode == 2
    assert "nobody/m names no provider" in done.stderr
    assert "resume" not in done.stderr
    assert not (tmp_path / "out").exists()
