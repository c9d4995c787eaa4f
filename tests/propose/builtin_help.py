"""Runs what the built-in rules emit, in this process: the sources are rendered from this repository's own rules."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa

from orchestrator.core.candidate import Candidate, Shape
from orchestrator.core.conventions import Conventions
from orchestrator.core.policy import ScreenPolicy
from orchestrator.core.proposals import Analysis
from orchestrator.core.requests import PromotedSummary, ProposalRequest
from orchestrator.gate.candidate_file import read
from orchestrator.gate.screen import problems
from orchestrator.propose.builtin import BuiltinProposer

Frame = Callable[[pd.DataFrame], pd.DataFrame]


class Emitted(NamedTuple):
    """A candidate with its two functions, loaded."""

    candidate: Candidate
    clean: Frame
    detect: Callable[[pd.DataFrame], pd.Series]


def load(source: str) -> Emitted:
    """The functions of a source that passes the gate's screen."""
    names: dict[str, Any] = {}
    exec(compile(source, "<candidate>", "exec"), names)  # noqa: S102 - our own rules only
    candidate = read(source)
    refused = problems(candidate, ScreenPolicy())
    assert refused == [], refused
    clean, detect = names[candidate.name], names["detect"]
    if candidate.contract.shape is Shape.FITTED:  # it learns of the frame that it is given
        fit = names["fit"]
        return Emitted(candidate, lambda frame: clean(frame, fit(frame)), lambda frame: detect(frame, fit(frame)))
    return Emitted(candidate, clean, detect)


def ask(
    frame: pd.DataFrame,
    instruction: str = "",
    promoted: tuple[str, ...] = (),
    conventions: Conventions | None = None,
    proposer: BuiltinProposer | None = None,
) -> Analysis:
    rows = pa.Table.from_pandas(frame, preserve_index=False)
    known = tuple(PromotedSummary(name=name, docstring="") for name in promoted)
    request = ProposalRequest(rows, instruction, promoted=known, conventions=conventions)
    return (proposer or BuiltinProposer()).analyse(request)


def settle(
    frame: pd.DataFrame, instruction: str = "", conventions: Conventions | None = None
) -> tuple[pd.DataFrame, list[Emitted]]:
    """The frame after everything that is proposed for it, one function after the other, by one proposer as in a run."""
    emitted: list[Emitted] = []
    one = BuiltinProposer()
    while True:
        source = ask(frame, instruction, tuple(e.candidate.name for e in emitted), conventions, one).source
        if source is None:
            return frame, emitted
        emitted.append(load(source))
        frame = emitted[-1].clean(frame)
        assert len(emitted) < 40


def column(cells: list[Any], name: str = "value", **others: list[Any]) -> pd.DataFrame:
    return pd.DataFrame({name: cells, **others}, dtype=str)


def settled(cells: list[Any], name: str = "value", instruction: str = "") -> list[Any]:
    """One column, settled."""
    return list(settle(column(cells, name), instruction)[0][name])
