"""The verdict on a parser: screen, two containers, the laws. Called by `run.parse`.

A parser is judged on the beginning of the very file that it shall read, each time: what a format means nobody here
knows, but whatever it means, the rows must be the same however the file is cut, and account for every byte of it.
"""

import secrets

from orchestrator.core.errors import CandidateError, SandboxError
from orchestrator.core.jobs import GuestEnvironment, SandboxInfo
from orchestrator.core.parsers import PARAMETERS, PARSE, ParserAnswer, ParserCandidate, ParserInfo, ParserVerdict
from orchestrator.core.policy import Policy
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.verdict import CheckResult, Outcome
from orchestrator.core.weakened import weakened_layers
from orchestrator.gate import screen
from orchestrator.gate.parsers import parser_file, parser_laws
from orchestrator.gate.parsers.parser_calls import ParserCalls, ParserFailed, ParserInput
from orchestrator.gate.parsers.parser_cases import HEAD_BYTES, Changes, ParserCases
from orchestrator.gate.parsers.rows_elsewhere import drawn_rows, lost_elsewhere

_FORMS = 8
_OF_A_FORM = Changes(1, 50)


def judge_parser(
    source: str,
    head: bytes,
    access: SandboxAccess,
    policy: Policy,
    *,
    whole: bool,
    seed: int | None = None,
) -> ParserVerdict:
    """Judge the parser on the beginning of a file, of which `HEAD_BYTES` count. `whole`: that is all of the file.

    Raises nothing for what the parser does; where the infrastructure keeps failing, the verdict is `infra`.
    """
    judging = _Judging()
    info, rows, box = ParserInfo(sha256=""), 0, SandboxInfo()
    try:
        parser = _admitted(source, policy, judging)
        info = ParserInfo(sha256=parser.sha256, columns=parser.contract.columns)
        whole = whole and len(head) <= HEAD_BYTES
        cases = ParserCases(head[:HEAD_BYTES], whole=whole, seed=secrets.randbits(64) if seed is None else seed)
        with ParserCalls(parser, access, GuestEnvironment.FIRST) as calls:
            answer = _first(parser, cases, calls, judging)
            box = calls.info
        rows = sum(part.values is not None for part in answer.parts)
        with ParserCalls(parser, access, GuestEnvironment.CONFIRM) as calls:
            _second(cases, answer, calls, judging)
            _kept(cases, answer, calls, judging)
    except _Decided:
        pass
    except SandboxError as error:
        judging.note(CheckResult(id=judging.missing, outcome=Outcome.INFRA, detail=error.message))
    return ParserVerdict(
        candidate=info,
        verdict=judging.outcome,
        checks=tuple(judging.checks),
        rows=rows,
        sandbox=box,
        weakened=weakened_layers(policy),
    )


class _Decided(Exception):
    """A check failed: nothing more is run."""


class _Judging:
    """Collects the results. Passes only where every check passed."""

    def __init__(self) -> None:
        self.checks: list[CheckResult] = []

    def note(self, check: CheckResult) -> None:
        self.checks.append(check)

    def law(self, name: str, wrong: str, cases: int = 1) -> None:
        """Note the result of a law. Raises _Decided where it does not hold."""
        outcome = Outcome.FAIL if wrong else Outcome.PASS
        self.note(CheckResult(id=name, outcome=outcome, detail=wrong, cases=cases))
        if wrong:
            raise _Decided

    def answers(self, name: str, calls: ParserCalls, inputs: list[ParserInput]) -> list[ParserAnswer]:
        """What the parser answers. Raises _Decided, after the check is noted as failed, where it gives no answer."""
        try:
            return calls.answers(inputs)
        except ParserFailed as failure:
            self.law(name, str(failure))
            raise

    @property
    def missing(self) -> str:
        known = {check.id for check in self.checks}
        return next((name for name in parser_laws.CHECKS if name not in known), parser_laws.EXECUTED)

    @property
    def outcome(self) -> Outcome:
        outcomes = {check.outcome for check in self.checks}
        if Outcome.FAIL in outcomes:
            return Outcome.FAIL
        complete = [check.id for check in self.checks] == [*parser_laws.CHECKS]
        return Outcome.PASS if complete and outcomes == {Outcome.PASS} else Outcome.INFRA


