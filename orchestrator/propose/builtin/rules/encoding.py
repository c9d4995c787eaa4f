"""Text that was decoded wrongly ("CafÃ©"), escaped for HTML ("Ben &amp; Jerry") or typed in wide letters ("１２")."""

import html
import re
from collections.abc import Iterator

from orchestrator.propose.builtin.names import listed
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows


def _redecode(value: str) -> str:
    """UTF-8 that was read as Windows-1252, read rightly; anything else as it is."""

    def right(match: "re.Match[str]") -> str:
        octets = bytearray()
        for character in match[0]:
            try:
                octets += character.encode("cp1252")
            except UnicodeEncodeError:
                octets += character.encode("latin-1", "ignore")
        try:
            text = octets.decode("utf-8")
        except UnicodeDecodeError:
            return match[0]
        return match[0] if text == "\ufffd" else text

    windows = "\\u0152\\u0153\\u0160\\u0161\\u0178\\u017d\\u017e\\u0192\\u02c6\\u02dc\\u2013-\\u203a\\u20ac\\u2122"
    tail = f"[\\u0080-\\u00bf{windows}]"
    garbled = f"[\\u00c2-\\u00df]{tail}|[\\u00e0-\\u00ef]{tail}{{2}}|[\\u00f0-\\u00f4]{tail}{{3}}"
    for _ in range(4):
        value = re.sub(garbled, right, value)
    return value


def _unescape(value: str) -> str:
    """HTML entities as the characters they stand for."""
    entity = r"&(?:amp;)*(?:#\d{2,7}|#[xX][0-9a-fA-F]{2,6}|[a-zA-Z]{2,8}\d{0,2});"

    def plain(match: "re.Match[str]") -> str:
        text = html.unescape(re.sub(r"&(?:amp;)+", "&", match[0]))
        return text if text.isprintable() or text == "\u00a0" else match[0]

    while (fixed := re.sub(entity, plain, value)) != value:
        value = fixed
    return value


def _narrow(value: str) -> str:
    """Wide digits, letters and signs as the plain ones."""
    plain = re.sub("[\uff01-\uff5e]", lambda wide: chr(ord(wide[0]) - 0xFEE0), value)
    return plain.replace("\uffe5", "\u00a5")


def find(table: WorkingRows, _wishes: Preferences) -> Iterator[Remedy]:
    garbled = tuple(
        c.name for c in table.columns if any(not text.isascii() and _redecode(text) != text for text in c.counts)
    )
    if garbled:
        yield Remedy(
            rule="encoding",
            name="repair_encoding",
            issue=f"Letters with accents were decoded wrongly in {listed(garbled)}.",
            doc="Read UTF-8 that was taken for Windows-1252 as what it is.",
            columns=garbled,
            fix=_redecode,
            imports=("re",),
        )
    escaped = tuple(
        c.name
        for c in table.columns
        if any("&" in text and _unescape(text) != text for text in c.counts)
        and not any(re.search(r"</?[a-zA-Z][^<>]{0,200}>", t) for t in c.counts)
    )
    if escaped:
        yield Remedy(
            rule="encoding",
            name="unescape_html",
            issue=f"Characters are escaped for HTML in {listed(escaped)}.",
            doc="Replace HTML entities by the characters they stand for.",
            columns=escaped,
            fix=_unescape,
            imports=("html", "re"),
        )
    wide = tuple(c.name for c in table.columns if _has_few_wide_texts(c))
    if wide:
        yield Remedy(
            rule="encoding",
            name="narrow_wide_letters",
            issue=f"Some digits and letters are wide ones in {listed(wide)}.",
            doc="Write wide digits, letters and signs as the plain ones.",
            columns=wide,
            fix=_narrow,
            imports=("re",),
        )


def _has_few_wide_texts(column: TextColumn) -> bool:
    """Whether wide digits or letters are slips: most texts of the column write them plainly."""
    wide = [text for text in column.counts if not text.isascii() and _narrow(text) != text]
    if not wide:
        return False
    plain = column.rows(lambda text: text not in wide and re.search(r"[0-9A-Za-z]", text) is not None)
    return 5 * sum(column.counts[text] for text in wide) <= plain
