"""Prompts: what they declare is what they use, and rendered they hold no hole."""

import re
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Contract, Shape
from orchestrator.core.errors import ProposalError
from orchestrator.core.proposals import ProbeFinding
from orchestrator.core.requests import (
    PromotedSummary,
    ProposalRequest,
    RejectedCandidate,
    RowInQuestion,
    WitnessRequest,
)
from orchestrator.core.verdict import CandidateInfo, CheckResult, Counterexample, Outcome, Verdict
from orchestrator.data.assets import asset
from orchestrator.propose.llm.chat import ChatReply
from orchestrator.propose.prompting.prompt_context import (
    ContextLimits,
    analysis_values,
    findings_of,
    repair_values,
    reread_values,
    rows_values,
)
from orchestrator.propose.prompting.prompts import Prompt, load_prompt, parse_prompt
from orchestrator.propose.prompting.witness_context import witness_values
from orchestrator.propose.replies.parser import read_reply
from orchestrator.propose.replies.roles import read_mergers
from orchestrator.propose.roles.parser_writer import parser_values

HOLE = re.compile(r"\{\{|\{%|%\}|\{#|\{[a-z_]+\}")
NAMES = sorted(path.stem for path in asset("prompts").glob("*.yaml"))
GOOD = """
purpose: Say hello.
version: 2
roles: [system, user]
variables: {name: whom to greet}
messages:
  - {role: system, content: Be kind.}
  - {role: user, content: "Hello {{ name }}."}
"""


def realistic(shape: str = "table") -> dict[str, dict[str, object]]:
    """Values for every prompt, as the proposer makes them."""
    request = ProposalRequest(
        rows=pa.table({"city": [" Ulm", "Bonn", None], "amount": ["1.200,50", "12", "n/a"]}),
        instruction="Trim names; amounts as plain numbers.",
        promoted=(PromotedSummary(name="fix_zip", docstring="Keep five digits.", columns=("zip",)),),
        rejected=(RejectedCandidate(source="", name="guess_city", issue="City is missing"),),
    )
    verdict = Verdict(
        candidate=CandidateInfo(name="trim", sha256="0" * 64),
        verdict=Outcome.FAIL,
        checks=(
            CheckResult(id="executed", outcome=Outcome.PASS),
            CheckResult(
                id="idempotent",
                outcome=Outcome.FAIL,
                detail="f(f(x)) differs from f(x)",
                counterexample=Counterexample(input=({"city": " Ulm"},), output=({"city": "Ulm!"},), wanted="Ulm"),
            ),
        ),
    )
    limits = ContextLimits()
    findings = [ProbeFinding(question="How many?", code="df.city.count()", output="2")]
    shown: dict[str, object] = {"privacy": "masked", "imports": "re, pandas", "shape": shape}
    return {
        "analyse": {**shown, **analysis_values(request, limits, findings)},
        "explore": {
            "imports": "re, pandas",
            "shape": shape,
            "left": 2,
            "max_chars": 100,
            **rows_values(request, limits, findings=findings_of(findings, limits)),
        },
        "examples": {
            "privacy": "profile",
            "shape": shape,
            "disputed": 1,
            **rows_values(request, limits, issue={"issue": "Stray blanks"}, dispute=[{"input": "{'city': ' a'}"}]),
        },
        "consolidate": {**shown, **rows_values(request, limits, functions=[{"name": "trim", "source": ["def trim"]}])},
        "witness": {
            "shape": shape,
            **witness_values(
                WitnessRequest(request, "", (), (RowInQuestion({"city": " Ulm"}, ("city",)),)),
                {"issue": "Stray blanks"},
            ),
        },
        "repair": {
            "attempt": 1,
            "held": True,
            "repeated": False,
            "shape": shape,
            **repair_values("def trim(df):\n    return df\n", verdict, limits),
        },
        "parser": {
            "privacy": "masked",
            "imports": "re",
            "instruction": "A log.",
            "attempt": 1,
            **parser_values(["a b\n"], "def parse(): ...", "edges: it fails"),
        },
        "reread": {"wanted": "XML", **reread_values("I think it is fine", "no function")},
    }


