"""Proposals of functions of records and texts: what a model sees of nested values, what becomes of its reply."""

import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Candidate, Example, Shape
from orchestrator.core.errors import ReplyError
from orchestrator.core.jobs import Limits
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.privacy import Privacy
from orchestrator.core.requests import ProposalRequest, RepairRequest
from orchestrator.core.verdict import CandidateInfo, CheckResult, Counterexample, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile import decode_entry
from orchestrator.data.record_tables import records_of, row_of, table_of
from orchestrator.gate import candidate_file
from orchestrator.propose.llm.chat import ChatReply
from orchestrator.propose.privacy.privacy_view import view_of
from orchestrator.propose.prompting.prompt_context import ContextLimits, analysis_values
from orchestrator.propose.replies.parser import read_reply
from orchestrator.propose.roles.model_proposer import ModelProposer
from orchestrator.propose.roles.probing import SandboxProber
from orchestrator.propose.roles.tester import disputed_tests
from orchestrator.propose.scripted_models import ScriptedChat
from orchestrator.sandbox.containers.local import LocalSandbox

CLEAN = "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"
XML = """<cleaning_analysis><function_to_generate><columns>["{column}"]</columns>
<detector><![CDATA[{detector}]]></detector><code><![CDATA[{code}]]></code>
<examples>{examples}</examples></function_to_generate></cleaning_analysis>"""
RECORD = 'def tidy(record):\n    """Tidy."""\n    return record'
TEXT = 'def tidy(text):\n    """Tidy."""\n    return text.strip()'


def table(*records: dict[str, Any]) -> pa.Table:
    names = dict.fromkeys(name for record in records for name in record)
    return table_of([row_of(record) for record in records], names)


def block(values: dict[str, object], label: str) -> Any:
    """The JSON between a block's marker lines."""
    return json.loads("\n".join(str(values[label]).split("\n")[1:-1]))


def reply(protocol: str, shape: Shape, **parts: Any) -> ChatReply:
    """The same answer in either protocol."""
    if protocol == "xml":
        return ChatReply(XML.format(**{**parts, "examples": json.dumps(parts["examples"])}))
    function = {"columns": [parts["column"]], **{k: parts[k] for k in ("detector", "code", "examples")}}
    answer = {"issues_detected": [], "chunk_status": "needs_work", "function": function}
    return ChatReply("", tool_arguments=json.dumps(answer))


@pytest.mark.parametrize("protocol", ["xml", "structured"])
def test_a_reply_becomes_a_function_of_records(protocol: str) -> None:
    """The contract has the run's shape, nested examples and all; an expression is a detector of `record`."""
    examples = [{"input": {"tags": [" a", {"b": 1}]}, "output": {"tags": ["a", {"b": 1}]}}]
    answer = reply(
        protocol, Shape.RECORD, column="tags", code=RECORD, detector='record.get("tags") == 1', examples=examples
    )
    candidate = candidate_file.read(read_reply(answer, shape=Shape.RECORD).source or "")
    assert candidate.contract.shape is Shape.RECORD
    assert candidate.contract.modifies == ("tags",)
    assert [example.model_dump() for example in candidate.contract.examples] == examples
    assert "def detect(record):" in candidate.source


