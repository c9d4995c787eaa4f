"""Hostile answers of models are read in little time: reading runs in the host process, and nothing stops it."""

import contextlib
import time
from collections.abc import Callable
from typing import Any

import pytest

from orchestrator.core.errors import ReplyError
from orchestrator.core.requests import RowInQuestion
from orchestrator.propose.llm.chat import ChatReply
from orchestrator.propose.replies.parser import read_reply
from orchestrator.propose.replies.roles import read_examples, read_mergers, read_probe
from orchestrator.propose.replies.tester_reply import read_testimony

CHARS = 50_000
MOST_S = 1  # of processor time: linear readers take a third of it at most
F = 'def f(df):\n    """x"""\n    return df\n'
CODE = "<function_to_generate><code>" + F + "</code></function_to_generate>"
ISSUE = "<cleaning_analysis><issue "
EXAMPLE = '{"functions":[{"name":"a","code":"def a(df):\\n  return df","examples":[{"input":{"a":'


def filled(piece: str, before: str = "", after: str = "") -> str:
    return before + piece * ((CHARS - len(before) - len(after)) // len(piece)) + after


def numbered(piece: str, before: str = "", after: str = "") -> str:
    """The piece again and again, with another number each time."""
    count = CHARS // (len(piece) + 3)
    return before + "".join(piece.replace("#", str(number)) for number in range(count)) + after


TEXTS = {
    "code-openings": filled("<code>"),
    "code-closings": filled("</code>", "<code>"),
    "code-closings-behind-code": filled(" x</code>", "<code>" + F + "</code>"),
    "invalid-codes": filled("<code>def f(:" + "  # x" * 100 + "\n</code>\n", "<cleaning_analysis>"),
    "codes-invalid-at-their-end": filled("<code>def f():\n" + "  x=1\n" * 80 + "  y=(\n</code>\n"),
    "code-of-blanks": filled(" ", "<code><code>", "x</code>"),
    "code-of-blanks-in-a-field": '{"code": "<code>' + " " * CHARS + 'x"}',
    "fences-in-code": filled("```\n", "<code>", "</code>"),
    "cdata": filled("<![CDATA[", "<code>", "</code>"),
    "fences": filled("```\n"),
    "fences-of-python": filled("```python\n" + F + "```\n"),
    "fences-of-no-python": filled("```python\ndef f(:\n```\n"),
    "fences-of-other-names": numbered("```python\ndef f#(df):\n    return df\n```\n"),
    "fences-of-one-name": numbered("```python\ndef f(df):\n    return #\n```\n"),
    "long-fences-of-no-python": filled("```python\ndef f():\n" + "  x=1\n" * 80 + "  y=(\n```\n"),
    "a-line-of-marks": filled("~", "", "`"),
    "json-in-json": filled('{"a":'),
    "answers-in-answers": filled('{"issues":'),
    "json-openings": filled('{"'),
    "python-openings": filled("{'"),
    "many-answers": filled('{"issues":[]}\n'),
    "many-objects": filled('{"name":"a","code":"b"} x '),
    "many-broken-objects": filled('{"a":x} '),
    "escaped-quotes": filled('\\"', '{"'),
    "quotes": filled('"'),
    "commas": filled(" ", "{,", "x}"),
    "functions-of-other-names": numbered('{"name":"f#","code":"def f#(df):\\n  return df"},', '{"functions":[', "{}]}"),
    "functions-of-one-name": numbered('{"name":"f","code":"def f(df):\\n  return #"},', '{"functions":[', "{}]}"),
    "deep-examples": EXAMPLE + "[" * 90 + filled("0,") + "0" + "]" * 90 + '},"output":{"a":1}}]}]}',
    "deep-brackets": filled("[", EXAMPLE),
    "thoughts": filled("<think>"),
    "ends-of-thoughts": filled("</think>"),
    "thoughts-and-answers": filled("{\n<think>\n</think>"),
    "marks-and-answers": filled("```</think>"),
    "parameters": filled("<parameter=a>", "<function=a>"),
    "parameters-by-name": filled('<parameter name="a" ', "<function=a>"),
    "arguments": filled("<arg_key>a</arg_key><arg_value>", "<tool_call>"),
    "keys": filled("<arg_key> ", "<tool_call>"),
    "calls": filled("<function=a><parameter=b>x</parameter>"),
    "calls-without-an-end": filled("<function=a><parameter=b>"),
    "issues": filled("<issue>", "<cleaning_analysis>"),
    "words-in-issues": filled("<issue>" + "a" * 190, "<cleaning_analysis>"),
    "a-name-without-an-end": filled("-", ISSUE, ">"),
    "a-name-and-blanks": ISSUE + "a" * (CHARS // 2) + " " * (CHARS // 2) + ">",
    "attributes": filled("a=", ISSUE, ">"),
    "quoted-attributes": filled("a='b=\"", ISSUE, ">"),
    "attributes-of-xml": numbered(' a#=""', ISSUE, ">x</issue></cleaning_analysis>"),
    "functions-of-xml": filled(CODE, "<cleaning_analysis>", "</cleaning_analysis>"),
    "functions-of-broken-xml": filled(CODE, "<cleaning_analysis>"),
    "entities": filled("&lt;", "&lt;cleaning_analysis"),
    "statements": filled(F),
    "questions": filled("<question>"),
    "probes": filled("<code>", "<question>"),
    "examples": filled("<examples>"),
    "testimonies": filled("<testimony>"),
    "lists": filled("[{"),
    "rows": filled('[{"row":1,"after":{}}]'),
    "mergers": filled("<merger>", "<consolidation_result>"),
    "mergers-of-json": filled('{"replaces":["a","b"],"function":{"code":"x"}},', '{"mergers":[', "{}]}"),
    "blanks": filled(" "),
    "blanks-behind-a-word": filled(" ", "x", "x"),
    "backslashes": filled("\\"),
    "typographic-quotes": filled("\u201c", "<code>", "</code>"),
    "tabs": filled("\t", "<code>def f():\n", "x</code>"),
}


def readers() -> dict[str, Callable[[ChatReply], Any]]:
    row = RowInQuestion(cells={"a": "x"}, columns=("a",))
    return {
        "one": read_reply,
        "four": lambda reply: read_reply(reply, most=4),
        "probe": read_probe,
        "examples": lambda reply: read_examples(reply, ["a"]),
        "mergers": lambda reply: read_mergers(reply, ["a", "b"]),
        "testimony": lambda reply: read_testimony(reply, [row]),
    }


@pytest.mark.parametrize("reader", list(readers()))
@pytest.mark.parametrize("text", list(TEXTS))
def test_a_hostile_answer_is_read_in_little_time(text: str, reader: str) -> None:
    """As words and as the arguments of a call; read or refused, the program goes on at once."""
    read = readers()[reader]
    for reply in (ChatReply(TEXTS[text]), ChatReply("", tool_arguments=TEXTS[text])):
        started = time.thread_time()
        with contextlib.suppress(ReplyError):
            read(reply)
        assert time.thread_time() - started < MOST_S
