"""Where a writer's bytes go: a file that appears whole or not at all, packed if its name says so, or stdout.

Called by the writers of all formats.
"""

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from orchestrator.core.errors import OutputError
from orchestrator.data.files import OutputBytes, atomic_file, clear_leftovers
from orchestrator.data.formats.packed import packing_file

STDOUT = Path("-")


@contextmanager
def output_file(path: Path) -> Iterator[BinaryIO]:
    """A binary file that becomes `path`, or goes to stdout, at the end of the block. Raises OutputError.

    What processes that were killed had begun to write there is removed.
    """
    if path != STDOUT:
        clear_leftovers(path)
    with _stdout() if path == STDOUT else atomic_file(path) as file, packing_file(file, path) as packed:
        yield packed


@contextmanager
def _stdout() -> Iterator[BinaryIO]:
    """Nothing is printed before all of it is there: whoever reads the pipe gets all of it or nothing."""
    with _mapped():
        kept = tempfile.TemporaryFile()  # noqa: SIM115 - closed below
    with kept:
        with io.BufferedWriter(OutputBytes(os.dup(kept.fileno()), _mapped), 2**20) as file:
            yield file
        with _mapped():
            kept.seek(0)
            shutil.copyfileobj(kept, sys.stdout.buffer, 2**20)
            sys.stdout.buffer.flush()


@contextmanager
def _mapped() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise OutputError(
            "The program that reads stdout has ended.", advice="Check the command after the pipe."
        ) from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OutputError(f"stdout cannot be written: {reason}.", advice="Free some space, or set TMPDIR.") from error
