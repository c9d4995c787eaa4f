"""Says which of many smaller inputs still break a law. Runs in the judge's process; asked by `property_runner`."""

from dataclasses import replace
from typing import Any

from orchestrator.gate.judge.judge import observed
from orchestrator.gate.judge.observations import CaseObservation, Observations
from orchestrator.gate.judge.protocol import ATTEMPTS, pack
from orchestrator.gate.properties import property_laws


def judge_attempts(request: bytes) -> bytes:
    """For each attempt the broken law, case, sentence and example, or None. `done` names the law that counts."""
    judge_request, observations = observed(request, ATTEMPTS)
    law = next(iter(judge_request.done), "")
    groups: dict[str, dict[str, CaseObservation]] = {}
    for name, case in observations.cases.items():
        attempt, mark, own = name.rpartition("|")
        groups.setdefault(attempt, {})[own if mark else name] = replace(case, id=own if mark else name)
    return pack({"found": [_broken(observations, name, cases, law) for name, cases in groups.items()]})


def _broken(observations: Observations, attempt: str, cases: dict[str, CaseObservation], law: str) -> list[Any] | None:
    mark = f"{attempt}|" if attempt else ""
    orders = {name.removeprefix(mark): rows for name, rows in observations.orders.items() if name.startswith(mark)}
    own = replace(observations, cases=cases, orders=orders, ends=() if attempt else observations.ends)
    found = next((f for f in property_laws.find(own) if not law or f.law == law), None)
    if found is None:
        return None
    shown = found.violation.counterexample
    return [found.law, found.case, found.violation.detail, None if shown is None else shown.model_dump(mode="json")]
