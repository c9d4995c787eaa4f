"""Whether a source reads as what it runs: no name that passes for another, no mark that reorders its text, no line that
ends for some readers only, no encoding in which a file with it would be another text.

Called by the screen. Python takes `ｔｒｉｍ` for `trim`, and a Cyrillic с for another letter than c; a reader does the
opposite. Source: CVE-2021-42574 and CVE-2021-42694.
"""

import io
import re
import tokenize
from collections.abc import Iterator

from orchestrator.data.source_lines import source_lines
from orchestrator.data.writing.lookalikes import escaped, is_written_plainly, passes_for_ascii

_REORDERS = re.compile("[\u202a-\u202e\u2066-\u2069]")
# A form feed between two parts of a file stays: it stands where a line begins anyway.
_HALF_LINE_ENDS = re.compile("\r(?!\n)|[\v\x1c-\x1e\x85\u2028\u2029]|(?<=[^\n\f])\f")
_ENCODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)  # PEP 263
_BLANK_OR_COMMENT = re.compile(r"[ \t\f]*(?:#.*)?")
_KEEP_ASCII = re.compile(r"(?i)us-ascii|ascii|latin-?1|iso-8859-15?|cp125\d")


def misleading(source: str) -> Iterator[str]:
    """What misleads a reader, one sentence each with its line; the source is one that Python can parse."""
    yield from _half_line_ends(source)
    yield from _encoding(source)
    if source.isascii():
        return
    for number, line in enumerate(source_lines(source), 1):
        if found := _REORDERS.search(line):
            yield f"line {number}: write the character {escaped(found[0])}, which reorders text, as an escape"
    for name, number in _names(source):
        shown = "".join(char if char.isascii() else escaped(char) for char in name)[:80]
        if not is_written_plainly(name):
            yield f"line {number}: Python reads the name `{shown}` as another; write it as it is read"
        elif len(name) > 1 and passes_for_ascii(name):
            yield f"line {number}: the name `{shown}` passes for another; write it in the letters of one script"


def _half_line_ends(source: str) -> Iterator[str]:
    for found in _HALF_LINE_ENDS.finditer(source):
        number = len(source_lines(source[: found.start()] + "."))
        yield f"line {number}: write the character {escaped(found[0])}, at which some end the line, as an escape"


def _encoding(source: str) -> Iterator[str]:
    """Here a source is UTF-8; imported as a file it is what it says of itself (in UTF-7, `+AAo-` ends a line)."""
    for number, line in enumerate(source_lines(source)[:2], 1):
        if (found := _ENCODING.match(line)) is not None:
            name = found[1].lower().replace("_", "-")
            if not (name in {"utf-8", "utf8"} or (source.isascii() and _KEEP_ASCII.fullmatch(name))):
                yield f"line {number}: the source is UTF-8; leave out the encoding `{found[1][:40]}`"
            return
        if not _BLANK_OR_COMMENT.fullmatch(line):
            return


def _names(source: str) -> Iterator[tuple[str, int]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.NAME and not token.string.isascii():
                yield token.string, token.start[0]
            elif token.type == tokenize.ERRORTOKEN and token.string.strip():
                yield token.string, token.start[0]  # what the tokenizer knows no name for until it is normalised
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return
