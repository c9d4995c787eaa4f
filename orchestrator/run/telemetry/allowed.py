"""What may leave as telemetry: an allow-list of attributes, each with the form that its values have.

No text of data can be in it: not a cell, not the name of a column, of a function or of a file, not an instruction, not
the text of an error. What is not on the list, or has another form, is left out. Called by `spans` and `json_log`.
"""

import re
from collections.abc import Mapping
from typing import Any

from orchestrator.core.exchanges import Exchange
from orchestrator.core.steps import (
    ApplyStep,
    ChunkEndStep,
    ChunkStep,
    EndStep,
    HeldEntryStep,
    PromotionStep,
    RunStep,
    VerificationStep,
)
from orchestrator.core.steps.step_base import Step
from orchestrator.core.verdict import CheckResult, Verdict
from orchestrator.propose.named import PROPOSERS

_WORD = r"[a-z][a-z-]{0,39}"
_FORMS = {
    "cleanroom.run.id": r"[0-9a-f]{12}",
    "cleanroom.step": _WORD,
    "cleanroom.status": _WORD,
    "cleanroom.format": _WORD,
    "cleanroom.proposer": _WORD,
    "cleanroom.verdict": _WORD,
    "cleanroom.check": _WORD,
    "cleanroom.outcome": _WORD,
    "cleanroom.candidate.sha256": r"[0-9a-f]{64}",
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": r"[a-z0-9_]{1,40}",
    "gen_ai.request.model": r"[A-Za-z0-9][A-Za-z0-9._/@:+-]{0,99}",
    "cleanroom.role": _WORD,
    "error.type": _WORD,
}
_NUMBERS = frozenset(
    f"cleanroom.{name}"
    for name in (
        "attempt", "calls", "candidates.held", "candidates.promoted", "candidates.rejected", "cases", "cells.changed",
        "chunk", "columns", "concerns", "cost_usd", "cpu_s", "formulas", "functions", "holdout", "iteration",
        "peak_bytes", "rows", "rows.in", "rows.out", "rows.set_aside", "seconds", "wait_s",
    )
) | {"gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"}  # fmt: skip
ATTRIBUTES = _NUMBERS | frozenset(_FORMS)
Attributes = dict[str, str | int | float]


def allowed(values: Mapping[str, Any]) -> Attributes:
    """Those of the values that may leave."""
    kept: Attributes = {}
    for name, value in values.items():
        if name in _NUMBERS and isinstance(value, int | float):
            kept[name] = value
        elif name in _FORMS and isinstance(value, str) and re.fullmatch(_FORMS[name], value):
            kept[name] = str(value)
    return kept


def of_step(step: Step) -> Attributes:
    """What may be known of a step."""
    found: dict[str, Any] = {"cleanroom.step": getattr(step, "kind", ""), "cleanroom.seconds": step.seconds}
    for name in ("chunk", "iteration", "attempt"):
        found[f"cleanroom.{name}"] = getattr(step, name, None)
    if step.error is not None:
        found["error.type"] = "failed"
    match step:
        case RunStep():
            proposer = step.proposer if step.proposer in PROPOSERS else "model"
            found |= {"cleanroom.run.id": step.run_id, "cleanroom.rows": step.rows, "cleanroom.proposer": proposer}
            found |= {"cleanroom.format": step.data_format, "cleanroom.columns": len(step.columns)}
        case ChunkStep():
            found |= {"cleanroom.rows": step.rows, "cleanroom.holdout": step.holdout}
        case VerificationStep() | HeldEntryStep():
            found |= of_verdict(step.verdict)
        case PromotionStep():
            found["cleanroom.candidate.sha256"] = step.sha256
        case ApplyStep():
            found |= {"cleanroom.rows.in": step.rows_in, "cleanroom.rows.out": step.rows_out}
            found |= {"cleanroom.rows.set_aside": step.quarantined, "cleanroom.functions": len(step.functions)}
            found |= {"cleanroom.cells.changed": sum(column.changed for column in step.columns)}
            found |= {"cleanroom.formulas": sum(step.formulas.values())}
        case ChunkEndStep() | EndStep():
            found |= {f"cleanroom.candidates.{name}": getattr(step, name) for name in ("held", "promoted", "rejected")}
            found["cleanroom.status"] = step.status
    return allowed(found)


def of_verdict(verdict: Verdict) -> Attributes:
    return allowed(
        {
            "cleanroom.verdict": verdict.verdict,
            "cleanroom.candidate.sha256": verdict.candidate.sha256,
            "cleanroom.concerns": len(verdict.concerns),
            "cleanroom.wait_s": verdict.timings.wait_s,
            "cleanroom.cpu_s": verdict.usage.cpu_s,
            "cleanroom.peak_bytes": verdict.usage.peak_bytes,
        }
    )


def of_check(check: CheckResult) -> Attributes:
    return allowed({"cleanroom.check": check.id, "cleanroom.outcome": check.outcome, "cleanroom.cases": check.cases})


def of_exchange(exchange: Exchange) -> Attributes:
    """A question to a model, in the words of OpenTelemetry's conventions for generative AI."""
    provider, _, name = exchange.model.partition("/")
    usage = exchange.usage
    return allowed(
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": provider if name else "unknown",
            "gen_ai.request.model": name or provider,
            "gen_ai.usage.input_tokens": usage.prompt_tokens,
            "gen_ai.usage.output_tokens": usage.completion_tokens,
            "cleanroom.calls": usage.calls,
            "cleanroom.cost_usd": usage.cost_usd,
            "cleanroom.role": exchange.role,
            "error.type": None if exchange.error is None else "failed",
        }
    )
