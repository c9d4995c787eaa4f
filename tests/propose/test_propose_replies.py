"""Replies as models really write them: each is read rightly or refused with a message that helps the model."""

import ast
import contextlib
import json
import time
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.core.errors import ReplyError
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.policy import ScreenPolicy
from orchestrator.core.proposals import Analysis, ChunkStatus
from orchestrator.gate import candidate_file, screen
from orchestrator.propose.llm.chat import ChatReply
from orchestrator.propose.replies.parser import MAX_REPLY_CHARS, read_reply

FOLDER = Path(__file__).parent / "replies"
EXPECTED: dict[str, dict[str, Any]] = yaml.safe_load((FOLDER / "expected.yaml").read_text(encoding="utf-8"))


def reply_of(name: str) -> ChatReply:
    raw = (FOLDER / name).read_bytes().decode()
    return ChatReply("", tool_arguments=raw) if name.endswith(".json") else ChatReply(raw)


def namespace_of(source: str) -> dict[str, Any]:
    """The fixture's code, run: it is ours, and only running it shows that it was read rightly."""
    namespace: dict[str, Any] = {}
    exec(compile(source, "fixture", "exec"), namespace)  # noqa: S102 - the fixture is part of this repository
    return namespace


def public(source: str) -> list[str]:
    return [s.name for s in ast.parse(source).body if isinstance(s, ast.FunctionDef) and not s.name.startswith("_")]


def test_every_reply_has_an_expectation() -> None:
    """The folder and its list of ends name the same replies, and there are many."""
    assert {p.name for p in FOLDER.iterdir()} - {"expected.yaml"} == set(EXPECTED)
    assert len(EXPECTED) >= 60


@pytest.mark.parametrize("name", [n for n, e in EXPECTED.items() if "error" in e])
def test_an_unreadable_reply_is_refused_with_a_helpful_message(name: str) -> None:
    """The message names what is wrong."""
    with pytest.raises(ReplyError) as caught:
        read_reply(reply_of(name))
    assert EXPECTED[name]["error"] in caught.value.message
    assert len(caught.value.message) < 500


@pytest.mark.parametrize("name", [n for n, e in EXPECTED.items() if "function" in e])
def test_an_ugly_reply_is_read_rightly(name: str) -> None:
    """The candidate file holds one function, which does what its author meant."""
    expected = EXPECTED[name]
    analysis = read_reply(reply_of(name))
    assert analysis.source is not None
    assert analysis.chunk_status is ChunkStatus.NEEDS_WORK
    names = public(analysis.source)
    assert [n for n in names if n != "detect"] == [expected["function"]]
    assert names.count("detect") <= 1
    assert analysis.source.count("CONTRACT =") <= 1
    namespace = namespace_of(analysis.source)
    before, after = list(expected["cells"]), list(expected["cells"].values())
    frame = pd.DataFrame({"city": before})
    assert namespace[expected["function"]](frame)["city"].tolist() == after
    if expected.get("detect"):
        flagged = namespace["detect"](pd.DataFrame({"city": ["  x  ", "y"]}))
        assert len(flagged) == 2
    if "modifies" in expected:
        assert namespace["CONTRACT"]["modifies"] == expected["modifies"]
    if "examples" in expected:
        assert len(namespace["CONTRACT"].get("examples", [])) == expected["examples"]
    if "issues" in expected:
        assert [[i.id, i.solved] for i in analysis.issues] == expected["issues"]


@pytest.mark.parametrize("name", [n for n, e in EXPECTED.items() if e.get("status") == "clean"])
def test_a_clean_reply_is_clean(name: str) -> None:
    """No candidate, status clean."""
    analysis = read_reply(reply_of(name))
    assert analysis.source is None
    assert analysis.chunk_status is ChunkStatus.CLEAN


@pytest.mark.parametrize("name", [n for n, e in EXPECTED.items() if e.get("error") == "no function"])
def test_a_repair_may_give_up(name: str) -> None:
    """An answer without a function is no error where giving up is allowed."""
    assert read_reply(reply_of(name), may_give_up=True).source is None


def test_reading_is_the_same_with_and_without_strict_xml() -> None:
    """Well-formed XML and the same with a stray mark in front of its end give the same candidate."""
    good = (FOLDER / "good.txt").read_text()
    loose = good.replace("</cleaning_analysis>", " 1 < 2 </cleaning_analysis>")
    assert read_reply(ChatReply(good)).source == read_reply(ChatReply(loose)).source


def test_the_raw_reply_and_its_cost_are_kept() -> None:
    """The journal gets the reply as it came."""
    raw = (FOLDER / "prose-around.txt").read_text()
    analysis = read_reply(ChatReply(raw, usage=TokenUsage(calls=1, prompt_tokens=7)))
    assert analysis.reply == raw
    assert analysis.usage.prompt_tokens == 7


def test_a_cut_reply_is_told_so() -> None:
    """The provider's word that the answer hit the length limit reaches the model."""
    with pytest.raises(ReplyError, match="length limit"):
        read_reply(ChatReply("<cleaning_analysis><code>def f(", truncated=True))


def test_a_status_in_another_language_is_quoted_back() -> None:
    """The model is told which words are meant, as it may follow the language of the instruction."""
    with pytest.raises(ReplyError, match="'干净': write `clean` or `needs_work`"):
        read_reply(ChatReply("<cleaning_analysis><chunk_status>干净</chunk_status></cleaning_analysis>"))


