"""Makes untrusted text safe for a terminal, a log and a prompt. Called wherever such text goes into a message.

A candidate's error message may hold escape sequences, forged log lines, bidirectional marks or lone surrogates. The
result is one line of visible text that any terminal and any UTF-8 file can show.
"""

import re

# CSI and OSC sequences first, as a whole; what is left of other sequences falls to the control characters below.
_ANSI = re.compile(r"\x1b\[[0-9;:?<=>]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)?|\x1b[@-Z\\-_]")
_BLANKS = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]+")
_INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def clean_text(text: str, limit: int = 2000) -> str:
    """One line of visible text, at most `limit` characters, an ellipsis where it was cut."""
    if len(text) <= limit and text.isascii() and text.isprintable():  # nearly all text, in a tenth of the time
        return text.strip()
    head = text[: 8 * limit]
    head = _BLANKS.sub(" ", _ANSI.sub("", head))
    head = _SURROGATE.sub("\ufffd", _INVISIBLE.sub("", head)).strip()
    return head if len(head) <= limit and len(text) <= 8 * limit else head[: limit - 1] + "…"
