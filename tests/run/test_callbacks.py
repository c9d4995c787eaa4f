"""Callbacks reach the classes they are registered for, and their failures stay their own."""

import logging
from datetime import UTC, datetime

import pytest

from orchestrator.core.steps import ChunkStep, EndStep, RunStatus, Step
from orchestrator.run.events import Callbacks

CHUNK = ChunkStep(at=datetime.now(UTC), chunk=0, rows=1, holdout=0)
END = EndStep(at=datetime.now(UTC), status=RunStatus.CLEAN)


def test_dispatch_follows_the_class_hierarchy() -> None:
    """A function for Step hears everything, one for ChunkStep only chunks."""
    every: list[Step] = []
    chunks: list[ChunkStep] = []
    callbacks = Callbacks()
    callbacks.register(Step, every.append)
    callbacks.register(ChunkStep, chunks.append)
    callbacks.emit(CHUNK)
    callbacks.emit(END)
    assert every == [CHUNK, END]
    assert chunks == [CHUNK]


def test_a_failing_callback_harms_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """Its failure is logged and the next callback is called all the same."""
    heard: list[Step] = []

    def fail(_step: Step) -> None:
        raise ValueError("the display broke")

    callbacks = Callbacks()
    callbacks.register(Step, fail)
    callbacks.register(Step, heard.append)
    with caplog.at_level(logging.ERROR):
        callbacks.emit(CHUNK)
    assert heard == [CHUNK]
    assert "the display broke" in caplog.text
