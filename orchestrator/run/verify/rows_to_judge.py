"""The rows of a data set on which functions are judged that no run has proposed, and which rows of the file they are.

Called by `verify`, by what judges stored functions again, by the service, the library and the tools of agents.
"""

from orchestrator.core.ports import Sample
from orchestrator.data.chunks import chunks, split_rows
from orchestrator.data.formats import Dataset
from orchestrator.data.sampling import choose_rows
from orchestrator.run.apply.shapes import Samples
from orchestrator.run.services import Services

_ROWS = 4000  # enough for every check of the default policy
_SAMPLING = "random"
_SEED = 0


def samples_of(dataset: Dataset, services: Services) -> Samples:
    """The rows to judge on, for candidates of any shape."""
    return Samples(dataset, lambda rows: _sample_of(rows, services), services.gate.read)


def rows_of(dataset: Dataset, services: Services) -> tuple[int, ...]:
    """The places in the data set of the sample's rows, from 0: those of the holdout are the last."""
    chosen = choose_rows(dataset, _ROWS, _SAMPLING, _SEED)
    ((working, holdout),) = split_rows(chosen, _ROWS, services.policy.gate.holdout_share, _SEED)
    return (*working.tolist(), *holdout.tolist())


def _sample_of(dataset: Dataset, services: Services) -> Sample:
    """Rows of the data set to judge on, drawn at random; a part of them is the holdout."""
    drawn = chunks(
        dataset,
        chunk_rows=_ROWS,
        max_chunks=1,
        sampling=_SAMPLING,
        holdout_share=services.policy.gate.holdout_share,
        seed=_SEED,
    )
    chunk = next(iter(drawn))
    return Sample(chunk.working, chunk.holdout)
