"""Plays a run again from its journal: the same events to the same callbacks, without a model and without an engine."""

import time
from collections.abc import Callable, Sequence
from itertools import pairwise

from orchestrator.core.steps import AnyStep, VerificationStep

MAX_PAUSE_S = 2.0  # nobody wants to watch a model think


def replay(
    steps: Sequence[AnyStep],
    emit: Callable[[object], None],
    *,
    speed: float,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Emit the steps with the pauses that were between them, and in the pause before a verdict its checks.

    `speed`: so many times as fast as it was, a pause never longer than two seconds; 0: without pauses.
    """
    for step in steps[:1]:
        emit(step)
    for step, following in pairwise(steps):
        checks = following.verdict.checks if isinstance(following, VerificationStep) else ()
        took = max(0.0, (following.at - step.at).total_seconds())
        pause = min(MAX_PAUSE_S, took / speed) / max(1, len(checks)) if speed else 0.0
        for check in checks:
            sleep(pause)
            emit(check)
        if not checks:
            sleep(pause)
        emit(following)
