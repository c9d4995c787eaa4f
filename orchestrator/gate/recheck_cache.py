"""Observations of candidates that passed, kept to judge them again beside functions promoted since.

Called by the verifier. Where the rows are still the same, the results of all checks but `composes` still hold, and the
candidate need not run again.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from orchestrator.core.candidate import Candidate, Example
from orchestrator.core.ports import Sample
from orchestrator.core.verdict import Verdict
from orchestrator.gate.checks.check import VerdictScope
from orchestrator.gate.inputs.case_planner import CasePlanner
from orchestrator.gate.inputs.example_case import ExampleCase
from orchestrator.gate.inputs.wanted import Wanted
from orchestrator.gate.judge.compare import difference
from orchestrator.gate.judge.protocol import AnsweredStage

MOST = 16  # as many chunks as a run of eight lanes has in flight; an entry that was dropped costs a quick verdict


@dataclass(frozen=True)
class JudgedStage:
    """The judge's answer on the first stage. `result`: what the candidate made of the working rows, undecoded."""

    result: bytes
    facts: dict[str, int]
    origin: list[int] | None
    touched: tuple[int, ...] = ()  # rows of the sample that were changed or dropped
    clean: Mapping[str, list[str]] = field(default_factory=dict)  # texts of the result, by column


@dataclass(frozen=True)
class ObservedCandidate:
    """What came of a candidate in its two containers, without the bulk of the first one's output, which is judged."""

    candidate: Candidate
    scope: VerdictScope
    planner: CasePlanner
    examples: ExampleCase
    wanted: Wanted
    first: JudgedStage
    confirmed: AnsweredStage


@dataclass(frozen=True)
class RecheckEntry:
    """A passing verdict and its observations."""

    observed: ObservedCandidate
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
    """The newest entries, by source hash. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: dict[str, RecheckEntry] = {}

    def keep(self, entry: RecheckEntry) -> None:
        """Store an entry; drop the oldest where there are more than MOST."""
        with self._lock:
            self._entries[entry.observed.candidate.sha256] = entry
            while len(self._entries) > MOST:
                del self._entries[next(iter(self._entries))]

    def take(self, sha256: str) -> RecheckEntry | None:
        """The entry of a source, which is removed."""
        with self._lock:
            return self._entries.pop(sha256, None)
