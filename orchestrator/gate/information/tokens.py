"""Words and groups of figures of a cell. Called by the laws of words_changed.py and figures_changed.py."""

import html
import re
import unicodedata

from orchestrator.gate.information.remembered import remembered

_TOKEN = re.compile(r"\d+|[^\W\d_]+")
_ASCII_TOKEN = re.compile(r"[0-9]+|[a-z]+")
_BETWEEN = re.compile(r"(?<=\d)\s*[x×*]\s*(?=\d)", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
RAISED_UNIT = r"(?:[kcdm]?m|ft|in|yd|mi)"  # a unit of length, which has a square and a cube
_POWER = re.compile(rf"(?<=\d)(\s*{RAISED_UNIT})(?:\^|\*\*)?[23]\b")
_POWER_SIGN = re.compile(r"(?<=[^\W\d_])[²³]")
_SIGNS = {"€": " eur ", "$": " usd ", "£": " gbp ", "¥": " jpy ", "円": " jpy ", "₹": " inr "}


@remembered
def tokens(text: str) -> tuple[str, ...]:
    """Words and figures in order, without case and accents; currencies by their codes, no powers of units."""
    if any(map(text.__contains__, _SIGNS)):
        for sign, word in _SIGNS.items():
            text = text.replace(sign, word)
    if "²" in text or "³" in text:
        text = _POWER_SIGN.sub("", text)
    if _DIGIT.search(text):
        text = _BETWEEN.sub(" ", _POWER.sub(r"\1", text))
    if "×" in text:
        text = text.replace("×", " x ")
    if text.isascii():  # nothing to normalise, and most texts are
        return tuple(_ASCII_TOKEN.findall(text.lower()))
    folded = unicodedata.normalize("NFKD", text).casefold().replace("\u0131", "i")  # Turkish: ALICI is alıcı
    return tuple(_TOKEN.findall("".join(char for char in folded if not unicodedata.combining(char))))


def unmarked(text: str) -> str:
    """The text without tags, and with what its entities stand for: `amp` of `&amp;` is no word."""
    return html.unescape(_TAG.sub(" ", text)) if "<" in text or "&" in text else text


@remembered
def words(text: str) -> tuple[str, ...]:
    """The words among them."""
    return tuple(token for token in tokens(text) if not token.isdigit())


@remembered
def figures(text: str) -> tuple[str, ...]:
    """The groups of figures among them, without zeros in front."""
    return tuple(token.lstrip("0") or "0" for token in tokens(text) if token.isdigit())


def figures_turned(one: str, other: str) -> bool:
    """Whether both have the same groups, in another order: `2 - 6` and `6:2`."""
    groups, others = figures(one), figures(other)
    return groups != others and sorted(groups) == sorted(others)


def all_figures(text: str) -> str:
    """All figures in one."""
    return "".join(token for token in tokens(text) if token.isdigit())


_KIND = re.compile(r"Aa|A|a|9")
_INSIDE_WORD = re.compile(r"(?<=[^\W\d_])['\u2019-](?=[^\W\d_])")
_RUN = re.compile(r"(\d+)|(\s+)|([^\W\d_]+)")


@remembered
def layout(text: str) -> str:
    """How a text is built, whatever it says: `A9` of `P1`, `Aa` of a name, `A/A` of `EUR/USD`. Signs stay."""
    return _RUN.sub(_kind, text.strip())


def kinds_of_words(text: str) -> frozenset[str]:
    """Of which kinds of words and figures a text is made: `Aa` and `9` of `Juni 69`."""
    return frozenset(_KIND.findall(layout(_INSIDE_WORD.sub("", text))))


def _kind(run: re.Match[str]) -> str:
    if run[1] or run[2]:
        return "9" if run[1] else " "
    return "A" if run[3].isupper() else "a" if run[3].islower() else "Aa"
