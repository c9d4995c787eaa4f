"""How an exported `cleaning_functions.py` opens, unpacks and packs files, a part at a time. `export` copies this text.

Nothing here depends on the size of the file: what a batch of rows takes is all the memory that is needed.
"""

import bz2
import codecs
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

PACKINGS = (".gz", ".zst", ".bz2", ".xz", ".zip")
_RATIO, _FREE, _MOST = 200, 64 * 2**20, 32 * 2**30  # more than these, and a packed file is refused
_LONGEST_LINE = 8 * 2**20
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_Row = TypeVar("_Row")


class Source:
    """A file that can be read several times, unpacked if its name says that it is packed.

    `encoding`: how its text is stored where it has no byte order mark. Raises ValueError for one that is none, and for
    a pipe.
    `delimiter`: what parts its columns, where that is said.
    """

    def __init__(self, path: Path, encoding: str = "utf-8", delimiter: str | None = None) -> None:
        if path.is_fifo():  # opening it again would wait for ever
            raise ValueError("a pipe is read once only, and a file several times; save it as a file first")
        self.path, self.delimiter = path, delimiter
        self._status = self._now()
        with self.open() as file:
            head = file.read(4)
        found = ((bom, codec) for bom, codec in _BOMS if head.startswith(bom))
        self.bom, self.codec = next(found, (b"", _codec(encoding)))

    def open(self) -> BinaryIO:
        """The bytes of the file."""
        if self.path.suffix.lower() not in PACKINGS:
            return self.path.open("rb")
        return cast("BinaryIO", io.BufferedReader(_Unpacked(self.path), 2**20))

    def text(self, newline: str = "") -> io.TextIOWrapper:
        """The characters after the byte order mark, line ends as they are."""
        file = self.open()
        file.read(len(self.bom))
        return io.TextIOWrapper(file, self.codec, newline=newline)

    def lines(self, skip: int = 0, newline: str = "") -> Iterator[str]:
        """The lines after so many characters, each with its end. Raises ValueError for what is no text."""
        with self.text(newline) as text:
            text.read(skip)
            while line := text.readline(_LONGEST_LINE):
                if len(line) == _LONGEST_LINE:
                    raise ValueError(f"a line is longer than {_LONGEST_LINE // 2**20} MiB")
                if "\0" in line:
                    raise ValueError("there is a NUL byte; this is no text file")
                yield line

    def first_unreadable(self) -> int:
        """The number of the first line that is no text in this encoding; 0 where that cannot be told."""
        if self.codec.startswith(("utf-16", "utf-32")):
            return 0
        with self.open() as file:
            number = 0
            while line := file.readline(_LONGEST_LINE):
                number += 1
                try:
                    line.decode(self.codec)
                except UnicodeDecodeError:
                    return number if len(line) < _LONGEST_LINE else 0
        return 0

    def check_unchanged(self) -> None:
        """Raise ValueError where somebody wrote to the file since it was opened first."""
        if self._now() != self._status:
            raise ValueError("it was changed while it was read; nothing was written")

    def _now(self) -> tuple[int, ...]:
        status = self.path.stat()
        return status.st_ino, status.st_size, status.st_mtime_ns


def _codec(encoding: str) -> str:
    """Python's name of a text encoding. Python also calls base64 and the like codecs."""
    try:
        "".encode(encoding)
        name = codecs.lookup(encoding).name.removesuffix("-sig")
    except (LookupError, UnicodeError):
        name = ""
    if name in ("", "idna", "punycode", "raw-unicode-escape", "unicode-escape", "utf-16", "utf-32"):
        raise ValueError(f"'{encoding}' is no encoding that can be used; for example utf-8, cp1252 or utf-16-le")
    return name


