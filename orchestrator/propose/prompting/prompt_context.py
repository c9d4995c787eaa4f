"""Builds what a prompt shows from what a proposer may look at, within a size. Called by `model_proposer`.

The size is held by showing less: fewer rows, then shorter cells and fewer values per column, then fewer columns.
Promoted functions that touch columns at hand are listed with their docstring, those on the most mixed columns first;
the others by name.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from orchestrator.core.candidate import Shape
from orchestrator.core.policy import ScreenPolicy
from orchestrator.core.proposals import ProbeFinding
from orchestrator.core.requests import ProposalRequest
from orchestrator.core.verdict import CheckResult, Concern, Outcome, Verdict
from orchestrator.data.profile.nested_texts import path_of
from orchestrator.data.record_tables import is_records
from orchestrator.propose.prompting.column_profile import diverse, plain, profile
from orchestrator.propose.prompting.convention_words import in_words
from orchestrator.propose.prompting.fencing import Json, encode, fence
from orchestrator.propose.prompting.focus import focus_of
from orchestrator.propose.prompting.helper_notes import helper_notes
from orchestrator.propose.prompting.past_work import given_up, history_lines, promoted_functions
from orchestrator.propose.prompting.record_context import natural, record_profile

if TYPE_CHECKING:
    import pyarrow as pa

MAX_FINDING_CHARS = 2_000
_PROSE = {"text": "plain text", **dict.fromkeys(("markdown", "html", "pdf", "docx", "epub"), "Markdown")}
_NO_INSTRUCTION = "Make the values of each column consistent and well-formed without losing information."


class ContextLimits(NamedTuple):
    """How much a prompt may show."""

    rows: int = 24
    cell_chars: int = 160
    values: int = 8
    columns: int = 60
    full: int = 6  # columns with all that is known of them; the others get a line
    whole_rows: int = 2  # rows with the cells of all columns
    functions: int = 24
    findings: int = 8
    history: int = 20
    chars: int = 28_000
    answers: int = 1  # functions that an answer may hold

    def smaller(self) -> "ContextLimits":
        """Half of everything, down to what still makes sense."""
        return ContextLimits(
            rows=min(self.rows, max(3, self.rows // 2)),
            cell_chars=max(40, self.cell_chars // 2),
            values=max(3, self.values // 2),
            columns=max(5, self.columns // 2),
            full=max(2, self.full // 2),
            whole_rows=max(1, self.whole_rows // 2),
            functions=max(5, self.functions // 2),
            findings=self.findings // 2,
            history=self.history // 2,
            chars=max(4_000, self.chars // 2),
            answers=self.answers,
        )


def analysis_values(
    request: ProposalRequest,
    limits: ContextLimits,
    findings: Sequence[ProbeFinding] = (),
    imports: Collection[str] = ScreenPolicy().imports,
) -> dict[str, object]:
    """The values of the analyse prompt that come from the request and from what was looked up for it."""
    return paged_values(request, limits, findings, imports)[0]


def paged_values(
    request: ProposalRequest,
    limits: ContextLimits,
    findings: Sequence[ProbeFinding] = (),
    imports: Collection[str] = ScreenPolicy().imports,
) -> tuple[dict[str, object], int]:
    """The same, and how many prompts show all columns: those of the next `chunk_index` show the next columns."""
    payloads, shown, columns, asked = _fitting(request, limits, findings)
    fenced = fence(payloads)
    values: dict[str, object] = {
        "nonce": fenced.nonce,
        "instruction": instruction_of(request),
        "most": limits.answers,
        "prose": _PROSE.get(request.data_format, ""),
        "total_rows": request.rows.num_rows,
        "shown_rows": shown,
        "looked_up": len(findings),
        "helpers": helper_notes(request.rows, asked, imports),
        "told": [label for label in ("promoted", "rejected", "history", "remaining") if payloads[label]],
        "replaceable": any(function.own for function in request.promoted),
        **fenced.blocks,
    }
    return values, -(-request.rows.num_columns // columns)


def repair_values(source: str, verdict: Verdict, limits: ContextLimits) -> dict[str, object]:
    """The values of the repair prompt that come from the rejected candidate and its verdict."""
    fenced = fence({"source": text_lines(source, 20_000), "feedback": feedback(verdict, limits)})
    return {"nonce": fenced.nonce, **fenced.blocks}


def reread_values(reply: str, problem: str) -> dict[str, object]:
    """The values of the prompt that shows an unreadable reply."""
    fenced = fence({"problem": problem[:1_000], "reply": text_lines(reply, 6_000)})
    return {"nonce": fenced.nonce, **fenced.blocks}


def feedback(verdict: Verdict, limits: ContextLimits) -> Json:
    """What the gate says, in the order of its checks: failed ones in full, those that passed by id.

    Those that were not reached are left out: their ids are many and say nothing of the function.
    """
    concerns: dict[str, Json] = {"in_doubt": [_concern(one, limits) for one in verdict.concerns]}
    return {
        "failed": [_failure(check, limits) for check in verdict.failures],
        **(concerns if verdict.held else {}),
        "passed": [c.id for c in verdict.checks if c.outcome is Outcome.PASS],
    }


def _failure(check: CheckResult, limits: ContextLimits) -> Json:
    found: dict[str, Json] = {"check": check.id, "detail": plain(check.detail, 1_000)}
    if (example := check.counterexample) is not None:
        for label, rows in (("input", example.input), ("output", example.output)):
            found[label] = [_row(row, limits) for row in rows[:5]]
        found["wanted"] = plain(example.wanted, 500)
    return found


def _concern(concern: Concern, limits: ContextLimits) -> Json:
    found: dict[str, Json] = {
        "check": concern.check,
        "detail": plain(concern.detail, 1_000),
        "columns": [plain(name, limits.cell_chars) for name in concern.columns],
    }
    if (example := concern.counterexample) is not None:
        for label, rows in (("input", example.input), ("output", example.output)):
            found[label] = [_row(row, limits) for row in rows[:5]]
    return found


def _row(row: dict[str, object], limits: ContextLimits) -> Json:
    cells = list(row.items())[: limits.columns]
    return {str(plain(key, limits.cell_chars)): plain(value, limits.cell_chars) for key, value in cells}


def rows_values(request: ProposalRequest, limits: ContextLimits, **more: Json) -> dict[str, object]:
    """The same for a role that sees the data and `more`, but nothing of the functions and of what was tried."""
    payloads, shown, _, _ = _fitting(request._replace(promoted=(), rejected=(), history=()), limits, ())
    fenced = fence({**{label: payloads[label] for label in ("columns", "rows")}, **more})
    return {
        "nonce": fenced.nonce,
        "instruction": instruction_of(request),
        "total_rows": request.rows.num_rows,
        "shown_rows": shown,
        **fenced.blocks,
    }


def findings_of(findings: Sequence[ProbeFinding], limits: ContextLimits) -> Json:
    """Probes and what they printed, the newest ones."""
    newest = findings[-limits.findings :] if limits.findings else []
    return [
        {
            "question": plain(one.question, 200),
            "code": text_lines(one.code, 1_000),
            "printed": text_lines(one.output, MAX_FINDING_CHARS),
        }
        for one in newest
    ]


def instruction_of(request: ProposalRequest) -> str:
    """What the user wants, in words."""
    wanted = request.instruction.strip() or _NO_INSTRUCTION
    return "\n\n".join(filter(None, [wanted, in_words(request.conventions)]))


def _fitting(
    request: ProposalRequest, limits: ContextLimits, findings: Sequence[ProbeFinding]
) -> tuple[dict[str, Json], int, int, tuple[str, ...]]:
    """The payloads, how many rows they show, how many columns at most, and which the instruction means."""
    while True:
        payloads, shown, asked = _payloads(request, limits, findings)
        size = sum(len(encode(payload)) for payload in payloads.values())
        smaller = limits.smaller()._replace(chars=limits.chars)
        if size <= limits.chars or smaller == limits:
            return payloads, shown, limits.columns, asked
        limits = smaller._replace(cell_chars=limits.cell_chars) if limits.rows > 10 else smaller


def _payloads(
    request: ProposalRequest, limits: ContextLimits, findings: Sequence[ProbeFinding]
) -> tuple[dict[str, Json], int, tuple[str, ...]]:
    table = _columns_at_hand(request, limits)
    focus = focus_of(request, table, limits.full)
    full = set(focus.columns)
    looked_at = _with_names(table, full) if full else table
    chosen = diverse(looked_at, limits.rows, enough=limits.rows // 3) if limits.rows else []
    if is_records(table):  # a function of texts is called on no text in a list or object
        columns, sample = _records(table, chosen, limits, full, deep=request.shape is not Shape.TEXT)
    else:
        columns, sample = _table(table, chosen, limits, full)
    left = {path_of(place): words for place, words in focus.found.items()}
    if isinstance(columns, list):
        for about in columns:
            if isinstance(about, dict) and (words := left.get(str(about.get("column", about.get("place"))))):
                about["left"] = words
    if (hidden := request.rows.num_columns - table.num_columns) > 0:
        sample["columns_not_shown"] = hidden
    payloads: dict[str, Json] = {
        "columns": columns,
        "rows": sample,
        "promoted": promoted_functions(request.promoted, table, limits.functions, focus.found),
        "rejected": [given_up(candidate) for candidate in request.rejected[-limits.functions // 2 :]],
        "history": history_lines(request, limits.history),
        "remaining": list(request.remaining),
        "findings": findings_of(findings, limits),
    }
    return payloads, len(chosen), focus.asked


def _table(
    table: "pa.Table", chosen: Sequence[int], limits: ContextLimits, full: Collection[str]
) -> tuple[Json, dict[str, Json]]:
    """The profile and the chosen rows of a table: their cells in the columns that matter, and some rows as a whole."""
    names = table.column_names
    shown = [i for i, name in enumerate(names) if name in full] or list(range(len(names)))
    columns = [*profile(table, max_chars=limits.cell_chars, max_values=limits.values, full=full).values()]
    sample: dict[str, Json] = {
        "columns": [plain(names[i], limits.cell_chars) for i in shown],
        "rows": _cells(table.select(shown), chosen, limits),
    }
    if len(shown) < len(names) and chosen:
        whole = chosen[:: max(1, len(chosen) // limits.whole_rows)][: limits.whole_rows]
        sample["whole_rows"] = _cells(table, whole, limits)
    return columns, sample


def _with_names(table: "pa.Table", names: Collection[str]) -> "pa.Table":
    return table.select([i for i, name in enumerate(table.column_names) if name in names])


def _cells(table: "pa.Table", chosen: Sequence[int], limits: ContextLimits) -> Json:
    cells = [[column[i].as_py() for i in chosen] for column in table.columns]
    return [[plain(cell, limits.cell_chars) for cell in row] for row in zip(*cells, strict=True)]


def _records(
    table: "pa.Table", chosen: Sequence[int], limits: ContextLimits, full: Collection[str], *, deep: bool
) -> tuple[Json, dict[str, Json]]:
    """The same of a record table, as JSON values."""
    places = record_profile(
        table,
        max_chars=limits.cell_chars,
        max_values=limits.values,
        max_places=limits.columns,
        full=full,
        deep=deep,
    )
    longest = limits.cell_chars if deep else 2 * limits.cell_chars  # a function of texts is made from these alone
    return places, {"records": natural(table, chosen, max_chars=longest, most=2 * limits.columns)}


def _columns_at_hand(request: ProposalRequest, limits: ContextLimits) -> "pa.Table":
    """The first columns, moved on with the chunk so that a wide table is seen in full over several chunks."""
    rows = request.rows
    if rows.num_columns <= limits.columns:
        return rows
    pages = -(-rows.num_columns // limits.columns)
    start = (request.chunk_index % pages) * limits.columns
    return rows.select(list(range(start, min(start + limits.columns, rows.num_columns))))


def text_lines(text: str, max_chars: int) -> Json:
    """A text as a list of its lines; a long one loses its middle."""
    if len(text) > max_chars:
        half = max_chars // 2
        text = f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"
    return list(text.split("\n"))
