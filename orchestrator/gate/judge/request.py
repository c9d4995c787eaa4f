"""Writes the question that the judge answers: the cases as they were sent and the bytes that came back, unread."""

from collections.abc import Mapping, Sequence
from typing import Any

from orchestrator.core.candidate import Candidate
from orchestrator.core.jobs import ChildResult
from orchestrator.core.policy import ColumnRule, GatePolicy
from orchestrator.gate.inputs.planner import ExampleCase, Stage
from orchestrator.gate.judge.packet import pack

AnsweredStage = tuple[Stage, Sequence[ChildResult]]


def judge_request(
    candidate: Candidate,
    policy: GatePolicy,
    answered: Sequence[AnsweredStage],
    examples: ExampleCase,
    *,
    done: Sequence[str] = (),
    facts: Mapping[str, int] | None = None,
    orders: Mapping[str, Sequence[int]] | None = None,
    promoted: Sequence[str] = (),
    duplicate_of: str = "",
    rules: Mapping[str, ColumnRule] | None = None,
    team: bool = False,
    final: bool = False,
) -> bytes:
    """The request for `gate.judge.judge.judge`. Called by the verifier."""
    blobs: list[bytes] = []
    places: dict[int, int] = {}

    def place(blob: bytes) -> int:
        if id(blob) not in places:
            places[id(blob)] = len(blobs)
            blobs.append(blob)
        return places[id(blob)]

    children: list[dict[str, Any]] = []
    all_orders: dict[str, list[int]] = {name: list(rows) for name, rows in (orders or {}).items()}
    for stage, results in answered:
        all_orders |= stage.orders
        for child, result in zip(stage.job.children, results, strict=True):
            cases = [
                {"id": c.id, "ops": [str(op) for op in c.ops], "echo": c.echo_input, "input": place(c.input)}
                for c in child.cases
            ]
            output = place(result.output)
            children.append({"ended": str(result.ended), "wall_s": result.wall_s, "output": output, "cases": cases})
    header = {
        "contract": candidate.contract.model_dump(mode="json"),
        "values": "json" if candidate.contract.shape.by_row else "arrow",
        "has_detect": candidate.has_detect,
        "policy": policy.model_dump(mode="json"),
        "examples": [example.model_dump(mode="json") for example in examples.used],
        "user_examples": examples.user,
        "problems": list(examples.problems),
        "orders": all_orders,
        "facts": dict(facts or {}),
        "promoted": list(promoted),
        "duplicate_of": duplicate_of,
        "namesake": candidate.name in promoted,
        "done": list(done),
        "rules": {name: rule.model_dump(mode="json") for name, rule in (rules or {}).items()},
        "team": team,
        "final": final,
        "children": children,
    }
    return pack(header, blobs)
