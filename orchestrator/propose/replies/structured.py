"""The structured protocol: the tool that the model is to call, and its arguments read. Called by `replies`."""

import re
from collections.abc import Sequence
from typing import Any

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import ReplyError
from orchestrator.propose.llm.chat import ReplySchema
from orchestrator.propose.replies import code_extraction
from orchestrator.propose.replies.reply_parts import (
    FunctionParts,
    ReplyParts,
    effects_of,
    examples_of,
    issue_of,
    load_json,
    names_of,
)

_NAMES = {"type": "array", "items": {"type": "string"}}
_EFFECTS = {
    Shape.TABLE: ("modifies", "adds", "drops", "drops_rows", "by", "replaces"),
    Shape.RECORD: ("modifies", "adds", "drops", "replaces"),
    Shape.TEXT: ("modifies", "replaces"),
}
_FUNCTION_KEYS = (
    "function", "function_to_generate", "functions", "candidate", "cleaning_function", "cleaning_functions",
    "functions_to_generate",
)  # fmt: skip
_MORE_KEYS = ("more_functions", "further_functions", "other_functions")
WRAPPINGS = ("cleaning_analysis", "arguments", "parameters", "input", "analysis", "result", "response", "answer")
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CODE_KEYS = ("code", "source", "source_code", "python_code", "implementation", "function_code")


def function_schema(shape: Shape) -> dict[str, Any]:
    """How the one function of an answer is to be described."""
    effects = {"modifies": _NAMES, "adds": _NAMES, "drops": _NAMES, "drops_rows": {"type": "boolean"}}
    effects["by"] = {**_NAMES, "description": "Only of a fitted function: the columns whose rows should agree."}
    effects["replaces"] = {"type": "string"}
    possible = {name: kind for name, kind in effects.items() if name in _EFFECTS[shape]}
    side = {"type": "string" if shape is Shape.TEXT else "object"}
    return {
        "type": ["object", "null"],
        "description": "The one function of this answer; null when the chunk is clean or the issue is given up.",
        "properties": {
            "name": {"type": "string"},
            "docstring": {"type": "string"},
            "columns": _NAMES,
            "effects": {"type": "object", "properties": possible},
            "detector": {"type": "string", "description": f"Python: the whole `def detect({shape.argument}): ...`"},
            "code": {"type": "string", "description": "Python: imports, helpers and the function"},
            "examples": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"input": side, "output": side},
                    "required": ["input", "output"],
                },
            },
        },
        "required": ["name", "docstring", "columns", "detector", "code", "examples"],
    }


def analysis_tool(shape: Shape) -> ReplySchema:
    """The tool with which the proposer answers."""
    issue = {
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "description": {"type": "string"},
            "columns": _NAMES,
            "solved": {"type": "boolean"},
        },
        "required": ["id", "description", "solved"],
    }
    return ReplySchema(
        name="cleaning_analysis",
        description="Report the data-quality issues and cleaning functions for them.",
        parameters={
            "type": "object",
            "properties": {
                "issues_detected": {"type": "array", "items": issue},
                "function": function_schema(shape),
                "more_functions": {
                    "type": "array",
                    "description": "Further functions, each for another issue and independent of the others.",
                    "items": {**function_schema(shape), "type": "object"},
                },
                "chunk_status": {"type": "string", "enum": ["needs_work", "clean"]},
            },
            "required": ["issues_detected", "chunk_status"],
        },
    )


def read_structured(text: str) -> ReplyParts:
    """What the arguments say. Raises ReplyError with a message for the model."""
    value = load_json(text)
    for _ in range(3):  # some servers encode the arguments twice, or wrap them
        if isinstance(value, str):
            value = load_json(value)
        elif isinstance(value, list) and len(value) == 1:
            value = value[0]
        elif isinstance(value, dict) and (inner := _unwrapped(value)) is not None:
            value = inner
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return merged([_read(one if (inner := _unwrapped(one)) is None else inner) for one in value])
    return _read(value)


def _read(value: Any) -> ReplyParts:
    if not isinstance(value, dict):
        raise ReplyError("The answer is JSON, but not one object with issues_detected, function and chunk_status.")
    value = _named(value)
    found = _first(value, ("issues_detected", "issues", "problems"))
    issues = found.get("issue", list(found.values())) if isinstance(found, dict) else found
    issues = issues if isinstance(issues, list) else []
    return ReplyParts(
        issues=tuple(i for n, item in enumerate(issues, 1) if (i := issue_of(n, item)) is not None),
        functions=tuple(_functions(value)),
        status=str(_first(value, ("chunk_status", "status")) or ""),
    )


def merged(answers: Sequence[ReplyParts]) -> ReplyParts:
    """Several answers, or parts of one, as one: the last status counts."""
    return ReplyParts(
        issues=tuple(dict.fromkeys(issue for one in answers for issue in one.issues)),
        functions=tuple(function for one in answers for function in one.functions),
        status=next((one.status for one in reversed(answers) if one.status), ""),
        lost=tuple(sentence for one in answers for sentence in one.lost),
    )


def _unwrapped(value: dict[str, Any]) -> Any:
    for key in WRAPPINGS:
        if isinstance(value.get(key), str | dict | list) and "chunk_status" not in value:
            return value[key]
    return None


def _named(value: dict[Any, Any]) -> dict[str, Any]:
    """The fields under the names that they were asked for: `chunkStatus` and `Chunk_Status` are chunk_status."""
    return {HUMP.sub("_", str(key)).lower(): item for key, item in value.items()}


def _first(value: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((value[key] for key in keys if value.get(key) is not None), None)


def _functions(value: dict[str, Any]) -> list[FunctionParts]:
    found = _first(value, _FUNCTION_KEYS)
    if isinstance(found, str) and found.lstrip().startswith(("{", "[")):
        found = load_json(found)
    if found is None and _first(value, _CODE_KEYS):
        found = value
    if isinstance(found, str):
        found = {"code": found} if code_extraction.is_code(found) else None
    if not isinstance(found, list):
        found = [found]
    more = _first(value, _MORE_KEYS)
    found = [*found, *(more if isinstance(more, list) else [more])]
    return [part for item in found for part in function_of(item)]


def function_of(value: object) -> list[FunctionParts]:
    """The function that an object describes; none where it holds no code."""
    item = _named(value) if isinstance(value, dict) else {}
    return [_function(item)] if _first(item, _CODE_KEYS) else []


def _function(item: dict[str, Any]) -> FunctionParts:
    code = _first(item, _CODE_KEYS)
    if isinstance(code, list):  # line by line
        code = "\n".join(str(line).rstrip("\n") for line in code)
    return FunctionParts(
        code=code_extraction.read_code(str(code), escaped=False),
        name=str(item.get("name") or ""),
        docstring=str(_first(item, ("docstring", "doc", "description")) or ""),
        detector=code_extraction.read_code(str(_first(item, ("detector", "detect")) or ""), escaped=False),
        effects=effects_of(item.get("effects"), names_of(item.get("columns"))),
        examples=examples_of(item.get("examples")),
    )
