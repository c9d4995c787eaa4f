"""Fakes of runs of letters or digits, one to one. Called by `masking` and `date_fakes`.

Digits become other digits, letters other letters of the same case and script, symbols that are read as letters others
of their kind; zeros in front stay, and what is no zero does not become one. The same run in another case has the same
fake in that case.
"""

import functools
import re
import unicodedata
from collections import Counter

from orchestrator.data.writing.letterlike import LETTERLIKE
from orchestrator.propose.privacy.keyed import Keyed

RUN = re.compile(rf"\d+|[^\W\d_]+|[{LETTERLIKE}]+")
_BLOCK = 48  # characters that are faked together: a longer run would take time by its square
_CACHED = 200_000


class RunMasker:
    """Fakes of runs by one key."""

    def __init__(self, keyed: Keyed) -> None:
        self._keyed = keyed
        self.run = functools.lru_cache(_CACHED)(self._run)

    def runs(self, text: str) -> str:
        """The text with each run of letters or digits faked by itself."""
        return RUN.sub(lambda match: self.run(match.group()), text)

    def _run(self, run: str) -> str:
        """The fake of a run: no character stays but zeros in front, and no two runs share a fake.

        Each character is moved on in its alphabet by a step that the key draws from the others of its block, as they
        are at that moment, and from the blocks before. Every move can be undone, so different runs have different
        fakes. A letter without any other of its kind stays.
        """
        first = len(run) - len(run.lstrip("0"))
        made = run[:first]
        before = ""
        for start in range(first, len(run), _BLOCK):
            fake = list(run[start : start + _BLOCK])
            for position, char in enumerate(fake):
                others = "".join([*fake[:position], "\0", *fake[position + 1 :]]).lower()
                number = self._keyed.number(f"{before} {position} {others}")
                fake[position] = other(char, number, first=start + position == first)
            made += "".join(fake)
            before = self._keyed.bytes(f"{before} {''.join(fake).lower()}", 16).hex()
        return made

    def marks(self, text: str, fake: str) -> str:
        """The fake of a text with other marks as well: in many scripts vowels are marks, and no letters."""
        positions = [position for position, char in enumerate(fake) if unicodedata.category(char)[0] == "M"]
        stream = self._keyed.bytes("marks " + "".join(RUN.findall(text)).lower(), 2 * len(positions))
        chars = list(fake)
        for place, position in enumerate(positions):
            number = int.from_bytes(stream[2 * place : 2 * place + 2], "big")
            chars[position] = other(chars[position], number, first=False)
        return "".join(chars)


def other(char: str, number: int, *, first: bool) -> str:
    """Another character of the same kind, chosen by the number. `first`: a digit that is to be no zero."""
    if "0" <= char <= "9":
        low = 1 if first else 0
        return chr(48 + low + (ord(char) - 48 - low + 1 + number % (9 - low)) % (10 - low))
    lower = char.lower()
    if char.isascii() and char.isalpha():
        fake = chr(97 + (ord(lower) - 97 + 1 + number % 25) % 26)
        return fake if char == lower else fake.upper()
    letters = _alphabet(char)
    return letters[(letters.index(char) + 1 + number % (len(letters) - 1)) % len(letters)] if letters[1:] else char


@functools.lru_cache(4096)
def _alphabet(char: str) -> tuple[str, ...]:
    """The characters of its script and kind, itself among them; each of them has this same alphabet.

    They lie in the same block of 128; those that are alone of their kind there share an alphabet over 8,192. The
    alphabet of a capital is that of its small letters, so that a word has the same fake in every case.
    """
    if _is_cased(lower := char.lower()) and lower != char and lower.upper() == char:
        return tuple(letter.upper() for letter in _alphabet(lower))
    near = _of_kind(char, 0x80)
    if len(near) > 1:
        return near
    wide = _of_kind(char, 0x2000)
    there = Counter(ord(one) // 0x80 for one in wide)
    return tuple(one for one in wide if there[ord(one) // 0x80] == 1)


def _of_kind(char: str, size: int) -> tuple[str, ...]:
    start = ord(char) // size * size
    kind = unicodedata.category(char), _is_cased(char), _has_small(char), char.isascii()
    block = (chr(code) for code in range(start, start + size))
    return tuple(c for c in block if (unicodedata.category(c), _is_cased(c), _has_small(c), c.isascii()) == kind)


def _is_cased(char: str) -> bool:
    """Whether it is a small letter with a capital of its own."""
    upper = char.upper()
    return len(char) == len(upper) == 1 and upper != char and upper.lower() == char and not upper.isascii()


def _has_small(char: str) -> bool:
    """Whether it is a capital of such a small letter, so that its alphabet is another one."""
    lower = char.lower()
    return lower != char and _is_cased(lower) and lower.upper() == char
