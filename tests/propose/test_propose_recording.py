"""Recordings: what was answered is answered again, in its order and in its role; anything else is an error."""

import json
import stat
from pathlib import Path

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import ModelRefused, ModelUnavailable, OutputError, ProposalError, UsageError
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.requests import ProposalRequest
from orchestrator.propose.llm.budget import Budget, BudgetLimits
from orchestrator.propose.llm.chat import ChatReply, ContextTooLong, Message
from orchestrator.propose.llm.recording import Recording, RecordingChat, ReplayChat
from orchestrator.propose.replies.structured import analysis_tool
from orchestrator.propose.roles.model_proposer import ModelProposer
from orchestrator.propose.scripted_models import ScriptedChat
from orchestrator.propose.wiring import ModelAccess, RoleChats, model_side

CODE = 'def trim(df):\n    """Trim."""\n    return df\n'
COST = TokenUsage(calls=1, prompt_tokens=10, completion_tokens=5, cost_usd=0.5, seconds=1.5)
ASKED = [Message("user", "Grüße \ud83d")]
ROWS = pa.table({"city": [f" {n}" for n in range(100)]})


def recorded(path: Path, answers: list[str | ChatReply | ProposalError], *, structured: bool = False) -> RecordingChat:
    return RecordingChat(ScriptedChat(answers, name="m", structured=structured), "proposer", Recording(path))


def test_answers_come_back_in_their_order(tmp_path: Path) -> None:
    """The same prompt asked twice has two answers; a third time there is none left, and none is made up."""
    path = tmp_path / "r.jsonl"
    replies = [ChatReply("one", usage=COST), ChatReply("", tool_arguments="{}", truncated=True, more_arguments=("[]",))]
    chat = recorded(path, list(replies), structured=True)
    given = [chat.complete(ASKED, analysis_tool(Shape.TABLE)) for _ in replies]
    replay = ReplayChat(path, "proposer")
    assert [replay.complete(ASKED, analysis_tool(Shape.TABLE)) for _ in replies] == given == replies
    assert (replay.name, replay.structured) == ("m", True)
    with pytest.raises(ModelRefused, match="no answer to this prompt"):
        replay.complete(ASKED, analysis_tool(Shape.TABLE))


@pytest.mark.parametrize(
    "change", [[Message("user", "other")], [Message("system", ASKED[0].content)], [*ASKED, *ASKED], []]
)
def test_an_unknown_prompt_is_an_error(tmp_path: Path, change: list[Message]) -> None:
    """One word, role or message more or less, or another tool, is another prompt."""
    recorded(tmp_path / "r", ["yes"]).complete(ASKED)
    replay = ReplayChat(tmp_path / "r", "proposer")
    with pytest.raises(ModelRefused, match="no answer to this prompt"):
        replay.complete(change)
    with pytest.raises(ModelRefused, match="no answer to this prompt"):
        replay.complete(ASKED, analysis_tool(Shape.TABLE))
    with pytest.raises(ModelRefused):
        ReplayChat(tmp_path / "r", "tester").complete(ASKED)
    assert replay.complete(ASKED).text == "yes"


def test_a_whole_run_of_a_proposer_is_replayed(tmp_path: Path) -> None:
    """Too long a prompt, an unreadable answer, a good one: the replay goes the same way, with the same account."""
    script: list[str | ChatReply | ProposalError] = [
        ContextTooLong("too long", advice="shorter"), ChatReply("what?", usage=COST), ChatReply(CODE, usage=COST)
    ]  # fmt: skip
    request = ProposalRequest(rows=ROWS, instruction="Trim.")
    first = ModelProposer(recorded(tmp_path / "r", script)).analyse(request)
    again = ModelProposer(ReplayChat(tmp_path / "r", "proposer")).analyse(request)
    assert again == first
    assert again.usage.cost_usd == 1.0
    with pytest.raises(ModelRefused):
        ModelProposer(ReplayChat(tmp_path / "r", "proposer")).analyse(request._replace(instruction="Trim!"))


