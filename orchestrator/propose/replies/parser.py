"""Reads a model's reply, whatever its form, into core's Analysis. Called by `model_proposer`.

Which protocol was asked for does not matter: models answer in XML when a tool was offered, and in JSON when XML was
asked for. What cannot be read raises ReplyError, whose message is shown to the model.
"""

import re
from collections.abc import Iterator, Sequence

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import ReplyError
from orchestrator.core.proposals import Analysis, ChunkStatus, FurtherFunction, Issue
from orchestrator.core.wording import counted, plural
from orchestrator.data.text import clean_text
from orchestrator.propose.llm.chat import ChatReply
from orchestrator.propose.replies import code_extraction
from orchestrator.propose.replies.candidate_assembly import assemble
from orchestrator.propose.replies.reply_parts import FunctionParts, ReplyParts
from orchestrator.propose.replies.structured import read_structured
from orchestrator.propose.replies.xml import looks_like_xml, read_xml

MAX_REPLY_CHARS = 1_000_000
_MOST_NAMES = 5

_THINKING = re.compile(r"<(/?)(?:think|thinking|thought|reasoning|scratchpad|reflection)>", re.IGNORECASE)
_ANSWER = re.compile(
    r"<(?:cleaning_analysis|function_to_generate|chunk_status|code)\b|```|^[ \t]*\{", re.IGNORECASE | re.MULTILINE
)
_JSON = re.compile(r"""\s*[\[{"]""")  # other tool arguments are an answer in words or in XML
_CLEAN = {"clean", "done", "ok", "all_clean", "no_issues", "complete", "completed", "finished", "already_clean"}


def read_reply(reply: ChatReply, *, may_give_up: bool = False, shape: Shape = Shape.TABLE, most: int = 1) -> Analysis:
    """The analysis in a reply, its functions taken for ones of the shape that was asked for.

    `may_give_up`: an answer without a function is fine (a repair). `most`: functions that are taken; where one is asked
    for, several cannot be read.
    """
    raw = code_extraction.as_unicode(reply.tool_arguments or reply.text)
    if len(raw) > MAX_REPLY_CHARS:
        raise ReplyError(f"The answer has {len(raw)} characters; the limit is {MAX_REPLY_CHARS}. Answer shorter.")
    try:
        parts = read_structured(raw) if reply.tool_arguments and _JSON.match(raw) else _parts(raw)
        return _analysis(parts, raw, reply, may_give_up=may_give_up, shape=shape, most=most)
    except RecursionError:
        raise ReplyError("The answer holds code or examples that are nested too deeply.") from None
    except ReplyError as error:
        if reply.truncated:
            raise ReplyError(
                f"{error.message} The answer was cut off at the length limit: answer with less text and shorter code."
            ) from error
        raise


def _parts(raw: str) -> ReplyParts:
    text = without_thinking(raw).strip()
    if not text:
        raise ReplyError("The answer is empty.")
    blocks = [block for block in code_extraction.fenced_blocks(text) if code_extraction.is_code(block)]
    if looks_like_xml(text):
        parts = read_xml(text)
        if parts == ReplyParts() and (value := _json_in(text)) is not None:  # one protocol inside the other
            return read_structured(value)
        return parts if parts.functions or not blocks else parts._replace(functions=(_from_blocks(blocks),))
    if "&lt;cleaning_analysis" in text:
        return read_xml(code_extraction.unescape(text))
    if (value := _json_in(text)) is not None:
        return read_structured(value)
    if not blocks and code_extraction.is_code(text):
        blocks = [text]
    if blocks:
        return ReplyParts(functions=(_from_blocks(blocks),))
    raise ReplyError("The answer holds neither a <cleaning_analysis> nor a function: answer in the format asked for.")


def _from_blocks(blocks: list[str]) -> FunctionParts:
    """Python from Markdown fences: a detector and its function may stand in two."""
    return FunctionParts(code="\n\n\n".join(dict.fromkeys(blocks)))


def without_thinking(text: str) -> str:
    """The text without the model's thoughts before its answer; a tag inside the answer itself stays."""
    start, inside = 0, False
    answer = _ANSWER.search(text)
    for tag in _THINKING.finditer(text):
        answered = answer is not None and answer.start() < tag.start()
        if not tag.group(1):
            if answered and not inside:
                break
            inside = True
            continue
        if answered and not inside and not _ANSWER.search(text, tag.end()):
            break
        start, inside = tag.end(), False  # also an end without a beginning: some servers swallow that
        if answered:
            answer = _ANSWER.search(text, start)
    if inside:
        raise ReplyError("The answer ends inside the thoughts: it was cut off. Think less and answer.")
    return text[start:]


