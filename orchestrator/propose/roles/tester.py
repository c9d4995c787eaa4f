"""The independent tester: writes examples for an issue without ever seeing the function that is to solve it.

Its examples are judged by the gate like the user's. Where a candidate disagrees with one, the tester is shown its
example and what became of it, and may correct or withdraw it; what it keeps has to be fulfilled. Where the gate has
concerns about rows, it says what should become of them. Called by `model_proposer`.
"""

import ast
import json
from collections.abc import Sequence

from orchestrator.core.candidate import Example
from orchestrator.core.errors import ReplyError
from orchestrator.core.exchanges import Exchange
from orchestrator.core.parsing import parse_python
from orchestrator.core.privacy import Privacy
from orchestrator.core.proposals import Issue
from orchestrator.core.requests import ProposalRequest, WitnessRequest
from orchestrator.core.verdict import Counterexample, Verdict
from orchestrator.propose.prompting.column_profile import plain
from orchestrator.propose.prompting.fencing import Json
from orchestrator.propose.prompting.focus import mentioned
from orchestrator.propose.prompting.prompt_context import ContextLimits, rows_values
from orchestrator.propose.prompting.prompts import load_prompt
from orchestrator.propose.prompting.record_context import as_json
from orchestrator.propose.prompting.witness_context import witness_values
from orchestrator.propose.replies.roles import EXAMPLES_TOOL, read_examples
from orchestrator.propose.replies.tester_reply import TESTIMONY_TOOL, read_testimony
from orchestrator.propose.roles.role_client import RoleClient, fitted


class ModelTester:
    """A model in the role of the tester. What it is shown has passed the view of the proposer that calls it."""

    def __init__(self, client: RoleClient, *, structured: bool | None, privacy: Privacy, limits: ContextLimits) -> None:
        self._client = client
        self._structured = structured
        self._privacy = privacy
        self._limits = limits

    def examples(
        self, request: ProposalRequest, source: str, issues: Sequence[Issue], log: list[Exchange]
    ) -> tuple[Example, ...]:
        """Examples for the issue that the candidate is about; none when the tester's answers cannot be read."""
        try:
            return self._ask(request, source, issues, log, "examples for the issue", ())
        except ReplyError:  # kept in the log; a tester that cannot write examples must not keep functions back
            return ()

    def reconsidered(
        self,
        request: ProposalRequest,
        source: str,
        issues: Sequence[Issue],
        log: list[Exchange],
        *,
        tests: Sequence[Example],
        disputed: Sequence[tuple[Example, Counterexample]],
    ) -> tuple[Example, ...]:
        """The examples that the tester keeps after it has seen what a candidate made of the disputed ones."""
        shown: list[Json] = [_shown(test) for test in tests]
        for test, counterexample in disputed:
            made: Json = {
                str(plain(k, 160)): as_json(v, max_chars=300)
                for row in counterexample.output[:1]
                for k, v in row.items()
            }
            shown.append({**_shown(test), "the_function_made": made})
        try:
            return self._ask(request, source, issues, log, "examples that a candidate disputes", shown, len(disputed))
        except ReplyError:  # kept in the log; its earlier examples stay
            return tuple(tests)

    def testimony(self, request: WitnessRequest, log: list[Exchange]) -> tuple[Example, ...]:
        """What should become of the rows, as far as that is certain; nothing where the answers cannot be read."""
        structured = self._client.chat.structured if self._structured is None else self._structured
        values = witness_values(request, _issue(request.source, request.issues))
        messages = load_prompt("witness").render(
            protocol="structured" if structured else "xml", shape=str(request.request.shape), **values
        )
        try:
            return self._client.ask(
                messages,
                lambda reply: read_testimony(reply, request.rows),
                log,
                about="what should become of rows in doubt",
                wanted="one call of the tool" if structured else "one <testimony> element with a JSON list",
                schema=TESTIMONY_TOOL if structured else None,
            )
        except ReplyError:  # kept in the log; nobody has witnessed anything then
            return ()

    def _ask(
        self,
        request: ProposalRequest,
        source: str,
        issues: Sequence[Issue],
        log: list[Exchange],
        about: str,
        dispute: Sequence[Json],
        disputed: int = 0,
    ) -> tuple[Example, ...]:
        structured = self._client.chat.structured if self._structured is None else self._structured
        issues = _about(source, issues)
        issue = _issue(source, issues)
        names = request.rows.column_names
        told = [name for one in issues if not one.solved for name in one.columns if name in names]
        request = request._replace(focus=tuple(dict.fromkeys(told or mentioned(names, source))))

        def ask(limits: ContextLimits) -> tuple[Example, ...]:
            values = rows_values(request, limits, issue=issue, dispute=list(dispute))
            messages = load_prompt("examples").render(
                protocol="structured" if structured else "xml",
                privacy=self._privacy,
                shape=str(request.shape),
                disputed=disputed,
                **values,
            )
            return self._client.ask(
                messages,
                lambda reply: read_examples(reply, request.rows.column_names),
                log,
                about=about,
                wanted="one call of the tool" if structured else "one <examples> element with a JSON list",
                schema=EXAMPLES_TOOL if structured else None,
            )

        return fitted(ask, self._limits)


def disputed_tests(verdict: Verdict, shown: Verdict, tests: Sequence[Example]) -> list[tuple[Example, Counterexample]]:
    """The tests that the verdict's failed examples are about, with what the candidate made of them.

    `shown` is the same verdict under the privacy of the run; what the candidate made of them is taken from it.
    """
    pairs = [
        (check.counterexample, may.counterexample)
        for check, may in zip(verdict.failures, shown.failures, strict=True)
        if check.id == "examples" and check.counterexample is not None and may.counterexample is not None
    ]
    return [(test, may) for test in tests for one, may in pairs if one.input and _same(test.input, one.input[0])]


def _same(given: object, shown: dict[str, object]) -> bool:
    return isinstance(given, dict) and {k: _text(v) for k, v in given.items()} == {
        k: _text(v) for k, v in shown.items()
    }


def _text(value: object) -> str:
    """A value as a counterexample shows it: lists and objects as JSON."""
    return (json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value))[:150]


def _shown(test: Example) -> dict[str, Json]:
    return {side: as_json(value, max_chars=300) for side, value in (("input", test.input), ("output", test.output))}


def _about(source: str, issues: Sequence[Issue]) -> Sequence[Issue]:
    """The unsolved issues with a column that the candidate names; all where there are none."""
    return [one for one in issues if not one.solved and any(_names(source, c) for c in one.columns)] or issues


def _names(source: str, column: str) -> bool:
    return repr(column)[1:-1] in source


def _issue(source: str, issues: Sequence[Issue]) -> Json:
    """The issue in words: the candidate's module docstring and the unsolved issue that it is about, never its code."""
    try:
        words = ast.get_docstring(parse_python(source)) or ""
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        words = ""
    first = next((issue for issue in _about(source, issues) if not issue.solved), None)
    about = [name for name in first.columns if _names(source, name)] if first else []
    return {
        "issue": plain(words or (first.description if first else ""), 500),
        "columns": [plain(name, 160) for name in about],
    }
