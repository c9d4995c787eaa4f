"""What encodings did to a text, undone, and the accents it has then. Called by equivalence.py and laws.py."""

import codecs
import html
import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from urllib.parse import unquote, unquote_plus

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.remembered import remembered

SENTENCE = 7  # blanks at least
_ESCAPE = re.compile(r"\\{1,2}(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))")  # twice, where it was escaped twice
_LATEX = re.compile(r"""\\(["'`^~.=])(?:\{([A-Za-z])\}|([A-Za-z]))""")  # \'e
_QUOTED, _SOFT_BREAK = re.compile(r"(?:=[0-9A-F]{2})+"), re.compile(r"=\r?\n")  # quoted-printable, as mails are
_QUOTED_LETTER = re.compile(r"=[C-F][0-9A-F]=[89AB][0-9A-F]")  # of UTF-8, which nobody writes otherwise
_ACCENTS = dict(zip("\"'`^~.=", "\u0308\u0301\u0300\u0302\u0303\u0307\u0304", strict=True))
# UTF-8 that was read as Windows-1252, as Latin-1, or as a Macintosh did
_MISREAD = re.compile(r"[\u00c2-\u00f4\u00ac\u221a\u0192\u2248\u201a][^\x00-\x7f]{1,3}")
_WORD = re.compile(r"[^\W\d_]+")
_ENCODED = re.compile(r"[&%=\\`]")  # one of them stands in every ASCII text that can be decoded
_FIGURES = str.maketrans("OoQlI|SsBZz", "00011155822")
_SCANNED = re.compile(r"(?![\d.,]+[SsBZz]$)[\dOoQlI|SsBZz.,]+")  # `12B` is a house
_CODECS = ("cp1252", "latin-1", "mac_roman")
for _codec in _CODECS:
    codecs.lookup(_codec)  # now: the judge opens no files later


@remembered
def decoded(text: str) -> str:
    """The text with what encodings did to it undone: entities, escapes, LaTeX, percent signs, UTF-8 read as Latin-1."""
    if text.isascii() and not _ENCODED.search(text):
        return text
    text = html.unescape(text)
    if "%" in text and re.search(r"%[0-9A-Fa-f]{2}", text):
        text = unquote_plus(text) if " " not in text else unquote(text)
    text = _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), text)
    text = _LATEX.sub(_accent, text)
    if _QUOTED_LETTER.search(text):
        text = _QUOTED.sub(_unquoted, _SOFT_BREAK.sub("", text))
    text = _utf8(text)
    text = unicodedata.normalize("NFKC", text)
    return re.sub(r"[‘’‚`´]", "'", re.sub(r"[“”„«»]", '"', text))


def _unquoted(match: re.Match[str]) -> str:
    """What bytes of a mail say in UTF-8, or the text where they do not."""
    try:
        return bytes.fromhex(match[0].replace("=", "")).decode()
    except UnicodeError:
        return match[0]


def _accent(match: re.Match[str]) -> str:
    """The letter with the accent that LaTeX puts on it, where there is such a letter."""
    made = unicodedata.normalize("NFC", (match[2] or match[3]) + _ACCENTS[match[1]])
    return made if len(made) == 1 else match[0]


def other_accent(before: str, after: str) -> bool:
    """Whether a letter whose accent LaTeX spells out gets none, or another one."""
    spelled = decoded(before) if _LATEX.search(before) else ""
    return bool(spelled) and spelled != decoded(after) and _bare(spelled) == _bare(decoded(after))


def _utf8(text: str) -> str:
    """The text read as UTF-8, where it was read as something else; the text where it was not."""
    for codec in _CODECS:
        try:
            return text.encode(codec).decode("utf-8")
        except UnicodeError:
            continue
    words = text.split(" ")
    return " ".join(map(_utf8, words)) if len(words) > 1 else text


def read_again(before: object, after: object) -> bool:
    """Whether a text becomes what its bytes say in UTF-8: they were read as another encoding, once or twice."""
    if not isinstance(before, str) or not isinstance(after, str) or before.isascii():
        return False
    once = _read_once(before)
    return after in (once, _read_once(once)) and after != before


def _read_once(text: str) -> str:
    for codec in _CODECS:
        with suppress(UnicodeError):
            return text.encode(codec).decode()
    return text


def scanned(text: str) -> str:
    """A number in which letters stand for the figures that look like them, as scanners read them; else the text."""
    return text.translate(_FIGURES) if _SCANNED.fullmatch(text) and any(map(str.isdigit, text)) else text


def accents_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Letters that lose their accent, or go with it, where other cells keep theirs, or in a sentence.

    Short texts of a whole column may lose all accents, as keys do, and no letters.
    """
    kept = any(isinstance(after, str) and _accented(after) for _, after in cells)
    where = "that other cells keep" if kept else "in a sentence"
    for before, after in changed if kept else [cell for cell in changed if cell[0].count(" ") >= SENTENCE]:
        left = _words_of(after)
        for word in _accented(_again(before)):
            if word not in left and {_bare(word), "".join(filter(str.isascii, word))} & left:
                return f"a letter loses its accent {where}", (before, after)
    return _letters_gone(changed)


def _letters_gone(changed: Sequence[Change]) -> Found | None:
    """Letters with an accent that go altogether: `CAF\u00c9-007` as `CAF-007`."""
    for before, after in changed:
        left = _words_of(after)
        for word in _accented(_again(before)):
            if not {word, _bare(word)} & left and "".join(filter(str.isascii, word)) in left:
                return "a letter with an accent is left out", (before, after)
    return None


def _words_of(text: str) -> set[str]:
    """Its words, those that were misread in both ways."""
    return {word for one in {text, _again(text)} for word in _WORD.findall(_joined(one))}


def _again(text: str) -> str:
    """The text with what was misread read again."""
    return _MISREAD.sub(lambda match: _utf8(match[0]), text)


def _joined(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _accented(text: str) -> list[str]:
    return [word for word in _WORD.findall(unicodedata.normalize("NFC", text).casefold()) if _bare(word) != word]


def _bare(word: str) -> str:
    plain = unicodedata.normalize("NFD", word).replace("\u0131", "i")
    return "".join(char for char in plain if not unicodedata.combining(char))
