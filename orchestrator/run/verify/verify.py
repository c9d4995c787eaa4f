"""Judge functions that were not proposed by a run, several at once. Called by `cleanroom verify`."""

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from orchestrator.core.candidate import Candidate, Example, source_hash
from orchestrator.core.differences import VersionDiff
from orchestrator.core.errors import ApplyAuditFailed, ApplyDrifted, CandidateError, DataError, UsageError
from orchestrator.core.ports import Registry, Sample, VerifyRequest
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, CheckResult, Outcome, Verdict
from orchestrator.core.witnesses import Witnesses, concerns, shows_staying
from orchestrator.data.data_address import DataAddress
from orchestrator.data.formats import Dataset
from orchestrator.data.sources import OpensData, open_source
from orchestrator.data.user_files.example_files import read_examples
from orchestrator.data.user_files.instruction_examples import check_instruction
from orchestrator.gate import candidate_file
from orchestrator.gate.judge.compare import names_text
from orchestrator.run.apply.quarantine import keep_unreadable
from orchestrator.run.apply.same_file import check_places
from orchestrator.run.apply.shapes import Samples
from orchestrator.run.services import Services
from orchestrator.run.table_width import check_width
from orchestrator.run.verify.candidate_files import CandidateFile, NamedSources
from orchestrator.run.verify.neighbours import in_its_place, neighbours, waiting_beside
from orchestrator.run.verify.rows_to_judge import rows_of, samples_of
from orchestrator.run.verify.side_by_side import side_by_side


@dataclass(frozen=True)
class Verification:
    """What the user asked for.

    `registry`: folder, file or URL of the functions beside which they are judged, None for none; with `promote`, those
    that pass go into it, and those that are held as well, out of use. `replace`: they may take others out of use there.
    `before_entering`: called before one goes in; what it raises keeps it out.
    """

    named: NamedSources
    data: Path | DataAddress
    examples: tuple[Path, ...] = ()
    instruction: str = ""
    quick: bool = False
    screen: bool = True
    registry: str | None = None
    promote: bool = True
    replace: bool = True
    before_entering: Callable[[], None] = lambda: None
    output: Path | None = None
    quarantine: Path | DataAddress | None = None  # for rows that cannot be read, and those on which `output` fails
    reading: Mapping[str, Any] = field(default_factory=dict)  # arguments of `open_dataset`

    def check(self, opener: OpensData = open_source) -> "OpenedVerification":
        """Read and check all files, before anything is judged. `opener`: opens data by a parser, where one is named.

        Raises UsageError, DataError; for a parser SandboxError, CandidateError.
        """
        sources = self.named.sources
        if self.output is not None and len(sources) > 1:
            raise UsageError("--output takes one function.", advice="Verify the functions one by one to keep outputs.")
        check_places(self.data, self.output, self.quarantine)
        if self.registry is not None and not self.promote and not _has_registry(self.registry):
            raise UsageError("There is no registry where --registry says.", advice="Name one, or leave the option out.")
        examples = read_examples(*self.examples) if self.examples else ()
        check_instruction(self.instruction, examples)
        _check_concerned(sources, examples)
        dataset = opener(self.data, **self.reading)
        check_width(dataset)
        if not dataset.rows:
            raise dataset.without_rows()
        return OpenedVerification(self, examples, dataset)


@dataclass(frozen=True)
class VerifiedCandidate:
    """One candidate file and its verdict. `differences`: from the function that it replaces, where it replaces one.

    `kept`: it is held, and in the registry for somebody to approve. `present`: the version under which the same
    function is in the registry already, so that it was not promoted again; `approved`: and it is held today for
    nothing but what somebody has approved there. `gone`: what its promotion took out of use.
    """

    source: CandidateFile
    verdict: Verdict
    differences: VersionDiff | None = None
    kept: bool = False
    present: int = 0
    approved: bool = False
    gone: tuple[Promoted, ...] = ()


