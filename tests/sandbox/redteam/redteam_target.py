"""A target without an engine: sandbox, gate, host and controls answer what a test tells them."""

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from orchestrator.core.candidate import Candidate
from orchestrator.core.jobs import ChildResult, Ended, Job, JobResult, Limits, SandboxInfo
from orchestrator.core.ports import Sample, SandboxSession
from orchestrator.core.verdict import CandidateInfo, CheckResult, Outcome, Verdict
from orchestrator.data.hostile import decode_entry
from orchestrator.data.hostile.arrow_tables import write_table
from orchestrator.sandbox.redteam import harmless_candidate
from orchestrator.sandbox.redteam.attack import Attack, LiftedLock
from orchestrator.sandbox.redteam.target import AttackTarget

PROBE = {
    "kind": "network",
    "title": "opens a door",
    "end": "D",
    "form": "probe",
    "source": "def attempt():\n    return 'DOOR'\n",
    "control": {"lift": ["seccomp"]},
}


def attack(name: str, **other: Any) -> Attack:
    """A probe that must be denied, with what the test wants otherwise."""
    merged = PROBE | {"name": name, "source": f"def attempt():\n    return {name!r}\n"} | other
    return Attack.model_validate(merged)


def child_said(said: str, ended: Ended = Ended.OK) -> ChildResult:
    """A child that reported the word."""
    return ChildResult(ended, _record(pa.table({"__index__": [0], "said": [said]})))


def harmless() -> pa.Table:
    """The right answer of the harmless neighbour."""
    return pa.table(
        {"__index__": [0, 1, 2, 3], **{name: pa.array(v) for name, v in harmless_candidate.NEIGHBOUR_SAYS.items()}}
    )


def _record(table: pa.Table) -> bytes:
    body = write_table(table)
    header = {"case": 0, "op": "f", "status": "returned", "type": "DataFrame", "dtypes": [], "error": "", "wall_s": 0.0}
    text = json.dumps(header | {"changed": [], "body": len(body)}).encode()
    return struct.pack(">I", len(text)) + text + body


class InProcess:
    """The decoder, not disposable: a test's bytes are not hostile."""

    def call(self, request: bytes) -> bytes:
        return decode_entry.decode(request)

    def close(self) -> None:
        pass


@dataclass
class ToldSandbox:
    """Answers by a word of the program's source; everything that it does not know is denied."""

    answers: Mapping[str, ChildResult | Exception] = field(default_factory=dict)
    neighbour: Callable[[], ChildResult] = lambda: ChildResult(Ended.OK, _record(harmless()))
    jobs: list[Job] = field(default_factory=list)

    def run(self, job: Job) -> JobResult:
        self.jobs.append(job)
        children = []
        for child in job.children:
            source = job.programs[child.cases[0].program or 0].source
            children.append(self.neighbour() if source == harmless_candidate.NEIGHBOUR else self._answer(source))
        return JobResult(tuple(children), SandboxInfo())

    def _answer(self, source: str) -> ChildResult:
        for word, answer in self.answers.items():
            if word in source:
                if isinstance(answer, Exception):
                    raise answer
                return answer
        return child_said("denied EPERM")

    def session(self, *, alone: bool = False) -> AbstractContextManager[SandboxSession]:
        raise AssertionError("the red team uses every container once")

    def close(self) -> None:
        pass


@dataclass
class ToldObserver:
    """Says one list of differences after the other, then none."""

    found: list[tuple[str, ...]] = field(default_factory=list)

    def look(self) -> object:
        return None

    def differences(self, before: object) -> tuple[str, ...]:
        return self.found.pop(0) if self.found else ()


def verdict(outcome: Outcome, *failed: str) -> Verdict:
    one = Candidate(source="", name="trim")
    checks = tuple(CheckResult(id=name, outcome=Outcome.FAIL, detail="why") for name in failed)
    return Verdict(candidate=CandidateInfo.of(one), verdict=outcome, checks=checks)


def told_target(
    sandbox: ToldSandbox | None = None,
    *,
    unlocked: Callable[[str, Sequence[LiftedLock]], str] = lambda _, __: "granted a door",
    judge: Callable[[str, Sample, Limits], Verdict] = lambda _, __, ___: verdict(Outcome.PASS),
    script: Callable[[str], str] = lambda _: "denied",
    observer: ToldObserver | None = None,
    runtime: str = "runc",
) -> AttackTarget:
    return AttackTarget(
        sandbox=sandbox or ToldSandbox(),
        shared=ToldSandbox(),
        decoder=InProcess(),
        judge=judge,
        judge_control=judge,
        unlocked=lambda sources, lifts: [unlocked(source, lifts) for source in sources],
        script=script,
        observer=observer or ToldObserver(),
        info=SandboxInfo(runtime=runtime),
    )
