"""Which encoding a text may have that is not UTF-8. Called when a reader meets such bytes, for its message.

A guess is said and never used: bytes of one encoding are valid in many others, and a wrong letter is a wrong value.
"""

import codecs
from pathlib import Path

_HEAD = 4 * 2**20
_LETTERS = {
    "cp1252": "äöüßÄÖÜéèêëçàâîïôûùœæáíóúñãõåøÅØÆÉÈÀÇÑÁÍÓÚÔÊŒ",
    "cp1250": "ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžÁČĎÉĚÍŇŘŠŤÚŮÝŽőűŐŰăâîșțŞşŢţđĐäöüßÄÖÜ",
    "cp1251": "абвгдежзийклмнопрстуфхцчшщъыьэюяАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯёЁіїєґІЇЄҐ",
    "cp1253": "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆΈΉΊΌΎΏ",
    "cp850": "äöüßÄÖÜéèêëçàâîïôûùæáíóúñåøÅØÆÉÀÇÑ",
    "mac_roman": "äöüßÄÖÜéèêëçàâîïôûùœæáíóúñãõåøÅØÆÉÈÀÇÑ",
}
_OWN_SCRIPT = ("cp1251", "cp1253")  # not of ASCII letters
_ICELANDIC, _ALSO_ICELANDIC = "þÞ", "ðÐýÝ"  # in cp1250 ţŢ and đĐýÝ
_HUNGARIAN = str.maketrans("", "", "õûÕÛ")  # in cp1250 őűŐŰ
_BEFORE_NO_LETTER = "²³£º½¼¾×"  # in cp1250 some of them are letters
_TYPICAL = "–—‘’“”„…€§°²³µ£©®·«»º½¼¾±×\xa0"
_PLAUSIBLE = 0.95


def encoding_guess(path: Path) -> str:
    """The codec of which the text's letters are letters of words; empty where none fits."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if zeros := head.count(0):
        even = head[::2].count(0)
        # of UTF-16 up to half; more are a disk image, or a file of which nothing was written
        return "" if not len(head) / 4 <= zeros <= len(head) * 0.6 else "utf-16-be" if even * 2 > zeros else "utf-16-le"
    scored = [(_score(head, codec), -place, codec) for place, codec in enumerate(_LETTERS)]
    best, _, codec = max(scored)
    return codec if best >= _PLAUSIBLE else ""


def no_letter_is_utf8(path: Path) -> bool:
    """Whether nothing beyond ASCII at the beginning of the file is UTF-8: then bad bytes are no single mistakes."""
    with path.open("rb") as file:
        return file.read(_HEAD).decode("utf-8", "ignore").isascii()


def _score(data: bytes, codec: str) -> float:
    """The share of the characters beyond ASCII that such a text has; none is a capital after a small letter.

    Among ASCII letters, one letter of another script is none of its words.
    """
    try:
        text = codecs.getincrementaldecoder(codec)().decode(data)
    except UnicodeDecodeError:
        return 0.0
    letters = _LETTERS[codec] + (_of_icelandic(text) if codec == "cp1252" else "")
    if codec == "cp1252" and _is_hungarian(text):
        letters = letters.translate(_HUNGARIAN)
    around = zip("\n" + text, text, text[1:] + "\n", strict=False)
    beyond = [(before, char, after) for before, char, after in around if not char.isascii()]
    if codec != "cp1252" and not any(char in letters for _, char, _ in beyond):
        return 0.0
    fit = sum(
        (char in _TYPICAL and not (char in _BEFORE_NO_LETTER and after.isalpha()))
        or (
            char in letters
            and not (char.isupper() and before.islower())
            and not (char == "Ł" and after.isdigit())
            and (codec not in _OWN_SCRIPT or before in letters or after in letters)
        )
        for before, char, after in beyond
    )
    return fit / len(beyond) if beyond else 0.0


def _of_icelandic(text: str) -> str:
    """Letters of Icelandic where the text has some: a word that begins with one, and no ã, which is the Romanian ă."""
    begins = any(char in _ICELANDIC and not before.isalpha() for before, char in zip("\n" + text, text, strict=False))
    return _ICELANDIC + _ALSO_ICELANDIC if begins and "ã" not in text else ""


def _is_hungarian(text: str) -> bool:
    """Whether õ and û stand for ő and ű: with ö or ü and á or é, and no letter of Portuguese, Estonian or French."""
    there = set(text.lower())
    return bool(there & set("õû") and there & set("öü") and there & set("áé")) and not there & set("ãäçêèàñœ")
