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
    """Emit the steps with their pauses, `speed` times as fast and never longer than two seconds; 0: without pauses."""
    for step, following in pairwise([*steps, None]):
        if isinstance(step, VerificationStep):
            for check in step.verdict.checks:
                emit(check)
        emit(step)
        if speed and step is not None and following is not None:
            sleep(min(MAX_PAUSE_S, max(0.0, (following.at - step.at).total_seconds()) / speed))
