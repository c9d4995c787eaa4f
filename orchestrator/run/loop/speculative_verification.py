"""The next candidate, judged while the one before it is still being promoted. Begun and used by `iteration`.

Once a verdict has passed, it is known which rows the function leaves: in which order functions must be applied, and
the entry in the registry, change nothing about them. So the next candidate is judged on these rows in a thread
meanwhile. Nothing is recorded here: each step is recorded in its turn, and what was found ahead counts only where the
very same question is asked then. Anything else is dropped, also a failure of the infrastructure: then it is asked in
its turn. So neither the steps of a run nor what it promotes depend on time.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import NamedTuple, TypeVar

from orchestrator.core.fitted import LearntState
from orchestrator.core.ports import VerifyRequest
from orchestrator.core.proposals import Analysis
from orchestrator.core.requests import ProposalRequest
from orchestrator.core.verdict import CheckResult, OnCheck, Outcome, Verdict
from orchestrator.run.loop.model_calls import ModelAnswer

Result = TypeVar("Result")


class Questions(NamedTuple):
    """What is asked ahead: the proposer first, then the gate. `request`: None where the answer is left to its turn."""

    ask: Callable[[ProposalRequest], ModelAnswer[Analysis]]
    request: Callable[[Analysis], VerifyRequest | None]
    verify: Callable[[VerifyRequest, OnCheck], Verdict]


class _Asked(NamedTuple):
    answer: ModelAnswer[Analysis]
    request: VerifyRequest | None


class SpeculativeVerification:
    """The answer to the next proposal, and the verdict on it, from a thread that the run need not wait for."""

    def __init__(self, proposal: ProposalRequest, questions: Questions) -> None:
        self._proposal = proposal
        self._questions = questions
        self._asked: Future[_Asked] = Future()
        self._verdict: Future[Verdict] = Future()
        self._checks: list[CheckResult] = []
        # No daemon: Python would end it in the middle of foreign code, which may abort the process. Once the run has
        # closed its containers, whatever it waits for fails at once.
        threading.Thread(target=self._work, name="ahead").start()

    def answer(self, proposal: ProposalRequest) -> ModelAnswer[Analysis] | None:
        """The proposer's answer, waited for; None where this was not asked."""
        return self._asked.result().answer if proposal == self._proposal and _came(self._asked) else None

    def verdict(self, request: VerifyRequest, on_check: OnCheck) -> Verdict | None:
        """The gate's verdict, waited for; None where this was not asked, or could not be judged."""
        asked = self._asked.result().request if _came(self._asked) else None
        if asked is None or _decisive(asked) != _decisive(request) or not _came(self._verdict):
            return None
        verdict = self._verdict.result()
        if verdict.verdict is Outcome.INFRA:
            return None
        for check in self._checks:
            on_check(check)
        return verdict

    def _work(self) -> None:
        asked = _settled(self._asked, self._ask)
        if asked is not None and (request := asked.request) is not None:
            _settled(self._verdict, lambda: self._questions.verify(request, self._checks.append))

    def _ask(self) -> _Asked:
        answer = self._questions.ask(self._proposal)
        return _Asked(answer, self._questions.request(answer.value))


def _settled(future: Future[Result], work: Callable[[], Result]) -> Result | None:
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001 - whoever asks for it does the work again, and meets it himself
        future.set_exception(error)
        return None
    future.set_result(result)
    return result


def _came(future: "Future[_Asked] | Future[Verdict]") -> bool:
    return future.exception() is None


def _decisive(request: VerifyRequest) -> tuple[VerifyRequest, tuple[tuple[str, LearntState | None], ...]]:
    """What a verdict depends on: of promoted functions what they do, and not when they were promoted."""
    return replace(request, promoted=()), tuple((one.candidate.sha256, one.state) for one in request.promoted)
