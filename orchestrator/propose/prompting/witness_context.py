"""What the tester is shown when it is asked what should become of rows in doubt. Called by `roles.tester`."""

from typing import Any

from orchestrator.core.requests import WitnessRequest
from orchestrator.propose.prompting.fencing import Json, fence
from orchestrator.propose.prompting.prompt_context import instruction_of

_KINDS = (bool, int, float, str, list, dict, type(None))


def witness_values(request: WitnessRequest, issue: Json) -> dict[str, object]:
    """The values of the question what should become of rows: the rows before, and nothing of any function."""
    rows: list[Json] = [
        {"row": number, "before": _whole(row.cells), "what_becomes_of": list(row.columns)}
        for number, row in enumerate(request.rows, 1)
    ]
    fenced = fence({"issue": issue, "rows": rows})
    return {"nonce": fenced.nonce, "instruction": instruction_of(request.request), **fenced.blocks}


def _whole(cells: dict[str, Any]) -> Json:
    """The cells as they are, lists and objects included: a row that is cut would be another one."""
    return {name: value if isinstance(value, _KINDS) else str(value) for name, value in cells.items()}