def _json_in(text: str) -> str | None:
    """The JSON object that the text is, holds in a fence, or holds between prose."""
    candidates = [text, *code_extraction.fenced_blocks(text)]
    for candidate in candidates:
        stripped = candidate.strip()
        if stripped.startswith(("{", "[{")) and stripped.endswith(("}", "}]")):
            return stripped
    start, end = text.find("{"), text.rfind("}")
    if start >= 0 and re.match(
        r"""\{\s*["'](?:issues|chunk_status|function|status|code|name|cleaning)""", text[start : start + 200]
    ):
        return text[start : end + 1] if end > start else text[start:]
    return None


def _analysis(parts: ReplyParts, raw: str, reply: ChatReply, *, may_give_up: bool, shape: Shape, most: int) -> Analysis:
    functions = list({f.code: f for f in parts.functions if f.code.strip()}.values())
    if len(functions) > 1 and most == 1:
        raise ReplyError(f"The answer has {len(functions)} functions: send exactly one, for the most important issue.")
    sources, problems = _assembled(functions[:most], parts.issues, shape)
    if problems and not sources:
        raise problems[0]
    status = _status(parts, has_source=bool(sources))
    if not sources and status is ChunkStatus.NEEDS_WORK and not may_give_up:
        raise ReplyError(
            "The answer says that the chunk needs work but holds no function: "
            "write one function for one issue, or say that the chunk is clean (chunk_status `clean`)."
        )
    return Analysis(
        issues=parts.issues,
        chunk_status=status,
        source=sources[0] if sources else None,
        more=tuple(FurtherFunction(source=source) for source in sources[1:]),
        reply=raw,
        usage=reply.usage,
        notes=(
            *(f"A function of an answer was left out: {error.message}" for error in problems),
            *_beyond(functions, most),
        ),
    )


def _beyond(functions: Sequence[FunctionParts], most: int) -> Iterator[str]:
    """A note where an answer held more functions than are taken of one."""
    if rest := functions[most:]:
        names = ", ".join(clean_text(function.name, 60) or "one without a name" for function in rest[:_MOST_NAMES])
        told = (
            f"{counted(len(rest), 'function')} of an answer {plural(len(rest), 'was', 'were')} not looked at ({names})"
        )
        yield f"{told}: the policy takes {most} of one answer (model.functions_per_answer)."


def _assembled(
    functions: list[FunctionParts], issues: tuple[Issue, ...], shape: Shape
) -> tuple[list[str], list[ReplyError]]:
    """The source of each function, and what is wrong with those that have none."""
    sources, problems = [], []
    for function in functions:
        try:
            sources.append(assemble(function, _issue_of(function, issues, alone=len(functions) == 1), shape))
        except ReplyError as error:
            problems.append(error)
    return list(dict.fromkeys(sources)), problems


def _issue_of(function: FunctionParts, issues: tuple[Issue, ...], *, alone: bool) -> str:
    """What the function is for: the first unsolved issue, of several functions the first one about its columns."""
    unsolved = [issue for issue in issues if not issue.solved]
    own = {*function.effects.modifies, *function.effects.adds, *function.effects.drops}
    fitting = unsolved if alone else [issue for issue in unsolved if own & set(issue.columns)]
    return fitting[0].description if fitting else ""


def _status(parts: ReplyParts, *, has_source: bool) -> ChunkStatus:
    """The chunk's status. One that carries a function is not clean, whatever the model calls it: no code is lost."""
    if has_source:
        return ChunkStatus.NEEDS_WORK
    word = re.sub(r"[^a-z]+", "_", parts.status.lower()).strip("_")
    all_solved = bool(parts.issues) and all(issue.solved for issue in parts.issues)
    if word in _CLEAN or (all_solved and not word):
        return ChunkStatus.CLEAN
    if word or parts.issues:
        return ChunkStatus.NEEDS_WORK
    if given := parts.status.strip():
        raise ReplyError(f"The chunk_status is {given[:40]!r}: write `clean` or `needs_work`, in English.")
    raise ReplyError(
        "The answer has no issues, no function and no chunk_status: it was cut off or is in another format."
    )
