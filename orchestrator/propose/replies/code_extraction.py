"""Finds the Python in what a model put where code belongs: CDATA, Markdown fences, escapes, odd quotes.

Several readings are tried in the order of their likelihood; the first that is valid Python is taken. Nothing is run.
Called by the reply readers and by `candidate_assembly`.
"""

import ast
import re
from collections.abc import Iterator

from orchestrator.core.parsing import parse_python
from orchestrator.data.source_check import too_costly
from orchestrator.propose.replies.fences import fences_in, tidy
from orchestrator.propose.replies.typography import plain_indentation, plain_typography

MAX_CODE_CHARS = 100_000

_ENTITY = re.compile(r"&(?:(lt|gt|amp|quot|apos|nbsp)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));")
_WRAPPED = re.compile(r"\s*+<(code|python)>")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "nbsp": " "}
_BARE = re.compile(r"<|&(?!(?:lt|gt|amp|quot|apos|#\d+|#[xX][0-9a-fA-F]+);)")
_ESCAPE = re.compile(r"\\([nt\"\\])")
_ESCAPED = {"n": "\n", "t": "\t"}
_NEWER = re.compile(r"^[ \t]*(?:(?:async +)?def|class) +\w+\[|^[ \t]*type +\w+\b[^=\n(]*=", re.MULTILINE)
_RUNS_ON = "the functions run on Python 3.11, so that nothing that Python 3.12 brought can be used"


def parse(code: str) -> ast.Module | str:
    """The syntax tree, or one sentence that says why there is none. Never raises for anything that code can be."""
    if len(code) > MAX_CODE_CHARS:
        return f"the code has {len(code)} characters; the limit is {MAX_CODE_CHARS}"
    if too_costly(code):
        return "it is nested too deeply or too large to be parsed"
    try:
        return parse_python(code)
    except SyntaxError as error:
        newer = "f-string" in error.msg or _NEWER.search(code) is not None
        return f"line {error.lineno}: {error.msg}" + (f" ({_RUNS_ON})" if newer else "")
    except (ValueError, RecursionError, MemoryError) as error:
        return f"it cannot be parsed: {error or type(error).__name__}"


def is_code(text: str) -> bool:
    """True for valid Python that defines or imports something: prose of one word is valid Python too."""
    tree = parse(text)
    return isinstance(tree, ast.Module) and any(isinstance(s, ast.FunctionDef) for s in tree.body)


def read_code(text: str, *, escaped: bool | None = None) -> str:
    """The most likely reading of a code field; where none is valid Python, the plainest one.

    `escaped`: False where the text is known to be literal, None where entities may stand for characters.
    """
    if len(text) > 2 * MAX_CODE_CHARS:
        return text  # too long in every reading
    readings = list(dict.fromkeys(_readings(text, escaped)))
    for reading in readings:
        if isinstance(parse(reading), ast.Module):
            return reading
    return readings[0]


def fenced_blocks(text: str) -> list[str]:
    """The contents of Markdown code fences, in order."""
    return [fence.body for fence in fences_in(text)]


def unescape(text: str) -> str:
    """The five entities of XML, numeric references and &nbsp;, once."""

    def one(match: re.Match[str]) -> str:
        name, decimal, hexadecimal = match.groups()
        if name:
            return _NAMED[name]
        number = int(decimal) if decimal else int(hexadecimal, 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else match.group()

    return _ENTITY.sub(one, text)


def as_unicode(text: str) -> str:
    """The text without lone surrogates, which JSON escapes can make and which no file can hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def without_cdata(text: str) -> tuple[str, bool]:
    """The text without its CDATA wrapping, and whether there was one. A missing end is forgiven."""
    if (wrapped := _WRAPPED.match(text)) is not None:  # the tag of the other protocol
        text = text[wrapped.end() :].rstrip().removesuffix(f"</{wrapped.group(1)}>")
    stripped = text.strip()
    if not stripped.upper().startswith("<![CDATA["):
        return text, False
    inner = stripped[len("<![CDATA[") :]
    inner = inner.removesuffix("]]>").replace("]]]]><![CDATA[>", "]]>")
    return inner, True


def _readings(text: str, escaped: bool | None) -> Iterator[str]:
    body, was_cdata = without_cdata(text)
    unescaped = unescape(body)
    literal = escaped is False or was_cdata or _BARE.search(body) is not None
    plain = [body, unescaped] if literal else [unescaped, body]
    for one in plain:
        yield from _shapes(one)
    for one in plain:
        yield from _shapes(plain_typography(one))


def _shapes(text: str) -> Iterator[str]:
    whole = tidy(text)
    blocks = fenced_blocks(text)
    if blocks and whole.startswith(("```", "~~~")):
        yield from blocks
    yield whole
    yield from sorted(blocks, key=len, reverse=True)
    if "\t" in whole:
        yield tidy(plain_indentation(text, 8))
        yield tidy(plain_indentation(text, 4))
    if "\\n" in whole and "\n" not in whole:
        yield _ESCAPE.sub(lambda found: _ESCAPED.get(found.group(1), found.group(1)), whole)
