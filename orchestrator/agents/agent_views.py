"""What an agent is shown of data and verdicts, under the privacy that the operator chose. Called by the tools."""

from typing import TYPE_CHECKING, Any

from orchestrator.agents.agent_settings import AgentSettings
from orchestrator.data.profile.header_check import refuse_names
from orchestrator.propose.privacy.privacy_view import PrivacyView, view_of
from orchestrator.propose.prompting.column_profile import diverse, plain, profile
from orchestrator.propose.prompting.fencing import Json

if TYPE_CHECKING:
    import pyarrow as pa

    from orchestrator.core.verdict import Concern, Counterexample, Verdict
    from orchestrator.data.formats import Dataset

_MOST_CHARS = 200
_ROWS = 12
_EXAMPLES = 5
_LOOKED_AT = 2_000


def view_for(settings: AgentSettings, dataset: "Dataset") -> PrivacyView:
    """The view of this data set: the same value gets the same fake in every answer about it."""
    return view_of(settings.privacy, dataset.sha256.encode(), settings.header)


def check_names(settings: AgentSettings, dataset: "Dataset", *, by_row: bool = False) -> None:
    """Raise UsageError where names of columns look like data that the agent must not see. `by_row`: of records."""
    if settings.privacy != "raw" and settings.header == "check":
        refuse_names(dataset, by_row=by_row)


def first_rows(dataset: "Dataset", rows: int = _LOOKED_AT) -> "pa.Table":
    """The first rows; no row, with the columns, where there is none."""
    import pyarrow as pa

    return next(dataset.batches(rows), pa.table({name: [] for name in dataset.columns}))


def table_shown(table: "pa.Table", view: PrivacyView) -> dict[str, Json]:
    """What is in the columns, and some rows that show most of it, where rows may be shown."""
    seen = view.table(table)
    about: dict[str, Json] = {"columns": profile(seen, max_chars=_MOST_CHARS, max_values=10)}
    if view.rows_shown and seen.num_rows:
        chosen = diverse(seen, _ROWS)
        about["rows"] = [row_shown(row) for row in seen.take(chosen).to_pylist()]
    return about


def row_shown(row: dict[str, Any]) -> Json:
    return {str(name): plain(cell, _MOST_CHARS) for name, cell in row.items()}


def verdict_shown(verdict: "Verdict", view: PrivacyView, rows: "pa.Table", source: str) -> dict[str, Json]:
    """The verdict, with counterexamples as the view has them."""
    known = view.verdict(verdict, view.table(rows), source)
    return {
        "name": known.candidate.name,
        "sha256": known.candidate.sha256,
        "modifies": None if known.candidate.modifies is None else list(known.candidate.modifies),
        "rows_changed": known.rows_changed,
        "checks": [
            {"id": check.id, "outcome": check.outcome, "detail": check.detail}
            | ({"counterexample": _example(check.counterexample)} if check.counterexample else {})
            for check in known.checks
        ],
        "concerns": [_concern(concern) for concern in known.concerns],
        "samples": [_example(one) for one in known.samples[:_EXAMPLES]] if view.rows_shown else [],
    }


def outcomes_shown(verdict: "Verdict") -> dict[str, Json]:
    """A verdict without a text or a cell of its data."""
    return {
        "checks": [{"id": check.id, "outcome": check.outcome} for check in verdict.checks],
        "concerns": [{"kind": one.kind, "columns": list(one.columns), "rows": one.rows} for one in verdict.concerns],
        "rows_changed": verdict.rows_changed,
    }


def _concern(concern: "Concern") -> dict[str, Json]:
    about: dict[str, Json] = {
        "kind": concern.kind,
        "columns": list(concern.columns),
        "rows": concern.rows,
        "detail": concern.detail,
        "settles": concern.settles,
    }
    return about | ({"counterexample": _example(concern.counterexample)} if concern.counterexample else {})


def _example(example: "Counterexample") -> dict[str, Json]:
    return {
        "input": [row_shown(row) for row in example.input[:_EXAMPLES]],
        "output": [row_shown(row) for row in example.output[:_EXAMPLES]],
        "wanted": plain(example.wanted, 2 * _MOST_CHARS),
    }
