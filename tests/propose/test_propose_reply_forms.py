"""Answers as models write them without the form: drafts and corrections, fences, calls as text, plain words."""

import json
from typing import Any

import pytest

from orchestrator.core.errors import ReplyError
from orchestrator.core.proposals import Analysis, ChunkStatus
from orchestrator.core.steps import AnalysisStep
from orchestrator.gate import candidate_file
from orchestrator.propose.llm.chat import ChatReply
from orchestrator.propose.replies.parser import read_reply
from tests.propose.test_propose_replies import FOLDER

DETECT = 'def detect(df):\n    return df["COLUMN"].str.strip() != df["COLUMN"]\n'
FUNCTION = 'def trim_COLUMN(df):\n    """Strip blanks."""\n    return df.assign(COLUMN=df["COLUMN"].str.strip())\n'
CONTRACT = 'CONTRACT = {"shape": "table", "modifies": ["COLUMN"]}\n'
FILE = f'"""Blanks in COLUMN."""\n\n{CONTRACT}\n\n{DETECT}\n\n{FUNCTION}'
CITY, ZIP = (FILE.replace("COLUMN", name) for name in ("city", "zip"))
DRAFT = CITY.replace("strip()", "lstrip()")
BROKEN = "    return df[\n"


def fence(code: str, mark: str = "```", words: str = "python") -> str:
    return f"{mark}{words}\n{code}{mark}\n"


def read(text: str, most: int = 4) -> Analysis:
    return read_reply(ChatReply(text), most=most)


def sources(analysis: Analysis) -> list[str]:
    return [source for source in (analysis.source, *(one.source for one in analysis.more)) if source]


def names(analysis: Analysis) -> list[str]:
    return [candidate_file.read(source).name for source in sources(analysis)]


def described(column: str, code: str = FUNCTION) -> dict[str, Any]:
    texts = {"code": code, "detector": DETECT, "name": "trim_COLUMN", "docstring": "Strip blanks."}
    return {key: text.replace("COLUMN", column) for key, text in texts.items()} | {"columns": [column], "examples": []}


def element(column: str, code: str = FUNCTION) -> str:
    one = described(column, code)
    return (
        f'<function_to_generate><name>{one["name"]}</name><columns>["{column}"]</columns>'
        f"<detector><![CDATA[{one['detector']}]]></detector><code><![CDATA[{one['code']}]]></code>"
        "</function_to_generate>"
    )


def xml(*functions: str) -> str:
    return (
        "<cleaning_analysis><issues_detected><issue solved='false'>Blanks</issue></issues_detected>"
        f"{''.join(functions)}<chunk_status>needs_work</chunk_status></cleaning_analysis>"
    )


LOWER = FUNCTION.replace("strip()", "lower()")


@pytest.mark.parametrize("most", [1, 4])
@pytest.mark.parametrize(
    "text",
    [
        xml(element("city", LOWER)) + "\nWait, that is wrong. My final answer:\n" + xml(element("city")),
        fence(CITY.replace("strip()", "lower()")) + "Corrected:\n" + fence(CITY),
        json.dumps([described("city", LOWER), described("city")]),
    ],
    ids=["xml", "fences", "json"],
)
def test_the_last_function_of_a_name_counts(text: str, most: int) -> None:
    """A draft that the model takes back is never judged; user and model are told that it was left out."""
    analysis = read(text, most)
    assert names(analysis) == ["trim_city"]
    assert "lower()" not in sources(analysis)[0]
    assert ["`trim_city` comes again later" in note for note in analysis.notes] == [True]
    assert analysis.lost == ("`trim_city` comes again later in the answer, and the last one counts.",)


def test_a_draft_is_not_taken_where_its_correction_cannot_be_read() -> None:
    """The model took it back: it is asked again."""
    for text in (xml(element("city"), element("city", FUNCTION + BROKEN)), fence(CITY) + fence(CITY + BROKEN)):
        with pytest.raises(ReplyError, match="not valid Python: line"):
            read(text)


def test_functions_of_one_name_for_different_columns_are_no_drafts() -> None:
    """Both stay; what the name of the second should be is for the gate to say."""
    code = FUNCTION.replace("trim_COLUMN", "trim")
    analysis = read(xml(element("city", code), element("zip", code)))
    assert names(analysis) == ["trim", "trim"]
    assert analysis.notes == ()


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("[THINK]", "[/THINK]"),
        ("<seed:think>", "</seed:think>"),
        ("◁think▷", "◁/think▷"),
        ("<think a='b'>", "</think>"),
    ],
)
def test_drafts_in_thoughts_are_no_answer(begin: str, end: str) -> None:
    """Whatever marks a model has for its thoughts."""
    assert names(read(f"{begin}Maybe {xml(element('zip'))}{end}\n{xml(element('city'))}")) == ["trim_city"]


