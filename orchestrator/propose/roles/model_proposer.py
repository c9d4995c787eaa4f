"""The language-model proposer: prompt → model → reply → Analysis. One of the implementations of core's Proposer port.

Whatever it shows a model has passed its privacy view first. Where they are wired, an explorer looks at the rows of a
chunk before the first proposal, a tester writes examples for each, and a witness is asked about rows in doubt. Keys are
known to the chat model alone: nothing here could leak one. Called by run/, wired by `wiring`.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

from orchestrator.core.candidate import Example, Shape
from orchestrator.core.exchanges import Exchange
from orchestrator.core.policy import ModelPolicy, ScreenPolicy
from orchestrator.core.proposals import Analysis, ChunkStatus, ProbeFinding, WitnessAnswer
from orchestrator.core.requests import ProposalRequest, RepairRequest, WitnessRequest
from orchestrator.core.steps import AnalysisStep
from orchestrator.core.verdict import Verdict
from orchestrator.data.text import clean_text
from orchestrator.propose.llm.budget import Budget
from orchestrator.propose.llm.chat import ChatModel, ChatReply, Message
from orchestrator.propose.privacy.privacy_view import PrivacyView, RawView
from orchestrator.propose.privacy.unused_symbols import new_symbols, without_new_symbols
from orchestrator.propose.prompting.focus import mentioned
from orchestrator.propose.prompting.helper_notes import libraries
from orchestrator.propose.prompting.prompt_context import ContextLimits, analysis_values, paged_values, repair_values
from orchestrator.propose.prompting.prompts import load_prompt
from orchestrator.propose.replies.parser import read_reply
from orchestrator.propose.replies.structured import analysis_tool
from orchestrator.propose.roles.explorer import ModelExplorer
from orchestrator.propose.roles.role_client import RoleClient, accounted, fitted, total
from orchestrator.propose.roles.tester import ModelTester, disputed_tests

ReplyProtocol = Literal["auto", "xml", "structured"]
_LONG_INSTRUCTION = 10_000
_WANTED = {
    "structured": "one call of the tool",
    "xml": "one <cleaning_analysis> element, code in CDATA",
}


class ModelProposer:
    """Proposes by asking a language model. `protocol` "auto" takes tool calls where the model is known to make them."""

    def __init__(
        self,
        chat: ChatModel,
        *,
        budget: Budget | None = None,
        protocol: ReplyProtocol = "auto",
        max_reply_retries: int = 2,
        limits: ContextLimits | None = None,
        imports: Sequence[str] = ScreenPolicy().imports,
        view: PrivacyView | None = None,
        explorer: ModelExplorer | None = None,
        tester: ModelTester | None = None,
        functions: int = ModelPolicy().functions_per_answer,
        witness: ModelTester | None = None,
        gate_secret: str = "",
    ) -> None:
        self.budget = budget or Budget()
        self.gate_secret = gate_secret
        self._client = RoleClient(chat, "proposer", self.budget, max_reply_retries=max_reply_retries)
        self._protocol = protocol
        self._imports = imports
        self._view = view or RawView()
        self._limits = (limits or ContextLimits())._replace(answers=functions)
        if not self._view.rows_shown:
            self._limits = self._limits._replace(rows=0)
        self._explorer = explorer if self._view.rows_shown else None  # without rows there is nothing to look at
        self._tester = tester
        # Rows in doubt are shown as they are, or not at all.
        self._witness = witness if self._view.privacy == "raw" else None

    @property
    def name(self) -> str:
        return self._client.chat.name

    @property
    def protocol(self) -> Literal["xml", "structured"]:
        """How the model is asked to answer. Looked up when it is needed: to know the model takes seconds."""
        if self._protocol == "auto":
            return "structured" if self._client.chat.structured else "xml"
        return self._protocol

    def analyse(self, request: ProposalRequest) -> Analysis:
        """Ask for issues and one candidate. Raises ProposalError."""
        request = self._viewed(request)
        with accounted() as log:
            findings = new = self._explorer.explore(request, log) if self._explorer and request.iteration == 1 else ()
            if not new:
                findings = _known_findings(request)
            analysis, shown, pages = self._look_through(request, findings, log)
            tests: tuple[Example, ...] = ()
            if self._tester and analysis.source is not None:
                tests = self._tester.examples(shown, analysis.source, analysis.issues, log)
                further = (
                    one.model_copy(update={"tests": self._tester.examples(shown, one.source, analysis.issues, log)})
                    for one in analysis.more
                )
                analysis = analysis.model_copy(update={"more": tuple(further)})
            return _complete(analysis, log, findings=new, tests=tests, notes=_notes(request, analysis, pages))

    def _viewed(self, request: ProposalRequest) -> ProposalRequest:
        """The request as the model may know it: its rows, and what functions say of themselves.

        Whoever wrote those of other runs may have seen the cells, and quoted them.
        """
        rows, promoted = request.rows, request.promoted
        if self._view.privacy != "raw":
            promoted = tuple(one if one.own else one.model_copy(update={"docstring": ""}) for one in promoted)
            if request.before is not None:
                rows = without_new_symbols(rows, request.before, request.instruction, str(request.conventions))
        viewed = request._replace(rows=self._view.table(rows, request.made), promoted=promoted, before=None)
        return viewed if self._view.privacy == "raw" else _without_hidden(viewed, rows.column_names)

    def _look_through(
        self, request: ProposalRequest, findings: Sequence[ProbeFinding], log: list[Exchange]
    ) -> tuple[Analysis, ProposalRequest, int]:
        """The first analysis that finds something to do; of how many pages, and what was shown for it.

        A table that is too wide for one prompt is shown page by page: it is clean when all of its columns are.
        """
        seen = 0
        while True:
            shown = request._replace(chunk_index=request.chunk_index + request.iteration - 1 + seen)
            analysis, pages = fitted(partial(self._looked, shown, findings, log), self._limits)
            seen += 1
            if seen >= pages or analysis.source is not None or analysis.chunk_status is not ChunkStatus.CLEAN:
                return analysis, shown, pages

    def _looked(
        self, request: ProposalRequest, findings: Sequence[ProbeFinding], log: list[Exchange], limits: ContextLimits
    ) -> tuple[Analysis, int]:
        values, pages = paged_values(request, limits, findings, self._imports)
        prompt = self._prompt(request.shape, values)
        most = self._limits.answers
        return self._ask(prompt, log, "analysis", may_give_up=False, shape=request.shape, most=most), pages

    def repair(self, repair: RepairRequest) -> Analysis:
        """Show why the candidate was rejected and ask for a better one. Raises ProposalError.

        Where only the tester's examples are in the way, and the tester corrects or withdraws them, the same candidate
        comes back with the tests that are left.
        """
        request = self._viewed(repair.request)
        with accounted() as log:
            known = "\n".join([repair.source, *(str(test.model_dump()) for test in repair.tests)])
            verdict = self._view.verdict(repair.verdict, request.rows, known, _unshown(repair.request))
            tests = self._reconsidered(repair, verdict, request, log)
            if tests != repair.tests and [c.id for c in repair.verdict.failures] == ["examples"]:
                return _complete(
                    Analysis(issues=repair.issues, source=repair.source, reply=repair.reply), log, tests=tests
                )

            findings = _known_findings(request)

            def ask(limits: ContextLimits) -> Analysis:
                values = repair_values(repair.source, verdict, limits)
                about = {"protocol": self.protocol, "shape": str(request.shape), "attempt": repair.attempt}
                told = {"held": verdict.held, "repeated": repair.repeated}
                prompt = load_prompt("repair").render(**about, **told, **values)
                first = analysis_values(
                    _with_columns_of(repair.source, request, limits), limits, findings, self._imports
                )
                messages = (*self._prompt(request.shape, first), *prompt)
                return self._ask(messages, log, f"repair {repair.attempt}", may_give_up=True, shape=request.shape)

            return _complete(fitted(ask, self._limits), log, tests=tests)

    @property
    def has_tester(self) -> bool:
        """Whether a tester may be asked what should become of rows."""
        return self._witness is not None

    def testify(self, request: WitnessRequest) -> WitnessAnswer:
        """Have the tester say what should become of rows. Raises ProposalError."""
        with accounted() as log:
            tests = self._witness.testimony(request, log) if self._witness else ()
            return WitnessAnswer(tests=tests, usage=total(log), exchanges=tuple(log))

    def _reconsidered(
        self, repair: RepairRequest, shown: Verdict, request: ProposalRequest, log: list[Exchange]
    ) -> tuple[Example, ...]:
        disputed = disputed_tests(repair.verdict, shown, repair.tests)
        if self._tester is None or not disputed or repair.repeated:
            return repair.tests
        return self._tester.reconsidered(
            request, repair.source, repair.issues, log, tests=repair.tests, disputed=disputed
        )

    def _prompt(self, shape: Shape, values: Mapping[str, object]) -> tuple[Message, ...]:
        return load_prompt("analyse").render(
            protocol=self.protocol,
            imports=libraries(self._imports),
            privacy=self._view.privacy,
            shape=str(shape),
            **values,
        )

    def _ask(
        self,
        messages: Sequence[Message],
        log: list[Exchange],
        about: str,
        *,
        may_give_up: bool,
        shape: Shape,
        most: int = 1,
    ) -> Analysis:
        reads = 0

        def read(reply: ChatReply) -> Analysis:
            nonlocal reads
            reads += 1  # a model that names an issue and no function, also when it is asked again, gives it up
            return read_reply(reply, may_give_up=may_give_up or reads > 1, shape=shape, most=most)

        return self._client.ask(
            messages,
            read,
            log,
            about=about,
            wanted=_WANTED[self.protocol],
            schema=analysis_tool(shape) if self.protocol == "structured" else None,
        )


def _unshown(request: ProposalRequest) -> frozenset[str]:
    """The symbols that promoted functions have brought into the rows."""
    if request.before is None:
        return frozenset()
    return new_symbols(request.rows, request.before, request.instruction, str(request.conventions))


def _without_hidden(request: ProposalRequest, names: Sequence[str]) -> ProposalRequest:
    """The request without what the host found in those of the columns that are hidden or have other names there."""
    shown = {*request.rows.column_names} - request.made
    hidden = tuple(f"{name}: " for name in names if name not in shown)
    return request._replace(
        remaining=tuple(line for line in request.remaining if not line.startswith(hidden)),
        focus=tuple(name for name in request.focus if name in shown),
    )


def _known_findings(request: ProposalRequest) -> tuple[ProbeFinding, ...]:
    """What was looked up in this chunk before: its history says so, also after a run was resumed."""
    return tuple(one for step in request.history if isinstance(step, AnalysisStep) for one in step.findings)


def _with_columns_of(source: str, request: ProposalRequest, limits: ContextLimits) -> ProposalRequest:
    """The request about the columns that a candidate names; they come in front, where not all can be shown."""
    names = request.rows.column_names
    request = request._replace(focus=tuple(dict.fromkeys(mentioned(names, source))))
    if len(names) <= limits.columns:
        return request
    first = sorted(range(len(names)), key=lambda n: names[n] not in source)
    return request._replace(rows=request.rows.select(first), chunk_index=0)


def _notes(request: ProposalRequest, analysis: Analysis, pages: int) -> tuple[str, ...]:
    """What the user should know: what was made of the instruction, and what the model sees and does not solve."""
    notes = list(analysis.notes)
    if pages > 1:
        notes.append(f"The model is shown the {request.rows.num_columns} columns in {pages} parts.")
    if not request.instruction.strip() and request.conventions is None:
        notes.append("No instruction was given: the model was asked to make the values of each column consistent.")
    if len(request.instruction) > _LONG_INSTRUCTION:
        notes.append(f"The instruction has {len(request.instruction):,} characters, sent with every question.")
    if analysis.source is None:
        left = [issue.description for issue in analysis.issues if not issue.solved]
        notes += [f"Not solved, in the model's words: {clean_text(words, 300)}" for words in left[:3]]
    return tuple(notes)


def _complete(
    analysis: Analysis,
    log: Sequence[Exchange],
    *,
    tests: tuple[Example, ...],
    findings: tuple[ProbeFinding, ...] = (),
    notes: tuple[str, ...] = (),
) -> Analysis:
    added = {"usage": total(log), "exchanges": tuple(log), "findings": findings, "tests": tests, "notes": notes}
    return analysis.model_copy(update=added)
