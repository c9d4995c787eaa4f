"""Whether a source reads as what it runs: no name that passes for another, no mark that reorders its text.

Called by the screen. Python takes `ｔｒｉｍ` for `trim`, and a Cyrillic с for another letter than c; a reader does the
opposite. Source: CVE-2021-42574 and CVE-2021-42694.
"""

import io
import re
import tokenize
from collections.abc import Iterator

from orchestrator.data.lookalikes import escaped, is_written_plainly, passes_for_ascii

_REORDERS = re.compile("[\u202a-\u202e\u2066-\u2069]")


def misleading(source: str) -> Iterator[str]:
    """What misleads a reader, one sentence each with its line; the source is one that Python can parse."""
    if source.isascii():
        return
    for number, line in enumerate(source.splitlines(), 1):
        if found := _REORDERS.search(line):
            yield f"line {number}: write the character {escaped(found[0])}, which reorders text, as an escape"
    for name, number in _names(source):
        shown = "".join(char if char.isascii() else escaped(char) for char in name)[:80]
        if not is_written_plainly(name):
            yield f"line {number}: Python reads the name `{shown}` as another; write it as it is read"
        elif len(name) > 1 and passes_for_ascii(name):
            yield f"line {number}: the name `{shown}` passes for another; write it in the letters of one script"


def _names(source: str) -> Iterator[tuple[str, int]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.NAME and not token.string.isascii():
                yield token.string, token.start[0]
            elif token.type == tokenize.ERRORTOKEN and token.string.strip():
                yield token.string, token.start[0]  # what the tokenizer knows no name for until it is normalised
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return
