"""Characters: wrongly decoded ("CafÃ©" → "Café"), escaped for HTML ("Ben &amp; Jerry") or for a program ("Caf\\u00e9",
"Caf\\xc3\\xa9"), wide ("１２" → "12"), of another script where most are not ("١٢" → "12"), or in two parts where most
are in one ("e" and an accent).

Left alone: entities in a column that holds HTML tags or is Markdown, escapes in a column of JSON or with other
backslashes (paths, patterns), and wide letters in a column that mostly uses them.
"""

import functools
import html
import re
import unicodedata

from orchestrator.propose.builtin.repair_rule import RepairRule, where
from orchestrator.propose.builtin.rules.exemptions.marked_up import is_markdown
from orchestrator.propose.builtin.working_rows import TextColumn


def _redecode(value: str) -> str:
    """UTF-8 that was read as Windows-1252, or as a Macintosh does, read rightly; anything else as it is."""

    @functools.cache  # a long text has the same few again and again
    def right(garbled: str) -> str:
        octets = bytearray()
        for character in garbled:
            try:
                octets += character.encode("cp1252")
            except UnicodeEncodeError:
                octets += character.encode("latin-1", "ignore")
        try:
            text = octets.decode("utf-8")
        except UnicodeDecodeError:
            return garbled
        return garbled if text == "\ufffd" else text

    windows = "\\u0152\\u0153\\u0160\\u0161\\u0178\\u017d\\u017e\\u0192\\u02c6\\u02dc\\u2013-\\u203a\\u20ac\\u2122"
    tail = f"[\\u0080-\\u00bf{windows}]"
    pattern = f"[\\u00c2-\\u00df]{tail}|[\\u00e0-\\u00ef]{tail}{{2}}|[\\u00f0-\\u00f4]{tail}{{3}}"
    for _ in range(4):
        value = re.sub(pattern, lambda match: right(match[0]), value)
    tail = f"[{re.escape(bytes(range(0x80, 0xC0)).decode('mac_roman'))}]"
    beside = "(?<=[A-Za-z])|(?=..[a-z])"  # a letter: \u221a\u03c0 alone is a root
    apple = f"\u201a{tail}{{2}}|\u00ac{tail}|(?:{beside})[\u221a\u0192\u2248]{tail}"
    return re.sub(apple, lambda match: _read_as(match[0], "mac_roman"), value)


def _read_as(garbled: str, codec: str) -> str:
    """What the bytes of a text in this encoding say in UTF-8; the text where they say nothing."""
    try:
        return garbled.encode(codec).decode("utf-8")
    except UnicodeError:
        return garbled


def _unescape(value: str) -> str:
    """HTML entities as the characters they stand for."""
    entity = r"&(?:amp;)*(?:#\d{2,7}|#[xX][0-9a-fA-F]{2,6}|[a-zA-Z]{2,8}\d{0,2});"

    def plain(match: "re.Match[str]") -> str:
        text = html.unescape(re.sub(r"&(?:amp;)+", "&", match[0]))
        return text if text.isprintable() or text == "\u00a0" else match[0]

    while (fixed := re.sub(entity, plain, value)) != value:
        value = fixed
    return value


def _decode_escapes(value: str) -> str:
    """The letters that escapes of their bytes in UTF-8, or of their numbers, stand for."""

    def letters(escaped: "re.Match[str]") -> str:
        octets = bytes.fromhex("".join(re.findall("[xu]([0-9a-fA-F]+)", escaped[0])))
        try:
            text = octets.decode("utf-8" if escaped[1] is None else "utf-16-be")
        except UnicodeDecodeError:
            return escaped[0]
        return text if text.isprintable() or text == "\u00a0" else escaped[0]

    return re.sub(r"(?:\\{1,2}x[0-9a-fA-F]{2}){2,}|(\\{1,2}u[0-9a-fA-F]{4})+", letters, value)


