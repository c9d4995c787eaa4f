"""What the gate saw of candidates that passed, kept for a second look beside functions promoted since.

Called by the verifier. Where the rows are still the same, all checks but one still say what they said, and what the
candidate made of the rows need not be asked of a container again.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.core.candidate import Candidate, Example
from orchestrator.core.ports import Sample
from orchestrator.core.verdict import Verdict
from orchestrator.gate.inputs.planner import CasePlanner, ExampleCase
from orchestrator.gate.judge.compare import difference
from orchestrator.gate.judge.request import AnsweredStage

MOST = 16  # as many chunks as a run of eight lanes has in flight; what is forgotten costs a quick verdict


@dataclass(frozen=True)
class JudgedStage:
    """The judge's answer on the first stage. `result`: what the candidate made of the working rows, undecoded."""

    result: bytes
    facts: dict[str, int]
    origin: list[int] | None


@dataclass(frozen=True)
class Heard:
    """What came of a candidate in its two containers, without the bulk of the first one's output, which is judged."""

    candidate: Candidate
    planner: CasePlanner
    examples: ExampleCase
    first: JudgedStage
    confirmed: AnsweredStage


@dataclass(frozen=True)
class RecheckEntry:
    """A verdict that says pass, and what it rests on."""

    heard: Heard
    sample: Sample
    examples: tuple[Example, ...]
    verdict: Verdict

    def covers(self, sample: Sample, examples: Sequence[Example]) -> bool:
        """Whether a candidate would be run on the very same values again."""
        return self.examples == tuple(examples) and all(
            old.schema == new.schema and not difference(old, new)[0]
            for old, new in zip(self.sample, sample, strict=True)
        )


class RecheckCache:
    """The newest proofs, by source hash. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._proofs: dict[str, RecheckEntry] = {}

    def keep(self, proof: RecheckEntry) -> None:
        """Remember a proof, and forget the oldest when there are many."""
        with self._lock:
            self._proofs[proof.heard.candidate.sha256] = proof
            while len(self._proofs) > MOST:
                del self._proofs[next(iter(self._proofs))]

    def take(self, sha256: str) -> RecheckEntry | None:
        """The proof of a source, which is then forgotten."""
        with self._lock:
            return self._proofs.pop(sha256, None)
