"""What is advised where a limit ended a run."""

import pytest

from orchestrator.cli.run_command import show_summary
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.steps import RunStatus
from orchestrator.run.loop.run_summary import RunSummary


@pytest.mark.parametrize(
    ("reason", "advice"),
    [
        ("chunk 1: 60 functions proposed (--max-iterations)", "cleanroom runs resume --max-iterations N"),
        ("chunk 1: 5 functions given up (--max-rejected)", "cleanroom runs resume --max-rejected N"),
        ("All 3 model calls of the budget are used.", "cleanroom runs resume` and a higher budget"),
    ],
)
def test_the_limit_that_was_reached_is_named(reason: str, advice: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The option to raise is that of the limit, and not another one."""
    summary = RunSummary(
        run_id="r",
        status=RunStatus.LIMIT,
        rows=1,
        promoted=(),
        rejected=0,
        changed={},
        reason=reason,
        usage=TokenUsage(),
        seconds=1.0,
        files={"steps": "out/run.jsonl"},
    )
    show_summary(summary, as_json=False)
    assert advice in " ".join(capsys.readouterr().out.split())
