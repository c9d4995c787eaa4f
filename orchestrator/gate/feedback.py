"""Turns a verdict into a short text: what failed, on which rows, what was expected. For repair prompts and people.

Cells and error texts come from data and candidates: they appear only as JSON or cleaned to one visible line, so that
nothing in them can pass for a line of this text. Whoever puts it into a prompt fences it as data all the same.
"""

import json
from collections.abc import Sequence
from typing import Any

from orchestrator.core.verdict import CheckResult, Concern, Counterexample, Verdict
from orchestrator.data.text import clean_text

MAX_FAILURES = 5
MAX_ROWS = 3


def feedback(verdict: Verdict) -> str:
    """The failed checks with their counterexamples, the most basic first; the concerns of a verdict that is held.

    Empty when the candidate passed.
    """
    if verdict.held:
        return "\n".join(concern_lines(verdict.concerns))
    failures = verdict.failures
    lines = [line for check in failures[:MAX_FAILURES] for line in failure_lines(check)]
    if len(failures) > MAX_FAILURES:
        lines.append(f"… and {len(failures) - MAX_FAILURES} more failed checks.")
    return "\n".join(lines)


def failure_lines(check: CheckResult) -> list[str]:
    """One failed check: what happened, then the counterexample. For JUnit and SARIF as well."""
    lines = [f"{check.id}: {clean_text(check.detail, 700)}"]
    if check.counterexample is not None:
        lines += _rows(check.counterexample)
    return lines


def concern_lines(concerns: Sequence[Concern]) -> list[str]:
    """The first concerns: what changed, what would settle it, the counterexample. For JUnit and SARIF as well."""
    lines: list[str] = []
    for concern in concerns[:MAX_FAILURES]:
        lines += [
            f"{concern.kind}: {clean_text(concern.detail, 700)}",
            f"  to settle: {clean_text(concern.settles, 700)}",
        ]
        if concern.counterexample is not None:
            lines += _rows(concern.counterexample)
    return lines


def _rows(shown: Counterexample) -> list[str]:
    lines = [f"  input:  {_json(row)}" for row in shown.input[:MAX_ROWS]]
    lines += [f"  output: {_json(row)}" for row in shown.output[:MAX_ROWS]]
    if shown.wanted:
        lines.append(f"  wanted: {clean_text(shown.wanted, 700)}")
    return lines


def _json(row: dict[str, Any]) -> str:
    return clean_text(json.dumps(row, ensure_ascii=False, default=str), 1500)
