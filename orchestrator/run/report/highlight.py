"""Python source as HTML lines with light highlighting, by the standard library's tokenizer. Called by `render`.

The source is untrusted and may not even be Python: what cannot be tokenized is shown plain.
"""

import io
import keyword
import token
import tokenize

from markupsafe import Markup

from orchestrator.run.report.visible import code

MAX_SOURCE = 40_000

_KINDS = {tokenize.COMMENT: "c", token.STRING: "s", token.NUMBER: "n"}
_Span = tuple[int, int, str]  # from column, to column, class


def highlight(source: str) -> Markup:
    """One `span.l` per line; longer sources are cut, and say so."""
    text = source[:MAX_SOURCE]
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    spans = _spans(text, len(lines))
    shown = [
        Markup('<span class="l">{}</span>').format(_line(line, spans.get(number, [])))
        for number, line in enumerate(lines, start=1)
    ]
    if len(source) > MAX_SOURCE:
        rest = f"{len(source) - MAX_SOURCE:,}"
        shown.append(Markup('<span class="cut">… {} more characters</span>').format(rest))
    return Markup("\n").join(shown)


def _line(line: str, spans: list[_Span]) -> Markup:
    parts: list[Markup] = []
    at = 0
    for start, end, kind in spans:
        parts.append(code(line[at:start]))
        parts.append(Markup('<span class="{}">{}</span>').format(kind, code(line[start:end])))
        at = end
    parts.append(code(line[at:]))
    return Markup("").join(parts)


def _spans(text: str, line_count: int) -> dict[int, list[_Span]]:
    """Coloured stretches by line number. Empty from the first thing on that is no Python."""
    spans: dict[int, list[_Span]] = {}
    after_def = False
    try:
        for kind, word, (first, start), (last, end), line in tokenize.generate_tokens(io.StringIO(text).readline):
            css = _KINDS.get(kind, "")
            if kind == token.NAME:
                css = "k" if keyword.iskeyword(word) else "d" if after_def else ""
                after_def = word in ("def", "class")
            if not css or last > line_count:
                continue
            for number in range(first, last + 1):
                length = len(line.split("\n")[number - first])
                spans.setdefault(number, []).append(
                    (start if number == first else 0, end if number == last else length, css)
                )
    except (tokenize.TokenError, SyntaxError, IndexError, ValueError):
        return spans
    return spans
