"""A text file as a stream of checked UTF-8, in constant memory. Used by the CSV and JSONL readers.

Whatever the file's encoding, readers see UTF-8 without byte order mark. Invalid bytes and NUL are an error that
says where they are; nothing is replaced or skipped silently.
"""

import codecs
from pathlib import Path
from typing import NamedTuple

import numpy as np

from orchestrator.core.errors import DataError
from orchestrator.core.wording import KEEP_APART, KEEP_APART_OF_UTF8
from orchestrator.data.formats.encoding_guess import encoding_guess, no_letter_is_utf8
from orchestrator.data.formats.input_file import input_errors
from orchestrator.data.formats.private_copy import STDIN_NAME

_BLOCK = 2 * 2**20
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NOT_OF_FILES = ("idna", "punycode", "raw-unicode-escape", "unicode-escape")
_PACKED = "packed by "
_BINARY = {
    b"PAR1": "Parquet",
    b"PK\x03\x04": "a zip archive, as .xlsx and .docx are",
    b"\xd0\xcf\x11\xe0": "an older Office file",
    b"%PDF-": "a PDF",
    b"SQLite format 3\0": "an SQLite database",
    b"\x1f\x8b": f"{_PACKED}gzip",
    b"\x28\xb5\x2f\xfd": f"{_PACKED}zstd",
    b"BZh": f"{_PACKED}bzip2",
    b"\xfd7zXZ\0": f"{_PACKED}xz",
}


class Encoding(NamedTuple):
    """How the text of a file is stored: a Python codec and the byte order mark in front of it."""

    codec: str = "utf-8"
    bom: bytes = b""


def binary_kind(head: bytes) -> str:
    """What a file is that begins so, where that is no text and the beginning tells it; else nothing."""
    return next((kind for mark, kind in _BINARY.items() if head.startswith(mark)), "")


def find_encoding(content: Path, named: str | None = None) -> Encoding:
    """The encoding of the file by its byte order mark, or as named; UTF-8 otherwise. Raises DataError."""
    known = codec_of(named)
    with content.open("rb") as file:
        head = file.read(4)
    for bom, codec in _BOMS:
        if head.startswith(bom):
            return Encoding(codec, bom)
    if known in ("utf-16", "utf-32"):
        message = f"'{named}' needs a byte order mark at the beginning of the file, and there is none."
        raise DataError(message, advice=f"Say which bytes come first: {known}-le or {known}-be.")
    return Encoding(known)


def codec_of(named: str | None) -> str:
    """Python's name of the encoding. Raises DataError for one that there is not, also where a mark says another one."""
    try:
        "".encode(named or "utf-8")  # refuses what Python also calls codecs, such as base64 and zlib
        codec = codecs.lookup(named or "utf-8").name.removesuffix("-sig")
    except (LookupError, UnicodeError):
        codec = ""
    if not codec or codec in _NOT_OF_FILES:
        raise DataError(f"'{named}' is not a known encoding.", advice="For example utf-8, utf-16 or cp1252.")
    return codec


