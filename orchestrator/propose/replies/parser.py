"""Reads a model's reply, whatever its form, into core's Analysis. Called by `model_proposer`.

Which protocol was asked for does not matter: models answer in XML when a tool was offered, and in JSON when XML was
asked for. What cannot be read raises ReplyError, whose message is shown to the model; of several functions those that
cannot be read are left out, and named in `lost` and in the notes.
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
from orchestrator.propose.replies.drafts import name_of, without_drafts
from orchestrator.propose.replies.fenced_functions import FencedFunctions, functions_in
from orchestrator.propose.replies.fences import fences_in
from orchestrator.propose.replies.json_answers import called_with, consecutive, json_answers
from orchestrator.propose.replies.reply_parts import FunctionParts, ReplyParts
from orchestrator.propose.replies.structured import merged, read_structured
from orchestrator.propose.replies.thoughts import without_thoughts
from orchestrator.propose.replies.xml import looks_like_xml, read_xml

MAX_REPLY_CHARS = 400_000  # four times the longest function, with all that stands around it
_MOST_NAMES = 5

_JSON = re.compile(r"""\s*[\[{"]""")  # other tool arguments are an answer in words or in XML
_CLEAN = {"clean", "done", "ok", "all_clean", "no_issues", "complete", "completed", "finished", "already_clean"}
_CLEAN_WORDS = re.compile(
    r"(?:[\W_]*(?:chunk_?status\W+)?clean|[\W_]*(?:the|this)? ?(?:whole |entire )?(?:chunk|data|table|rows?|records?)"
    r"(?: is| are| looks?)?(?: now| already)? clean"
    r"|[\W_]*(?:there are )?no (?:more |further |other |remaining )?issues(?: remain| are left| left| found)?)+[\W_]*",
    re.IGNORECASE,
)
_LONGEST_WORD = 200
_PYTHON = re.compile(r"\s*(?:def |import |from \w+ import |@|\"\"\"|CONTRACT\b)")


def bounded(answer: str) -> str:
    """What a model has answered, as Unicode. Raises ReplyError where it is too long."""
    text = code_extraction.as_unicode(answer)
    if len(text) > MAX_REPLY_CHARS:
        raise ReplyError(f"The answer has {len(text)} characters; the limit is {MAX_REPLY_CHARS}. Answer shorter.")
    return text


def read_reply(reply: ChatReply, *, may_give_up: bool = False, shape: Shape = Shape.TABLE, most: int = 1) -> Analysis:
    """The analysis in a reply, its functions taken for ones of the shape that was asked for.

    `may_give_up`: an answer without a function is fine (a repair). `most`: functions that are taken; where one is asked
    for, several cannot be read.
    """
    texts = [reply.tool_arguments or reply.text, *reply.more_arguments]
    raw = bounded("\n".join(texts))
    try:
        parts = _read_each([code_extraction.as_unicode(text) for text in texts], called=bool(reply.tool_arguments))
        return _analysis(parts, raw, reply, may_give_up=may_give_up, shape=shape, most=most)
    except RecursionError:
        raise ReplyError("The answer holds code or examples that are nested too deeply.") from None
    except ReplyError as error:
        if reply.truncated:
            raise ReplyError(
                f"{error.message} The answer was cut off at the length limit: answer with less text and shorter code."
            ) from error
        raise


def _read_each(texts: Sequence[str], *, called: bool) -> ReplyParts:
    """What all of the texts say together. One that cannot be read is lost, unless it is the only one."""
    found, problems = [], []
    for text in texts:
        is_json = called and _JSON.match(text)
        for answer in consecutive(text.strip()) if is_json else [text]:
            try:
                found.append(read_structured(answer) if is_json else _parts(answer))
            except ReplyError as error:
                problems.append(error)
    if problems and not found:
        raise problems[0]
    return merged([*found, ReplyParts(lost=tuple(error.message for error in problems))])


def _parts(raw: str) -> ReplyParts:
    text = without_thoughts(raw).strip()
    if not text:
        raise ReplyError("The answer is empty.")
    fenced = functions_in(fences_in(text))
    if looks_like_xml(text):
        parts = read_xml(text)
        if parts == ReplyParts() and (answers := json_answers(text)):  # one protocol inside the other
            return _read_each(answers, called=True)
        written = any(code_extraction.is_code(function.code) for function in parts.functions)
        in_fences = not written and (fenced.functions or not parts.functions)
        return _with_fenced(parts, fenced) if in_fences else parts
    if "&lt;cleaning_analysis" in text:
        return read_xml(code_extraction.unescape(text))
    if answers := called_with(text) or json_answers(text):
        try:
            parts = _read_each(answers, called=True)
        except ReplyError:
            if not fenced.functions:
                raise
            parts = ReplyParts()
        return parts if parts.functions else _with_fenced(parts, fenced)
    if fenced.functions:
        return _with_fenced(ReplyParts(), fenced)
    if code_extraction.is_code(text):
        return ReplyParts(functions=(FunctionParts(code=text),))
    return _in_words(text, fenced.lost)


def _with_fenced(parts: ReplyParts, fenced: FencedFunctions) -> ReplyParts:
    return parts._replace(functions=fenced.functions, lost=(*parts.lost, *fenced.lost))


def _in_words(text: str, broken: Sequence[str]) -> ReplyParts:
    """An answer that holds no function: that the chunk is clean, in so many words, or nothing that can be read."""
    if broken:
        raise ReplyError(broken[0])
    if len(text) <= _LONGEST_WORD and _CLEAN_WORDS.fullmatch(text):
        return ReplyParts(status="clean")
    if _PYTHON.match(text) and isinstance(problem := code_extraction.parse(text), str):
        raise ReplyError(f"The code is not valid Python: {problem}.")
    raise ReplyError(
        "The answer holds neither a <cleaning_analysis> nor a function: answer in the format asked for. "
        "If the chunk is clean, say so in that format, by chunk_status `clean`."
    )


def _analysis(parts: ReplyParts, raw: str, reply: ChatReply, *, may_give_up: bool, shape: Shape, most: int) -> Analysis:
    functions, drafts = without_drafts(list({f.code: f for f in parts.functions if f.code.strip()}.values()))
    if len(functions) > 1 and most == 1:
        raise ReplyError(f"The answer has {len(functions)} functions: send exactly one, for the most important issue.")
    sources, problems = _assembled(functions[:most], parts.issues, shape)
    if problems and not sources:
        raise problems[0]
    lost = (*parts.lost, *drafts, *(error.message for error in problems))
    beyond = tuple(_beyond(functions, most))
    status = _status(parts, has_source=bool(sources))
    if parts.lost and not sources and status is ChunkStatus.NEEDS_WORK:
        raise ReplyError(parts.lost[0])
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
        notes=(*(f"A function of an answer was left out: {sentence}" for sentence in lost), *beyond),
        lost=(*lost, *beyond),
    )


def _beyond(functions: Sequence[FunctionParts], most: int) -> Iterator[str]:
    """A note where an answer held more functions than are taken of one."""
    if rest := functions[most:]:
        names = ", ".join(clean_text(name_of(function), 60) or "one without a name" for function in rest[:_MOST_NAMES])
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
            name = clean_text(name_of(function), 60) if len(functions) > 1 else ""
            problems.append(ReplyError(f"`{name}`: {error.message}") if name else error)
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
