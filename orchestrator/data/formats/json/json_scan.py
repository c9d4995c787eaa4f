"""Finds the lists of a JSON document, element by element, with the places where each begins and ends.

A document may be larger than memory: objects are walked through, lists too, and only one element is held at a time. The
text of each element is kept, so that it can be written back as it was. Called by `json_document`, and copied into
exported files by `registry.export`, so it imports nothing of this package.
"""

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn, Protocol

_BLOCK = 2**20
_MAX_VALUE = 8 * 2**20
_MAX_DEPTH = 50
_BLANKS = re.compile(r"[ \t\n\r]*")
Keys = tuple[str, ...]
_SEVERAL = "It holds several documents, one after the other: jq -c . FILE > FILE.jsonl makes JSON Lines of them."


class Element(NamedTuple):
    """One element of a list that is no part of another list. Offsets count bytes of UTF-8 without byte order mark."""

    keys: Keys  # that lead to its list
    text: str
    kind: type
    line: int
    start: int
    end: int
    gap: str  # what stands between it and the element before it; empty for the first one


class JsonSyntaxError(ValueError):
    """What is no JSON, with its line, to be said after the file's name; and what to do about it."""

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice or "Check that it was written completely."


class Utf8(Protocol):
    """What is read from: about so many bytes of UTF-8, none at the end."""

    def read(self, size: int) -> bytes: ...


class JsonScan:
    """One pass over a document. Raises JsonSyntaxError."""

    def __init__(self, source: Utf8) -> None:
        self._source = source
        self._utf8 = codecs.getincrementaldecoder("utf-8")()
        self._decode = json.JSONDecoder(parse_constant=self._constant, parse_int=_whole).raw_decode
        self._text, self._at, self._ended = "", 0, False
        self._line, self._column, self._offset = 1, 0, 0

    def elements(self) -> Iterator[Element]:
        """The elements of all lists. What stands after the document's one value is an error."""
        self._peek()
        first = self._line
        yield from self._walk(())
        last = self._line
        if self._peek():
            lines = _SEVERAL if last > first else "It looks like JSON Lines: say --format jsonl."
            lines = lines if self._text[self._at] == "{" else ""
            raise self._wrong("there is more after the end of the document", lines)

    def _walk(self, keys: Keys) -> Iterator[Element]:
        if len(keys) > _MAX_DEPTH:
            raise self._wrong(f"objects are nested more than {_MAX_DEPTH} deep")
        first = self._peek()
        if first == "{":
            yield from self._members(keys)
        elif first == "[":
            yield from self._list(keys)
        else:
            self._value()

    def _members(self, keys: Keys) -> Iterator[Element]:
        known: set[str] = set()
        self._step()
        while (char := self._peek()) != "}" or known:
            if char != '"':
                raise self._wrong("a key in quotes is expected")
            key = self._value()[1]
            if key in known:
                raise self._wrong(f"the key '{key[:80]}' occurs twice", "Rename one of them.")
            known.add(key)
            if self._peek() != ":":
                raise self._wrong("a colon is expected after a key")
            self._step()
            yield from self._walk((*keys, key))
            if self._comma("}"):
                return
        self._step()

    def _list(self, keys: Keys) -> Iterator[Element]:
        self._step()
        before = ""
        if self._peek() == "]":
            self._step()
            return
        while True:
            self._peek()
            line, start = self._line, self._offset
            text, item = self._value()
            yield Element(keys, text, type(item), line, start, self._offset, before)
            end_text = self._blanks()
            if self._comma("]"):
                return
            before = f"{end_text},{self._blanks()}"

    def _comma(self, closing: str) -> bool:
        """Step over a comma, or over the end: True then."""
        char = self._peek()
        if char not in (",", closing):
            raise self._wrong(f"a comma or {closing} is expected")
        self._step()
        return char == closing

    def _blanks(self) -> str:
        """The blanks up to the next character."""
        made = ""
        while True:
            end = self._after_blanks()
            made += self._text[self._at : end]
            self._move(end)
            if self._at < len(self._text) or not self._more():
                return made

    def _after_blanks(self) -> int:
        found = _BLANKS.match(self._text, self._at)
        return found.end() if found else self._at

    def _peek(self) -> str:
        """The next character that is no blank; empty at the end."""
        self._blanks()
        return self._text[self._at : self._at + 1]

    def _step(self) -> None:
        self._move(self._at + 1)

    def _value(self) -> tuple[str, Any]:
        """The next value, as text and as an object."""
        while True:
            try:
                item, end = self._decode(self._text, self._at)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated") or error.pos > len(self._text) - 16
                if not cut or not self._grow():
                    raise self._unreadable(error) from None
            except RecursionError:
                raise self._wrong("a value is nested too deeply") from None
            else:
                if end < len(self._text) or not self._grow():  # a number may go on
                    text = self._text[self._at : end]
                    self._move(end)
                    return text, item

    def _grow(self) -> bool:
        if len(self._text) - self._at > _MAX_VALUE:
            raise self._wrong(f"a value is longer than {_MAX_VALUE // 2**20} MiB, or a quote is never closed")
        return self._more(max(_BLOCK, len(self._text) - self._at))

    def _move(self, end: int) -> None:
        done = self._text[self._at : end]
        lines = done.count("\n")
        self._line += lines
        self._column = len(done) - done.rfind("\n") - 1 if lines else self._column + len(done)
        self._offset += len(done) if done.isascii() else len(done.encode())
        self._at = end

    def _more(self, size: int = _BLOCK) -> bool:
        if self._ended:
            return False
        block = self._source.read(size)
        self._ended = not block
        if block:
            self._text = self._text[self._at :] + self._utf8.decode(block)
            self._at = 0
        return not self._ended

    def _unreadable(self, error: json.JSONDecodeError) -> JsonSyntaxError:
        line = self._line + self._text.count("\n", self._at, error.pos)
        start = self._text.rfind("\n", self._at, error.pos)
        column = error.pos - start if start >= 0 else self._column + error.pos - self._at + 1
        cut = self._ended and (error.pos >= len(self._text) or error.msg.startswith("Unterminated"))
        what = "the document ends in the middle of a value" if cut else ""
        return JsonSyntaxError(
            f"line {line}, character {column}: {what or f'not JSON: {error.msg}'}",
            "Check that it was written completely, by a program that writes JSON.",
        )

    def _wrong(self, what: str, advice: str = "") -> JsonSyntaxError:
        if not self._text[self._at :] and self._ended:
            what = "the document ends too early"
        return JsonSyntaxError(f"line {self._line}: {what}", advice)

    def _constant(self, word: str) -> NoReturn:
        raise self._wrong(f"in the value that begins here is {word}, which is not JSON", "Write null, or a text.")


def _whole(digits: str) -> int:
    """A whole number; of one with more digits than Python reads, only that it is one matters here."""
    return int(digits) if len(digits) < 4000 else 10**30