def count_byte(data: bytes, byte: bytes) -> int:
    """How often the byte stands in the data; several times as fast as `bytes.count` is for one byte."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == byte[0])) if byte in data else 0


class TextSource:
    """A readable object for Arrow's readers: `read(n)` gives up to n bytes of UTF-8, b"" at the end.

    `path` is its name in messages, `content` where its bytes lie. `rows_apart`: whether bad rows can be set aside.
    """

    def __init__(self, path: Path, encoding: Encoding, content: Path, *, rows_apart: bool = False) -> None:
        self._path = path
        self._rows_apart = rows_apart
        self._content = content
        self._encoding = encoding
        with input_errors(path):
            self._file = content.open("rb", buffering=0)
        self._file.seek(len(encoding.bom))
        self._offset = len(encoding.bom)
        self._lines = 0
        self._decoder = codecs.getincrementaldecoder(encoding.codec)()
        self._same = encoding.codec == "utf-8"
        self._ready = b""
        self._ended = False
        self.quotes = 0  # counted so far: an odd number at the end means an unclosed quote

    def read(self, size: int = -1) -> bytes:
        wanted = size if size >= 0 else 2**62
        while len(self._ready) < wanted and not self._ended:
            block = self._block()
            self._ready = self._ready + block if self._ready else block
        if len(self._ready) <= wanted:
            made, self._ready = self._ready, b""
        else:
            made, self._ready = self._ready[:wanted], self._ready[wanted:]
        return made

    def push_back(self, data: bytes) -> None:
        """Put bytes in front again; they count as not yet read."""
        self._ready = data + self._ready

    def close(self) -> None:
        self._file.close()

    @property
    def closed(self) -> bool:
        return self._file.closed

    def _block(self) -> bytes:
        with input_errors(self._path):
            raw = self._file.read(_BLOCK)
        self._ended = not raw
        pending = self._decoder.getstate()[0]
        try:
            text = self._decoder.decode(raw, final=self._ended)
        except UnicodeDecodeError as error:
            raise self._bad_bytes(error, raw, pending) from None
        # UTF-8 is not encoded again: the decoded bytes are the same, except for a character cut at the block's end.
        left = len(self._decoder.getstate()[0])
        data = (pending + raw)[: len(pending) + len(raw) - left] if self._same else text.encode("utf-8")
        if b"\0" in data:
            self._refuse_binary(raw)
            guess = encoding_guess(self._content)
            line = self._lines + data.count(b"\n", 0, data.index(b"\0")) + 1
            raise DataError(
                f"{self._path}, line {line}: there is a NUL byte, so this is not text in {self._encoding.codec}.",
                advice=f"It looks like {guess}: say --encoding {guess}."
                if guess
                else f"Check that it is a text file.{f' {KEEP_APART}' if self._rows_apart else ''}",
            )
        self._offset += len(raw)
        self._lines += count_byte(data, b"\n")
        self.quotes += count_byte(data, b'"')
        return data

    def _refuse_binary(self, raw: bytes) -> None:
        """Say what the file is, where its first bytes tell it."""
        kind = binary_kind(raw)
        if kind and self._offset == len(self._encoding.bom):
            advice = "Give it the name of what it is." if self._path != STDIN_NAME else _piped(kind)
            raise DataError(f"{self._path} is no text but {kind}, by its first bytes.", advice=advice)

    def _bad_bytes(self, error: UnicodeDecodeError, raw: bytes, pending: bytes) -> DataError:
        offset = self._offset - len(pending) + error.start
        line = self._lines + (pending + raw)[: error.start].count(b"\n") + 1
        byte = error.object[error.start]
        self._refuse_binary(raw)
        guess = encoding_guess(self._content)
        name = self._encoding.codec.upper()
        if guess == self._encoding.codec or (name.startswith(("UTF-16", "UTF-32")) and self._ended):
            where = "the file ends in the middle" if self._ended else f"the bytes at offset {offset} are no part"
            raise DataError(
                f"{self._path}, line {line}: {where} of a character of {name}.",
                advice="Check that it was written or copied completely.",
            )
        like = f"; it looks like {guess}" if guess else ""
        return DataError(
            f"{self._path}, line {line}: byte 0x{byte:02x} at offset {offset} is not {name}{like}.",
            advice=f"{_encode(self._path, guess)}.{self._keep_apart()}",
        )

    def _keep_apart(self) -> str:
        """All that is needed to set aside rows with bad bytes, where that can be done."""
        if not self._rows_apart:
            return ""
        unsaid = self._same and not _is_json(self._path) and no_letter_is_utf8(self._content)
        return f" {KEEP_APART_OF_UTF8 if unsaid else KEEP_APART}"


def _piped(kind: str) -> str:
    """What to do about stdin, which has no name that could be another."""
    if kind.startswith(_PACKED):
        return f"Unpack it before: {kind.removeprefix(_PACKED)} -dc FILE | cleanroom …, or name the file."
    return "Say the --format that it has, or name the file."


def _is_json(path: Path) -> bool:
    return bool({".json", ".jsonl", ".ndjson"} & set(path.suffixes))


def _encode(path: Path, guess: str) -> str:
    """What to do about a text in another encoding; JSON has but one."""
    if _is_json(path):
        return f"Convert it first, for example with iconv -f {guess or 'ENCODING'} -t UTF-8"
    return f"Say --encoding {guess or 'NAME'} if that is how the file is stored"
