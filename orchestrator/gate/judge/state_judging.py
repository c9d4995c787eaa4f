"""Judges what a fitted candidate learns. Runs in the judge's process; asked by `gate.fitted.learning`."""

import time
from typing import Any

from orchestrator.core.fitted import STATE
from orchestrator.core.verdict import CheckResult, Outcome
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.data.hostile.states import read_state
from orchestrator.gate.checks.fitted_checks import learns, learns_more, leaves_unseen, merges
from orchestrator.gate.fitted.learning_plan import APPLIED
from orchestrator.gate.judge.judge import observed
from orchestrator.gate.judge.observations import Observations
from orchestrator.gate.judge.protocol import STATES, pack


def judge_states(request: bytes) -> bytes:
    """The results of the checks of learning, and each state by its case, as a blob."""
    judge_request, observations = observed(request, STATES)
    results: list[CheckResult] = []
    for check in (learns.CHECK, merges.CHECK, leaves_unseen.CHECK, learns_more.CHECK):
        started = time.perf_counter()
        result = None if check.judge is None or check.id in judge_request.done else check.judge(observations)
        if result is None:
            continue
        results.append(result.model_copy(update={"seconds": round(time.perf_counter() - started, 6)}))
        if result.outcome is Outcome.FAIL:
            break
    states = {} if judge_request.final else _states(observations)
    answer: dict[str, Any] = {"checks": [result.model_dump(mode="json") for result in results], "states": list(states)}
    return pack(answer, [text.encode() for text in states.values()])


def _states(observations: Observations) -> dict[str, str]:
    found = {}
    for name, case in observations.cases.items():
        if name not in APPLIED and case.result is not None and STATE in case.result.column_names:
            try:
                found[name] = read_state(case.result)
            except HostileOutput:  # `learns` has said so
                continue
    return found
