"""How a run ends: measured on the rows, never the proposer's word alone."""

import pyarrow as pa
import pytest

from orchestrator.core.proposals import Analysis, ChunkStatus
from orchestrator.core.steps import AnyStep, ChunkEndStep, RunStatus
from orchestrator.core.verdict import Outcome
from orchestrator.data.chunks import Chunk
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.propose.scripted_models import ScriptedProposer
from orchestrator.registry.memory_registry import MemoryRegistry
from orchestrator.run.apply.residual import Rest
from orchestrator.run.loop.loop import Loop
from orchestrator.run.loop.run_context import RunContext, RunTask
from orchestrator.run.loop.stopping import RunLimits

BAD = '"""i"""\ndef bad(df):\n    """d"""\n    return df\n'
TIDY, UNTIDY, WORDS = ["a", "b"], [" a", "b"], ["n/a", "b"]


def _run(*cities: list[str], proposals: list[str | Analysis] | None = None) -> tuple[RunStatus, list[ChunkEndStep]]:
    steps: list[AnyStep] = []
    gate = ScriptedGate({"bad": Outcome.FAIL})
    proposer = ScriptedProposer(proposals or [])
    around = RunContext(
        proposer, gate, MemoryRegistry(), lambda s, functions: Rest(s, tuple(functions)), steps.append, lambda _: None
    )
    loop = Loop(around, RunTask(), RunLimits(saturation=2, max_repairs=0))
    tables = [pa.table({"city": values, "n": [1, 2]}) for values in cities]
    status = loop.run(Chunk(i, t, t.slice(0, 1), (0, 1), (0,)) for i, t in enumerate(tables))
    return status, [step for step in steps if isinstance(step, ChunkEndStep)]


def test_a_word_and_a_measure_make_clean() -> None:
    """Nothing is proposed and nothing is measured: clean, and two such chunks are enough."""
    status, ends = _run(TIDY, TIDY, TIDY, TIDY)
    assert status is RunStatus.CLEAN
    assert len(ends) == 2


@pytest.mark.parametrize("rows", [UNTIDY, WORDS])
def test_the_word_alone_does_not(rows: list[str]) -> None:
    """A proposer that says clean where there are stray blanks or null words has finished; the data are not clean."""
    status, ends = _run(rows)
    assert status is RunStatus.FINISHED
    assert ends[0].left == {"city": 2}, "one among the working rows, the same one as holdout"


def test_what_is_left_in_every_chunk_is_nothing_new() -> None:
    """What the first chunk kept does not keep the run going; a new column does."""
    _, ends = _run(UNTIDY, UNTIDY, UNTIDY, UNTIDY)
    assert len(ends) == 3
    _, ends = _run(TIDY, UNTIDY, TIDY, TIDY, TIDY)
    assert len(ends) == 4


def test_giving_up_is_not_clean() -> None:
    """A rejected candidate, or an issue without a candidate, is said at the end."""
    assert _run(TIDY, proposals=[BAD])[0] is RunStatus.GAVE_UP
    assert _run(TIDY, proposals=[Analysis(chunk_status=ChunkStatus.NEEDS_WORK)])[0] is RunStatus.GAVE_UP


def test_the_worst_chunk_counts() -> None:
    """A limit in one chunk is not covered by clean ones after it."""
    assert _run(TIDY, TIDY, TIDY, proposals=[BAD + "#" * n for n in range(9)])[0] is RunStatus.LIMIT