def test_thoughts_without_an_end_before_a_whole_answer_are_left_out() -> None:
    """The analysis at the end of the text counts; one that is cut off does not."""
    text = f"<think>First {xml(element('zip'))} no.\n{xml(element('city'))}\n"
    assert names(read(text)) == ["trim_city"]
    with pytest.raises(ReplyError, match="inside the thoughts"):
        read(text[:-20])


@pytest.mark.parametrize(
    "text",
    [
        fence(CITY) + "And the second:\n" + fence(ZIP),
        fence(CITY + "\n\n" + ZIP),
        "".join(fence(part.replace("COLUMN", c)) for c in ("city", "zip") for part in (CONTRACT, DETECT, FUNCTION)),
        "".join(fence(part.replace("COLUMN", c)) for c in ("city", "zip") for part in (FUNCTION, DETECT, CONTRACT)),
        fence(json.dumps(described("city")), words="json") + fence(json.dumps(described("zip")), words="json"),
        fence(json.dumps([described("city"), described("zip")]), words="json"),
        json.dumps({"issues": [], "cleaning_functions": [described("city"), described("zip")]}),
        json.dumps({"function": described("city")}) + "\n" + json.dumps({"function": described("zip")}),
    ],
    ids=["fences", "fence", "parts", "parts-behind", "json-fences", "json-list", "other-key", "objects"],
)
def test_all_functions_of_an_answer_are_taken(text: str) -> None:
    """Each with its own detector and contract, however many fences or objects they come in."""
    analysis = read(text)
    assert names(analysis) == ["trim_city", "trim_zip"]
    for source, column in zip(sources(analysis), ("city", "zip"), strict=True):
        candidate = candidate_file.read(source)
        assert candidate.has_detect
        assert candidate.contract.modifies == (column,)
        assert source.count("def detect") == source.count("CONTRACT =") == 1


@pytest.mark.parametrize(
    "text",
    [
        fence(CITY) + "Tests:\n" + fence("def test_trim():\n    assert trim_city(1)\n"),
        fence(CITY) + "Usage:\n" + fence("print(trim_city(df))\n"),
        fence(DETECT.replace("COLUMN", "city")) + fence(FUNCTION.replace("COLUMN", "city"))
        + fence('{"shape": "table", "modifies": ["city"], "drops_rows": false}\n', words="json"),
        "Use <code>str.strip()</code> for it:\n" + fence(CITY),
        fence(CITY, "````"),
        fence(CITY, "~~~"),
        fence(CITY, words="{python}"),
        fence(CITY, words='python title="x.py"'),
        fence(CITY).replace("\n", "\r"),
        "Here: " + json.dumps({"reasoning": "x {", "function": described("city")}) + " I hope it helps {x}",
        '<|python_tag|>{"type": "function", "name": "cleaning_analysis", "parameters": '
        + json.dumps({"function": described("city"), "chunk_status": "needs_work"}) + "}",
        "<tool_call>\n<function=cleaning_analysis>\n<parameter=function>\n" + json.dumps(described("city"))
        + "\n</parameter>\n<parameter=chunk_status>\nneeds_work\n</parameter>\n</function>\n</tool_call>",
    ],
    ids=["tests", "usage", "contract", "code", "marks", "tildes", "braces", "title", "cr", "words", "llama", "qwen"],
)  # fmt: skip
def test_an_answer_is_read_as_a_person_reads_it(text: str) -> None:
    """One function, with its contract, in whatever writing."""
    for most in (1, 4):
        analysis = read(text, most)
        assert names(analysis) == ["trim_city"]
        assert candidate_file.read(sources(analysis)[0]).contract.modifies == ("city",)


def test_calls_written_as_text_are_all_read() -> None:
    """Each of several calls of Hermes' and Qwen's form."""
    call = '<tool_call>{"name": "cleaning_analysis", "arguments": ARGUMENTS}</tool_call>\n'
    hermes = "".join(call.replace("ARGUMENTS", json.dumps({"function": described(c)})) for c in ("city", "zip"))
    qwen = "".join(
        f"<tool_call><function=a><parameter=function>{json.dumps(described(c))}</parameter></function></tool_call>"
        for c in ("city", "zip")
    )
    assert names(read(hermes)) == names(read(qwen)) == ["trim_city", "trim_zip"]


