"""Python source as HTML lines with classes for colours, by Pygments' lexer. Called by `render`.

The source is untrusted and may not even be Python: what the lexer cannot read is shown plain. Pygments' own HTML is not
used, since characters that a reader cannot see must be shown, too (`visible`).
"""

import re
from collections.abc import Iterator
from functools import cache

from markupsafe import Markup
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType

from orchestrator.run.report.visible import code

MAX_SOURCE = 64_000  # as long as the default policy lets a source be: a person decides by all of it
_END = Markup("</span>")
_LONE_CR = re.compile("\r(?!\n)")
_MAX_LINE = 500  # beyond it some of the lexer's expressions take seconds

_CLASSES = (  # of report/templates/style.css
    (Keyword, "k"), (Operator.Word, "k"), (Name.Function, "d"), (Name.Class, "d"), (String, "s"), (Number, "n"),
    (Comment, "c"),
)  # fmt: skip


def highlight(source: str) -> Markup:
    """One `span.l` per line; longer sources are cut, and say so."""
    text = _LONE_CR.sub("\r\n", source[:MAX_SOURCE])  # a line end for Python, but not for the lexer
    lines = [_begin("l") + line + _END for line in _lines(text)]
    if len(source) > MAX_SOURCE:
        rest = f"{len(source) - MAX_SOURCE:,}"
        lines.append(Markup('<span class="cut">… {} more characters</span>').format(rest))
    return Markup("\n").join(lines)


def _lines(text: str) -> Iterator[Markup]:
    """The lines of the source, without the end of the last one."""
    parts: list[Markup] = []
    for css, value in _coloured(text):
        for number, piece in enumerate(value.split("\n")):
            if number:
                yield Markup("").join(parts)
                parts = []
            if piece:
                shown = code(piece)
                parts.append(_begin(css) + shown + _END if css else shown)
    if parts or not text:
        yield Markup("").join(parts)


def _coloured(text: str) -> Iterator[tuple[str, str]]:
    """Pieces of the source, in their order and without a gap, with the class of each; empty: no colour."""
    if max(map(len, text.split("\n"))) > _MAX_LINE:
        yield "", text
        return
    for _, kind, value in PythonLexer().get_tokens_unprocessed(text):
        yield _class_of(kind), value


@cache
def _begin(css: str) -> Markup:
    return Markup('<span class="{}">').format(css)


@cache
def _class_of(kind: _TokenType) -> str:
    return next((css for wanted, css in _CLASSES if kind in wanted), "")