def _narrow(value: str) -> str:
    """Wide digits, letters and signs, and the digits and marks of Arabic and other scripts, as the plain ones."""
    plain = re.sub("[\uff01-\uff5e]", lambda wide: chr(ord(wide[0]) - 0xFEE0), value)
    plain = re.sub(r"\d", lambda digit: str(unicodedata.decimal(digit[0])), plain)
    plain = re.sub(r"(?<=\d)[\u066b\u066c](?=\d)", lambda mark: ".,"[ord(mark[0]) - 0x066B], plain)
    return plain.replace("\uffe5", "\u00a5")


def _composed(value: str) -> str:
    """Letters with their accents as one sign each."""
    return unicodedata.normalize("NFC", value)


def _has_loose_accents(column: TextColumn) -> bool:
    """Whether some letters and their accents are two signs, and more texts have them as one, as a keyboard does."""
    texts = [text for text in column.counts if not text.isascii()]
    loose = sum(column.counts[text] for text in texts if _composed(text) != text)
    whole = sum(column.counts[text] for text in texts if unicodedata.normalize("NFD", text) != text == _composed(text))
    return 0 < loose < whole


def _has_garbled_texts(column: TextColumn) -> bool:
    return any(not text.isascii() and _redecode(text) != text for text in column.counts)


def _has_escaped_texts(column: TextColumn) -> bool:
    """Whether texts hold HTML entities that do not belong to them, as they do in Markdown and beside tags, in HTML."""
    escaped = any("&" in text and _unescape(text) != text for text in column.counts)
    tagged = escaped and any(re.search(r"</?[a-zA-Z][^<>]{0,200}>", text) for text in column.counts)
    return escaped and not tagged and not is_markdown(column)


def _has_escapes(column: TextColumn) -> bool:
    """Whether letters are written as escapes, and no other backslash stands in the column, and no JSON."""
    escaped = [text for text in column.counts if "\\" in text]
    read = [_decode_escapes(text) for text in escaped]
    return bool(escaped) and not any("\\" in text for text in read) and not any(text[:1] in '{["' for text in escaped)


def _has_few_wide_texts(column: TextColumn) -> bool:
    """Whether wide digits or letters are slips: most texts of the column write them plainly."""
    wide = [text for text in column.counts if not text.isascii() and _narrow(text) != text]
    if not wide:
        return False
    plain = column.rows(lambda text: text not in wide and re.search(r"[0-9A-Za-z]", text) is not None)
    return 5 * sum(column.counts[text] for text in wide) <= plain


RULES = (
    RepairRule(
        name="repair_encoding",
        issue="Letters with accents were decoded wrongly in {columns}.",
        doc="Read UTF-8 that was taken for Windows-1252 or Mac Roman as what it is.",
        fix=_redecode,
        look=where(_has_garbled_texts),
        helpers=(_read_as,),
        imports=("re",),
    ),
    RepairRule(
        name="unescape_html",
        issue="Characters are escaped for HTML in {columns}.",
        doc="Replace HTML entities by the characters they stand for.",
        fix=_unescape,
        look=where(_has_escaped_texts),
        imports=("html", "re"),
    ),
    RepairRule(
        name="decode_escapes",
        issue="Letters are written as escapes in {columns}.",
        doc="Write the letters that escapes of their bytes or numbers stand for.",
        fix=_decode_escapes,
        look=where(_has_escapes),
        imports=("re",),
    ),
    RepairRule(
        name="narrow_wide_letters",
        issue="Some digits and letters are wide ones, or of another script, in {columns}.",
        doc="Write wide letters and signs, and all digits, as the plain ones.",
        fix=_narrow,
        look=where(_has_few_wide_texts),
        imports=("re", "unicodedata"),
    ),
    RepairRule(
        name="join_accents",
        issue="Some letters and their accents are two signs in {columns}.",
        doc="Write each letter with its accent as one sign.",
        fix=_composed,
        look=where(_has_loose_accents),
        imports=("unicodedata",),
    ),
)
