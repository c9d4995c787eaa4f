"""The language-model proposer: prompt → model → reply → Analysis. One of the implementations of core's Proposer port.

Whatever it shows a model has passed its privacy view first. Where they are wired, an explorer looks at the rows of a
chunk before the first proposal, and a tester writes examples for each. Keys are known to the chat model alone: nothing
here could leak one. Called by run/, wired by `bootstrap`.
"""

from collections.abc import Sequence
from typing import Literal

from orchestrator.core.candidate import Example, Shape
from orchestrator.core.policy import ScreenPolicy
from orchestrator.core.proposals import (
    Analysis,
    Exchange,
    Finding,
    ProposalRequest,
    RepairRequest,
)
from orchestrator.core.steps import AnalysisStep
from orchestrator.core.verdict import Verdict
from orchestrator.propose.asking import Asker, accounted, fitted, total
from orchestrator.propose.budget import Budget
from orchestrator.propose.chat import ChatModel, Message
from orchestrator.propose.context import ContextLimits, analysis_values, repair_values
from orchestrator.propose.explorer import ModelExplorer
from orchestrator.propose.privacy import Privacy, RawView, View
from orchestrator.propose.prompts import load_prompt
from orchestrator.propose.replies import read_reply
from orchestrator.propose.replies_structured import analysis_tool
from orchestrator.propose.tester import ModelTester, disputed_tests

ReplyProtocol = Literal["auto", "xml", "structured"]
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
        privacy: Privacy = "raw",
        view: View | None = None,
        explorer: ModelExplorer | None = None,
        tester: ModelTester | None = None,
    ) -> None:
        self.budget = budget or Budget()
        self._asker = Asker(chat, "proposer", self.budget, max_reply_retries=max_reply_retries)
        self._protocol = protocol
        self._imports = ", ".join(imports)
        self._privacy = privacy
        self._view = view or RawView()
        self._limits = limits or ContextLimits()
        if not self._view.rows_shown:
            self._limits = self._limits._replace(rows=0)
        self._explorer = explorer if self._view.rows_shown else None  # without rows there is nothing to look at
        self._tester = tester

    @property
    def name(self) -> str:
        return self._asker.chat.name

    @property
    def protocol(self) -> Literal["xml", "structured"]:
        """How the model is asked to answer. Looked up when it is needed: to know the model takes seconds."""
        if self._protocol == "auto":
            return "structured" if self._asker.chat.structured else "xml"
        return self._protocol

    def analyse(self, request: ProposalRequest) -> Analysis:
        """Ask for issues and one candidate. Raises ProposalError."""
        request = request._replace(rows=self._view.table(request.rows))
        with accounted() as log:
            findings = new = self._explorer.explore(request, log) if self._explorer and request.iteration == 1 else ()
            if not new:
                findings = _known_findings(request)

            def ask(limits: ContextLimits) -> Analysis:
                prompt = self._prompt(request, limits, findings)
                return self._ask(prompt, log, "analysis", may_give_up=False, shape=request.shape)

            analysis = fitted(ask, self._limits)
            tests: tuple[Example, ...] = ()
            if self._tester and analysis.source is not None:
                tests = self._tester.examples(request, analysis.source, analysis.issues, log)
            return _complete(analysis, log, findings=new, tests=tests)

    def repair(self, repair: RepairRequest) -> Analysis:
        """Show why the candidate was rejected and ask for a better one. Raises ProposalError.

        Where only the tester's examples are in the way, and the tester corrects or withdraws them, the same candidate
        comes back with the tests that are left.
        """
        request = repair.request._replace(rows=self._view.table(repair.request.rows))
        with accounted() as log:
            known = "\n".join([repair.source, *(str(test.model_dump()) for test in repair.tests)])
            verdict = self._view.verdict(repair.verdict, request.rows.column_names, known)
            tests = self._reconsidered(repair, verdict, request, log)
            if tests != repair.tests and [c.id for c in repair.verdict.failures] == ["examples"]:
                return _complete(
                    Analysis(issues=repair.issues, source=repair.source, reply=repair.reply), log, tests=tests
                )

            def ask(limits: ContextLimits) -> Analysis:
                values = repair_values(repair.source, verdict, limits)
                about = {"protocol": self.protocol, "shape": str(request.shape), "attempt": repair.attempt}
                prompt = load_prompt("repair").render(**about, **values)
                messages = (*self._prompt(request, limits, _known_findings(request)), *prompt)
                return self._ask(messages, log, f"repair {repair.attempt}", may_give_up=True, shape=request.shape)

            return _complete(fitted(ask, self._limits), log, tests=tests)

    def _reconsidered(
        self, repair: RepairRequest, told: Verdict, request: ProposalRequest, log: list[Exchange]
    ) -> tuple[Example, ...]:
        disputed = disputed_tests(repair.verdict, told, repair.tests)
        if self._tester is None or not disputed:
            return repair.tests
        return self._tester.reconsidered(
            request, repair.source, repair.issues, log, tests=repair.tests, disputed=disputed
        )

    def _prompt(
        self, request: ProposalRequest, limits: ContextLimits, findings: Sequence[Finding]
    ) -> tuple[Message, ...]:
        values = analysis_values(request, limits, findings)
        return load_prompt("analyse").render(
            protocol=self.protocol,
            imports=self._imports,
            privacy=self._privacy,
            shape=str(request.shape),
            **values,
        )

    def _ask(
        self, messages: Sequence[Message], log: list[Exchange], about: str, *, may_give_up: bool, shape: Shape
    ) -> Analysis:
        return self._asker.ask(
            messages,
            lambda reply: read_reply(reply, may_give_up=may_give_up, shape=shape),
            log,
            about=about,
            wanted=_WANTED[self.protocol],
            schema=analysis_tool(shape) if self.protocol == "structured" else None,
        )


def _known_findings(request: ProposalRequest) -> tuple[Finding, ...]:
    """What was looked up in this chunk before: its history says so, also after a run was resumed."""
    return tuple(one for step in request.history if isinstance(step, AnalysisStep) for one in step.findings)


def _complete(
    analysis: Analysis, log: Sequence[Exchange], *, tests: tuple[Example, ...], findings: tuple[Finding, ...] = ()
) -> Analysis:
    told = {"usage": total(log), "exchanges": tuple(log), "findings": findings, "tests": tests}
    return analysis.model_copy(update=told)
