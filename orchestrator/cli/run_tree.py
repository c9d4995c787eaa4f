"""A run drawn as a tree for the terminal: chunks, candidates, and why each was promoted or not."""

from collections.abc import Sequence

from rich.markup import escape
from rich.tree import Tree

from orchestrator.cli.console import plain
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    ApplyStep,
    CandidateStep,
    ChunkStep,
    EndStep,
    RunStep,
    VerificationStep,
)
from orchestrator.core.verdict import Outcome


def run_tree(steps: Sequence[AnyStep]) -> Tree:
    """The tree of a run's steps."""
    root = Tree("run")
    branch = root
    for step in steps:
        if isinstance(step, RunStep):
            root.label = f"[bold]{_safe(step.data)}[/] {step.rows:,} rows · {_safe(step.proposer)} · run {step.run_id}"
        elif isinstance(step, ChunkStep):
            branch = root.add(f"chunk {step.chunk + 1}: {step.rows:,} rows, {step.holdout:,} held back")
        elif isinstance(step, AnalysisStep) and (step.error or not step.proposed):
            said = f"[yellow]{_safe(step.error)}[/]" if step.error else f"[dim]nothing proposed: {step.chunk_status}[/]"
            branch.add(said)
        elif isinstance(step, VerificationStep):
            _verdict(branch, step)
        elif isinstance(step, ApplyStep):
            cells = sum(c.changed for c in step.columns)
            root.add(f"applied to {step.rows_in:,} rows: {cells:,} cells changed")
        elif isinstance(step, EndStep):
            root.add(f"{step.status}: {step.promoted} promoted, {step.rejected} given up, {step.seconds:.1f} s")
        elif isinstance(step, CandidateStep):
            continue  # its verdict follows
    return root


def _verdict(branch: Tree, step: VerificationStep) -> None:
    verdict = step.verdict
    mark = "[green]✓[/]" if verdict.passed else "[red]✗[/]"
    attempt = f" (repair {step.attempt})" if step.attempt else ""
    node = branch.add(f"{mark} [bold]{_safe(verdict.candidate.name)}[/]{attempt} [dim]{step.seconds:.2f} s[/]")
    for check in verdict.checks:
        if check.outcome in {Outcome.FAIL, Outcome.INFRA}:
            node.add(f"[red]{check.id}[/] {_safe(check.detail)}")
    passed = sum(c.outcome is Outcome.PASS for c in verdict.checks)
    node.add(f"[dim]{passed} of {len(verdict.checks)} checks passed[/]")


def _safe(text: str) -> str:
    return escape(plain(text))
