"""Tries a long source text on the parser in a disposable process before this one parses it.

Called by the readers of candidates and of replies. CPython's parser takes seconds and hundreds of megabytes for some
texts of a megabyte, and its recursion has ended processes. Short texts cost it little whatever they hold: they are
parsed at once, so that an ordinary function costs no process.
"""

from orchestrator.core.errors import DisposableDied
from orchestrator.core.parsing import parse_python
from orchestrator.data.disposable.disposable_process import DisposableLimits, kept_process

ENTRY = "orchestrator.data.source_check:parses"
LONG = 16_000  # characters; below, the worst text known takes 0.1 s and 10 MB
_HEAD = b"s"  # of a request: no text of somebody else stands first in it, where the mark of another kind could be
_LIMITS = DisposableLimits(wall_s=30.0, cpu_s=1, memory_bytes=128 * 2**20)


def too_costly(source: str) -> bool:
    """Whether parsing the text takes more than a second of processor time or 128 MiB. Raises SandboxError."""
    if len(source) <= LONG:
        return False
    try:
        return kept_process(ENTRY, _LIMITS).call(_HEAD + source.encode("utf-8", "surrogatepass")) != b"parsed"
    except DisposableDied:
        return True


def parses(request: bytes) -> bytes:
    """Parse the text, in the disposable process. A text that is no Python has been parsed, too."""
    try:
        parse_python(request.removeprefix(_HEAD).decode("utf-8", "surrogatepass"))
    except (RecursionError, MemoryError):
        return b"too deep"
    except (SyntaxError, ValueError, OverflowError):
        return b"parsed"
    return b"parsed"
