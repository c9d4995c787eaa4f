"""Explorer, tester and planner: what they are shown, what becomes of their answers, and that each may be missing."""

import datetime as dt
import json

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Candidate, Example, Shape
from orchestrator.core.errors import ModelUnavailable, ProposalError, ReplyError
from orchestrator.core.exchanges import usage_by_role
from orchestrator.core.ports import Planner
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.proposals import Analysis, Issue
from orchestrator.core.requests import ConsolidationRequest, ProposalRequest, RepairRequest
from orchestrator.core.steps import AnalysisStep, AnyStep
from orchestrator.core.verdict import CandidateInfo, CheckResult, Counterexample, Outcome, Verdict
from orchestrator.propose.llm.budget import Budget
from orchestrator.propose.llm.chat import ChatReply
from orchestrator.propose.prompting.prompt_context import ContextLimits
from orchestrator.propose.replies.roles import (
    EXAMPLES_TOOL,
    PROBE_TOOL,
    Probe,
    consolidation_tool,
    read_examples,
    read_mergers,
    read_probe,
)
from orchestrator.propose.roles.explorer import ModelExplorer
from orchestrator.propose.roles.model_planner import ModelPlanner, PlanningProposer
from orchestrator.propose.roles.model_proposer import ModelProposer
from orchestrator.propose.roles.role_client import RoleClient
from orchestrator.propose.roles.tester import ModelTester
from orchestrator.propose.scripted_models import ScriptedChat

SOURCE = """'''City names carry stray blanks.'''


def trim(df):
    '''Trim.'''
    SECRET_OF_THE_CODE = 1
    return df
"""
TEST = Example(input={"city": " Ulm"}, output={"city": "Ulm"})
TESTS = '<examples>[{"input": {"city": " Ulm"}, "output": {"city": "Ulm"}}]</examples>'
FUNCTION = {"name": "tidy", "docstring": "Tidy.", "columns": ["city"], "code": "def tidy(df):\n    return df\n"}
MERGER = """<consolidation_result><merger><replaces>["a", "b"]</replaces><function_to_generate><name>tidy</name>
<docstring>Tidy.</docstring><columns>["city"]</columns><code><![CDATA[
def tidy(df):
    return df
]]></code></function_to_generate></merger></consolidation_result>"""
REQUEST = ProposalRequest(rows=pa.table({"city": [" Ulm", "Bonn"]}), instruction="Trim.")