def test_errors_are_answers_too(tmp_path: Path) -> None:
    """Each comes back as its own class."""
    for number, error in enumerate([ModelUnavailable("down", advice="a"), ModelRefused("no"), ContextTooLong("long")]):
        path = tmp_path / str(number)
        with pytest.raises(type(error)):
            recorded(path, [error]).complete(ASKED)
        with pytest.raises(type(error), match=error.message) as caught:
            ReplayChat(path, "proposer").complete(ASKED)
        assert type(caught.value) is type(error)


def test_the_file_is_its_owners_and_holds_no_key(tmp_path: Path) -> None:
    """Prompts hold data, so nobody else may read them; a second run does not mix with the first, a resumed one adds."""
    path = tmp_path / "r"
    recorded(path, ["yes"]).complete(ASKED)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert set(json.loads(path.read_text(encoding="utf-8"))) == {
        "role", "model", "structured", "prompt", "messages", "reply"
    }  # fmt: skip
    with pytest.raises(UsageError, match="exists already"):
        Recording(path)
    Recording(path, go_on=True).add({"more": 1})
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2


@pytest.mark.parametrize("content", ["", "not json", "[]", '{"reply": {}}', "1\n2", '{"role": "proposer"}'])
def test_what_is_no_recording_is_refused(tmp_path: Path, content: str) -> None:
    """One sentence before anything is started."""
    path = tmp_path / "r"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match="recording"):
        ReplayChat(path, "proposer")
    with pytest.raises(UsageError, match="cannot be read"):
        ReplayChat(tmp_path / "none", "proposer")
    with pytest.raises(OutputError, match="cannot be written"):
        Recording(tmp_path / "no" / "r")


def test_the_model_side_is_wired_to_replay(tmp_path: Path) -> None:
    """`replay:FILE` stands for a model in every role, and masked values are the same under the same key."""
    request = ProposalRequest(rows=ROWS, instruction="Trim.")
    path = tmp_path / "r"
    cast = RoleChats(f"replay:{path}", tester=f"replay:{path}")
    access = ModelAccess(api_key="sk-not-shown")
    assert "sk-not-shown" not in repr(access)
    chat = ScriptedChat([CODE, "<examples>[]</examples>"], name="m")
    recording = Recording(path)

    def by_script(self: ModelAccess, model: str, role: str) -> RecordingChat:
        return RecordingChat(chat, role, recording)  # type: ignore[arg-type] # the roles of wiring

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ModelAccess, "chat", by_script)
        side = model_side(RoleChats("openai/m", tester="openai/t"), access, Budget(), privacy="masked", mask_key="one")
        first = side.analyse(request)
    again = model_side(cast, access, Budget(), privacy="masked", mask_key="one").analyse(request)
    assert again == first
    with pytest.raises(ModelRefused, match="no answer"):
        model_side(cast, access, Budget(), privacy="masked", mask_key="other").analyse(
            request._replace(rows=pa.table({"city": ["Ulm"]}))
        )


def test_profile_privacy_and_probes_exclude_each_other() -> None:
    """Said at once, not in the middle of the run."""
    with pytest.raises(UsageError, match="--privacy profile"):
        model_side(RoleChats("m", probes=2), ModelAccess(), Budget(), privacy="profile")


def test_a_limit_in_money_is_refused_where_no_price_is_known() -> None:
    """Before anything is asked: for a model that nobody knows, for one at an own address, and for any role."""
    paid = Budget(BudgetLimits(max_cost_usd=1.0))
    known = "gpt-4o-mini"
    with pytest.raises(UsageError, match="price of nobody/knows-this"):
        model_side(RoleChats("nobody/knows-this"), ModelAccess(), paid)
    with pytest.raises(UsageError, match="price of nobody/knows-this"):
        model_side(RoleChats(known, tester="nobody/knows-this"), ModelAccess(), paid)
    with pytest.raises(UsageError, match=f"price of {known}"):
        model_side(RoleChats(known), ModelAccess(api_base="http://127.0.0.1:9/v1"), paid)
    assert model_side(RoleChats(known), ModelAccess(), paid).name == known
