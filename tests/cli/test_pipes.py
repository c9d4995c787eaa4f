"""`-`: data come through a pipe and go into one, and nothing but data is on stdout."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import CLEANROOM, surroundings

DATA = b"zip,city\n00501,Rome\n,Bonn\n"
_COPY = (
    "import sys; from orchestrator.core.errors import CleanroomError\n"
    "from orchestrator.data.formats import open_dataset, open_writer\n"
    "try:\n"
    "    data = open_dataset('-', format=sys.argv[1] or None)\n"
    "    with open_writer('-', like=data, schema=data.schema) as writer:\n"
    "        for _ in range(2):\n"
    "            rows = [batch for batch in data.read()]\n"
    "        for batch in rows:\n"
    "            writer.write(batch.table, batch)\n"
    "        data.check_unchanged()\n"
    "except CleanroomError as error:\n"
    "    sys.exit(error.message)\n"
)


def copied(data: bytes, kind: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([sys.executable, "-c", _COPY, kind], input=data, capture_output=True, check=False)


def test_what_comes_through_a_pipe_goes_out_unchanged() -> None:
    """It is read twice, as every data set is, and written once, as the bytes that came."""
    done = copied(DATA, "csv")
    assert (done.returncode, done.stdout, done.stderr) == (0, DATA, b"")


def test_the_format_of_stdin_must_be_said() -> None:
    """Nothing tells CSV from TSV, and nothing is guessed."""
    done = copied(DATA, "")
    assert (done.stdout, done.stderr) == (b"", b"The format of stdin cannot be known.\n")


def test_broken_rows_are_said_with_their_place_and_nothing_is_printed() -> None:
    """Whoever reads the pipe gets all of it or nothing."""
    done = copied(DATA + b"1,2,3\n", "csv")
    assert done.stdout == b""
    assert done.stderr.startswith(b"stdin, row 4 (the header is row 1): 3 fields where the header has 2")


def test_an_empty_pipe_is_said() -> None:
    """The command before it has probably failed."""
    assert copied(b"", "csv").stderr == b"stdin is empty.\n"


@pytest.mark.parametrize(
    ("data", "advice"),
    [
        (gzip.compress(DATA), b"Unpack it before: gzip -dc FILE | cleanroom \xe2\x80\xa6, or name the file."),
        (b"PAR1\x15\x04\x8c", b"Say the --format that it has, or name the file."),
    ],
    ids=["packed", "parquet"],
)
def test_what_is_no_text_in_a_pipe_is_said_with_what_to_do(data: bytes, advice: bytes) -> None:
    """It was to be given another name, and a pipe has none."""
    done = subprocess.run([CLEANROOM, "analyze", "-", "--format", "csv"], input=data, capture_output=True, check=False)
    assert done.returncode == 2
    assert advice in b" ".join(done.stderr.split())


def test_a_reader_that_ends_is_said() -> None:
    """`| head` closes the pipe: a sentence, no traceback."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-c", _COPY, "csv"], input=DATA, stdout=closed, stderr=subprocess.PIPE, check=False
        )
    assert done.stderr.splitlines()[0] == b"The program that reads stdout has ended."


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("options", [["--json"], []])
def test_a_full_disk_behind_stdout_is_said(tmp_path: Path, options: list[str], unbuffered: str) -> None:
    """One sentence and what to do, exit code 3 as for every output; Python does not complain at the end either."""
    (tmp_path / "a.csv").write_bytes(DATA)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [CLEANROOM, "analyze", "a.csv", *options],
            cwd=tmp_path,
            env=surroundings({"PYTHONUNBUFFERED": unbuffered}),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr.decode().splitlines()[-2:] == [
        "error: stdout cannot be written: no space left on device.",
        "       Free some space, or send it to another place.",
    ]
