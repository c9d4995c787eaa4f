"""What a reply says, before it becomes an Analysis: the one value that both protocols are read into."""

import ast
import json
import pprint
import re
from typing import Any, NamedTuple

from orchestrator.core.errors import ReplyError
from orchestrator.core.proposals import Issue
from orchestrator.data.source_check import too_costly
from orchestrator.propose.replies.code_extraction import MAX_CODE_CHARS, as_unicode

_LAST_COMMA = re.compile(r'("(?:[^"\\]|\\.)*"?)|,(?=\s*[}\]])', re.DOTALL)
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*"?)|(?<![:\w])(?://|#)[^\n]*', re.DOTALL)
_LAID_OUT = 8  # levels of a value
_DEEPEST = 90  # levels; Python's own parser reads no more than 200
_YES = {"true", "yes", "1", "solved", "done", "fixed", "y"}


class DeclaredEffects(NamedTuple):
    """What the function claims to change. `replaces`: the promoted function whose place it takes.

    `by`: of a fitted function, the columns whose rows should agree in what it changes.
    """

    modifies: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()
    drops_rows: bool = False
    replaces: str = ""
    by: tuple[str, ...] = ()


class FunctionParts(NamedTuple):
    """The fields of one proposed function, as text that is still to be made into a candidate file."""

    code: str
    name: str = ""
    docstring: str = ""
    detector: str = ""
    effects: DeclaredEffects = DeclaredEffects()
    examples: tuple[dict[str, Any], ...] = ()


class ReplyParts(NamedTuple):
    """Everything that was found in one reply. `status` is the model's word, in any spelling.

    `lost`: a sentence for each function that was meant and cannot be read.
    """

    issues: tuple[Issue, ...] = ()
    functions: tuple[FunctionParts, ...] = ()
    status: str = ""
    lost: tuple[str, ...] = ()


def load_json(text: str) -> Any:
    """JSON as models write it: raw line breaks in strings, NaN, last commas, comments, single quotes.

    Raises ReplyError.
    """
    problem = ""
    for reading in (text, _LAST_COMMA.sub(r"\1", text), _LAST_COMMA.sub(r"\1", _COMMENT.sub(r"\1", text))):
        try:
            return json.loads(reading, strict=False, parse_constant=lambda _: None)
        except (ValueError, RecursionError) as error:
            problem = problem or str(error)
    value = _literal(text.strip())
    if isinstance(value, dict | list):
        return value
    raise ReplyError(f"The JSON cannot be read: {problem[:200]}.")


def _literal(text: str) -> Any:
    """The text as a value of Python; None where it is none, or nothing that its parser should be given."""
    if len(text) > MAX_CODE_CHARS or too_costly(text):
        return None
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def as_python(value: Any) -> str:
    """The value as Python, over several lines. Raises ReplyError for one that no function can hold.

    What is nested deeply stays on one line: to lay it out, each level is written once for each level around it.
    """
    if _is_deep(value, _DEEPEST):
        raise ReplyError("The answer holds examples that are nested too deeply.")
    plain = repr(value)
    if len(plain) > MAX_CODE_CHARS:
        raise ReplyError(
            f"The contract has {len(plain)} characters; the limit is {MAX_CODE_CHARS}. Give shorter examples."
        )
    return plain if _is_deep(value, _LAID_OUT) else pprint.pformat(value, width=100, sort_dicts=False)


def _is_deep(value: Any, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return levels == 0 or any(_is_deep(one, levels - 1) for one in inner)


def load_json_or_none(text: str) -> Any:
    try:
        return load_json(text)
    except ReplyError:
        return None


def names_of(value: Any) -> tuple[str, ...]:
    """Column names from a list, a JSON list as text, or a text with commas or lines."""
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("["):
            value = load_json_or_none(text)
        else:
            value = [part.strip().strip("\"'`") for part in re.split(r"[,\n]", text)]
            value = [part for part in value if part.lower() not in {"", "none", "null", "n/a"}]
    if isinstance(value, dict):
        value = list(value)
    if not isinstance(value, list | tuple):
        return ()
    return tuple(dict.fromkeys(as_unicode(str(item)) for item in value if isinstance(item, str | int)))


def truth_of(value: Any) -> bool:
    return value if isinstance(value, bool) else str(value).strip().lower() in _YES


def effects_of(value: Any, columns: tuple[str, ...]) -> DeclaredEffects:
    """Effects from an object, or JSON as text; prose says nothing. Without `modifies`, the function's columns count."""
    if isinstance(value, str):
        value = load_json_or_none(value) if value.strip().startswith("{") else None
    if not isinstance(value, dict):
        return DeclaredEffects(modifies=columns)
    adds, drops = names_of(value.get("adds")), names_of(value.get("drops"))
    if "modifies" in value:
        modifies = names_of(value["modifies"])
    else:
        modifies = tuple(c for c in columns if c not in adds and c not in drops)
    replaced = next(iter(names_of(value.get("replaces"))), "")
    by = names_of(value.get("by"))
    return DeclaredEffects(modifies, adds, drops, truth_of(value.get("drops_rows", False)), replaced, by)


def examples_of(value: Any) -> tuple[dict[str, Any], ...]:
    """Examples from a list of {input, output}, or such a list as text. What is no example is left out."""
    if isinstance(value, str):
        value = load_json_or_none(value)
    if isinstance(value, dict):
        value = value.get("examples", [value])
    if not isinstance(value, list):
        return ()
    found = []
    for item in value:
        if isinstance(item, dict):
            lower = {str(k).lower(): v for k, v in item.items()}
            before = lower.get("input", lower.get("before"))
            after = lower.get("output", lower.get("after", lower.get("expected")))
            if before is not None and type(before) is type(after):
                found.append({"input": before, "output": after})
    return tuple(found)


def issue_of(number: int, value: Any) -> Issue | None:
    """An issue from an object or a plain sentence."""
    if isinstance(value, str) and value.strip():
        return Issue(id=str(number), description=as_unicode(value.strip()[:1000]))
    if not isinstance(value, dict):
        return None
    text = str(value.get("description") or value.get("issue") or value.get("text") or "").strip()
    if not text:
        return None
    columns = names_of(value.get("columns", value.get("column", ())))
    return Issue(
        id=as_unicode(str(value.get("id") or number)[:40]),
        description=as_unicode(text[:1000]),
        columns=columns,
        solved=truth_of(value.get("solved", False)),
    )
