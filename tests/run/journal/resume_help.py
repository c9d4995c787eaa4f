"""The data and the model of the runs that are killed and resumed, and the near side of `resume_fork_server.py`."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.run.journal.resume_fork_server import function

ROWS = [(" xa" if i < 10 else "xa", "yb " if i % 7 == 3 else "yb", " zc" if i >= 20 else "zc") for i in range(30)]
REPLY = """<cleaning_analysis><issues_detected><issue id="1" solved="false">blanks</issue></issues_detected>
<function_to_generate><name>{name}</name><docstring>Strip.</docstring><columns>["{column}"]</columns>
<code><![CDATA[{code}]]></code></function_to_generate><chunk_status>needs_work</chunk_status></cleaning_analysis>"""
CLEAN = "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"


class ForkServer:
    """The far side of `resume_fork_server.py`."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.run.journal.resume_fork_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, folder: Path, moment: int = 0, when: str = "after", *, resume: bool = False, **more: Any) -> Any:
        """The run, or its rest; killed at the line of its journal (0: never)."""
        asked = {"folder": str(folder), "data": str(self._data), "moment": moment, "when": when, "resume": resume}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"limits": {"saturation": 9}} | asked | more) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate(timeout=200)


def write_messy(path: Path) -> Path:
    """Thirty rows, in three chunks of which different columns have stray blanks."""
    path.write_text("a,b,c\n" + "".join(f'"{a}","{b}","{c}"\n' for a, b, c in ROWS))
    return path


def model(request: dict[str, Any]) -> str:
    """A model whose answers depend on nothing but the question."""
    said = [str(message["content"]) for message in request["messages"]]
    text = "\n".join(said)
    if "The gate rejected your function" in said[-1]:
        return REPLY.format(name="trim_b", column="b", code=function("trim_b", "b"))
    for value, column, name in ((" xa", "a", "trim_a"), ("yb ", "b", "bad_b"), (" zc", "c", "trim_c")):
        if f'"{value}"' in text:
            if column == "c" and "mumble" not in text:
                return "mumble, mumble"
            return REPLY.format(name=name, column=column, code=function(name, column))
    return CLEAN
