"""Which functions a planner is asked about."""

import contextlib
from types import SimpleNamespace
from typing import Any

import pyarrow as pa

from orchestrator.core.candidate import Shape
from orchestrator.core.ports import Sample
from orchestrator.propose.scripted_models import ScriptedPlanner
from orchestrator.run.loop.consolidation import Consolidator
from tests.run.loop.test_merged_functions import of


def test_a_planner_is_not_asked_about_fitted_functions() -> None:
    """With one in front of the functions of tables its prompt could not be made, and the run ended without a result."""
    functions = [of("vote", "gate", shape=Shape.FITTED), of("trim", "note"), of("squeeze", "note")]
    planner = ScriptedPlanner()
    recorded = SimpleNamespace(take=lambda *_: None, planned=lambda _: False, note=lambda _: None)
    registry = SimpleNamespace(functions=lambda: functions)
    context: Any = SimpleNamespace(recorded=recorded, registry=registry, record=lambda _: None)
    task: Any = SimpleNamespace(own=tuple, instruction="")
    coordinator: Any = SimpleNamespace(call=contextlib.nullcontext)
    rows = pa.table({"note": ["a"]})
    Consolidator(planner, context, task, coordinator).after(0, [Sample(rows, rows)])
    assert [[one.name for one in asked.functions] for asked in planner.plan_requests] == [["trim", "squeeze"]]
    del functions[2:]
    Consolidator(planner, context, task, coordinator).after(1, [Sample(rows, rows)])
    assert len(planner.plan_requests) == 1
