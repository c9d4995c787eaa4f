"""The leak scanner: whatever a role is shown under masked or profile privacy holds no value of the data.

Everything is real but the models and the isolation: candidates that give cells away on purpose are judged by the gate,
probes that print rows are run, and then every message that was sent is searched.
"""

import ast
import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Candidate, Example
from orchestrator.core.jobs import Limits
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sample, SandboxAccess, VerifyRequest
from orchestrator.core.privacy import Privacy
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.proposals import Issue
from orchestrator.core.requests import ConsolidationRequest, ProposalRequest, RepairRequest
from orchestrator.core.verdict import CandidateInfo, CheckResult, Counterexample, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile import decode_entry
from orchestrator.gate.inputs.example_case import WHOSE
from orchestrator.gate.judge import judge_entry
from orchestrator.gate.verifier import Verifier
from orchestrator.propose.llm.budget import Budget
from orchestrator.propose.privacy.gate_words import gate_words
from orchestrator.propose.privacy.privacy_view import view_of
from orchestrator.propose.privacy.vocabulary import WORDS
from orchestrator.propose.prompting.prompt_context import ContextLimits
from orchestrator.propose.roles.explorer import ModelExplorer
from orchestrator.propose.roles.model_planner import ModelPlanner
from orchestrator.propose.roles.model_proposer import ModelProposer
from orchestrator.propose.roles.probing import SandboxProber
from orchestrator.propose.roles.role_client import RoleClient
from orchestrator.propose.roles.tester import ModelTester
from orchestrator.propose.scripted_models import ScriptedChat
from orchestrator.sandbox.containers.local import LocalSandbox

SYLLABLES = (
    "zyx",
    "warth",
    "quell",
    "indor",
    "brim",
    "baxt",
    "fjord",
    "gnomp",
    "hulv",
    "jask",
    "knoll",
    "plim",
    "drusk",
    "vext",
)
RUN = re.compile(r"\d+|[^\W\d_]+")
EXAMPLES = '<examples>[{"input": {"person": " Ab"}, "output": {"person": "Ab"}}]</examples>'


def secret(number: int) -> str:
    one, two, three = (SYLLABLES[number * k % len(SYLLABLES)] for k in (3, 5, 11))
    return f"{one}{two}{three}{SYLLABLES[number // 14 % 14]}".capitalize()


def table(start: int, rows: int) -> pa.Table:
    """Rows in which every word and every number is a secret."""
    numbers = range(start, start + rows)
    return pa.table(
        {
            "person": [f" {secret(n)}" if n % 3 else secret(n).upper() for n in numbers],
            "phone": [f"+49 {7_301_117 * (n + 3) % 90_000_000 + 10_000_000}" for n in numbers],
            "account": [73_194_417 * (n + 11) % 900_000_000 + 100_000_000 for n in numbers],
            "salary": [(7_919_311 * (n + 5) % 80_000_000 + 10_000_000) / 4 for n in numbers],
            "born": [dt.date(1931, 1, 1) + dt.timedelta(days=197 * n) for n in numbers],
            "nested": [[secret(n + 7), secret(n + 9)] for n in numbers],
        }
    )


WORKING, HOLDOUT = table(0, 60), table(500, 25)
OWN = Example(input={"person": " Ab"}, output={"person": "Ab"})
LEAKY = {
    "in an exception": "    raise ValueError('cannot read ' + ' / '.join(str(v) for v in df.iloc[-1]))",
    "in a missing key": "    return {}[df['person'].iloc[0]]",
    "in a column name": "    return df.rename(columns={'person': str(df['person'].iloc[0])})",
    "in the name of a type": "    return type(str(df['person'].iloc[0]).strip() + ' 3 rows', (), {})()",
    "in a row that is lost": "    return df.iloc[1:]",
    "in blanked cells": "    out = df.copy()\n    out['person'] = ''\n    return out",
    "in changed cells": "    out = df.copy()\n    out['person'] = out['person'].str[::-1]\n    return out",
    "in other columns": "    out = df.copy()\n    out['born'] = out['person']\n    return out",
    "in numbers": "    raise KeyError(int(df['account'].iloc[0]), float(df['salary'].iloc[1]))",
    "in an order": "    return df.sort_values('person')",
}


