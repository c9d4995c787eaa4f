"""The proposer over a scripted chat model: retries, repair, budget, protocol. And its wrappers."""

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from orchestrator.core.errors import BudgetExceeded, ModelRefused, ModelUnavailable, ReplyError
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.proposals import Analysis, ChunkStatus
from orchestrator.core.requests import ProposalRequest, RepairRequest
from orchestrator.core.verdict import CandidateInfo, CheckResult, Outcome, Verdict
from orchestrator.propose.llm.budget import Budget, BudgetLimits
from orchestrator.propose.llm.chat import ChatModel, ChatReply, RateLimited
from orchestrator.propose.llm.retrying import RetryingChat
from orchestrator.propose.roles.model_proposer import ModelProposer
from orchestrator.propose.scripted_models import ScriptedChat, ScriptedProposer

if TYPE_CHECKING:
    from orchestrator.core.ports import Proposer

CODE = 'def trim(df):\n    """Trim."""\n    return df\n'
CLEAN = "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"
GIVE_UP = "<cleaning_analysis><chunk_status>needs_work</chunk_status></cleaning_analysis>"
COST = TokenUsage(calls=1, prompt_tokens=10, completion_tokens=5, cost_usd=0.5)


def request() -> ProposalRequest:
    return ProposalRequest(rows=pa.table({"city": [" Ulm"]}), instruction="Trim.")


def repair_request() -> RepairRequest:
    check = CheckResult(id="idempotent", outcome=Outcome.FAIL, detail="it grows")
    verdict = Verdict(candidate=CandidateInfo(name="trim", sha256="0"), verdict=Outcome.FAIL, checks=(check,))
    return RepairRequest(request(), source=CODE, reply="raw", verdict=verdict, attempt=2)


def test_both_proposers_keep_the_port() -> None:
    """The fake and the real one answer the same questions."""
    chat: ChatModel = ScriptedChat([CODE, CODE])
    proposers: list[Proposer] = [ModelProposer(chat), ScriptedProposer([CODE], [CODE])]
    for proposer in proposers:
        assert proposer.name
        first, second = proposer.analyse(request()), proposer.repair(repair_request())
        assert first.source is not None
        assert "def trim" in first.source
        assert second.source is not None


def test_a_repair_shows_the_rows_the_source_and_the_failure() -> None:
    """The model sees the whole first prompt again and then why its function was rejected."""
    chat = ScriptedChat([CODE])
    ModelProposer(chat).repair(repair_request())
    messages = chat.asked[0].messages
    assert [m.role for m in messages] == ["system", "user", "user"]
    assert "it grows" in messages[2].content
    assert "def trim(df):" in messages[2].content
    assert "(repair 2)" in messages[2].content


def test_a_repair_names_no_checks_that_were_not_reached() -> None:
    """What failed and what passed; two dozen ids of checks that nobody tried say nothing."""
    verdict = repair_request().verdict
    more = (CheckResult(id="pure", outcome=Outcome.PASS), CheckResult(id="stateless", outcome=Outcome.SKIP))
    chat = ScriptedChat([CODE])
    repair = repair_request()._replace(verdict=verdict.model_copy(update={"checks": (*verdict.checks, *more)}))
    ModelProposer(chat).repair(repair)
    asked = chat.asked[0].messages[2].content
    assert '"idempotent"' in asked
    assert '"pure"' in asked
    assert "stateless" not in asked


def test_a_repair_of_a_file_that_was_sent_again_says_so() -> None:
    """The model reads that its file is known, and what it failed for."""
    chat = ScriptedChat([CODE])
    ModelProposer(chat).repair(repair_request()._replace(repeated=True))
    asked = chat.asked[0].messages[2].content
    assert "that the gate has rejected before: it was not judged again" in asked
    assert "it grows" in asked


def test_a_repair_may_give_up_at_once_and_an_analysis_when_it_is_asked_again() -> None:
    """A model that insists on an issue without a function gives it up, and the user is told what it said."""
    given_up = ModelProposer(ScriptedChat([GIVE_UP])).repair(repair_request())
    assert given_up.source is None
    named = GIVE_UP.replace("<chunk_status>", "<issue>There is no column email</issue><chunk_status>", 1)
    chat = ScriptedChat([named, named])
    analysis = ModelProposer(chat).analyse(request())
    assert (analysis.source, analysis.chunk_status) == (None, ChunkStatus.NEEDS_WORK)
    assert "write one function for one issue" in chat.asked[1].messages[-1].content
    assert analysis.notes == ("Not solved, in the model's words: There is no column email",)


def test_what_was_made_of_the_instruction_is_told() -> None:
    """That there was none, and that a very long one is sent each time."""
    for instruction, said in (("", "No instruction was given"), ("trim " * 5_000, "25,000 characters")):
        notes = ModelProposer(ScriptedChat([CLEAN])).analyse(request()._replace(instruction=instruction)).notes
        assert len(notes) == 1
        assert said in notes[0]


def test_a_wide_table_is_clean_when_all_of_it_was_shown() -> None:
    """Each column is shown once before the model's "clean" counts; a repair shows those that the candidate is about."""
    names = [f"c{n:03}x" for n in range(150)]
    wide = request()._replace(rows=pa.table({name: ["a", "b"] for name in names}))
    chat = ScriptedChat([CLEAN] * 50)
    analysis = ModelProposer(chat).analyse(wide)
    assert analysis.chunk_status is ChunkStatus.CLEAN
    shown = [{name for name in names if f'"{name}"' in asked.messages[1].content} for asked in chat.asked]
    assert set().union(*shown) == set(names)
    assert 1 < len(shown) < 8
    assert analysis.notes == (f"The model is shown the 150 columns in {len(shown)} parts.",)
    repair = ScriptedChat([CODE])
    source = "def f(df):\n    return df[['c149x']]\n"
    ModelProposer(repair).repair(repair_request()._replace(request=wide, source=source))
    assert '"c149x"' in repair.asked[0].messages[1].content