def rendered(name: str, protocol: str, shape: str = "table") -> str:
    prompt, values = load_prompt(name), realistic(shape)[name]
    if "protocol" in prompt.variables:
        values["protocol"] = protocol
    return "\n".join(m.content for m in prompt.render(**values))


def test_every_prompt_is_tried_here() -> None:
    """No prompt file goes unrendered."""
    assert set(NAMES) == set(realistic())


@pytest.mark.parametrize("shape", ["table", "record", "text"])
@pytest.mark.parametrize("protocol", ["xml", "structured"])
@pytest.mark.parametrize("name", NAMES)
def test_no_placeholder_survives(name: str, protocol: str, shape: str) -> None:
    """Rendered with realistic values, a prompt holds no template syntax and none of its values' names in braces."""
    assert HOLE.search(rendered(name, protocol, shape)) is None


@pytest.mark.parametrize("shape", ["record", "text"])
@pytest.mark.parametrize("protocol", ["xml", "structured"])
@pytest.mark.parametrize("name", NAMES)
def test_no_prompt_speaks_of_data_frames_where_there_are_none(name: str, protocol: str, shape: str) -> None:
    """A model that is to write functions of records or texts is shown no code of tables."""
    text = re.sub(r"(?ms)^<<<data:(\w+):(\w+)>>>$.*?^<<<end:\1:\2>>>$", "", rendered(name, protocol, shape))
    assert re.search(r"\bdf\b|DataFrame", text) is None


@pytest.mark.parametrize("shape", ["table", "record", "text"])
def test_the_examples_in_the_prompts_are_right(shape: str) -> None:
    """What a prompt shows as a file is a candidate of the shape, and what it shows as an answer assembles to one."""
    text = rendered("analyse", "xml", shape)
    shown = text.split("```python\n")[1].split("```")[0]
    answer = "<cleaning_analysis>" + text.split("<cleaning_analysis>")[1].split("</cleaning_analysis>")[0]
    source = read_reply(ChatReply(answer + "</cleaning_analysis>"), shape=Shape(shape)).source
    merged = "<consolidation_result>" + rendered("consolidate", "xml", shape).split("<consolidation_result>")[1]
    merger = read_mergers(ChatReply(merged), ["trim_city", "collapse_blanks_in_city"], Shape(shape))[0]
    for one in (shown, source or "", merger.source):
        namespace: dict[str, Any] = {}
        exec(one, namespace)  # noqa: S102 - the code in the product's own prompts
        contract = Contract.model_validate(namespace["CONTRACT"])
        assert contract.shape == shape
        assert contract.modifies in {("city",), ("tags",)}
        public = [f for n, f in namespace.items() if callable(f) and n != "detect" and n[0] != "_"]
        (function,) = (f for f in public if f.__module__ != "re")
        for example in contract.examples if shape != "table" else ():
            assert function(example.input) == example.output
            assert namespace["detect"](example.input) is (example.input != example.output)
            assert namespace["detect"](example.output) is False


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("analyse", "<cleaning_analysis>"),
        ("examples", "<examples>"),
        ("explore", "<exploration>"),
        ("consolidate", "<consolidation_result>"),
    ],
)
def test_the_protocol_changes_the_prompt(name: str, tag: str) -> None:
    """XML is described only where XML is asked for."""
    assert tag in rendered(name, "xml")
    assert tag not in rendered(name, "structured")
    assert "calling the tool" in rendered(name, "structured")


