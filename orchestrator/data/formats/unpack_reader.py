"""Unpacks a compressed file in a disposable process, for `packed`.

A compressed file is a program for the library that unpacks it. Here it can break nothing but this process. The file
comes as an open descriptor. Answers are parts that begin with `BLOCK`, `NAME` (of the one file in a zip) or `FAULT`: a
sentence that goes on after the file's name, and an advice.
"""

import bz2
import io
import json
import lzma
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import pyarrow as pa

ENTRY = "orchestrator.data.formats.unpack_reader:blocks"
BLOCK, NAME, FAULT = b"B", b"N", b"F"
_FILE = 4
_BYTES = 2**20
_LZMA_MEMORY = 256 * 2**20  # its dictionary; `xz -9` takes 64 MiB


class _Broken(Exception):
    """`message`: what is wrong, to be said after the file's name."""

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.message, self.advice = message, advice or "Check that it was written or copied completely."


def warm() -> None:
    """Unpack something of each kind, so that no child has to import anything."""
    for kind, packed in _small_files():
        for _ in _unpacked(io.BytesIO(packed), kind):
            pass


def blocks(request: bytes) -> Iterator[bytes]:
    """The unpacked bytes, in parts of about a MiB."""
    kind = json.loads(request)["kind"]
    try:
        yield from _unpacked(os.fdopen(_FILE, "rb"), kind)
    except _Broken as error:
        yield FAULT + json.dumps([error.message, error.advice]).encode()
    except (EOFError, OSError, pa.ArrowException, ValueError, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as error:
        message = "ends too early" if "runcated" in str(error) else f"is not a readable {kind} file: {error}"
        yield FAULT + json.dumps([message, "Check that it was written or copied completely."]).encode()
    except (MemoryError, pa.ArrowMemoryError):
        message = "needs more memory to be unpacked than a file may take"
        yield FAULT + json.dumps([message, "Pack it again, with a smaller window."]).encode()


def _unpacked(file: BinaryIO, kind: str) -> Iterator[bytes]:
    _check_begin(file, kind)
    if kind == "zip":
        yield from _zipped(file)
    elif kind == "zstd":
        yield from _zstd(file)
    else:
        for block in _members(file, _DECOMPRESSORS[kind]):
            yield BLOCK + block


def _check_begin(file: BinaryIO, kind: str) -> None:
    """A file that was never packed, or in another way, is said to be that. A zip may begin with a program."""
    head = file.read(4)
    begins = {name for name, mark in _MARKS.items() if head.startswith(mark[: max(1, len(head))])}
    if kind == "zstd" and head[1:] == b"\x2a\x4d\x18":  # a frame to be skipped
        begins.add(kind)
    if kind not in begins and head and not (kind == "zip" and zipfile.is_zipfile(file)):
        if begins:
            what = f"is packed by {begins.pop()} and not by {kind}, by its first bytes"
            raise _Broken(what, "Give it the name of what it is.")
        raise _Broken(
            f"is not packed by {kind}, by its first bytes", "Take that ending off its name if it is the data."
        )
    file.seek(0)


_MARKS = {"gzip": b"\x1f\x8b", "bzip2": b"BZh", "xz": b"\xfd7zX", "zstd": b"\x28\xb5\x2f\xfd", "zip": b"PK"}
_DECOMPRESSORS: dict[str, Callable[[], Any]] = {
    "gzip": lambda: zlib.decompressobj(wbits=31),
    "bzip2": bz2.BZ2Decompressor,
    "xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_LZMA_MEMORY),
}


def _members(file: BinaryIO, new: Callable[[], Any]) -> Iterator[bytes]:
    """The bytes of all members: such files may be joined, and may end in zeros."""
    rest = file.read(_BYTES)
    while rest:
        member = new()
        while not member.eof:
            data = rest
            if not data and getattr(member, "needs_input", True):
                data = file.read(_BYTES)
            made = member.decompress(data, _BYTES)
            rest = getattr(member, "unconsumed_tail", b"")
            if made:
                yield made
            elif not data and not member.eof:
                raise _Broken("ends too early")
        rest = member.unused_data.lstrip(b"\0")
        while not rest and (more := file.read(_BYTES)):
            rest = more.lstrip(b"\0")


def _zstd(file: BinaryIO) -> Iterator[bytes]:
    with pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd") as stream:
        while block := stream.read(_BYTES):
            yield BLOCK + block


def _zipped(file: BinaryIO) -> Iterator[bytes]:
    with zipfile.ZipFile(file) as archive:
        found = [one for one in archive.infolist() if not one.is_dir() and not one.filename.startswith("__MACOSX/")]
        if len(found) != 1:
            names = ", ".join(one.filename for one in found[:5]) + (", …" if found[5:] else "")
            what = f"holds {len(found)} files ({names})" if found else "holds no file"
            raise _Broken(f"{what} and not one", "Unpack it, and name one of its files.")
        (one,) = found
        if one.flag_bits & 1:
            raise _Broken("is encrypted", "Unpack it with its password first.")
        yield NAME + one.filename.encode(errors="replace")
        try:
            with archive.open(one) as stream:
                while block := stream.read(_BYTES):
                    yield BLOCK + block
        except NotImplementedError:
            raise _Broken("is packed by a method that cannot be read", "Pack it again as a plain zip.") from None


def _small_files() -> Iterator[tuple[str, bytes]]:
    text = b"a,b\n1,2\n"
    gzip = zlib.compressobj(wbits=31)
    yield "gzip", gzip.compress(text) + gzip.flush()
    yield "bzip2", bz2.compress(text)
    yield "xz", lzma.compress(text)
    yield "zstd", pa.compress(text, codec="zstd", asbytes=True)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", text)
    yield "zip", made.getvalue()
