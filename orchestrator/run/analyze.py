"""Finds what is wrong with a data set; no function is generated or run. Called by `cleanroom analyze`."""

from time import perf_counter

from pydantic import Field

from orchestrator.core.candidate import Shape
from orchestrator.core.columns import ColumnQuality
from orchestrator.core.conventions import Conventions
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.ports import Proposer
from orchestrator.core.proposals import Issue
from orchestrator.core.requests import ProposalRequest
from orchestrator.core.value import Value
from orchestrator.core.wording import told_once
from orchestrator.data.chunks import chunks
from orchestrator.data.formats import Dataset
from orchestrator.data.profile.quality import measure
from orchestrator.data.record_rows import RecordDataset
from orchestrator.data.sampling import Sampling
from orchestrator.data.sources import open_source
from orchestrator.run.data_place import DataPlace


class AnalysisRequest(Value):
    """What the user asked for. `max_chunks` chunks of `chunk_rows` rows are read, as tables or as records."""

    data: DataPlace
    instruction: str = ""
    shape: Shape = Shape.TABLE
    conventions: Conventions | None = None
    chunk_rows: int = 4000
    max_chunks: int = 2
    sampling: Sampling = "random"
    seed: int = 0


class UnreadRow(Value):
    """A row that cannot be read, as it stands in the file."""

    number: int
    reason: str
    text: str
    line: int | None = Field(default=None, exclude_if=lambda line: line is None)  # in JSON Lines


class DatasetAnalysis(Value):
    """The measures of every column, over all rows, and the issues that the proposer found in the chunks it saw.

    `format`: "parsed" where a parser has read them, which `parser` names. `unreadable`: rows that are not among them.
    `weakened`: where a parser has run, what was weaker than in the default policy (`core.weakened`).
    """

    data: str
    format: str
    parser: str = Field(default="", exclude_if=lambda name: not name)
    rows: int
    seen_rows: int
    proposer: str
    columns: tuple[ColumnQuality, ...]
    issues: tuple[Issue, ...]
    notes: tuple[str, ...]
    unreadable: tuple[UnreadRow, ...] = Field(default=(), exclude_if=lambda rows: not rows)
    weakened: tuple[str, ...] = Field(default=(), exclude_if=lambda layers: not layers)
    usage: TokenUsage
    seconds: float


def analyse(request: AnalysisRequest, proposer: Proposer, dataset: Dataset | None = None) -> DatasetAnalysis:
    """Measure the data and ask the proposer for issues; its candidate is ignored. Raises DataError, ProposalError.

    `dataset`: the data, where they are open already.
    """
    start = perf_counter()
    dataset = open_source(request.data) if dataset is None else dataset
    quality, rows = measure(dataset)
    issues: dict[tuple[str, tuple[str, ...]], Issue] = {}
    notes: list[str] = []
    usage, seen = TokenUsage(), 0
    for chunk in chunks(
        RecordDataset(dataset) if request.shape.by_row else dataset,
        chunk_rows=request.chunk_rows,
        max_chunks=request.max_chunks,
        sampling=request.sampling,
        holdout_share=0,
        seed=request.seed,
    ):
        answer = proposer.analyse(
            ProposalRequest(
                rows=chunk.working,
                instruction=request.instruction,
                chunk_index=chunk.index,
                conventions=request.conventions,
                shape=request.shape,
            )
        )
        seen += chunk.working.num_rows
        usage += answer.usage
        notes += answer.notes
        for issue in answer.issues:
            issues.setdefault((issue.description, issue.columns), issue)
    return DatasetAnalysis(
        data=str(request.data),
        format="parsed" if dataset.parser else dataset.format,
        parser=dataset.parser,
        rows=rows,
        seen_rows=seen,
        proposer=proposer.name,
        columns=quality,
        issues=tuple(issues.values()),
        notes=tuple(told_once(notes)),
        unreadable=tuple(UnreadRow(**row._asdict()) for row in dataset.unreadable),
        usage=usage,
        seconds=perf_counter() - start,
    )
