"""What is advised where a limit ended a run."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from orchestrator.cli.main import app
from orchestrator.cli.views.run_summary_view import show_run
from orchestrator.core.errors import BudgetExceeded
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.steps import RunStatus
from orchestrator.propose.llm.budget import Budget, BudgetLimits
from orchestrator.propose.llm.litellm_errors import BY_CLASS, Target, mapped
from orchestrator.run.journal.resume import how_to_go_on
from orchestrator.run.loop.run_summary import RunSummary


@pytest.mark.parametrize(
    ("reason", "advice"),
    [
        ("chunk 1: 60 functions proposed (--max-iterations)", "cleanroom runs resume out --max-iterations N`"),
        ("chunk 1: 5 functions given up (--max-rejected)", "cleanroom runs resume out --max-rejected N`"),
        ("chunk 1: 3 answers in a row could not be read, the last one: no --max-x", "resume out` asks again"),
    ],
)
def test_the_limit_that_was_reached_is_named(reason: str, advice: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The option to raise is that of the limit, and not another one."""
    show_run(ended(RunStatus.LIMIT, reason), as_json=False)
    assert advice in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("limits", "option"),
    [
        (BudgetLimits(max_calls=1), "--max-calls"),
        (BudgetLimits(max_tokens=1), "--max-tokens"),
        (BudgetLimits(max_cost_usd=0.5), "--max-cost"),
        (BudgetLimits(max_seconds=1.0), "--max-seconds"),
    ],
)
def test_the_budget_that_was_used_up_is_named(limits: BudgetLimits, option: str) -> None:
    """Whatever the budget itself says when it refuses."""
    used = TokenUsage(calls=1, prompt_tokens=9, cost_usd=1.0)
    times = iter([0.0, 2.0])
    with pytest.raises(BudgetExceeded) as refused:
        Budget(limits, used, clock=lambda: next(times)).start_call()
    with pytest.raises(BudgetExceeded) as caught:
        show_run(ended(RunStatus.BUDGET, refused.value.message), as_json=False)
    assert caught.value.advice.endswith(f"`cleanroom runs resume out {option} N`.")


@pytest.mark.parametrize("kind", sorted(set(BY_CLASS.values())))
def test_advice_to_go_on_names_only_what_a_resumed_run_takes(kind: str) -> None:
    """Every error of a model: an option that `runs resume` does not have, or another model, is for a new run."""
    name = next(name for name, meant in BY_CLASS.items() if meant == kind)
    error = mapped(type(name, (Exception,), {})("x"), Target("m"))
    advice = how_to_go_on(Path("out"), error, shared=False)
    runs: Any = typer.main.get_command(app)
    options = {name for param in runs.commands["runs"].commands["resume"].params for name in param.opts}
    unknown = set(re.findall(r"--[a-z][a-z-]+", advice)) - options
    another = bool(unknown) or "another model" in error.advice or "Use a model" in error.advice
    assert ("or start a new run with another model" in advice) is another, advice
    assert "`cleanroom runs resume out`" in advice


def ended(status: RunStatus, reason: str) -> RunSummary:
    """The summary of a run that found nothing."""
    return RunSummary(
        run_id="r",
        status=status,
        rows=1,
        promoted=(),
        rejected=0,
        changed={},
        reason=reason,
        usage=TokenUsage(),
        seconds=1.0,
        files={"steps": "out/run.jsonl"},
    )