def source_of(body: str) -> str:
    head = '"""Persons."""\nCONTRACT = {"shape": "table", "modifies": ["person"]}\n'
    return f'{head}\n\ndef tidy(df):\n    """Tidy."""\n{body}\n'


class Machines(NamedTuple):
    gate: Verifier
    prober: SandboxProber
    verdicts: dict[str, Verdict]


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    with (
        LocalSandbox() as sandbox,
        DisposableProcess(judge_entry.ENTRY) as judge,
        DisposableProcess(decode_entry.ENTRY) as decoder,
    ):
        policy = Policy(limits=Limits(wall_s=60, cpu_s=3))
        gate = Verifier(sandbox, judge, policy, seed=lambda: 7)
        user = Example(input={"person": WORKING.column("person")[3].as_py()}, output={"person": secret(777)})
        examples = (user, OWN)
        sample = Sample(WORKING, HOLDOUT)
        verdicts = {
            name: gate.verify(VerifyRequest(source_of(body), sample, examples=examples)) for name, body in LEAKY.items()
        }
        yield Machines(gate, SandboxProber(SandboxAccess(sandbox, decoder, policy.limits)), verdicts)


def sent(chats: list[ScriptedChat]) -> str:
    return "\n".join(m.content for chat in chats for asked in chat.asked for m in asked.messages)


def runs_of(text: str) -> set[str]:
    return {run.lower() for run in RUN.findall(text)}


def leaks(text: str, *tables: pa.Table) -> set[str]:
    """Words and numbers of the data that stand in the text, also in other case and as parts of words."""
    cells = {str(c) for t in tables for column in t.columns for c in column.to_pylist()}
    telling = {run for cell in cells for run in runs_of(cell) if len(run) >= 7}
    assert len(telling) > 200
    flat = text.lower()
    dates = {str(c) for t in tables for c in t.column("born").to_pylist()}
    return {run for run in telling | dates if run in flat}


def run_everything(privacy: Privacy, machines: Machines) -> list[ScriptedChat]:
    """Every way in which something of the data can reach a model; all that the models were asked."""
    view = view_of(privacy, b"key of the test")
    probes = [
        "<exploration><question>?</question><code>print(df.to_string())</code></exploration>",
        "<exploration><code>raise ValueError(df.iloc[0].to_dict())</code></exploration>",
        "<exploration><code>print(list(df['person'].str.encode('utf-8')), list(df['account']))</code></exploration>",
    ]
    explorers, testers, planners = ScriptedChat(probes), ScriptedChat([EXAMPLES] * 40), ScriptedChat(["nothing"] * 3)
    sources = {name: source_of(body) for name, body in LEAKY.items()}
    answers = [f"```python\n{s}```" for s in sources.values()]
    proposers = ScriptedChat(["What? " + answers[0], *answers, *answers, *answers])
    budget, limits = Budget(), ContextLimits(rows=30 if view.rows_shown else 0)
    proposer = ModelProposer(
        proposers,
        budget=budget,
        limits=limits,
        view=view,
        explorer=ModelExplorer(
            RoleClient(explorers, "explorer", budget),
            machines.prober,
            probes=3,
            structured=None,
            imports=("re",),
            limits=limits,
        ),
        tester=ModelTester(RoleClient(testers, "tester", budget), structured=None, privacy=privacy, limits=limits),
    )
    request = ProposalRequest(rows=WORKING, instruction="Tidy the persons.")
    proposer.analyse(request)
    issues = (Issue(id="1", description="x"),)
    for name, source in sources.items():
        assert machines.verdicts[name].verdict is Outcome.FAIL
        proposer.repair(RepairRequest(request, source, source, machines.verdicts[name], issues=issues))
    name = "in changed cells"
    shown = Counterexample(input=(OWN.input,), output=({"person": "bA"},), wanted="Ab")
    failed = CheckResult(id="examples", outcome=Outcome.FAIL, detail="example 2 does not hold", counterexample=shown)
    disputing = machines.verdicts[name].model_copy(update={"checks": (*machines.verdicts[name].checks, failed)})
    proposer.repair(RepairRequest(request, sources[name], "", disputing, tests=(OWN,)))
    promoted = [_promoted(f"f{n}", source_of(body).replace("tidy(", f"f{n}(")) for n, body in enumerate(LEAKY.values())]
    planner = ModelPlanner(RoleClient(planners, "planner", budget), view=view)
    with pytest.raises(Exception, match="unreadable answers"):
        planner.consolidate(ConsolidationRequest(tuple(promoted), WORKING, "Tidy the persons."))
    return [explorers, testers, planners, proposers]