def test_python_that_cannot_be_parsed_is_told_with_its_line() -> None:
    """In a fence alone; beside a right function it is left out, which user and model are told."""
    with pytest.raises(ReplyError, match="not valid: line 13"):
        read("Here:\n" + fence(CITY + BROKEN))
    with pytest.raises(ReplyError, match=r"Python 3\.11"):
        read("Here:\n" + fence(CITY.replace("def trim_city(df)", "def trim_city[T](df: T)")))
    analysis = read(fence(CITY) + fence(ZIP + BROKEN))
    assert names(analysis) == ["trim_city"]
    assert ["not valid: line" in sentence for sentence in analysis.lost] == [True]


def test_public_helpers_make_no_functions_of_their_own() -> None:
    """What another function calls is its helper, and the model is told how such are named."""
    helper = "def tidy(v):\n    return v.strip()\n\n\n"
    for text in (
        fence(helper + CITY.replace("str.strip()", "map(tidy)")),
        fence(helper) + fence(CITY + "\n_F = tidy\n"),
    ):
        with pytest.raises(ReplyError, match="names of its helpers start with _"):
            read(text.replace('df["city"].str.strip())', 'df["city"].map(tidy))'))


@pytest.mark.parametrize(
    "text", ["The chunk is clean. No issues remain.", "clean", "**chunk_status**: clean", "No issues found."]
)
def test_a_chunk_may_be_called_clean_in_words(text: str) -> None:
    """Where the words say nothing else."""
    assert read(text).chunk_status is ChunkStatus.CLEAN


def test_other_words_are_answered_with_what_is_wanted() -> None:
    """What only sounds clean is no answer; the model is told how to say it."""
    for text in (
        "The chunk is not clean.",
        "The chunk is clean but for the dates.",
        "All fine, I think: nothing to do.",
    ):
        with pytest.raises(ReplyError, match="by chunk_status `clean`"):
            read(text)


def test_the_model_is_told_what_was_left_out_of_its_answer() -> None:
    """In the history of its next prompt."""
    analysis = read(xml(element("city"), element("zip", FUNCTION + BROKEN)))
    step = AnalysisStep.model_validate(
        {"at": "2026-01-01T00:00:00Z", "chunk": 0, "iteration": 1, "proposed": True, "lost": analysis.lost}
    )
    assert step.to_messages(summary=True)[0].content.startswith(
        "iteration 1: 0 issues; proposed a function; not taken: `trim_zip`: The code is not valid Python: line"
    )
    assert "lost" not in step.model_copy(update={"lost": ()}).model_dump()


def test_the_functions_of_one_answer_are_one_answer_in_the_history() -> None:
    """Each was told as an answer of its own, with all issues of the answer again."""
    fields = {"at": "2026-01-01T00:00:00Z", "chunk": 0, "proposed": True, "issues": [{"id": "1", "description": "d"}]}
    first, second = (
        AnalysisStep.model_validate(fields | {"iteration": number, "reply": reply})
        for number, reply in ((1, "<cleaning_analysis>…"), (2, ""))
    )
    assert [step.to_messages(summary=True)[0].content for step in (first, second)] == [
        "iteration 1: 1 issue; proposed a function",
        "iteration 2: the next function of the same answer",
    ]


def test_a_broken_call_does_not_cost_the_others() -> None:
    """The one that can be read is taken; where none holds a function, the model is asked again."""
    good = json.dumps({"function": described("city"), "chunk_status": "needs_work"})
    analysis = read_reply(ChatReply("", tool_arguments=good, more_arguments=(good[:40],)), most=4)
    assert names(analysis) == ["trim_city"]
    assert "The JSON cannot be read" in analysis.lost[0]
    nothing = json.dumps({"issues": ["x"], "chunk_status": "needs_work"})
    with pytest.raises(ReplyError, match="JSON cannot be read"):
        read_reply(ChatReply("", tool_arguments=nothing, more_arguments=(good[:40],)), most=4)


def test_the_last_status_counts() -> None:
    """As with functions."""
    clean = (FOLDER / "clean.txt").read_text()
    assert read(xml() + "\nNo, it is fine:\n" + clean).chunk_status is ChunkStatus.CLEAN
