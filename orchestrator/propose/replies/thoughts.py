"""Parts a model's thoughts from its answer, by the marks that servers leave in the text. Called by all who read one."""

import re

from orchestrator.core.errors import ReplyError

_WORDS = "think|thinking|thought|thoughts|thought_process|reasoning|scratchpad|reflection"
_MARK = re.compile(rf"<(/?)(?:seed:)?(?:{_WORDS})(?:\s[^<>]{{0,200}})?>|\[(/?)THINK\]|◁(/?)think▷", re.IGNORECASE)
_ANSWER = re.compile(
    r"<(?:cleaning_analysis|function_to_generate|chunk_status|code)\b|```|^[ \t]*\{", re.IGNORECASE | re.MULTILINE
)
_FINAL = "<|channel|>final<|message|>"
_FIRST_CHARS = 200
_ROOT = "cleaning_analysis"


def without_thoughts(text: str) -> str:
    """The text without the model's thoughts before its answer; a mark inside the answer itself stays.

    Thoughts without an end before a complete analysis, which is the last thing in the text, are thoughts all the same.
    """
    if "<|channel|>" in text[:_FIRST_CHARS] and _FINAL in text:
        text = text[text.rindex(_FINAL) + len(_FINAL) :]
    start, inside = 0, False
    answer = _ANSWER.search(text)
    for mark in _MARK.finditer(text):
        answered = answer is not None and answer.start() < mark.start()
        if not any(mark.groups()):
            if answered and not inside:
                break
            inside = True
            continue
        if answered and not inside and not _ANSWER.search(text, mark.end()):
            break
        start, inside = mark.end(), False  # also an end without a beginning: some servers swallow that
        if answered:
            answer = _ANSWER.search(text, start)
    if not inside:
        return text[start:]
    whole = text.rstrip().removesuffix("```").rstrip().endswith(f"</{_ROOT}>")
    if whole and (last := text.rfind(f"<{_ROOT}", start)) >= 0:
        return text[last:]
    raise ReplyError("The answer ends inside the thoughts: it was cut off. Think less and answer.")