def _promoted(name: str, source: str) -> Promoted:
    candidate = Candidate(source=source, name=name)
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="x")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC))


def test_the_scanner_finds_what_raw_privacy_shows(machines: Machines) -> None:
    """The positive control: without masking the same conversations are full of values, from each role."""
    for chat in run_everything("raw", machines):
        assert len(leaks(sent([chat]), WORKING, HOLDOUT)) > 10


@pytest.mark.parametrize("privacy", ["masked", "profile"])
def test_nothing_of_the_data_reaches_a_model(privacy: Privacy, machines: Machines) -> None:
    """Prompts, counterexamples, error texts, probe output, examples and plans: no word, number or date of any cell."""
    chats = run_everything(privacy, machines)
    assert leaks(sent(chats), WORKING, HOLDOUT) == set()
    explorers, testers, planners, proposers = chats
    assert len(explorers.asked) == (3 if privacy == "masked" else 0)
    assert len(testers.asked) == 2  # for the first candidate, and when its example was disputed
    assert len(planners.asked) == 3
    assert len(proposers.asked) >= len(LEAKY) + 2
    assert ("rows as the data" in sent(chats)) is False


def test_masked_feedback_still_says_what_is_wrong(machines: Machines) -> None:
    """The check, the law, Python's message and the counterexample are there, with the fakes that the rows had."""
    view = view_of("masked", b"key of the test")
    source = source_of("    return df.assign(person=[float(v) for v in df['person']])")
    verdict = machines.gate.verify(VerifyRequest(source, Sample(WORKING, HOLDOUT)))
    shown = view.verdict(verdict, view.table(WORKING), source)
    detail = " ".join(check.detail for check in shown.failures)
    assert "it raised on" in detail
    assert "ValueError: could not convert string to float" in detail
    quoted = re.search(r"float: '(.*?)'", detail)
    assert quoted is not None
    assert quoted.group(1).strip() in [v.strip() for v in view.table(WORKING).column("person").to_pylist()]


def test_a_models_own_example_is_shown_as_it_wrote_it() -> None:
    """An example that stands in the candidate is the model's invention; a user's example is not."""
    view = view_of("masked", b"key of the test")
    source = 'CONTRACT = {"examples": [{"input": {"person": " Invented"}, "output": {"person": "Invented"}}]}'
    for name, kept in ((" Invented", True), (" Quellwarth", False)):
        shown = Counterexample(input=({"person": name},), output=({"person": name},), wanted=f"{{'person': {name!r}}}")
        check = CheckResult(id="examples", outcome=Outcome.FAIL, detail="example 1 does not hold", counterexample=shown)
        verdict = Verdict(candidate=CandidateInfo(name="f", sha256=""), verdict=Outcome.FAIL, checks=(check,))
        counterexample = view.verdict(verdict, pa.table({"person": ["Xy"]}), source).checks[0].counterexample
        assert counterexample is not None
        assert (counterexample.input == shown.input) is kept
        assert (name.strip() in counterexample.wanted) is kept


