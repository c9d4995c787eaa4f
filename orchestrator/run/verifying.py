"""Judge functions that were not proposed by a run. Called by `cleanroom verify`."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from orchestrator.core.candidate import Example
from orchestrator.core.errors import CandidateError, DataError, UsageError
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

    def check(self) -> "OpenedVerification":
        """Read everything that can be wrong before anything is started. Raises UsageError, DataError."""
        sources = tuple(read_source(path) for path in self.functions)
        examples = read_examples(self.examples) if self.examples else ()
        dataset = open_dataset(self.data)
        if not dataset.rows:
            raise DataError(f"{dataset.name} has a header and no rows.", advice="Give it at least one row of data.")
        return OpenedVerification(self, sources, examples, dataset)


@dataclass(frozen=True)
class OpenedVerification:
    """A request whose files were read and found fit."""

    request: Verification
    sources: tuple[str, ...]
    examples: tuple[Example, ...]
    dataset: Dataset

    def run(self, parts: Parts) -> Iterator[Verdict]:
        """One verdict per function, in order. Raises UsageError, DataError, SandboxError, RegistryError."""
        request = self.request
        sample = sample_of(self.dataset, parts)
        with ExitStack() as stack:
            residual = stack.enter_context(Residual(parts.sandbox, parts.decoder, parts.policy))
            registry = stack.enter_context(parts.open_registry(request.registry)) if request.registry else None
            for source in self.sources:
                promoted = _others(source, registry.functions(), parts) if registry else ()
                rest = residual.of(sample, promoted)
                verdict = parts.gate.verify(
                    source, rest, promoted=promoted, examples=self.examples, screen=request.screen
                )
                yield verdict
                if registry and verdict.passed:
                    registry.promote(parts.gate.read(source), self._evidence(verdict, parts))
                if request.output and verdict.verdict is not Outcome.INFRA:
                    self._keep_output(source, verdict, parts, request.output)

    def _keep_output(self, source: str, verdict: Verdict, parts: Parts, output: Path) -> None:
        try:
            candidate = parts.gate.read(source)
        except CandidateError as error:
            raise UsageError("There is no output to keep: the file holds no function that could be run.") from error
        alone = Promoted(
            candidate=candidate, evidence=self._evidence(verdict, parts), order=1, promoted_at=datetime.now(UTC)
        )
        apply_functions(self.dataset, [alone], output, sandbox=parts.sandbox, decoder=parts.decoder)

    def _evidence(self, verdict: Verdict, parts: Parts) -> Evidence:
        return Evidence(
            verdict=verdict,
            policy_sha256=parts.policy_sha256,
            proposer="person",
            data_sha256=self.dataset.sha256(),
        )


def _others(source: str, promoted: Sequence[Promoted], parts: Parts) -> tuple[Promoted, ...]:
    """The promoted functions but for the one of the same name: a person who promotes by hand means a new version."""
    try:
        name = parts.gate.read(source).name
    except CandidateError:
        return tuple(promoted)
    return tuple(p for p in promoted if p.name != name)


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