class Prober:
    """Answers probes from its own memory."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def run(self, code: str, rows: pa.Table) -> str:
        self.asked.append(code)
        return f"PRINTED {rows.num_rows}"


def by_tester(chat: ScriptedChat) -> ModelTester:
    return ModelTester(RoleClient(chat, "tester", Budget()), structured=None, privacy="raw", limits=ContextLimits())


def explorer(chat: ScriptedChat, prober: Prober, probes: int = 3) -> ModelExplorer:
    asker = RoleClient(chat, "explorer", Budget())
    return ModelExplorer(asker, prober, probes=probes, structured=None, imports=("re",), limits=ContextLimits())


def text_of(chat: ScriptedChat, number: int = -1) -> str:
    return "\n".join(m.content for m in chat.asked[number].messages)


def verdict(*checks: CheckResult) -> Verdict:
    return Verdict(candidate=CandidateInfo(name="trim", sha256="0"), verdict=Outcome.FAIL, checks=checks)


def disputed(made: str = "ULM") -> CheckResult:
    shown = Counterexample(input=(TEST.input,), output=({"city": made},), wanted="{'city': 'Ulm'}")
    return CheckResult(id="examples", outcome=Outcome.FAIL, detail="example 1 does not hold", counterexample=shown)


def repair(*checks: CheckResult) -> RepairRequest:
    issues = (Issue(id="1", description="Blanks", columns=("city",)),)
    return RepairRequest(REQUEST, SOURCE, SOURCE, verdict(*checks), issues=issues, tests=(TEST,))


def test_the_tester_sees_issue_and_rows_but_not_the_code() -> None:
    """Its examples come with the analysis, and its question is in the account under its name."""
    chat = ScriptedChat([TESTS])
    analysis = ModelProposer(ScriptedChat([SOURCE]), tester=by_tester(chat)).analyse(REQUEST)
    assert analysis.tests == (TEST,)
    assert "City names carry stray blanks" in text_of(chat)
    assert '" Ulm"' in text_of(chat)
    assert "SECRET_OF_THE_CODE" not in text_of(chat)
    assert [e.role for e in analysis.exchanges] == ["proposer", "tester"]


def test_without_a_candidate_nobody_tests() -> None:
    """A clean chunk costs no second question."""
    chat = ScriptedChat([TESTS])
    clean = "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"
    assert ModelProposer(ScriptedChat([clean]), tester=by_tester(chat)).analyse(REQUEST).tests == ()
    assert chat.asked == []


def test_a_tester_that_cannot_write_examples_holds_nothing_back() -> None:
    """Three unreadable answers cost three questions, all accounted, and the candidate goes on without tests."""
    analysis = ModelProposer(ScriptedChat([SOURCE]), tester=by_tester(ScriptedChat(["no"] * 3))).analyse(REQUEST)
    assert analysis.source is not None
    assert analysis.tests == ()
    assert [e.error is None for e in analysis.exchanges] == [True, False, False, False]


def test_a_corrected_test_brings_the_same_candidate_back() -> None:
    """Where only the tester was wrong, the proposer is not asked, and the candidate is judged by what is left."""
    corrected = '<examples>[{"input": {"city": " Ulm"}, "output": {"city": "ULM"}}]</examples>'
    chat, proposer_chat = ScriptedChat([corrected]), ScriptedChat([])
    answer = ModelProposer(proposer_chat, tester=by_tester(chat)).repair(repair(disputed()))
    assert answer.source == SOURCE
    assert [t.output for t in answer.tests] == [{"city": "ULM"}]
    assert answer.issues
    assert proposer_chat.asked == []
    assert '"the_function_made": {"city": "ULM"}' in text_of(chat)
    assert "SECRET_OF_THE_CODE" not in text_of(chat)


def test_a_withdrawn_test_is_gone() -> None:
    """An empty list takes all examples back."""
    answer = ModelProposer(ScriptedChat([]), tester=by_tester(ScriptedChat(["<examples>[]</examples>"]))).repair(
        repair(disputed())
    )
    assert (answer.source, answer.tests) == (SOURCE, ())


@pytest.mark.parametrize("answers", [[TESTS], ["no"] * 3])
def test_a_test_that_stands_goes_back_to_the_proposer(answers: list[str]) -> None:
    """A tester that insists, or that cannot be read, keeps its examples; the proposer is shown the disagreement."""
    proposer_chat = ScriptedChat(["def better(df):\n    return df.copy()\n"])
    answer = ModelProposer(proposer_chat, tester=by_tester(ScriptedChat(list(answers)))).repair(repair(disputed()))
    assert answer.source is not None
    assert "def better" in answer.source
    assert answer.tests == (TEST,)
    assert "example 1 does not hold" in text_of(proposer_chat)


def test_other_failures_do_not_bother_the_tester() -> None:
    """Only what its examples are about goes back to it; its tests go on with the repair."""
    chat = ScriptedChat([])
    failed = CheckResult(id="pure", outcome=Outcome.FAIL, detail="it prints")
    answer = ModelProposer(ScriptedChat([SOURCE]), tester=by_tester(chat)).repair(repair(failed))
    assert answer.tests == (TEST,)
    assert chat.asked == []


def test_a_tester_that_is_gone_is_an_error_with_its_account() -> None:
    """A model that cannot be reached is no answer; what was paid until then is in the error."""
    proposer = ModelProposer(ScriptedChat([SOURCE]), tester=by_tester(ScriptedChat([ModelUnavailable("down")])))
    with pytest.raises(ProposalError, match="down") as caught:
        proposer.analyse(REQUEST)
    assert [(e.role, e.error) for e in caught.value.exchanges] == [("proposer", None), ("tester", "down")]


def test_the_explorer_looks_until_it_has_seen_enough() -> None:
    """Each probe is run on the rows; the next question and the proposer's prompt show what it printed."""
    probes = [f"<exploration><question>Q{n}?</question><code>print({n})</code></exploration>" for n in (1, 2)]
    chat, prober, proposer_chat = ScriptedChat([*probes, "<exploration><done/></exploration>"]), Prober(), None
    proposer_chat = ScriptedChat([SOURCE])
    analysis = ModelProposer(proposer_chat, explorer=explorer(chat, prober)).analyse(REQUEST)
    assert prober.asked == ["print(1)", "print(2)"]
    assert [(f.question, f.output) for f in analysis.findings] == [("Q1?", "PRINTED 2"), ("Q2?", "PRINTED 2")]
    assert "PRINTED 2" in text_of(chat, 1)
    assert "You may run 1 more" in text_of(chat, 2)
    assert "PRINTED 2" in text_of(proposer_chat)
    assert [e.role for e in analysis.exchanges] == ["explorer"] * 3 + ["proposer"]
    assert usage_by_role(analysis.exchanges).keys() == {"explorer", "proposer"}


