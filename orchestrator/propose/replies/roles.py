"""Reads the answers of the tester, the explorer and the planner, in either protocol, as tolerantly as the proposer's.

What cannot be read raises ReplyError, whose message is shown to the model. Called by `tester`, `explorer`,
`model_planner`.
"""

import re
from typing import Any, NamedTuple

from orchestrator.core.candidate import Example, Shape
from orchestrator.core.errors import ReplyError
from orchestrator.core.proposals import Merger
from orchestrator.propose.llm.chat import ChatReply, ReplySchema
from orchestrator.propose.replies import code_extraction
from orchestrator.propose.replies.candidate_assembly import assemble
from orchestrator.propose.replies.parser import bounded
from orchestrator.propose.replies.reply_parts import examples_of, load_json, names_of
from orchestrator.propose.replies.structured import function_of, function_schema
from orchestrator.propose.replies.thoughts import without_thoughts
from orchestrator.propose.replies.xml import read_mergers as xml_mergers

MAX_EXAMPLES = 8
MAX_MERGERS = 10
_MOST_READ = 10 * MAX_MERGERS  # of a list, in which something else may stand, too

_JSON = re.compile(r"\s*[\[{]")
_PROBE_CODE = re.compile(r"<(code|probe|python)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_QUESTION = re.compile(r"<question>(.*?)(</question>|\Z)", re.DOTALL | re.IGNORECASE)
_EXAMPLES = re.compile(r"<examples>(.*?)(?:</examples>|\Z)", re.DOTALL | re.IGNORECASE)
_DONE = re.compile(r"<done\b|\bdone\b|\benough\b", re.IGNORECASE)
_PAIR = {
    "type": "object",
    "properties": {"input": {"type": "object"}, "output": {"type": "object"}},
    "required": ["input", "output"],
}
EXAMPLES_TOOL = ReplySchema(
    "examples",
    "Hand in rows before and after that a right function must fulfil.",
    {"type": "object", "properties": {"examples": {"type": "array", "items": _PAIR}}, "required": ["examples"]},
)
PROBE_TOOL = ReplySchema(
    "exploration",
    "Run a few lines of Python on the rows, or say that you have seen enough.",
    {
        "type": "object",
        "properties": {"question": {"type": "string"}, "code": {"type": "string"}, "done": {"type": "boolean"}},
    },
)


def consolidation_tool(shape: Shape) -> ReplySchema:
    """The tool with which the planner answers."""
    merger = {
        "type": "object",
        "properties": {"replaces": {"type": "array", "items": {"type": "string"}}, "function": function_schema(shape)},
        "required": ["replaces", "function"],
    }
    return ReplySchema(
        "consolidation_result",
        "Hand in one function for each group of functions that overlap; an empty list when there is none.",
        {"type": "object", "properties": {"mergers": {"type": "array", "items": merger}}, "required": ["mergers"]},
    )


class Probe(NamedTuple):
    """A few lines of Python and what they are to tell."""

    question: str
    code: str


def read_probe(reply: ChatReply) -> Probe | None:
    """The next probe, or None when the model has seen enough."""
    text = _text(reply)
    question, code = "", ""
    if (value := _json(text)) is not None:
        if not isinstance(value, dict):
            raise ReplyError("The answer is JSON, but not one object with question and code.")
        question = str(value.get("question") or "")
        found = value.get("code") or ""
        code = "\n".join(map(str, found)) if isinstance(found, list) else str(found)
        done = not code.strip()
    else:
        asked, written = _QUESTION.search(text), _PROBE_CODE.search(text)
        question = asked.group(1) if asked and asked.group(2) else ""
        blocks = code_extraction.fenced_blocks(text)
        code = written.group(2) if written else "\n\n".join(blocks)
        done = not code.strip() and _DONE.search(text) is not None
    if done:
        return None
    if not code.strip():
        raise ReplyError("The answer holds neither code for a probe nor <done/>.")
    code = code_extraction.read_code(code)
    if isinstance(problem := code_extraction.parse(code), str):
        raise ReplyError(f"The probe is not valid Python: {problem}.")
    return Probe(" ".join(question.split())[:300], code)


def read_examples(reply: ChatReply, columns: list[str]) -> tuple[Example, ...]:
    """The tester's examples that use these columns; an empty list is a valid answer."""
    text = _text(reply)
    found = _EXAMPLES.findall(text)
    body = found[-1] if found else text
    value = _json(body)
    if value is None:
        value = next((one for block in code_extraction.fenced_blocks(body) if (one := _json(block)) is not None), None)
    if value is None and found and not body.strip():
        value = []
    if value is None and (start := body.find("[")) >= 0:
        value = load_json(body[start : body.rfind("]") + 1])
    if value is None:
        raise ReplyError('The answer holds no JSON list of examples: [{"input": {…}, "output": {…}}].')
    pairs = examples_of(value)
    if not pairs and value not in ([], {}, {"examples": []}):
        raise ReplyError('No example has the form {"input": {…row…}, "output": {…row…}}.')
    rows = [p for p in pairs if isinstance(p["input"], dict) and p["input"]]
    unknown = sorted({str(name) for pair in rows for name in pair["input"]} - set(columns))
    rows = [pair for pair in rows if set(pair["input"]) <= set(columns)]
    if unknown and not rows:
        raise ReplyError(f"The examples name columns that the table does not have: {', '.join(unknown)[:200]}.")
    try:
        return tuple(Example.model_validate(pair) for pair in rows[:MAX_EXAMPLES])
    except ValueError as error:
        raise ReplyError("An example holds a value that no column can hold.") from error


def read_mergers(reply: ChatReply, names: list[str], shape: Shape = Shape.TABLE) -> tuple[Merger, ...]:
    """The mergers of at least two of the named functions, all of the shape; none is a fine answer."""
    text = _text(reply)
    value = _json(text)
    if value is not None:
        found = value.get("mergers", value.get("consolidation_result")) if isinstance(value, dict) else value
        if not isinstance(found, list):
            raise ReplyError("The answer is JSON, but has no list of mergers.")
        parts = [
            (names_of(one.get("replaces")), tuple(function_of(one.get("function", one))))
            for one in found[:_MOST_READ]
            if isinstance(one, dict)
        ]
    elif "consolidation_result" in text or "<merger" in text:
        parts = xml_mergers(text)
    else:
        raise ReplyError("The answer holds no <consolidation_result>: answer in the format asked for.")
    mergers = []
    for replaces, functions in parts[:MAX_MERGERS]:
        known = tuple(dict.fromkeys(name for name in replaces if name in names))
        if len(known) < 2 or len(functions) != 1:
            raise ReplyError(
                "Each merger names at least two functions of the list in `replaces` and holds one function."
            )
        mergers.append(Merger(replaces=known, source=assemble(functions[0], functions[0].docstring, shape)))
    return tuple(mergers)


def _text(reply: ChatReply) -> str:
    raw = bounded(reply.tool_arguments or reply.text)
    text = raw if reply.tool_arguments else without_thoughts(raw).strip()
    if not text.strip():
        raise ReplyError("The answer is empty.")
    return text


def _json(text: str) -> Any:
    """The JSON value that the text is, also in a Markdown fence; None where it is something else."""
    for candidate in (text, *code_extraction.fenced_blocks(text)[:1]):
        if _JSON.match(candidate) and candidate.rstrip().endswith(("}", "]")):
            return load_json(candidate)
    return None