def test_examples_as_large_as_a_data_set_are_refused() -> None:
    """The whole file is held to the limit of code, not the function alone."""
    giant = [{"input": {"city": "x" * 300_000}, "output": {"city": "y"}}]
    raw = json.loads((FOLDER / "tool-good.json").read_text())
    raw["function"]["examples"] = giant
    with pytest.raises(ReplyError, match="Give shorter examples"):
        read_reply(ChatReply("", tool_arguments=json.dumps(raw)))


PIECES = [
    *("x", "<", "(", "-", "{", "```", "\\n", " \n", "&lt;", "lambda:", '{"issues": [', "```python\nx\n"),
    *("<code>", "<code>\n", "</code>", "<code a b c ", "<![CDATA[", "]]>", "<!DOCTYPE ", "<cleaning_analysis>"),
    *("<think>", "</think>", "<think></think>", "<issue>", "<issue>x</issue>", "<columns>"),
    "<function_to_generate><code>x=1</code></function_to_generate>",
]


@pytest.mark.parametrize("piece", PIECES)
def test_a_megabyte_of_anything_is_answered_in_bounded_time(piece: str) -> None:
    """No reading grows faster than its input allows."""
    size = MAX_REPLY_CHARS - 100
    raw = (piece * (size // len(piece) + 1))[:size]
    started = time.process_time()
    for text in (raw, "<cleaning_analysis><code>" + raw[:-60] + "</code>"):
        for reply in (ChatReply(text), ChatReply("", tool_arguments=text)):
            with pytest.raises(ReplyError):
                read_reply(reply)
    assert time.process_time() - started < 20


def test_an_answer_longer_than_the_limit_is_refused() -> None:
    """The size is named."""
    with pytest.raises(ReplyError, match=f"{MAX_REPLY_CHARS + 1} characters"):
        read_reply(ChatReply("x" * (MAX_REPLY_CHARS + 1)))


def test_reading_code_warns_nobody() -> None:
    """An invalid escape in a candidate is not a warning of this process."""
    good = (FOLDER / "good.txt").read_text().replace("str.strip()", r'str.replace("\d", "")')
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        analysis: Analysis = read_reply(ChatReply(good))
    assert analysis.source is not None
    assert caught == []


@pytest.mark.parametrize("name", [n for n, e in EXPECTED.items() if e.get("detect")])
def test_the_gate_reads_and_screens_what_was_assembled(name: str) -> None:
    """Both rooms mean the same file format: function, contract and detect arrive, the screen has no complaint."""
    source = read_reply(reply_of(name)).source
    assert source is not None
    candidate = candidate_file.read(source)
    assert candidate.name == EXPECTED[name]["function"]
    assert candidate.has_detect
    assert candidate.contract.modifies == (tuple(EXPECTED[name]["modifies"]) if "modifies" in EXPECTED[name] else None)
    assert screen.problems(candidate, ScreenPolicy()) == []


RAW = [(FOLDER / name).read_bytes().decode() for name, e in EXPECTED.items() if e.get("error") != "JSON"]
BITS = [
    *(
        "<",
        ">",
        "]]>",
        "<![CDATA[",
        "</code>",
        "<code>",
        "```",
        "\n",
        '"',
        "'''",
        "\\",
        "{",
        "}",
        "\x00",
        "\ud800",
        "&#0;",
    ),
    *("\\ud800", "&#xD800;", "&#1114112;", "<think>", "0" * 5000, "(" * 300, "\u2028", "def f(x):", "lambda x: x"),
]


@given(st.sampled_from(RAW), st.lists(st.tuples(st.floats(0, 1), st.floats(0, 0.2), st.sampled_from(BITS)), max_size=5))
@settings(max_examples=300, deadline=None)
def test_no_damage_to_a_reply_raises_anything_else(raw: str, cuts: list[tuple[float, float, str]]) -> None:
    """However a reply is cut and spliced, it is read or refused with a message, in both protocols."""
    for at, share, bit in cuts:
        start = int(at * len(raw))
        raw = raw[:start] + bit + raw[start + int(share * len(raw)) :]
    for reply in (ChatReply(raw), ChatReply("", tool_arguments=raw)):
        with contextlib.suppress(ReplyError):
            analysis = read_reply(reply)
            analysis.model_dump_json()
            if analysis.source is not None:
                assert len([n for n in public(analysis.source) if n != "detect"]) == 1


def test_lone_surrogates_do_no_harm() -> None:
    """Half a character, as JSON escapes can make it, reaches neither journal nor source."""
    odd = json.loads('"\\ud800"')
    spoilt = (
        (FOLDER / "good.txt").read_text().replace("City names", f"City {odd}").replace("Strip city.", f"Strip {odd}.")
    )
    replies = [
        ChatReply(spoilt),
        ChatReply("", tool_arguments=(FOLDER / "tool-good.json").read_text().replace("Blanks", "\\ud800")),
    ]
    for reply in replies:
        analysis = read_reply(reply)
        assert "?" in analysis.issues[0].description
        assert analysis.source is not None
        analysis.source.encode()
        analysis.model_dump_json()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('{"city": " a"}', '{"city": ' + "[" * 400 + "]" * 400 + "}"),
        ('"detector": "', '"detector": "' + "1+" * 3000 + '1\\n", "x": "'),
        ('"code": "', '"code": "' + "x = " + "-" * 20000 + "1\\n"),
        ('"code": "', '"code": "' + "x = " + "a." * 20000 + "b\\n"),
    ],
)
def test_deep_nesting_is_refused(old: str, new: str) -> None:
    """Examples and expressions deeper than the interpreter likes are an answer to the model, not a crash."""
    raw = (FOLDER / "tool-good.json").read_text()
    assert old in raw
    with pytest.raises(ReplyError):
        read_reply(ChatReply("", tool_arguments=raw.replace(old, new, 1)))
