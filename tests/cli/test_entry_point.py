"""What the `cleanroom` script sees to before it imports anything: signals, closed streams and old locales."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import surroundings

SCRIPT = "from orchestrator.cli.entry_point import run; run()"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.csv").write_text("Łódź,n\nKøbenhavn ,1\nRoma,2\n", encoding="utf-8")
    return tmp_path


def called(folder: Path, shell: str, *arguments: str, **env: str) -> "subprocess.CompletedProcess[bytes]":
    """The script, started by a shell that does something with its streams."""
    command = ["bash", "-c", f'"$@" {shell}', "-", sys.executable, "-c", SCRIPT, *arguments]
    return subprocess.run(command, cwd=folder, env=surroundings(env), capture_output=True, check=False)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_who_interrupts_while_commands_are_imported_gets_one_word(folder: Path, name: str) -> None:
    """Ctrl-C right after the return key was a traceback of imports, and no exit code of cleanroom's."""
    script = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'typer':\n"
        f"            os.kill(os.getpid(), signal.{name})\n"
        "sys.meta_path.insert(0, Finder())\n" + SCRIPT.replace("; ", "\n")
    )
    done = subprocess.run(
        [sys.executable, "-c", "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n" + script],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "error: Interrupted.\n")


def test_a_closed_stdout_is_refused_before_any_work(folder: Path) -> None:
    """It was an internal error, for a run at its very end."""
    done = called(folder, ">&-", "analyze", "a.csv")
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, b"error: stdout is closed.")


@pytest.mark.parametrize("stderr", ["2>&-", "2>/dev/full", "<&- 2>&-"])
def test_messages_that_nobody_can_read_change_nothing_else(folder: Path, stderr: str) -> None:
    """Neither the exit code, which was 1 (rejected), nor the result."""
    assert called(folder, stderr, "analyze", "gone.csv").returncode == 2
    done = called(folder, stderr, "analyze", "a.csv", "--json")
    assert (done.returncode, json.loads(done.stdout)["rows"]) == (0, 2)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_an_old_locale_refuses_no_character(folder: Path, encoding: str) -> None:
    """What it has no sign for is escaped, in JSON so that the value stays the same. It was an internal error."""
    for options in ((), ("--json",)):
        done = called(folder, "", "analyze", "a.csv", *options, PYTHONIOENCODING=encoding)
        assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["columns"][0]["name"] == "Łódź"


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_reader_that_goes_away_is_no_rejection(folder: Path, options: tuple[str, ...]) -> None:
    """The exit code is that of any program to which this happens, 128 + SIGPIPE. It was 1: rejected."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as unread:
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, "analyze", "a.csv", *options],
            cwd=folder,
            env=surroundings(),
            stdout=unread,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("MemoryError()", "error: There is not enough memory."),
        ("OSError(errno.ENOMEM, 'x')", "error: There is not enough memory."),
        ("ImportError('a.so: failed to map segment from shared object')", "error: There is not enough memory."),
        ("OSError(errno.EMFILE, 'x')", "error: There are too many open files."),
    ],
)
def test_what_a_machine_lacks_is_said(folder: Path, error: str, said: str) -> None:
    """It was called an internal error."""
    script = (
        "import errno\nfrom orchestrator.cli import main\n"
        "@main.app.command('broken')\n"
        f"def broken():\n    raise {error}\n" + SCRIPT.replace("; ", "\n")
    )
    command = [sys.executable, "-c", script, "broken"]
    done = subprocess.run(command, cwd=folder, env=surroundings(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[0]) == (3, said)
