"""Compressed files: read and written like what is in them, with a sentence for each that cannot be unpacked."""

import bz2
import gzip
import io
import lzma
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from orchestrator.core.errors import DataError, UsageError
from orchestrator.data.formats import open_dataset, open_writer
from orchestrator.data.formats.private_copy import PrivateCopy

TEXT = b"zip;city\r\n00501;Rome\r\n;Bonn\r\n"


def zipped(data: bytes, *names: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names or ("inner.csv",):
            archive.writestr(name, data)
    return made.getvalue()


PACK: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": lambda data: pa.compress(data, codec="zstd", asbytes=True),
    "zip": zipped,
}


def copied(source: Path, target: Path) -> bytes:
    """What is in the target, after every row was written to it unchanged."""
    dataset = open_dataset(source)
    with open_writer(target, like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read():
            writer.write(batch.table, batch)
    made = open_dataset(target)  # its content is there as long as it lives
    return made.content.read_bytes()


@pytest.mark.parametrize("suffix", PACK)
def test_a_packed_copy_holds_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    """Rows in are rows out, in the dialect of the file inside; a blank and a leading zero stay."""
    source = tmp_path / f"messy.csv.{suffix}"
    source.write_bytes(PACK[suffix](TEXT))
    dataset = open_dataset(source)
    assert (dataset.rows, dataset.suffix, dataset.format) == (2, f".csv.{suffix}", "csv")
    assert copied(source, tmp_path / f"cleaned.csv.{suffix}") == TEXT


@pytest.mark.parametrize("suffix", PACK)
def test_every_truncation_is_said(tmp_path: Path, suffix: str) -> None:
    """Wherever the file is cut, no row of it is taken for the whole."""
    packed = PACK[suffix](b"".join(b"%d,%d\n" % (i, i * i) for i in range(50)))
    source = tmp_path / f"messy.csv.{suffix}"
    for end in range(1, len(packed), 19):
        source.write_bytes(packed[:end])
        with pytest.raises(DataError, match=r"messy\.csv\.\w+ (ends too early|is not a readable)"):
            open_dataset(source)


@pytest.mark.parametrize("suffix", PACK)
def test_what_is_not_packed_is_said(tmp_path: Path, suffix: str) -> None:
    """A plain file with the name of a packed one."""
    source = tmp_path / f"messy.csv.{suffix}"
    source.write_bytes(TEXT)
    with pytest.raises(DataError, match="is not packed by"):
        open_dataset(source)


def test_joined_members_are_one_file(tmp_path: Path) -> None:
    """As `cat a.gz b.gz` makes it, and with zeros at the end."""
    source = tmp_path / "messy.csv.gz"
    source.write_bytes(gzip.compress(b"a\n1\n") + gzip.compress(b"2\n") + bytes(512))
    assert open_dataset(source).rows == 2


def test_a_zip_is_read_by_the_name_of_its_file(tmp_path: Path) -> None:
    """The zip's own name says no format; folders and what a Mac adds do not count."""
    source = tmp_path / "messy.zip"
    with zipfile.ZipFile(source, "w") as archive:
        archive.writestr("data/", b"")
        archive.writestr("data/rows.jsonl", b'{"a": 1}\n')
        archive.writestr("__MACOSX/._rows.jsonl", b"x")
    assert (open_dataset(source).format, open_dataset(source).suffix) == ("jsonl", ".jsonl.zip")


def test_a_zip_of_two_files_is_refused(tmp_path: Path) -> None:
    """Nothing is guessed: both are named."""
    (tmp_path / "two.zip").write_bytes(zipped(TEXT, "a.csv", "b.csv"))
    with pytest.raises(DataError, match=r"two\.zip holds 2 files \(a\.csv, b\.csv\) and not one"):
        open_dataset(tmp_path / "two.zip")


def test_a_bomb_is_refused_in_bounded_memory(tmp_path: Path) -> None:
    """A few kilobytes that become 160 MB: refused by the ratio, with less than 64 MiB taken."""
    with gzip.open(tmp_path / "bomb.csv.gz", "wb") as file:
        file.write(b"a,b\n")
        for _ in range(160):
            file.write(b"0,1\n" * 2**18)
    script = (
        "import pathlib, sys, orchestrator.data.formats as formats\n"
        "from orchestrator.core.errors import DataError\n"
        "def peak(): return int(pathlib.Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0]) // 1024\n"
        "before = peak()\n"
        "try: formats.open_dataset(sys.argv[1])\n"
        "except DataError as error: print(error.message)\n"
        "print(peak() - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "bomb.csv.gz"], capture_output=True, text=True, check=True
    )
    message, peak = done.stdout.splitlines()
    assert "unpacks to more than 200 times as many" in message
    assert int(peak) < 64


def test_the_cap_can_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable that the advice names is the one that counts; a wrong value is said."""
    (tmp_path / "messy.csv.gz").write_bytes(gzip.compress(TEXT))
    monkeypatch.setenv("CLEANROOM_MAX_UNPACKED_BYTES", "10")
    with pytest.raises(DataError, match="more than 10 bytes") as refused:
        open_dataset(tmp_path / "messy.csv.gz")
    assert "CLEANROOM_MAX_UNPACKED_BYTES" in refused.value.advice
    monkeypatch.setenv("CLEANROOM_MAX_UNPACKED_BYTES", "ten")
    with pytest.raises(UsageError, match="is not a whole number"):
        open_dataset(tmp_path / "messy.csv.gz")


def test_binary_formats_are_not_looked_for_inside(tmp_path: Path) -> None:
    """Parquet is compressed itself; the file is not even unpacked."""
    (tmp_path / "x.parquet.gz").write_bytes(b"nothing")
    with pytest.raises(UsageError, match="Parquet is not read from a packed file"):
        open_dataset(tmp_path / "x.parquet.gz")


def test_a_change_while_it_is_read_is_noticed(tmp_path: Path) -> None:
    """The hash is that of the packed file, taken before it was unpacked."""
    source = tmp_path / "messy.csv.gz"
    source.write_bytes(gzip.compress(TEXT))
    dataset = open_dataset(source)
    dataset.check_unchanged()
    source.write_bytes(gzip.compress(TEXT + b"1;2\r\n"))
    with pytest.raises(DataError, match="has changed"):
        dataset.check_unchanged()


def test_the_private_copy_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left in the folder for temporary files, even while the copy is read."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    copy = PrivateCopy([b"a\n", b"1\n"])
    assert copy.path.read_bytes() == b"a\n1\n"
    assert list(tmp_path.iterdir()) == []
