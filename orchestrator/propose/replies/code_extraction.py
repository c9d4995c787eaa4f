"""Finds the Python in what a model put where code belongs: CDATA, Markdown fences, escapes, odd quotes.

Several readings are tried in the order of their likelihood; the first that is valid Python is taken. Nothing is run.
Called by the reply readers and by `candidate_assembly`.
"""

import ast
import re
import textwrap
from collections.abc import Iterator

from orchestrator.core.parsing import parse_python
from orchestrator.data.source_check import too_costly

MAX_CODE_CHARS = 100_000

_FENCE = re.compile(r"^[ \t]*```[ \t]*[\w+.-]*[ \t]*\n(.*?)(?:^[ \t]*```[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_ENTITY = re.compile(r"&(?:(lt|gt|amp|quot|apos|nbsp)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));")
_WRAPPED = re.compile(r"\s*<(code|python)>(.*?)(?:</\1>)?\s*", re.DOTALL)
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "nbsp": " "}
_BARE = re.compile(r"<|&(?!(?:lt|gt|amp|quot|apos|#\d+|#[xX][0-9a-fA-F]+);)")
_QUOTES = str.maketrans(  # typographic quotes and blanks, as word processors make them
    "\u201c\u201d\u201e\u2018\u2019\u201a\u00a0\u202f", "\"\"\"'''  "
)
_INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u200c\u200d\u2060"))


def parse(code: str) -> ast.Module | str:
    """The syntax tree, or one sentence that says why there is none. Never raises for anything that code can be."""
    if len(code) > MAX_CODE_CHARS:
        return f"the code has {len(code)} characters; the limit is {MAX_CODE_CHARS}"
    if too_costly(code):
        return "it is nested too deeply or too large to be parsed"
    try:
        return parse_python(code)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
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
    return [_tidy(block) for block in _FENCE.findall(text.replace("\r\n", "\n"))]


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
    if (wrapped := _WRAPPED.fullmatch(text)) is not None:  # the tag of the other protocol
        text = wrapped.group(2)
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
        yield from _shapes(one.translate(_QUOTES).translate(_INVISIBLE))


def _shapes(text: str) -> Iterator[str]:
    tidy = _tidy(text)
    blocks = fenced_blocks(text)
    if blocks and tidy.startswith("```"):
        yield from blocks
    yield tidy
    yield from sorted(blocks, key=len, reverse=True)
    if "\t" in tidy:
        yield _tidy(text.expandtabs(8))
        yield _tidy(text.expandtabs(4))
    if "\\n" in tidy and "\n" not in tidy:
        yield tidy.replace("\\n", "\n").replace("\\t", "\t").replace('\\"', '"').replace("\\\\", "\\")


def _tidy(text: str) -> str:
    """Plain line ends, no blank lines around, no common indentation."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff").rstrip()
    first = len(text) - len(text.lstrip())
    return textwrap.dedent(text[text.rfind("\n", 0, first) + 1 :])
