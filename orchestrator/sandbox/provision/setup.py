"""`cleanroom setup` as one function: an engine that answers and the sandbox image of this version. Also used by tests.

Safe to repeat, to cut off and to start twice at once: a lock lets one work while others wait.
"""

import contextlib
import errno
import fcntl
from collections.abc import Iterator

from orchestrator.core.errors import EngineUnavailable, ImageMissing, SetupError
from orchestrator.sandbox.provision import paths
from orchestrator.sandbox.provision.base_image import Way
from orchestrator.sandbox.provision.engine_client import OnProgress, connect, no_space
from orchestrator.sandbox.provision.engine_install import ensure_engine
from orchestrator.sandbox.provision.image_build import build_image
from orchestrator.sandbox.provision.image_id import find_image, sandbox_image
from orchestrator.sandbox.provision.recipe import read_recipe

BUILD_S = 600.0  # one call of the engine: the build is the longest


def ensure_ready(report: OnProgress, way: Way = "auto", fresh: bool = False) -> str:
    """Makes this machine fit for runs and returns the id of the sandbox image. Raises SetupError with what to do."""
    try:
        return (None if fresh else _ready_already()) or _make_ready(report, way, fresh)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise no_space("Setting up") from error
        raise SetupError(
            f"Setting up failed: {error}.", advice="`cleanroom doctor` shows what this machine gives."
        ) from error


def _ready_already() -> str | None:
    """The image's id when nothing is left to do: then another setup at work is no reason to wait."""
    try:
        return sandbox_image()
    except (EngineUnavailable, ImageMissing):
        return None


def _make_ready(report: OnProgress, way: Way, fresh: bool) -> str:
    with _alone(report):
        ensure_engine(report)
        with contextlib.closing(connect(BUILD_S)) as client:
            recipe = read_recipe()
            found = None if fresh else find_image(client, recipe.tag)
            return found or build_image(client, recipe, report, way, fresh)


@contextlib.contextmanager
def _alone(report: OnProgress) -> Iterator[None]:
    with paths.setup_lock().open("wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            report("waiting for another `cleanroom setup` to end")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
