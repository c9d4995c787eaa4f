"""What the steps of a run add up to: the values that the report shows. Called by `render`; knows nothing of HTML."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import CandidateError
from orchestrator.core.jobs import SandboxInfo
from orchestrator.core.proposals import Issue, TokenUsage
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    ApplyStep,
    CandidateStep,
    ChunkStep,
    ColumnQuality,
    EndStep,
    MergerStep,
    PromotionStep,
    RepairStep,
    RunStep,
    Step,
    VerificationStep,
)
from orchestrator.core.verdict import Verdict
from orchestrator.gate.candidate_file import read

_Kind = TypeVar("_Kind", bound=Step)


@dataclass
class Tried:
    """One candidate that was handed in, with all that is known of it."""

    candidate: Candidate
    chunk: int
    iteration: int
    attempt: int
    readable: bool = True
    verdict: Verdict | None = None
    promoted: PromotionStep | None = None
    repaired: bool = False  # a later attempt was promoted
    changed: dict[str, int] = field(default_factory=dict)  # cells by column, in the whole data set

    @property
    def changed_cells(self) -> int:
        return sum(self.changed.values())


@dataclass(frozen=True)
class ColumnStory:
    """A column before and after; `after` is None when nothing was applied."""

    name: str
    before: ColumnQuality
    after: ColumnQuality | None
    changed: int

    @property
    def quiet(self) -> bool:
        """Whether there is nothing to tell."""
        return not (self.changed or self.before.null_tokens or self.before.untrimmed or self.before.off_pattern)


@dataclass(frozen=True)
class Phase:
    """A part of the run's time."""

    name: str
    seconds: float
    note: str = ""


@dataclass
class Story:
    """The run as the report tells it."""

    opening: RunStep | None = None
    end: EndStep | None = None
    applied: ApplyStep | None = None
    chunks: list[ChunkStep] = field(default_factory=list)
    promoted: list[Tried] = field(default_factory=list)
    rejected: list[Tried] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)
    columns: list[ColumnStory] = field(default_factory=list)
    phases: list[Phase] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    usage: TokenUsage = field(default_factory=TokenUsage)
    sandboxes: list[SandboxInfo] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def changed_cells(self) -> int:
        return sum(column.changed for column in self.columns)

    @property
    def changed_columns(self) -> int:
        return sum(1 for column in self.columns if column.changed)


def tell(steps: Sequence[AnyStep]) -> Story:
    """The story of the steps; an unfinished run has an unfinished story."""
    story = Story(
        opening=_last(steps, RunStep),
        end=_last(steps, EndStep),
        applied=_last(steps, ApplyStep),
        chunks=[step for step in steps if isinstance(step, ChunkStep)],
        errors=list(dict.fromkeys(step.error for step in steps if step.error)),
        usage=sum((step.usage for step in steps), TokenUsage()),
    )
    tried = _tried(steps)
    changes = {change.name: change.changed for change in story.applied.functions} if story.applied else {}
    for one in tried:
        if one.promoted:
            one.changed = dict(changes.get(one.candidate.name, {}))
            story.promoted.append(one)
        elif one.verdict is None or not one.verdict.passed:
            story.rejected.append(one)
    verdicts = [one.verdict for one in tried if one.verdict]
    story.sandboxes = list(dict.fromkeys(v.sandbox for v in verdicts if v.sandbox.image))
    story.issues = _issues(steps)
    story.columns = _columns(story)
    story.seconds = story.end.seconds if story.end else sum(step.seconds for step in steps)
    story.phases = _phases(steps, verdicts)
    rest = story.seconds - sum(phase.seconds for phase in story.phases)
    if rest > 0.05:
        story.phases.append(Phase("not recorded by any step", rest, "for example what is left to clean, computed anew"))
    return story


def _last(steps: Sequence[AnyStep], kind: type[_Kind]) -> _Kind | None:
    found = [step for step in steps if isinstance(step, kind)]
    return found[-1] if found else None


def _tried(steps: Sequence[AnyStep]) -> list[Tried]:
    """Candidates in the order in which they came, each with its verdict and its promotion; lanes write in turns."""
    tried: dict[tuple[int, int, int], Tried] = {}
    for step in steps:
        if isinstance(step, CandidateStep):
            candidate, readable = _candidate(step)
            place = (step.chunk, step.iteration, step.attempt)
            tried[place] = Tried(candidate, step.chunk, step.iteration, step.attempt, readable)
        elif isinstance(step, VerificationStep):
            if one := tried.get((step.chunk, step.iteration, step.attempt)):
                one.verdict = step.verdict
        elif isinstance(step, PromotionStep):
            attempts = [t for t in tried.values() if (t.chunk, t.iteration) == (step.chunk, step.iteration)]
            for one in attempts:
                one.repaired = step.iteration > 0
            for one in [one for one in attempts if one.candidate.name == step.name][-1:]:
                one.promoted, one.repaired = step, False
        elif isinstance(step, MergerStep) and step.adopted:
            for one in tried.values():
                one.promoted = None if one.candidate.name in step.replaces else one.promoted
    return list(tried.values())


def _candidate(step: CandidateStep) -> tuple[Candidate, bool]:
    try:
        return read(step.source), True
    except CandidateError:
        return Candidate(source=step.source, name=step.name), False


def _issues(steps: Sequence[AnyStep]) -> list[Issue]:
    """What the proposer named, each once, as it stood at the end."""
    issues: dict[tuple[str, tuple[str, ...]], Issue] = {}
    for step in steps:
        if isinstance(step, AnalysisStep):
            for issue in step.issues:
                issues[issue.description, issue.columns] = issue
    return list(issues.values())


def _columns(story: Story) -> list[ColumnStory]:
    before = story.opening.quality if story.opening else ()
    after = {quality.name: quality for quality in story.applied.quality} if story.applied else {}
    changed = {change.name: change.changed for change in story.applied.columns} if story.applied else {}
    known = {quality.name for quality in before}
    stories = [ColumnStory(q.name, q, after.get(q.name), changed.get(q.name, 0)) for q in before]
    return stories + [
        ColumnStory(name, ColumnQuality(name=name), after.get(name), count)
        for name, count in changed.items()
        if name not in known
    ]


def _phases(steps: Sequence[AnyStep], verdicts: Sequence[Verdict]) -> list[Phase]:
    def seconds(*kinds: type[AnyStep]) -> float:
        return sum(step.seconds for step in steps if isinstance(step, kinds))

    wait = sum(v.timings.wait_s for v in verdicts)
    sandbox = sum(v.timings.sandbox_s for v in verdicts)
    judge = sum(v.timings.judge_s + v.timings.screen_s for v in verdicts)
    return [
        Phase("reading and measuring the data", seconds(RunStep)),
        Phase("proposing", seconds(AnalysisStep, RepairStep)),
        Phase(
            "verifying",
            seconds(VerificationStep),
            f"{len(verdicts)} candidates: {sandbox:.1f} s in sandboxes, {judge:.1f} s judging, {wait:.1f} s waiting",
        ),
        Phase("entering the registry", seconds(PromotionStep)),
        Phase("applying to the whole data", seconds(ApplyStep)),
    ]
