"""Asks again with what a server says it takes: fewer tokens, no temperature, another name. Called by `litellm_chat`.

Servers differ in what they accept and say it in their refusal; LiteLLM's `drop_params` knows the models of its table
alone. What a server said holds for the next questions too, except for the room that one prompt leaves in the context.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

_MOST_CURES = 3  # of one question: a model may refuse a name, a value and a parameter, one after the other
_FEWEST_TOKENS = 1_000  # an answer with a function in it; with less room the prompt has to be shorter
_MARGIN = 64  # servers count the marks between messages differently
_OTHER_NAME = re.compile(r"max_completion_tokens\W{0,3} instead", re.IGNORECASE)
_REFUSED = re.compile(
    r"unsupported|not support|only the default|deprecated|not allowed|not permitted|must be|cannot be", re.IGNORECASE
)
_MOST_OF_ANSWER = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"at most ([\d,]+) (?:completion|output) tokens",
        r"max_tokens: [\d,]+ > ([\d,]+)",
        r"max_(?:completion_|output_)?tokens\b[^\d]{0,80}\[1, ?([\d,]+)\]",
        r"max_(?:completion_|output_)?tokens\b.{0,80}?(?:than or equal to|at most|<=|maximum (?:of|is))\W{0,3}([\d,]+)",
    )
]
_CONTEXT = re.compile(r"context (?:length|window|size)(?: is)?(?: only)?(?: of)? ?\(?([\d,]+)", re.IGNORECASE)
_PROMPT = re.compile(
    r"(?:request|prompt|input)(?: has| contains)(?: at least)? ([\d,]+)(?: input)? tokens"
    r"|([\d,]+) (?:in the messages|tokens from the input messages|input tokens)",
    re.IGNORECASE,
)


class ServerLimits:
    """What the server of one model has said of the parameters that it takes."""

    def __init__(self) -> None:
        self._said: dict[str, Any] = {}

    def answered(self, complete: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
        """What `complete` returns for the arguments, or for those that the server accepts. Raises what it raises."""
        given = _with(arguments, self._said)
        for _ in range(_MOST_CURES):
            try:
                return complete(**given)
            except Exception as error:
                cure, lasting = _cure(str(error), given)
                if not cure:
                    raise
            if lasting:
                self._said |= cure
            given = _with(given, cure)
        return complete(**given)


def _with(arguments: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**arguments, **changes}.items() if value is not None}


def _cure(said: str, given: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """The parameters that would satisfy the server, None for one to leave out, and whether they would the next time."""
    name = "max_completion_tokens" if "max_completion_tokens" in given else "max_tokens"
    most = given.get(name)
    if "max_tokens" in given and _OTHER_NAME.search(said):
        return {"max_tokens": None, "max_completion_tokens": most}, True
    if "temperature" in given and "temperature" in said and _REFUSED.search(said):
        return {"temperature": None}, True
    if most is None:
        return {}, False
    if (context := _CONTEXT.search(said)) and (prompt := _PROMPT.search(said)):
        room = _number(context) - _number(prompt) - _MARGIN
        return ({name: room}, False) if _FEWEST_TOKENS <= room < most else ({}, False)
    found = next((found for pattern in _MOST_OF_ANSWER if (found := pattern.search(said))), None)
    limit = _number(found) if found else 0
    return ({name: limit}, True) if 0 < limit < most else ({}, False)


def _number(found: re.Match[str]) -> int:
    digits = next(group for group in found.groups() if group).replace(",", "")
    return int(digits) if 0 < len(digits) < 10 else 0
