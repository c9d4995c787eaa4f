"""What a killed process had begun to write goes with the next result of that name, and nothing else does."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from orchestrator.data import files
from orchestrator.data.files import atomic_file, clear_leftovers
from orchestrator.data.formats.output_file import output_file

LEFT = ".out.csv.0123456789abcdef.part"
KILLED = """import os, signal, sys
from pathlib import Path
from orchestrator.data.files import atomic_file
with atomic_file(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def hidden(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob(".*"))


def test_what_a_killed_process_left_goes(tmp_path: Path) -> None:
    """A real one, killed while it wrote."""
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "out.csv")], check=False)
    assert done.returncode == -9
    assert len(hidden(tmp_path)) == 1
    with output_file(tmp_path / "out.csv") as file:
        file.write(b"whole")
    assert hidden(tmp_path) == []
    assert (tmp_path / "out.csv").read_bytes() == b"whole"


def test_what_is_still_written_stays(tmp_path: Path) -> None:
    """Somebody else writes to the same name: both results appear whole, one after the other."""
    with output_file(tmp_path / "out.csv") as slow:
        slow.write(b"slow")
        with output_file(tmp_path / "out.csv") as fast:
            fast.write(b"fast")
        assert (tmp_path / "out.csv").read_bytes() == b"fast"
        assert len(hidden(tmp_path)) == 1
    assert (tmp_path / "out.csv").read_bytes() == b"slow"
    assert hidden(tmp_path) == []


def test_only_leftovers_of_the_name_go(tmp_path: Path) -> None:
    """Not those of other results, nothing that is named nearly so, no link and no pipe."""
    others = (
        ".other.csv.0123456789abcdef.part",
        ".out.csv.0123.part",
        ".out.csv.0123456789abcdef.parts",
        ".outXcsv.part",
    )
    for name in (*others, LEFT, "victim"):
        (tmp_path / name).touch()
    link, pipe, folder = (LEFT.replace("0123", one) for one in ("aaaa", "bbbb", "cccc"))
    (tmp_path / link).symlink_to(tmp_path / "victim")
    os.mkfifo(tmp_path / pipe)
    (tmp_path / folder).mkdir()
    clear_leftovers(tmp_path / "out.csv")
    assert hidden(tmp_path) == sorted([*others, link, pipe, folder])
    assert (tmp_path / "victim").exists()
    clear_leftovers(tmp_path / "missing" / "out.csv")


def test_a_file_that_is_taken_for_a_leftover_is_begun_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between its name and its lock somebody else clears up."""
    locked, cleared = files._locked, [0]

    def late(number: int) -> bool | None:
        if threading.current_thread() is threading.main_thread() and not cleared[0]:
            cleared[0] = 1
            other = threading.Thread(target=clear_leftovers, args=(tmp_path / "out.csv",))
            other.start()
            other.join()
        return locked(number)

    monkeypatch.setattr(files, "_locked", late)
    with atomic_file(tmp_path / "out.csv") as file:
        file.write(b"whole")
    assert cleared == [1]
    assert (tmp_path / "out.csv").read_bytes() == b"whole"
    assert hidden(tmp_path) == []
