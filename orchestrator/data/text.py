"""Makes untrusted text safe for a terminal, a log and a prompt. Called wherever such text goes into a message.

A candidate's error message may hold escape sequences, forged log lines, bidirectional marks or lone surrogates. The
result is one line of visible text that any terminal and any UTF-8 file can show.
"""

import re

from orchestrator.data.writing.lookalikes import escaped, marked

# CSI and OSC sequences first, as a whole; what is left of other sequences falls to the control characters below.
_ANSI = re.compile(r"\x1b\[[0-9;:?<=>]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)?|\x1b[@-Z\\-_]")
_BLANKS = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]+")
_INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
_JOINED = "\xad\u180e\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff"
_SURROGATE = re.compile("[\ud800-\udfff]")


_CI_COMMAND = re.compile(r":(?=:+\s*[A-Za-z])|#(?=#\[)")


def without_orders(text: str) -> str:
    """The text with what a CI system would take for an order of ours, `::name::` or `##[name]`, written as an escape.

    Wherever it stands: a table may break any text into lines.
    """
    return _CI_COMMAND.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def visible_text(text: str, breaks: str = "") -> str:
    """The text with whatever cannot be seen, or passes for another letter, as an escape, and no order to a CI system.

    `breaks`: control characters that stay, for a medium of several lines.
    """
    return without_orders("".join(c if c.isprintable() or c in breaks else escaped(c) for c in marked(text)))


def _as_escape(found: re.Match[str]) -> str:
    """Left out where it steers a terminal; written out where a name without it would be another name."""
    return escaped(found[0]) if found[0] in _JOINED else ""


def clean_text(text: str, limit: int = 2000) -> str:
    """One line of visible text, at most `limit` characters, an ellipsis where it was cut."""
    if len(text) <= limit and text.isascii() and text.isprintable():  # nearly all text, in a tenth of the time
        return text.strip()
    head = text[: 8 * limit]
    head = _BLANKS.sub(" ", _ANSI.sub("", head))
    head = _SURROGATE.sub("\ufffd", _INVISIBLE.sub(_as_escape, head)).strip()
    return head if len(head) <= limit and len(text) <= 8 * limit else head[: limit - 1] + "…"
