"""Judge functions that were not proposed by a run. Called by `cleanroom verify`."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import CandidateError, UsageError
from orchestrator.core.ports import Sample
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import Outcome, Verdict
from orchestrator.data.chunks import chunks
from orchestrator.data.examples import read_examples
from orchestrator.data.formats import Dataset, open_dataset
from orchestrator.run.apply import apply_functions
from orchestrator.run.parts import Parts
from orchestrator.run.residual import Residual

SAMPLE_ROWS = 4000  # enough for every check of the default policy
MAX_SOURCE = 16 * 2**20  # what is larger is no function; the screen's own bound is far lower


@dataclass(frozen=True)
class Verification:
    """What the user asked for. `registry` is given when what passes shall be promoted."""

    functions: tuple[Path, ...]
    data: Path
    examples: Path | None = None
    screen: bool = True
    registry: Path | None = None
    output: Path | None = None

    def run(self, parts: Parts) -> Iterator[Verdict]:
        """One verdict per function, in order. Raises UsageError, DataError, SandboxError, RegistryError."""
        sources = [read_source(path) for path in self.functions]
        examples = read_examples(self.examples) if self.examples else ()
        dataset = open_dataset(self.data)
        sample = sample_of(dataset, parts)
        registry = parts.open_registry(self.registry) if self.registry else None
        with Residual(parts.sandbox, parts.decoder, parts.policy) as residual:
            for source in sources:
                promoted = registry.functions() if registry else ()
                rest = Sample(residual.of(sample.working, promoted), residual.of(sample.holdout, promoted))
                verdict = parts.gate.verify(source, rest, promoted=promoted, examples=examples, screen=self.screen)
                yield verdict
                if registry and verdict.passed:
                    registry.promote(parts.gate.read(source), _evidence(verdict, dataset, parts))
                if self.output and verdict.verdict is not Outcome.INFRA:
                    self._keep_output(source, verdict, dataset, parts, self.output)

    def _keep_output(self, source: str, verdict: Verdict, dataset: Dataset, parts: Parts, output: Path) -> None:
        try:
            candidate = parts.gate.read(source)
        except CandidateError as error:
            raise UsageError("There is no output to keep: the file holds no function that could be run.") from error
        single = as_promoted(candidate, _evidence(verdict, dataset, parts))
        apply_functions(self.data, [single], output, sandbox=parts.sandbox, decoder=parts.decoder)


def sample_of(dataset: Dataset, parts: Parts) -> Sample:
    """Rows of the data set to judge on, drawn at random; a part of them is the holdout."""
    drawn = chunks(
        dataset,
        chunk_rows=SAMPLE_ROWS,
        max_chunks=1,
        sampling="random",
        holdout_share=parts.policy.gate.holdout_share,
        seed=0,
    )
    chunk = next(iter(drawn))
    return Sample(chunk.working, chunk.holdout)


def read_source(path: Path) -> str:
    """The text of a candidate file. Raises UsageError with what is wrong with the file."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_SOURCE + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.", advice="Name a Python file.") from error
    if len(raw) > MAX_SOURCE:
        raise UsageError(f"{path} is larger than {MAX_SOURCE // 2**20} MiB.", advice="Name a file with one function.")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text (byte {error.start}).", advice="Save it as UTF-8.") from error


def as_promoted(candidate: Candidate, evidence: Evidence) -> Promoted:
    """A function in the form that apply takes, without a registry."""
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))


def _evidence(verdict: Verdict, dataset: Dataset, parts: Parts) -> Evidence:
    return Evidence(
        verdict=verdict,
        policy_sha256=parts.policy_sha256,
        proposer="person",
        data_sha256=dataset.sha256(),
    )


