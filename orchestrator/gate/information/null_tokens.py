"""Which cells hold something. One place for the words that stand for nothing. Called by the checks."""

import datetime as dt
import math
import re
import unicodedata
from typing import Any

# Compared without case, surrounding white space and brackets.
NULL_TOKENS = frozenset(
    {
        "n/a", "na", "n.a.", "n.a", "n\\a", "n/d", "nd", "#n/a", "#na", "nan", "nat", "null", "#null!", "none", "nil",
        "\\n", "void", "unknown", "unk", "undefined", "undef", "missing", "miss", "not available", "notavailable",
        "not applicable", "not provided", "not specified", "not given", "not known", "not set", "no data", "no value",
        "no information", "no info", "tbd", "tba", "tbc", "to be determined", "to be announced", "error", "err",
        "#error", "#ref!", "#value!", "#div/0!", "#name?", "#num!", "blank", "empty", "invalid", "x", "xx", "xxx",
        "00/00/0000", "0000-00-00", "0000-00-00 00:00:00", "00-00-0000", "00.00.0000",
    }
)  # fmt: skip
# What is written where somebody had to write something. They may be real values: `detect` must flag them.
PLACEHOLDERS = frozenset(
    {
        "guest", "nobody", "noone", "no one", "no-one", "anonymous", "anon", "noname", "no name", "unnamed", "somebody",
        "someone", "test", "tester", "testing", "test user", "dummy", "placeholder", "sample", "example", "default",
        "foo", "asdf", "qwerty", "lorem ipsum", "abc", "john doe", "jane doe",
        "not sure", "don't know", "dont know", "prefer not to say", "not stated", "not reported", "not recorded",
        "withheld", "redacted", "confidential", "todo", "to do", "varies", "various", "n.n.", "nn",
        "unbekannt", "keine angabe", "k.a.", "inconnu", "inconnue", "desconocido", "desconocida", "desconhecido",
        "desconhecida", "sconosciuto", "sconosciuta", "onbekend", "nieznany", "nieznana", "nieznane", "bilinmiyor",
        "ukendt", "ukjent", "ok\u00e4nd", "brak danych", "s/d",
    }
)  # fmt: skip
_UNANSWERED = frozenset(
    {"not asked", "not answered", "unanswered", "no answer", "no response", "no reply", "did not answer"}
)
_SENTINEL = re.compile(r"-1(?:\.0+)?|-99(?:\.0+)?|-?9{3,}(?:\.0+)?|2147483647|4294967295|9223372036854775807")
_FIRST_DAYS = frozenset({dt.date(1, 1, 1), dt.date(1900, 1, 1), dt.date(1970, 1, 1)})  # at midnight; else a time alone
_LAST_DAYS = frozenset({dt.date(9999, 12, 31), dt.date(2262, 4, 11), dt.date(1677, 9, 21)})  # the ends that pandas has
_SPEAK_OF_NOTHING = {one for one in NULL_TOKENS | PLACEHOLDERS if len(one) > 1 and " " not in one} | {
    "no", "not", "nothing", "never", "without", "withheld", "refused", "declined", "keine", "keiner", "kein", "aucun",
    "aucune", "ninguno", "nessuno", "geen", "n.c.", "n.d.", "s.o.", "s/o", "n/c", "n/k", "n\u00e9ant", "renseign\u00e9",
    "datos", "see", "unspecified", "unassigned", "undisclosed", "undetermined", "unreadable", "illegible", "unclear",
    "unsaid", "unstated", "unreported", "unrecorded", "unavailable",
}  # fmt: skip
_WORDS, _MAILBOX = re.compile(r"[^\W\d_]+"), re.compile(r"([^@\s]+)@([^@\s.]+)\.\w+")
_BRACKETS = "()[]{}<>\"'"
_SAYING = frozenset("%\u2030\u00b0+\u00b1")


_NO_WORDS_FOR_NOTHING = frozenset({"x", "xx", "xxx", "nil", "none", "void"})  # where they may be values, too

# Nothing more than that the value is not known: an error, or that there can be none, is more.
_NOT_KNOWN = frozenset(
    """n/a na n.a. n.a n/d nd #n/a #na nan null unknown unk undefined undef missing blank empty
    unbekannt inconnu desconocido sconosciuto onbekend - -- ? ??""".split()  # noqa: SIM905 - a list of words
) | {"not available", "not provided", "not specified", "not given", "not known", "no data", "no value", "no info"}


def says_nothing(value: Any) -> bool:
    """Whether it is missing, or surely a word or sign for nothing: no letter, number or mark that may say something."""
    if is_missing(value):
        return True
    text = value.strip().casefold() if isinstance(value, str) else ""
    return (text in NULL_TOKENS and text not in _NO_WORDS_FOR_NOTHING) or (
        text != "" and set(text) <= set("?-.\u2013\u2014")
    )


def both_unknown(one: str, other: str) -> bool:
    """Whether both are words for a value that is just not known, so that one stands for the other."""
    return all(text.strip().casefold() in _NOT_KNOWN for text in (one, other))


def is_missing(value: Any) -> bool:
    """Null, NaN, or text that is empty or white space."""
    if value is None:
        return True
    if isinstance(value, float):
        return math.isnan(value)
    return isinstance(value, str) and not value.strip()


def is_empty_container(value: Any) -> bool:
    """A list or an object without anything in it, which is how nothing is written there."""
    return isinstance(value, list | dict) and not value


def stands_for_missing(value: Any) -> bool:
    """Whether it is a number or day that is written where there is none: -1, 999, 1900-01-01 and the like."""
    if isinstance(value, dt.timedelta):
        return value == dt.timedelta(seconds=-1)
    if isinstance(value, dt.date):
        day, clock = (value.date(), value.time()) if isinstance(value, dt.datetime) else (value, dt.time())
        return day in _LAST_DAYS or (day in _FIRST_DAYS and clock == dt.time())
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return False
    return _SENTINEL.fullmatch(str(value).strip()) is not None


def is_placeholder(value: Any) -> bool:
    """Whether it is a word that people write where they have to write something."""
    return isinstance(value, str) and value.strip().strip(_BRACKETS).strip().casefold() in PLACEHOLDERS


def is_unanswered(value: Any) -> bool:
    """Whether it says that a question was not put or not answered, so that nobody knows the answer."""
    return isinstance(value, str) and value.strip().strip(_BRACKETS).strip(" .").casefold() in _UNANSWERED


def speaks_of_nothing(text: str) -> bool:
    """Whether it may be said where a value is not known: `not assigned`, `k. A.`, `Mr Test`, `na@na.com`."""
    folded = text.casefold()
    found = {*_WORDS.findall(folded), *folded.split(), "".join(folded.split())}
    mailbox = _MAILBOX.fullmatch(folded.strip())
    return bool(found & _SPEAK_OF_NOTHING) or (mailbox is not None and mailbox[1] == mailbox[2])


def holds_something(value: Any) -> bool:
    """Whether losing the value loses information: it is neither missing nor empty, nor a word or sign for nothing."""
    if is_missing(value):
        return False
    if not isinstance(value, str):
        return not is_empty_container(value)
    text = value.strip()
    if text.casefold() in NULL_TOKENS or text.strip(_BRACKETS).strip().casefold() in NULL_TOKENS:
        return False
    return any(char.isalnum() or is_saying(char) or unicodedata.category(char) == "So" for char in text)


def is_saying(char: str) -> bool:
    """Whether a sign stands for nothing in no table: of shares, degrees and currencies, and a plus, unlike dashes."""
    return char in _SAYING or unicodedata.category(char) == "Sc"