def test_probes_are_bounded_and_belong_to_the_first_look() -> None:
    """No more probes than allowed; later iterations and repairs read the findings in the chunk's history."""
    chat, prober = ScriptedChat(["<exploration><code>df</code></exploration>"] * 9), Prober()
    proposer_chat = ScriptedChat([SOURCE] * 3)
    proposer = ModelProposer(proposer_chat, explorer=explorer(chat, prober, probes=2))
    first = proposer.analyse(REQUEST)
    assert len(prober.asked) == 2
    step = AnalysisStep(at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC), chunk=0, iteration=1, findings=first.findings)
    history: tuple[AnyStep, ...] = (step,)
    second = proposer.analyse(REQUEST._replace(iteration=2, history=history))
    assert len(prober.asked) == 2
    assert "PRINTED 2" in text_of(proposer_chat)
    assert second.findings == ()


def test_an_explorer_that_cannot_be_read_stops_looking() -> None:
    """The proposal is made without findings."""
    chat = ScriptedChat(["I would rather not."] * 3)
    analysis = ModelProposer(ScriptedChat([SOURCE]), explorer=explorer(chat, Prober())).analyse(REQUEST)
    assert analysis.source is not None
    assert analysis.findings == ()


def test_the_planner_is_shown_the_functions_and_is_a_planner() -> None:
    """Its mergers come back with their account; a proposer becomes a planner by being given one."""
    chat = ScriptedChat([MERGER])
    planner = ModelPlanner(RoleClient(chat, "planner", Budget()))
    proposer = PlanningProposer(ModelProposer(ScriptedChat([SOURCE], name="p")), planner)
    assert isinstance(proposer, Planner)
    assert not isinstance(ModelProposer(ScriptedChat([])), Planner)
    plan = proposer.consolidate(ConsolidationRequest((promoted("a"), promoted("b")), REQUEST.rows, "Trim."))
    assert [m.replaces for m in plan.mergers] == [("a", "b")]
    assert "def tidy(df):" in plan.mergers[0].source
    assert plan.reply == MERGER
    assert [e.role for e in plan.exchanges] == ["planner"]
    assert "SOURCE OF a" in text_of(chat)
    assert proposer.name == "p"
    assert isinstance(proposer.analyse(REQUEST), Analysis)


def promoted(name: str) -> Promoted:
    candidate = Candidate(source=f"# SOURCE OF {name}", name=name)
    info = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=info, policy_sha256="", proposer="x")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC))


def tool(value: object) -> ChatReply:
    return ChatReply("", tool_arguments=value if isinstance(value, str) else json.dumps(value))


@pytest.mark.parametrize(
    ("reply", "count"),
    [
        (ChatReply(TESTS), 1),
        (ChatReply("<think>[1]</think>Sure:\n```json\n" + TESTS[10:-11] + "\n```"), 1),
        (ChatReply("Here they are: " + TESTS[10:-11] + " Good luck!"), 1),
        (ChatReply("<examples>\n```json\n" + TESTS[10:-11] + "\n```\n</examples>"), 1),
        (ChatReply(TESTS.removesuffix("</examples>")), 1),
        (ChatReply("<examples></examples>"), 0),
        (tool({"examples": [TEST.model_dump()] * 20}), 8),
        (tool([TEST.model_dump()]), 1),
        (tool({"examples": []}), 0),
        (tool({"examples": [{"input": {"city": "a"}, "output": None}, {"before": {"city": "a"}, "after": {}}]}), 1),
    ],
)
def test_examples_are_read(reply: ChatReply, count: int) -> None:
    """In either protocol, in a fence, in prose, cut off at the end, and none at all."""
    assert len(read_examples(reply, ["city"])) == count


