"""What the summary of a run says of merged functions that the planner proposed in vain."""

import json

import pytest

from orchestrator.cli.views.run_summary_view import show_run
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.steps import RunStatus
from orchestrator.run.loop.run_summary import RefusedMerger, RunSummary


def test_a_merger_that_was_refused_is_told_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    """It stood in the steps only; where there is none, neither people nor programs read of any."""
    refused = RefusedMerger(name="tidy", replaces=("trim", "squeeze"), reason="rejected by edges")
    summary = RunSummary(
        run_id="0" * 12, status=RunStatus.CLEAN, rows=2, promoted=(), rejected=0, changed={}, usage=TokenUsage(),
        seconds=1.0, files={"steps": "out/run.jsonl", "registry": "out/registry"}, refused_mergers=(refused,),
    )  # fmt: skip
    show_run(summary, as_json=False)
    assert "not merged: tidy, for trim, squeeze: rejected by edges" in " ".join(capsys.readouterr().out.split())
    show_run(summary, as_json=True)
    assert json.loads(capsys.readouterr().out)["refused_mergers"] == [refused.model_dump(mode="json")]
    usual = summary.model_copy(update={"refused_mergers": ()})
    show_run(usual, as_json=False)
    assert "not merged" not in capsys.readouterr().out
    assert "refused_mergers" not in usual.model_dump()