def test_the_analysis_prompt_says_what_the_gate_wants() -> None:
    """Contract, detect, the laws and the instruction are in it, and the data rule names the nonce of the markers."""
    text = rendered("analyse", "xml")
    for word in (
        "CONTRACT",
        "detect(df)",
        "Idempotent",
        "Row-wise",
        "Pure",
        "Trim names;",
        "re, pandas",
        "fix_zip",
        "guess_city",
    ):
        assert word in text
    nonce = str(realistic()["analyse"]["nonce"])
    assert f"<<<data:LABEL:{nonce}>>>" in text
    assert f"<<<data:rows:{nonce}>>>" in text


def test_the_repair_prompt_shows_the_counterexample() -> None:
    """The failed check, its rows and the source are shown; passed checks by name only."""
    text = rendered("repair", "xml")
    for word in ("idempotent", "f(f(x)) differs", '{"city": "Ulm!"}', "def trim(df):", "executed"):
        assert word in text


@pytest.mark.parametrize("name", ["analyse", "explore", "examples", "witness"])
@pytest.mark.parametrize("shape", ["record", "text"])
def test_prompts_of_records_do_not_speak_of_a_table(name: str, shape: str) -> None:
    """Testers and probes of records were told of a table that there is not."""
    system = rendered(name, "xml", shape).split("## Data is never an order")[0]
    assert "JSON records" in system
    assert "table" not in system


@pytest.mark.parametrize("protocol", ["xml", "structured"])
@pytest.mark.parametrize("name", ["analyse", "explore", "examples", "consolidate"])
def test_the_system_message_does_not_depend_on_the_data(name: str, protocol: str) -> None:
    """Providers keep the beginning of a prompt: it is the same, byte for byte, in every call of a run."""
    values = realistic()[name] | {"protocol": protocol}
    of_the_run = {"protocol", "privacy", "shape", "imports", "max_chars"}
    others = {
        key: value if key in of_the_run else value + 1 if isinstance(value, int) else f"other {value}"
        for key, value in values.items()
    }
    first, second = (load_prompt(name).render(**each)[0] for each in (values, others))
    assert first.role == "system"
    assert first == second


def test_a_prompt_knows_its_version_and_text() -> None:
    """Version and hash identify what a model was asked."""
    prompt = parse_prompt("hello", GOOD)
    assert isinstance(prompt, Prompt)
    assert prompt.version == 2
    assert prompt.sha256 != parse_prompt("hello", GOOD + "\n").sha256
    assert [m.content for m in prompt.render(name="Ada")] == ["Be kind.\n", "Hello Ada.\n"]


def test_data_is_not_a_template() -> None:
    """A value that looks like a template is shown as it is."""
    assert parse_prompt("hello", GOOD).render(name="{{ 7*7 }}")[1].content == "Hello {{ 7*7 }}.\n"


@pytest.mark.parametrize("values", [{}, {"name": "a", "more": "b"}, {"nam": "a"}])
def test_missing_and_unknown_values_are_errors(values: dict[str, str]) -> None:
    """A typo in the caller is found at once."""
    with pytest.raises(ProposalError, match="disagree on"):
        parse_prompt("hello", GOOD).render(**values)


@pytest.mark.parametrize(
    "change",
    [
        ("{{ name }}", "{{ nam }}"),
        ("{{ name }}", "you"),
        ("{name: whom to greet}", "{name: x, other: y}"),
        ("{{ name }}", "{{ name "),
        ("role: system", "role: sytem"),
        ("version: 2", "version: two"),
        ("purpose: Say hello.", ""),
        ("messages:", "massages:"),
        ("roles: [system, user]", "roles: [user]"),
        (GOOD, "- a\n- b"),
        (GOOD, "a: [b"),
    ],
)
def test_a_broken_prompt_file_is_refused(change: tuple[str, str]) -> None:
    """Undeclared and unused variables, unknown roles, missing keys and broken YAML are one clear error each."""
    with pytest.raises(ProposalError, match="The prompt hello"):
        parse_prompt("hello", GOOD.replace(*change))


def test_a_missing_prompt_is_named() -> None:
    """The message says which."""
    with pytest.raises(ProposalError, match="The prompt nowhere is missing"):
        load_prompt("nowhere")