@pytest.mark.parametrize("protocol", ["xml", "structured"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_a_reply_becomes_a_function_of_texts(protocol: str, wrapped: bool) -> None:
    """Examples are texts, also where the model has written the column beside them."""
    pair: Any = (
        {"input": {"city": " Ulm"}, "output": {"city": "Ulm"}} if wrapped else {"input": " Ulm", "output": "Ulm"}
    )
    answer = reply(protocol, Shape.TEXT, column="city", code=TEXT, detector="text != text.strip()", examples=[pair])
    candidate = candidate_file.read(read_reply(answer, shape=Shape.TEXT).source or "")
    assert candidate.contract.shape is Shape.TEXT
    assert candidate.contract.examples == (Example(input=" Ulm", output="Ulm"),)
    assert "def detect(text):" in candidate.source


def test_bare_code_gets_the_shape_of_the_run() -> None:
    """A function without any claim is a record function where one was asked for."""
    source = read_reply(ChatReply(f"```python\n{RECORD}\n```"), shape=Shape.RECORD).source
    assert candidate_file.read(source or "").contract.shape is Shape.RECORD


def test_a_wrong_detector_is_explained_in_the_words_of_the_shape() -> None:
    """The message for the model names `record` and True or False."""
    answer = reply("xml", Shape.RECORD, column="a", code=RECORD, detector="x = 1", examples=[])
    with pytest.raises(ReplyError, match=r"def detect\(record\).*True or False"):
        read_reply(answer, shape=Shape.RECORD)


@pytest.mark.parametrize(("shape", "side"), [(Shape.RECORD, "object"), (Shape.TEXT, "string")])
def test_the_tool_fits_the_shape(shape: Shape, side: str) -> None:
    """Examples are objects or texts, and nobody is offered to drop rows."""
    chat = ScriptedChat([CLEAN], structured=True)
    ModelProposer(chat).analyse(ProposalRequest(rows=table({"a": [1]}), shape=shape))
    schema = chat.asked[0].schema
    assert schema is not None
    function = schema.parameters["properties"]["function"]["properties"]
    assert function["examples"]["items"]["properties"]["input"] == {"type": side}
    assert f"def detect({shape})" in function["detector"]["description"]
    assert "drops_rows" not in json.dumps(schema.parameters)


def test_records_are_shown_as_natural_json() -> None:
    """Nested values as they stand, a missing key missing, and every place profiled with the kinds of its values."""
    records: list[dict[str, Any]] = [
        {"id": 1, "to": {"city": " Ulm", "zip": None}},
        {"id": "1", "to": {"city": "Bonn"}, "tags": ["x", 2.5]},
    ]
    values = analysis_values(ProposalRequest(rows=table(*records), shape=Shape.RECORD), ContextLimits())
    assert block(values, "rows") == {"records": records}
    places = {place["place"]: place for place in block(values, "columns")}
    assert list(places) == ["id", "to", "to.city", "tags[]", "to.zip", "tags"]
    assert places["id"]["kinds"] == {"int": 1, "text": 1}
    assert places["to.city"]["frequent"] == [[" Ulm", 1], ["Bonn", 1]]
    assert (places["to.zip"]["kinds"], places["to.zip"]["missing"]) == ({"null": 1}, 1)
    assert places["tags[]"]["kinds"] == {"text": 1, "float": 1}
    assert "missing" not in places["tags[]"]
    assert places["tags"]["missing"] == 1


def test_odd_keys_are_places_like_others() -> None:
    """Empty keys, and keys with a dot that look like paths, break no count."""
    rows = table({"": {"": 1}, "a.b": 1, "a": {"b": 2}}, {"": {}, "a.b": None}, {"a": {"b": 1}})
    told = block(analysis_values(ProposalRequest(rows=rows, shape=Shape.RECORD), ContextLimits()), "columns")
    assert {place["place"]: place.get("missing", 0) for place in told} == {"": 1, ".": 1, "a": 1, "a.b": 0}


def test_functions_of_texts_are_shown_the_outermost_places_only() -> None:
    """No text in a list or object reaches them."""
    request = ProposalRequest(rows=table({"city": " Ulm", "tags": [" x"]}), shape=Shape.TEXT)
    assert [p["place"] for p in block(analysis_values(request, ContextLimits()), "columns")] == ["city", "tags"]


@pytest.mark.parametrize(
    "record",
    [
        {"a": [["x" * 50] * 60] * 60},
        {"a": {f"k{n}": {f"l{m}": "y" * 300 for m in range(20)} for n in range(60)}},
        {f"k{n}": {"z" * 2000: [n] * 100} for n in range(150)},
        {"a": json.loads('{"a":' * 90 + "1" + "}" * 90)},
    ],
    ids=["long lists", "wide objects", "many keys", "deep"],
)
def test_what_is_shown_stays_small(record: dict[str, Any]) -> None:
    """Records of any size and depth make a prompt that fits, and say that they are cut."""
    values = analysis_values(ProposalRequest(rows=table(*[record] * 5), shape=Shape.RECORD), ContextLimits())
    assert sum(len(str(value)) for value in values.values()) < 32_000
    assert "…" in str(values["rows"])


def test_a_repair_says_how_nested_values_are_written() -> None:
    """Counterexamples hold lists and objects as JSON text, and the model is told so."""
    check = CheckResult(id="edges", outcome=Outcome.FAIL, detail="KeyError")
    verdict = Verdict(candidate=CandidateInfo(name="f", sha256="0"), verdict=Outcome.FAIL, checks=(check,))
    chat = ScriptedChat([CLEAN])
    request = ProposalRequest(rows=table({"a": [1]}), shape=Shape.RECORD)
    ModelProposer(chat).repair(RepairRequest(request, source=RECORD, reply="", verdict=verdict))
    assert "written as its JSON text" in chat.asked[0].messages[-1].content


SECRETS = ["Zyxwarth", "Quellbrim", "zyx@hulv.org", "4711908", "Gnompton", "1789.25"]


def patients(count: int = 40) -> pa.Table:
    """Records whose nested values, and keys of one object, are nobody's business."""
    return table(
        *(
            {
                "who": {
                    "name": " Zyxwarth",
                    "also": ["Quellbrim", {"town": "Gnompton", "n": 4711908, "paid": 1789.25}],
                },
                "by": {f"zyx@hulv.org/{n}": True},
                "ok": n % 2 == 0,
            }
            for n in range(count)
        )
    )


@pytest.mark.parametrize("privacy", ["masked", "profile"])
def test_nested_values_stay_private(privacy: Privacy) -> None:
    """Neither rows nor a repair hold a value or a rare key of the data; usual keys, kinds and forms are there."""
    rows = patients()
    shown = json.dumps(records_of(rows)[0]["who"], ensure_ascii=False)
    check = CheckResult(
        id="precise",
        outcome=Outcome.FAIL,
        detail="'Zyxwarth' changed",
        counterexample=Counterexample(
            input=({"who": shown, "by": '{"zyx@hulv.org/1": true}', "ok": True},), output=(), wanted="Gnompton 4711908"
        ),
    )
    verdict = Verdict(candidate=CandidateInfo(name="tidy", sha256="0"), verdict=Outcome.FAIL, checks=(check,))
    source = 'def tidy(record):\n    return {**record, "who": {"name": record["who"]["name"].strip()}}\n'
    chat = ScriptedChat([CLEAN, CLEAN])
    proposer = ModelProposer(chat, view=view_of(privacy, b"key"))
    request = ProposalRequest(rows=rows, shape=Shape.RECORD)
    proposer.analyse(request)
    proposer.repair(RepairRequest(request, source=source, reply="", verdict=verdict))
    said = "\n".join(message.content for asked in chat.asked for message in asked.messages)
    assert [secret for secret in SECRETS if secret.lower() in said.lower()] == []
    assert "hulv" not in said.lower()
    assert '"place": "who.also[].town"' in said
    assert '"name"' in chat.asked[1].messages[-1].content.replace("\\", "")


def test_masked_records_keep_kinds_and_structure() -> None:
    """Each value becomes a fake of its own kind; nulls, booleans and missing keys stay; equal values stay equal."""
    before = records_of(patients())
    after = records_of(view_of("masked", b"key").table(patients()))
    assert [type(record["who"]["also"][1]["n"]) for record in after] == [int] * 40
    assert [type(record["who"]["also"][1]["paid"]) for record in after] == [float] * 40
    assert [record["ok"] for record in after] == [record["ok"] for record in before]
    assert len({record["who"]["name"] for record in after}) == 1
    assert all(record["who"]["name"].startswith(" ") for record in after)
    lacking = view_of("masked", b"key").table(table({"a": 1.7e308}, {"b": None}))
    assert [list(record) for record in records_of(lacking)] == [["a"], ["b"]]


@pytest.fixture(scope="module")
def prober() -> Iterator[SandboxProber]:
    with LocalSandbox() as sandbox, DisposableProcess(decode_entry.ENTRY) as decoder:
        yield SandboxProber(SandboxAccess(sandbox, decoder, Limits(wall_s=60, cpu_s=4)))


def test_a_probe_of_records_sees_dicts(prober: SandboxProber) -> None:
    """`records` is a list of natural values, whatever their texts hold."""
    rows = table({"a": ["x\u2028\n\x85y", 1.0]}, {"b": None})
    assert (
        prober.run("print([list(record) for record in records], len(records[0]['a'][0]))", rows) == "[['a'], ['b']] 5"
    )


def test_a_disputed_example_with_nested_values_is_recognised() -> None:
    """The tester is asked about its example although the counterexample shows a list as JSON text."""
    test = Example(input={"tags": [" a", None]}, output={"tags": ["a", None]})
    seen = Counterexample(input=({"tags": '[" a", null]'},), output=(), wanted="")
    check = CheckResult(id="examples", outcome=Outcome.FAIL, counterexample=seen)
    candidate = Candidate(source="", name="f")
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.FAIL, checks=(check,))
    assert disputed_tests(verdict, verdict, [test]) == [(test, seen)]
