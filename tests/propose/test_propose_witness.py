"""The tester as a witness: what it is asked about rows in doubt, what of its answer counts, and who plays it."""

import json

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.errors import ReplyError
from orchestrator.core.privacy import Privacy
from orchestrator.core.proposals import Issue
from orchestrator.core.requests import ProposalRequest, RowInQuestion, WitnessRequest
from orchestrator.model_choice import ModelChoice
from orchestrator.propose.llm.budget import Budget
from orchestrator.propose.llm.chat import ChatReply
from orchestrator.propose.privacy.privacy_view import view_of
from orchestrator.propose.prompting.prompt_context import ContextLimits
from orchestrator.propose.replies.tester_reply import TESTIMONY_TOOL, read_testimony
from orchestrator.propose.roles.model_planner import PlanningProposer
from orchestrator.propose.roles.model_proposer import ModelProposer
from orchestrator.propose.roles.role_client import RoleClient
from orchestrator.propose.roles.tester import ModelTester
from orchestrator.propose.scripted_models import ScriptedChat

ROWS = (RowInQuestion({"price": "12.50", "unit": "EUR"}, ("price",)), RowInQuestion({"price": "7"}, ("price",)))
SOURCE = '"""Prices are texts."""\ndef prices(df):\n    """SECRET_OF_THE_CODE"""\n    return df\n'
REQUEST = WitnessRequest(
    ProposalRequest(rows=pa.table({"price": ["12.50", "7"]}), instruction="Prices in cents."), SOURCE, (), ROWS
)
FIRST = Example(input={"price": "12.50", "unit": "EUR"}, output={"price": 1250})


def proposer(chat: ScriptedChat, privacy: Privacy = "raw") -> ModelProposer:
    asker = RoleClient(chat, "tester", Budget())
    tester = ModelTester(asker, structured=None, privacy="raw", limits=ContextLimits())
    return ModelProposer(chat, view=view_of(privacy, b"key"), witness=tester)


def test_the_witness_sees_the_wish_the_issue_and_the_rows_before() -> None:
    """Not the function, nor what it makes of them; what it costs is in the account of the tester."""
    chat = ScriptedChat(['<testimony>[{"row": 1, "after": {"price": 1250}}]</testimony>'])
    answer = PlanningProposer(proposer(chat), planner=None).testify(REQUEST)  # type: ignore[arg-type]
    assert answer.tests == (FIRST,)
    asked = "\n".join(message.content for message in chat.asked[0].messages)
    for shown in ("Prices in cents.", "Prices are texts.", '"before": {"price": "12.50", "unit": "EUR"}'):
        assert shown in asked
    assert "SECRET_OF_THE_CODE" not in asked
    assert [(e.role, e.usage.calls) for e in answer.exchanges] == [("tester", answer.usage.calls)]


def test_the_witness_is_told_the_columns_of_the_issue_that_the_function_is_about() -> None:
    """Of several functions of one answer each has its own; the first issue's columns stood with all of them."""
    issues = [Issue(id="a", description="Signs", columns=("sign",)), Issue(id="b", description="P", columns=("price",))]
    about = SOURCE.replace("return df", "return df[['price']]")
    for told, wanted in ((issues, '["price"]'), (issues[:1], "[]")):
        chat = ScriptedChat(["<testimony>[]</testimony>"])
        proposer(chat).testify(WitnessRequest(REQUEST.request, about, tuple(told), ROWS))
        asked = "\n".join(message.content for message in chat.asked[0].messages)
        assert f'"columns": {wanted}' in " ".join(asked.split()).replace("[ ", "[").replace(" ]", "]")


@pytest.mark.parametrize(
    "text",
    [
        '[{"row": 1, "after": {"price": 1250}}]',
        '{"rows": [{"row": 1, "after": {"price": 1250}}]}',
        '{"row": 1, "after": {"price": 1250}}',
        'So be it:\n```json\n[{"row": 1, "after": {"price": 1250},}]\n```',
        'Row [1] is in doubt:\n[{"row": "1", "after": {"price": 1250}}]\nSee [1].',
        '[{"row": 1, "after": {"price": 1250, "unit": "EUR"}}, {"row": 9, "after": {"price": 1}}, {"row": 1}]',
        '<testimony>[{"row": 1, "after": {"price": 1}}]</testimony> <testimony>[{"row": 1, "after": {"price": 1250}}]',
        '[{"row": 1, "after": {"price": 1}}, {"row": 1, "after": {"price": 1250}}]',
    ],
)
def test_an_answer_is_read_in_many_forms(text: str) -> None:
    """With or without element, fence and list; as a call of the tool, too."""
    assert read_testimony(ChatReply(text), ROWS) == (FIRST,)
    assert read_testimony(ChatReply("", tool_arguments=json.dumps({"rows": []})), ROWS) == ()
    assert read_testimony(ChatReply("Nothing is certain."), ROWS) == ()
    assert TESTIMONY_TOOL.name == "testimony"


@pytest.mark.parametrize(
    "text",
    [
        "I do not know.",
        '[{"row": 3, "after": {"price": 1}}]',
        '[{"row": true, "after": {"price": 1}}]',
        '[{"row": 1, "after": {"unit": "USD"}}]',
        '[{"row": 1, "after": {}}]',
        '[{"row": 1, "after": {"price": 1%s}}]' % ("0" * 60),
        "[1]",
    ],
)
def test_what_is_about_something_else_is_no_witness(text: str) -> None:
    """Another row, another column, no cell, an impossible number: said to the model, and without effect in the end."""
    with pytest.raises(ReplyError):
        read_testimony(ChatReply(text), ROWS)
    assert proposer(ScriptedChat([text] * 3)).testify(REQUEST).tests == ()


def test_rows_that_may_not_be_shown_are_not_asked_about() -> None:
    """What becomes of a fake says nothing of the row: under masked and profile there is no witness."""
    assert proposer(ScriptedChat([])).has_tester
    hiding: tuple[Privacy, ...] = ("masked", "profile")
    for privacy in hiding:
        hidden = proposer(ScriptedChat([]), privacy)
        assert not hidden.has_tester
        assert hidden.testify(REQUEST).tests == ()


@pytest.mark.parametrize(
    ("tester", "every_proposal", "in_doubt"), [(None, None, "a/model"), ("none", None, None), ("b/model",) * 3]
)
def test_who_plays_the_tester(tester: str | None, every_proposal: str | None, in_doubt: str | None) -> None:
    """The proposer's own model unless another is named, which also tests every proposal; `none` switches it off."""
    choice = ModelChoice(model="a/model", tester=tester)
    assert (choice.named_tester, choice.witness("a/model")) == (every_proposal, in_doubt)


@pytest.mark.parametrize("as_text", [False, True])
def test_a_list_in_a_record_is_shown_and_answered_as_a_list(as_text: bool) -> None:
    """Also where the answer has it as JSON text: the text would be another value, which no function makes."""
    before, after = [{"price": "$5"}], [{"price": "5"}]
    rows = (RowInQuestion({"lines": before}, ("lines",)),)
    said = json.dumps([{"row": 1, "after": {"lines": json.dumps(after) if as_text else after}}])
    chat = ScriptedChat([f"<testimony>{said}</testimony>"])
    answer = proposer(chat).testify(REQUEST._replace(rows=rows))
    assert answer.tests == (Example(input={"lines": before}, output={"lines": after}),)
    assert '"before": {"lines": [{"price": "$5"}]}' in chat.asked[0].messages[-1].content
