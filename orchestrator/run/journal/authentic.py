"""Whether a journal was written by this machine and not changed since. Called by `journal`.

Each line ends with a code (HMAC-SHA256, RFC 2104) over itself and the code of the line before, made with the machine's
key. So nobody else can change, remove, move or add a line; a journal can only be cut off at the end.
"""

import hashlib
import hmac
import re

_CODED = re.compile(r'(.*),"mac":"([0-9a-f]{64})"\}', re.DOTALL)
_START = b"cleanroom journal 1"


class Chain:
    """The codes of a journal, line after line. `key`: None where the machine keeps none; lines then have no code."""

    def __init__(self, key: bytes | None, last: str = "") -> None:
        self._key = key
        self._last = code_of(last).encode() or _START

    def coded(self, line: str) -> str:
        """The line, which is a JSON object, with its code."""
        return line if self._key is None else f'{line[:-1]},"mac":"{self._next(self._key, line)}"}}'

    def accepts(self, line: str) -> bool:
        """Whether this is the line that was written next."""
        found = _CODED.fullmatch(line)
        if self._key is None or found is None:
            return False
        return hmac.compare_digest(self._next(self._key, found[1] + "}"), found[2])

    def _next(self, key: bytes, line: str) -> str:
        code = hmac.new(key, self._last + b"\n" + line.encode(), hashlib.sha256).hexdigest()
        self._last = code.encode()
        return code


def code_of(line: str) -> str:
    """The code at the end of a line; empty where it has none."""
    found = _CODED.fullmatch(line.rstrip("\n"))
    return found[2] if found else ""