def _admitted(source: str, policy: Policy, judging: _Judging) -> ParserCandidate:
    try:
        parser = parser_file.read(source)
        found = screen.problems(parser_file.as_function(parser), policy.screen, {PARSE: PARAMETERS})
    except CandidateError as error:
        found = [". ".join(filter(None, [error.message, error.advice]))]
    judging.law(parser_laws.SCREEN, "; ".join(found))
    return parser


def _first(parser: ParserCandidate, cases: ParserCases, calls: ParserCalls, judging: _Judging) -> ParserAnswer:
    """The whole sample, its cuts, odd files."""
    asked = cases.whole
    try:
        answer = calls.one_answer(asked)
    except ParserFailed as failure:
        judging.law(parser_laws.EXECUTED, str(failure))
        raise
    judging.law(parser_laws.EXECUTED, parser_laws.executed(answer, asked.data))
    judging.law(parser_laws.ACCOUNTS, parser_laws.accounts(answer, asked))
    judging.law(parser_laws.SKIPS, parser_laws.skips(answer, asked.data, parser.contract))
    cuts = cases.cuts()
    made = judging.answers(parser_laws.CUTS, calls, cuts)
    how = [f"cut in {len(cut.ends):,} blocks" for cut in cuts]
    wrong = [parser_laws.same_parts(one, answer, cut, by) for one, cut, by in zip(made, cuts, how, strict=True)]
    judging.law(parser_laws.CUTS, next(filter(None, wrong), ""), len(cuts))
    odd = cases.odd()
    judging.law(parser_laws.EDGES, parser_laws.edges(judging.answers(parser_laws.EDGES, calls, odd), odd), len(odd))
    return answer


def _second(cases: ParserCases, answer: ParserAnswer, calls: ParserCalls, judging: _Judging) -> None:
    """The whole sample in another container; blocks, each in a process of its own that knows the state only."""
    asked = cases.whole
    (again,) = judging.answers(parser_laws.DETERMINISTIC, calls, [asked])
    how = "in another container, with another hash seed and time zone,"
    judging.law(parser_laws.DETERMINISTIC, parser_laws.same_parts(again, answer, asked, how))
    parts, state, at = answer.parts[:0], None, 0
    for end in cases.blocks():
        one = ParserInput.whole(asked.data[at:end], last=asked.last and end == len(asked.data), state=state)
        (made,) = judging.answers(parser_laws.STATELESS, calls, [one])
        if made.error:
            judging.law(
                parser_laws.STATELESS, f"it fails in a process that has not seen the blocks before: {made.error}"
            )
        parts, state, at = (*parts, *made.parts), made.state, at + made.read
    whole = ParserAnswer(parts, state, at)
    how = "where each block is read by a process of its own,"
    judging.law(parser_laws.STATELESS, parser_laws.same_parts(whole, answer, asked, how), 3)


def _kept(cases: ParserCases, answer: ParserAnswer, calls: ParserCalls, judging: _Judging) -> None:
    """Changed bytes in the first rows, and in rows of other forms from anywhere."""
    asked = cases.whole
    alone, changes, inputs = cases.changed(answer.parts)
    lost = parser_laws.one_to_one(answer, asked.data)
    if inputs and not lost:
        plain, *changed = judging.answers(parser_laws.KEEPS, calls, [alone, *inputs])
        lost = parser_laws.same_parts(plain, answer, alone, "where its first rows are read alone")
        lost = lost or parser_laws.loses_nothing(alone.data, plain, changes, changed)
        try:
            numbers = drawn_rows(answer, asked.data, cases.draw, _FORMS)
            lost = lost or lost_elsewhere(calls, answer, asked, numbers, cases.draw, _OF_A_FORM)
        except ParserFailed as failure:
            lost = str(failure)
    judging.law(parser_laws.KEEPS, lost, len(changes))
