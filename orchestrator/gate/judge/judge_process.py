"""What the judge's process imports: `judge_entry`, after Arrow was told to do without pandas. Named by
`judge_entry.ENTRY`.
"""

import orchestrator.data.arrow_in_helper  # noqa: F401 - before the others use Arrow
from orchestrator.gate.judge.judge_entry import (
    MORE_NEEDED,
    both,
    decode,
    judge,
    load_more,
    warm,
    warm_decode,
    warm_judge,
)

__all__ = ["MORE_NEEDED", "both", "decode", "judge", "load_more", "warm", "warm_decode", "warm_judge"]