def test_only_the_last_unreadable_reply_is_shown() -> None:
    """The conversation does not grow with each retry."""
    chat = ScriptedChat(["first nonsense", "second nonsense", CLEAN])
    assert ModelProposer(chat).analyse(request()).chunk_status is ChunkStatus.CLEAN
    last = "\n".join(m.content for m in chat.asked[2].messages)
    assert "second nonsense" in last
    assert "first nonsense" not in last


def test_usage_of_all_tries_is_counted() -> None:
    """An unreadable answer costs as much as a good one."""
    chat = ScriptedChat([ChatReply("nonsense", usage=COST), ChatReply(CLEAN, usage=COST)])
    proposer = ModelProposer(chat)
    usage = proposer.analyse(request()).usage
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.cost_usd) == (2, 20, 10, 1.0)
    assert proposer.budget.used == usage


@pytest.mark.parametrize(
    ("protocol", "structured", "tool"),
    [("auto", True, True), ("auto", False, False), ("xml", True, False), ("structured", False, True)],
)
def test_the_protocol(protocol: str, structured: bool, tool: bool) -> None:
    """Auto follows the model; the others are followed."""
    chat = ScriptedChat([CLEAN], structured=structured)
    ModelProposer(chat, protocol=protocol).analyse(request())  # type: ignore[arg-type] # a parameter of the test
    assert (chat.asked[0].schema is not None) is tool


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (BudgetLimits(max_calls=2), "2 model calls"),
        (BudgetLimits(max_tokens=30), "30 of 30 tokens"),
        (BudgetLimits(max_cost_usd=1.0), r"\$1.0000 of \$1.0000"),
    ],
)
def test_each_limit_ends_the_calls(limits: BudgetLimits, words: str) -> None:
    """Two answers fit, the third question is not asked."""
    chat = ScriptedChat([ChatReply(CLEAN, usage=COST)] * 5)
    proposer = ModelProposer(chat, budget=Budget(limits))
    proposer.analyse(request())
    proposer.analyse(request())
    with pytest.raises(BudgetExceeded, match=words):
        proposer.analyse(request())
    assert len(chat.asked) == 2


def test_a_money_limit_needs_a_price() -> None:
    """An unknown price is not nought: the limit cannot be kept, and that is said."""
    chat = ScriptedChat([ChatReply(CLEAN, usage=COST.model_copy(update={"cost_usd": None}))] * 2)
    proposer = ModelProposer(chat, budget=Budget(BudgetLimits(max_cost_usd=1.0)))
    proposer.analyse(request())
    with pytest.raises(BudgetExceeded, match="price of this model is not known"):
        proposer.analyse(request())


def test_pauses_grow_and_end() -> None:
    """Each pause is longer than the one before but for jitter, and the total time is bounded."""
    pauses: list[float] = []
    chat = ScriptedChat([ModelUnavailable("down")] * 20)
    retrying = RetryingChat(chat, attempts=20, max_seconds=60, sleep=pauses.append)
    with pytest.raises(ModelUnavailable, match="down"):
        retrying.complete([])
    assert sum(pauses) <= 60
    assert 4 <= len(pauses) < 19
    assert pauses[3] > pauses[0]


def test_a_pause_beyond_the_time_is_not_waited() -> None:
    """An hour of Retry-After ends the tries at once."""
    pauses: list[float] = []
    retrying = RetryingChat(ScriptedChat([RateLimited("slow", retry_after=3600)] * 3), sleep=pauses.append)
    with pytest.raises(RateLimited):
        retrying.complete([])
    assert pauses == []


@pytest.mark.parametrize("error", [ModelRefused("no"), ReplyError("no"), BudgetExceeded("no")])
def test_only_temporary_errors_are_retried(error: ModelRefused | ReplyError | BudgetExceeded) -> None:
    """Retry is decided by class."""
    chat = ScriptedChat([error, CLEAN])
    with pytest.raises(type(error)):
        RetryingChat(chat, sleep=lambda _: None).complete([])
    assert len(chat.asked) == 1


def test_a_retrying_chat_is_the_chat() -> None:
    """Name and kind come from the model behind it."""
    retrying = RetryingChat(ScriptedChat([], name="m", structured=True))
    assert (retrying.name, retrying.structured) == ("m", True)


def test_the_scripted_proposer_follows_its_script() -> None:
    """Sources, analyses and errors in order; then clean and giving up; requests are kept."""
    proposer = ScriptedProposer([CODE, Analysis(source="x"), ReplyError("no")])
    assert proposer.analyse(request()).source == CODE
    assert proposer.analyse(request()).source == "x"
    with pytest.raises(ReplyError):
        proposer.analyse(request())
    assert proposer.analyse(request()).chunk_status is ChunkStatus.CLEAN
    assert proposer.repair(repair_request()).source is None
    assert len(proposer.requests) == 4
    assert len(proposer.repair_requests) == 1


def test_a_used_up_script_refuses() -> None:
    """A chat model with nothing left to say does not invent."""
    with pytest.raises(ModelRefused, match="no more answers"):
        ScriptedChat([]).complete([])