@pytest.mark.parametrize("privacy", ["masked", "profile"])
@pytest.mark.parametrize("whose", WHOSE.values())
def test_whose_example_failed_is_said_in_whole_words(privacy: Privacy, whose: str) -> None:
    """Masking leaves the gate's own words, and takes no letter of them for one of a cell."""
    check = CheckResult(id="examples", outcome=Outcome.FAIL, detail=f"{whose} (number 1) does not hold")
    verdict = Verdict(candidate=CandidateInfo(name="f", sha256=""), verdict=Outcome.FAIL, checks=(check,))
    masked = view_of(privacy, b"key of the test").verdict(verdict, pa.table({"person": ["Xy"]}), "def f(df): ...")
    assert masked.checks[0].detail == f"{whose} (number #) does not hold"


@pytest.mark.parametrize("privacy", ["masked", "profile"])
def test_a_candidate_cannot_tell_what_it_remembers(privacy: Privacy, machines: Machines) -> None:
    """Cells that come out for an example of the model's own are disguised, for the proposer and for the tester."""
    body = (
        "    out = df.copy()\n    _SEEN.extend(map(str, df['person']))\n"
        "    out['person'] = out['person'].map(lambda v: '; '.join(_SEEN)[:90] if v == ' Ab' else v)\n    return out"
    )
    source = source_of(body).replace("\n\n\ndef", "\n_SEEN = []\n\n\ndef")
    view = view_of(privacy, b"key of the test")
    verdict = machines.gate.verify(VerifyRequest(source, Sample(WORKING, HOLDOUT), examples=(OWN,)))
    assert leaks(str([c.counterexample for c in verdict.failures]), WORKING)  # it does remember
    proposers, testers = ScriptedChat([f"```python\n{source}```"]), ScriptedChat([EXAMPLES])
    limits = ContextLimits(rows=0)
    tester = ModelTester(RoleClient(testers, "tester", Budget()), structured=None, privacy=privacy, limits=limits)
    proposer = ModelProposer(proposers, view=view, tester=tester)
    proposer.repair(RepairRequest(ProposalRequest(rows=WORKING), source, source, verdict, tests=(OWN,)))
    assert len(testers.asked) == 1
    assert leaks(sent([proposers, testers]), WORKING, HOLDOUT) == set()


@pytest.mark.parametrize("privacy", ["masked", "profile"])
def test_cells_cannot_be_spelt_out_in_symbols(privacy: Privacy) -> None:
    """Signs that nobody has written before become one sign, in cells and in messages; a message is cut."""
    view, spelt = view_of(privacy, b"k"), "".join(chr(0x2800 + ord(c)) for c in "Zyxwarth")
    shown = Counterexample(input=({"person": "Ab \u20ac"},), output=({"person": f"\u20ac {spelt}"},), wanted=spelt)
    check = CheckResult(id="executed", outcome=Outcome.FAIL, detail=spelt + " or and" * 500, counterexample=shown)
    verdict = Verdict(candidate=CandidateInfo(name="f", sha256=""), verdict=Outcome.FAIL, checks=(check,))
    told = view.verdict(verdict, pa.table({"person": ["Xy"]}), "def f(df): pass").checks[0]
    assert told.counterexample is not None
    assert told.counterexample.output[0]["person"].startswith("\u20ac")
    assert not set(spelt) & set(str(told))
    assert len(told.detail) <= 200


def test_a_profile_keeps_types_counts_and_patterns() -> None:
    """No row and no value, but what each column looks like; the model is told so."""
    chat = ScriptedChat(["<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"])
    ModelProposer(chat, view=view_of("profile", b"k")).analyse(ProposalRequest(rows=WORKING))
    text = sent([chat])
    assert '"type": "int64"' in text
    assert '"type": "date32[day]"' in text
    assert '[" Aaaa+", 40]' in text
    assert "0 of these rows" in text
    assert "you see the patterns of the cells and no row" in text
    assert '"frequent"' not in text


def test_the_words_that_stay_cover_the_gates_messages() -> None:
    """Every word of the checks' messages is in the list, or masked feedback would turn into riddles."""
    folder = Path(__file__).parents[2] / "orchestrator" / "gate" / "checks"
    words: set[str] = set()
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("Violation", "failed", "_violation")):
                texts = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
                words |= {word for text in texts for word in re.findall(r"[a-z]{2,}", text)}
    assert len(words) > 100
    assert words - WORDS - gate_words() == set()