class _Unpacked(io.RawIOBase):
    """The content of a packed file. Raises ValueError for one that is broken, or many times as large unpacked."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._packed, self._size, self._kind = path.stat().st_size, 0, path.suffix.lower()[1:]
        self._file = self._safely(lambda: _opened(path))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data: bytes = self._safely(lambda: self._file.read(len(buffer)))
        self._size += len(data)
        if self._size > (most := min(_MOST, max(_FREE, _RATIO * self._packed))):
            raise ValueError(f"it has {self._packed:,} bytes and unpacks to more than {most:,}")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()

    def _safely(self, act: Callable[[], Any]) -> Any:
        try:
            return act()
        except FileNotFoundError:
            raise
        except (EOFError, OSError, RuntimeError, ValueError, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as error:
            self._file = getattr(self, "_file", io.BytesIO())
            raise ValueError(f"it cannot be unpacked as {self._kind}: {error}") from None


def _opened(path: Path) -> Any:
    match path.suffix.lower():
        case ".gz":
            return gzip.open(path)
        case ".bz2":
            return bz2.open(path)
        case ".xz":
            return lzma.open(path)
        case ".zip":
            return zipfile.ZipFile(path).open(member(path))
    import pyarrow as pa

    return pa.input_stream(path, compression="zstd")


def member(path: Path) -> str:
    """The name of the one file in a zip. Raises ValueError where there is not one."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [one.filename for one in archive.infolist() if not one.is_dir()]
    except zipfile.BadZipFile as error:
        raise ValueError(f"it cannot be unpacked as zip: {error}") from None
    found = [name for name in names if not name.startswith("__MACOSX/")]
    if len(found) != 1:
        raise ValueError(f"it holds {len(found)} files and not one")
    return found[0]


@contextmanager
def packing(file: BinaryIO, path: Path) -> Iterator[BinaryIO]:
    """A file whose content goes to `file`, packed as the name of `path` says; the same data give the same bytes."""
    made: Any = file
    match path.suffix.lower():
        case ".gz":
            made = gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0)
        case ".bz2":
            made = bz2.BZ2File(file, "wb")
        case ".xz":
            made = lzma.LZMAFile(file, "wb")  # noqa: SIM115 - closed below
        case ".zip":
            archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
            one = zipfile.ZipInfo(path.stem)
            one.compress_type, one.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            with archive, archive.open(one, "w", force_zip64=True) as inner:
                yield cast("BinaryIO", inner)
            return
        case ".zst":
            import pyarrow as pa

            with pa.CompressedOutputStream(pa.PythonFile(_StaysOpen(file), mode="w"), "zstd") as inner:
                yield inner
            return
    yield made
    if made is not file:
        made.close()


class _StaysOpen:
    """Arrow closes what it writes to; this file has still to be forced to the disk."""

    closed = False

    def __init__(self, file: BinaryIO) -> None:
        self.write, self.flush = file.write, file.flush

    def close(self) -> None:
        self.closed = True


class Counted:
    """Cleans one frame, or one record, after the other, and says in which rows of the file a function failed."""

    def __init__(self, clean: Callable[[Any], Any], file: str) -> None:
        self._clean, self._file, self._rows = clean, file, 0

    def __call__(self, given: Any) -> Any:
        count = len(given) if hasattr(given, "columns") else 1
        try:
            made = self._clean(given)
        except Exception as error:
            name, row = vars(error).get("cleanroom_function"), vars(error).get("cleanroom_row")
            if name is None:
                raise
            first = self._rows + 1
            rows = f"rows {first} to {self._rows + count}" if row is None else f"row {first + row}"
            raise ValueError(
                f"function {name}, {rows} of {self._file}: {type(error).__name__}: {error}; correct the rows, or have "
                "`cleanroom apply --quarantine` set them aside"
            ) from error
        self._rows += count
        return made


def batches(rows: Iterable[_Row], size: Callable[[_Row], int]) -> Iterator[list[_Row]]:
    """The rows as `cleanroom apply` cuts them: no function was proved on larger tables."""
    part: list[_Row] = []
    total = 0
    for row in rows:
        part.append(row)
        total += size(row)
        if len(part) == 12_800 or total >= 32 * 2**20:
            yield from _cut(part, total)
            part, total = [], 0
    if part:
        yield from _cut(part, total)


def _cut(part: list[_Row], total: int) -> Iterator[list[_Row]]:
    most = len(part) if total <= 16 * 2**20 else 1_600
    return (part[start : start + most] for start in range(0, len(part), most))
