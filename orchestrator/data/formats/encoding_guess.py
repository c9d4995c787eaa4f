"""Which encoding a text may have that is not UTF-8. Called when a reader meets such bytes, for its message.

A guess is said and never used: bytes of one encoding are valid in many others, and a wrong letter is a wrong value.
"""

import codecs
from pathlib import Path

_HEAD = 4 * 2**20
_LETTERS = {
    "cp1252": "äöüßÄÖÜéèêëçàâîïôûùœæáíóúñãõåøÅØÆÉÈÀÇÑÁÍÓÚÔÊŒ",
    "cp1250": "ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžÁČĎÉĚÍŇŘŠŤÚŮÝŽőűŐŰăâîșțŞşŢţäöüßÄÖÜ",
    "cp1251": "абвгдежзийклмнопрстуфхцчшщъыьэюяАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯёЁіїєґІЇЄҐ",
    "cp1253": "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆΈΉΊΌΎΏ",
    "cp850": "äöüßÄÖÜéèêëçàâîïôûùæáíóúñåøÅØÆÉÀÇÑ",
    "mac_roman": "äöüßÄÖÜéèêëçàâîïôûùœæáíóúñãõåøÅØÆÉÈÀÇÑ",
}
_TYPICAL = "–—‘’“”„…€§°²³µ£©®·«»º\xa0"
_PLAUSIBLE = 0.95


def encoding_guess(path: Path) -> str:
    """The codec of which the text's letters are letters of words; empty where none fits."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if zeros := head.count(0):
        even = head[::2].count(0)
        return "" if zeros < len(head) / 4 else "utf-16-be" if even * 2 > zeros else "utf-16-le"
    scored = [(_score(head, codec), -place, codec) for place, codec in enumerate(_LETTERS)]
    best, _, codec = max(scored)
    return codec if best >= _PLAUSIBLE else ""


def _score(data: bytes, codec: str) -> float:
    """The share of the characters beyond ASCII that such a text has; none is a capital after a small letter."""
    try:
        text = codecs.getincrementaldecoder(codec)().decode(data)
    except UnicodeDecodeError:
        return 0.0
    beyond = [(before, char) for before, char in zip("\n" + text, text, strict=False) if not char.isascii()]
    usual = {*_LETTERS[codec], *_TYPICAL}
    fit = sum(char in usual and not (char.isupper() and before.islower()) for before, char in beyond)
    return fit / len(beyond) if beyond else 0.0