@dataclass(frozen=True)
class OpenedVerification:
    """A request whose files were read and are valid."""

    request: Verification
    examples: tuple[Example, ...]
    dataset: Dataset

    def run(self, services: Services) -> Iterator[VerifiedCandidate]:
        """One verdict per function, in order. Raises UsageError, DataError, SandboxError, RegistryError."""
        samples = samples_of(self.dataset, services)
        if self.request.registry is None:
            return self._side_by_side(samples, services)
        return self._beside(self.request.registry, samples, services)

    def keep_output(self, judged: VerifiedCandidate, services: Services) -> str:
        """Write what the function makes of the whole file, and what is set aside, where that was asked for.

        Why there is no output, or "". What a function makes that was rejected is not kept; what one makes that is held
        is, for somebody has to look at it. That such a function cannot make any is no error, for its verdict says why.
        Raises OutputError, SandboxError, and DataError for a function that passed.
        """
        if self.request.output is None or judged.verdict.verdict not in (Outcome.PASS, Outcome.HOLD):
            if self.request.quarantine is not None:
                keep_unreadable(self.request.quarantine, self.dataset)
            rejected = self.request.output is not None and judged.verdict.verdict is Outcome.FAIL
            return "the function was rejected." if rejected else ""
        from orchestrator.run.apply.apply import WORKERS, apply_functions  # few ask for it

        try:
            candidate = services.gate.read(judged.source.text)
            evidence = self._evidence(judged.verdict, candidate, services)
            alone = Promoted(candidate=candidate, evidence=evidence, order=1, promoted_at=datetime.now(UTC))
            apply_functions(
                self.dataset,
                [alone],
                self.request.output,
                services.access,
                workers=services.lanes or WORKERS,
                quarantine=self.request.quarantine,
            )
        except (CandidateError, DataError, ApplyAuditFailed, ApplyDrifted) as error:
            if judged.verdict.passed:
                raise
            return error.message
        return ""

    def _side_by_side(self, samples: Samples, services: Services) -> Iterator[VerifiedCandidate]:
        """As many at once as the pool has containers ready, or as keep a cluster's workers busy."""
        lanes = services.lanes or services.policy.container.pool_size
        return side_by_side(
            lambda one: self._judge(one, samples.of(one.text), services),
            self.request.named.sources,
            lanes,
            services.sandbox,
        )

    def _beside(self, place: str, samples: Samples, services: Services) -> Iterator[VerifiedCandidate]:
        """One after the other: each is judged on the rows after the functions promoted before it."""
        from orchestrator.run.apply.residual import Residual  # without a registry nothing is applied
        from orchestrator.run.verify.stored import is_accepted

        with ExitStack() as stack:
            residual = stack.enter_context(Residual(services.access))
            registry = stack.enter_context(services.open_registry(place) if self.request.promote else _to_read(place))
            for source in self.request.named.sources:
                known = registry.functions()
                promoted, replaced = neighbours(source.text, known, services, replace=self.request.replace)
                sample = samples.of(source.text)
                rows, taught = residual.of(sample, promoted)
                names = [function.name for function in known if self.request.replace]
                waiting = waiting_beside(source.text, registry) if self.request.promote else ()
                taken = () if self.request.replace else [one.name for one in waiting]
                judged = self._judge(source, rows, services, taught, may_replace=names, taken=taken)
                if judged.verdict.passed or judged.verdict.held:
                    candidate = services.gate.read(source.text)
                    evidence = self._evidence(judged.verdict, candidate, services)
                    if replaced is not None:
                        found = residual.differences(rows, replaced, candidate, evidence)
                        judged = dataclasses.replace(judged, differences=self._numbered(found, services))
                    if self.request.promote:
                        evidence = residual.must_follow(sample, promoted, candidate, evidence)
                        same = next((f for f in known if f.candidate.sha256 == candidate.sha256), None)
                        if same is not None:
                            approved = is_accepted(same, judged.verdict)
                            judged = dataclasses.replace(judged, present=same.version, approved=approved)
                        else:
                            stay = {function.name for function in promoted}
                            gone = tuple(function for function in known if function.name not in stay)
                            if self.request.replace:
                                gone += in_its_place(candidate, waiting)
                            self.request.before_entering()
                            kept = _entered(candidate, evidence, registry, gone)
                            judged = dataclasses.replace(judged, kept=kept, gone=() if kept else gone)
                yield judged

    def _numbered(self, found: VersionDiff, services: Services) -> VersionDiff:
        """With the numbers of the file, unless other functions left out rows: then nobody knows which is which."""
        from orchestrator.data.row_numbers import RowNumbers
        from orchestrator.run.apply.version_diff import numbered_in_file  # few functions replace others

        places = rows_of(self.dataset, services)
        return numbered_in_file(found, RowNumbers.of(self.dataset), places) if len(places) == found.rows else found

    def _judge(
        self,
        source: CandidateFile,
        sample: Sample,
        services: Services,
        promoted: Sequence[Promoted] = (),
        *,
        may_replace: Collection[str] | None = None,
        taken: Collection[str] = (),
    ) -> VerifiedCandidate:
        if source.problem:
            return VerifiedCandidate(source, _unreadable(source))
        return VerifiedCandidate(
            source,
            services.gate.verify(
                VerifyRequest(
                    source.text,
                    sample,
                    promoted=promoted,
                    examples=self.examples,
                    instruction=self.request.instruction,
                    screen=self.request.screen,
                    quick=self.request.quick,
                    may_replace=may_replace,
                    taken=taken,
                ),
            ),
        )

    def _evidence(self, verdict: Verdict, candidate: Candidate, services: Services) -> Evidence:
        return Evidence(
            verdict=verdict,
            policy_sha256=services.policy_sha256,
            proposer="person",
            data_sha256=self.dataset.sha256,
            witnesses=Witnesses(examples=self.examples, instruction=self.request.instruction).about(candidate.contract),
        )