def test_the_last_examples_count_and_those_of_other_columns_do_not() -> None:
    """A draft before them is none, and an example that cannot be used does not cost the others."""
    pair = '{"input": {"COLUMN": "VALUE"}, "output": {"COLUMN": "x"}}'
    draft, last, other = (
        pair.replace("COLUMN", c).replace("VALUE", v) for c, v in (("city", "a"), ("city", "b"), ("q", "c"))
    )
    reply = ChatReply(f"<examples>[{draft}]</examples> Better:\n<examples>[{last}, {other}]</examples>")
    assert [one.input for one in read_examples(reply, ["city"])] == [{"city": "b"}]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (ChatReply(""), "empty"),
        (ChatReply("I cannot."), "no JSON list"),
        (ChatReply("[1, 2"), "JSON"),
        (ChatReply("<examples>[1, 2]</examples>"), "No example has the form"),
        (tool({"examples": [{"input": {"town": "a"}, "output": {"town": "b"}}]}), "town"),
        (tool({"examples": [{"input": {"city": 10**50}, "output": {"city": 1}}]}), "no column can hold"),
        (ChatReply("x" * 1_000_001), "1000001 characters"),
    ],
)
def test_what_are_no_examples_is_said(reply: ChatReply, words: str) -> None:
    """The tester is told what is wrong."""
    with pytest.raises(ReplyError, match=words):
        read_examples(reply, ["city"])


@pytest.mark.parametrize(
    ("reply", "probe"),
    [
        (ChatReply("<exploration><question>a  b?</question><code>df</code></exploration>"), Probe("a b?", "df")),
        (ChatReply("<code><![CDATA[\nprint(1 < 2)\n]]></code>"), Probe("", "print(1 < 2)")),
        (ChatReply("Let me look:\n```python\nprint(1)\n```"), Probe("", "print(1)")),
        (ChatReply("<think>hm</think><exploration><done/></exploration>"), None),
        (ChatReply("I have seen enough."), None),
        (tool({"question": "q", "code": "df.head()"}), Probe("q", "df.head()")),
        (tool({"code": ["a = 1", "a"]}), Probe("", "a = 1\na")),
        (tool({"done": True}), None),
    ],
)
def test_probes_are_read(reply: ChatReply, probe: Probe | None) -> None:
    """In either protocol, with or without a question; enough is enough."""
    assert read_probe(reply) == probe


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (ChatReply("Hello."), "neither code"),
        (ChatReply("<code>print(</code>"), "not valid Python"),
        (tool([1]), "JSON"),
    ],
)
def test_what_is_no_probe_is_said(reply: ChatReply, words: str) -> None:
    """The explorer is told what is wrong."""
    with pytest.raises(ReplyError, match=words):
        read_probe(reply)


@pytest.mark.parametrize(
    ("reply", "count"),
    [
        (ChatReply(MERGER), 1),
        (ChatReply(f"```xml\n{MERGER}\n```"), 1),
        (ChatReply("<consolidation_result></consolidation_result>"), 0),
        (tool({"mergers": [{"replaces": ["a", "b", "zzz"], "function": FUNCTION}]}), 1),
        (tool({"mergers": []}), 0),
        (ChatReply(json.dumps({"mergers": [{"replaces": "a, b", "function": FUNCTION}]})), 1),
    ],
)
def test_mergers_are_read(reply: ChatReply, count: int) -> None:
    """In either protocol; names that are not in the list are left out, and none is a fine answer."""
    mergers = read_mergers(reply, ["a", "b", "c"])
    assert [m.replaces for m in mergers] == [("a", "b")] * count
    assert all("def tidy(df):" in m.source for m in mergers)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (ChatReply("Nothing to do."), "no <consolidation_result>"),
        (tool({"mergers": [{"replaces": ["a", "x"], "function": FUNCTION}]}), "at least two"),
        (tool({"mergers": [{"replaces": ["a", "b"], "function": {"name": "x"}}]}), "holds one function"),
        (tool({"mergers": "none"}), "no list of mergers"),
        (ChatReply(MERGER[: MERGER.index("return")]), "cut off"),
        (ChatReply("<!DOCTYPE a>" + MERGER), "document type"),
    ],
)
def test_what_is_no_merger_is_said(reply: ChatReply, words: str) -> None:
    """The planner is told what is wrong."""
    with pytest.raises(ReplyError, match=words):
        read_mergers(reply, ["a", "b", "c"])


def test_roles_answer_by_tools_where_the_model_can() -> None:
    """A model that calls tools is given the tool of its role."""
    chat = ScriptedChat([tool({"done": True}), tool({"examples": []}), tool({"mergers": []})], structured=True)
    explorer(chat, Prober()).explore(REQUEST, [])
    by_tester(chat).examples(REQUEST, SOURCE, (), [])
    ModelPlanner(RoleClient(chat, "planner", Budget())).consolidate(
        ConsolidationRequest((promoted("a"), promoted("b")), REQUEST.rows)
    )
    assert [asked.schema for asked in chat.asked] == [PROBE_TOOL, EXAMPLES_TOOL, consolidation_tool(Shape.TABLE)]
