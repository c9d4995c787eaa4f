"""Compressed files around a text format: read as a private copy, written through a compressor.

The name says it: `messy.csv.gz` is CSV in gzip; a zip holds one file, whose name counts where the zip's has no format.
A disposable process unpacks (`unpack_reader`); the sizes are watched here. Called by `data.formats`.
"""

import bz2
import gzip
import hashlib
import json
import lzma
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from orchestrator.core.errors import DataError
from orchestrator.data.disposable.disposable_process import DisposableLimits, kept_process
from orchestrator.data.formats import unpack_reader
from orchestrator.data.formats.input_file import open_input
from orchestrator.data.formats.private_copy import PrivateCopy
from orchestrator.data.formats.reader_fault import reader_fault, within_limits
from orchestrator.data.unpacking import BYTES_VARIABLE, RATIO_VARIABLE, UnpackingLimits

PACKINGS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bzip2", ".xz": "xz", ".zip": "zip"}
_LIMITS = DisposableLimits(wall_s=120.0, cpu_s=7200, memory_bytes=512 * 2**20)


class Unpacked(NamedTuple):
    """The content of a packed file, and the suffix that says its format; empty where no name does."""

    copy: PrivateCopy
    suffix: str


def packing_of(path: Path) -> str:
    """How the file is packed, by its name; empty where it is not."""
    return PACKINGS.get(path.suffix.lower(), "")


def inner_suffix(path: Path) -> str:
    """The suffix that says the format, packed or not."""
    return Path(path.stem).suffix if packing_of(path) else path.suffix


def unpack(path: Path) -> Unpacked:
    """The content of the file. Raises DataError with a sentence where it is broken or too large, OutputError."""
    kind = packing_of(path)
    names: list[str] = []
    with open_input(path, path) as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        packed = file.tell()
    copy = PrivateCopy(_blocks(path, kind, names, packed), sha256)
    if not copy.path.stat().st_size:
        raise DataError(f"{path} holds an empty file.", advice="Check how it was made.")
    inner = Path(path.stem).suffix or (Path(names[0]).suffix if names else "")
    return Unpacked(copy, inner.lower())


def _blocks(path: Path, kind: str, names: list[str], packed: int) -> Iterator[bytes]:
    limits, size = UnpackingLimits.read(), 0
    for part in _parts(path, kind):
        mark, rest = part[:1], part[1:]
        if mark == unpack_reader.NAME:
            names.append(rest.decode(errors="replace"))
            continue
        if mark != unpack_reader.BLOCK:
            raise reader_fault(path, rest, "cannot be unpacked")
        size += len(rest)
        if size > limits.bytes:
            raise DataError(
                f"{path} unpacks to more than {limits.bytes:,} bytes.", advice=f"Raise it with {BYTES_VARIABLE}."
            )
        if size > max(limits.free, limits.ratio * packed):
            raise DataError(
                f"{path} has {packed:,} bytes and unpacks to more than {limits.ratio} times as many.",
                advice=f"Check where it comes from; if it is right, raise {RATIO_VARIABLE}.",
            )
        yield rest


def _parts(path: Path, kind: str) -> Iterator[bytes]:
    with within_limits(path, "Check where it comes from.", done="unpacked"), open_input(path, path) as file:
        yield from kept_process(unpack_reader.ENTRY, _LIMITS).parts(
            json.dumps({"kind": kind}).encode(), "blocks", file.fileno()
        )


@contextmanager
def packing_file(file: BinaryIO, path: Path) -> Iterator[BinaryIO]:
    """A file whose content goes to `file`, packed as the name says."""
    kind = packing_of(path)
    if not kind:
        yield file
    elif kind == "zip":
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            member = zipfile.ZipInfo(path.stem)  # with a fixed date: the same data give the same bytes
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o644 << 16
            with archive.open(member, "w", force_zip64=True) as inner:
                yield inner  # type: ignore[misc]
    else:
        with _compressor(kind, file) as inner:
            yield inner


def _compressor(kind: str, file: BinaryIO) -> Any:
    if kind == "gzip":
        return gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0)
    if kind == "bzip2":
        return bz2.BZ2File(file, "wb")
    if kind == "xz":
        return lzma.LZMAFile(file, "wb")
    import pyarrow as pa

    return pa.CompressedOutputStream(pa.PythonFile(_StaysOpen(file), mode="w"), "zstd")


class _StaysOpen:
    """Arrow closes what it writes to; this file has still to be forced to the disk."""

    closed = False

    def __init__(self, file: BinaryIO) -> None:
        self.write, self.flush = file.write, file.flush

    def close(self) -> None:
        self.closed = True