def _has_registry(place: str) -> bool:
    from orchestrator.registry.functions import has_registry  # few ask for it

    return has_registry(place)


def _to_read(place: str) -> AbstractContextManager[Registry]:
    from orchestrator.registry.functions import open_to_read

    return open_to_read(place)


def _entered(candidate: Candidate, evidence: Evidence, registry: Registry, gone: Sequence[Promoted]) -> bool:
    """Promote what has passed, and keep what is held, once; whether it is held."""
    if evidence.verdict.passed:
        registry.promote(candidate, evidence, ends=gone)
        return False
    if all(function.candidate.sha256 != candidate.sha256 for function in registry.held()):
        registry.hold(candidate, evidence)
    return True


def _unreadable(source: CandidateFile) -> Verdict:
    """The verdict on one of several files that cannot be read."""
    return Verdict(
        candidate=CandidateInfo(name="unreadable", sha256=source_hash("")),
        verdict=Outcome.FAIL,
        checks=(CheckResult(id="screen", outcome=Outcome.FAIL, detail=source.problem),),
    )


def _check_concerned(sources: Sequence[CandidateFile], examples: Sequence[Example]) -> None:
    """Refuse examples that do not concern any of the functions: all would pass without being used."""
    if not examples:
        return
    about: set[str] = set()
    for source in sources:
        try:
            contract = candidate_file.read(source.text).contract
        except CandidateError:
            return
        if any(concerns(contract, one) or shows_staying(contract, one) for one in examples):
            return
        about |= set(contract.named)
    known = {name for example in examples if isinstance(example.output, dict) for name in example.output}
    raise UsageError(
        f"No example has a column that the functions change ({names_text(sorted(about))}).",
        advice=f"The examples are about {names_text(sorted(known))}.",
    )
