"""Runs a script of the corpus on the host, in a process and a folder of its own. Called by runner.py through bootstrap.

These are our own programs: they attack what stands around the sandbox (owner processes, engine calls, registry,
command line) with the means of someone who may.
"""

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

_WALL_S = 300.0  # ends what hangs; an attack that is late is told by the runner
_ROOT = Path(__file__).resolve().parents[3]


def run_script(source: str, image: str, runtime: str) -> str:
    """The last line that it printed; what it wrote on standard error when there is none."""
    with tempfile.TemporaryDirectory(prefix="cleanroom-redteam-") as folder:
        environment = os.environ | {
            "PYTHONPATH": str(_ROOT),
            "REDTEAM_IMAGE": image,
            "REDTEAM_RUNTIME": runtime,
            "CLEANROOM_RUNTIME": runtime,
            "PYTHONWARNINGS": "ignore",
            "XDG_CONFIG_HOME": folder,  # for a signing key that is not the user's
        }
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own text
            [sys.executable, "-P", "-c", source],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            printed, complaint = process.communicate(timeout=_WALL_S)
        except subprocess.TimeoutExpired:
            return "it took too long"
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    lines = (printed if printed.strip() else complaint).decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else f"nothing (exit {process.returncode})"
