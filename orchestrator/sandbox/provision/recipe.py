"""What the sandbox image is made of, as one value; its hash is the image's tag, so a changed guest is a new image.

Reads Dockerfile.sandbox and sandbox_image/ where they lie (checkout or wheel). Called by image_id.py, image_build.py.
"""

import hashlib
import io
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from orchestrator.core.errors import SetupError
from orchestrator.core.value import Value
from orchestrator.data.assets import asset

SUITE = "bookworm"
PACKAGES = ("python3.11", "tzdata", "libfaketime")
BASE_RECIPE = f"1 debian {SUITE} minbase {' '.join(PACKAGES)}"
"""What the base image holds, whichever way it was made. Part of both tags."""

NAME = "cleanroom-sandbox"
BASE_NAME = "cleanroom-base"
LABEL = "io.cleanroom.content"


class Recipe(Value):
    """The inputs of the build. `guest` are (path below /cleanroom, content) pairs, sorted."""

    dockerfile: bytes
    lock: bytes
    assemble: bytes
    guest: tuple[tuple[str, bytes], ...]

    @property
    def content_hash(self) -> str:
        digest = hashlib.sha256(BASE_RECIPE.encode())
        parts = [("Dockerfile", self.dockerfile), ("lock", self.lock), ("assemble", self.assemble), *self.guest]
        for name, content in parts:
            digest.update(f"\0{name}\0{len(content)}\0".encode())
            digest.update(content)
        return digest.hexdigest()

    @property
    def libraries(self) -> str:
        """A hash of the versions of Python and its packages: with others, the same function may do something else."""
        return hashlib.sha256(BASE_RECIPE.encode() + b"\0" + self.lock).hexdigest()[:16]

    @property
    def tag(self) -> str:
        return f"{NAME}:{self.content_hash[:16]}"


def base_tag() -> str:
    """The tag of the base image."""
    return f"{BASE_NAME}:{hashlib.sha256(BASE_RECIPE.encode()).hexdigest()[:16]}"


def read_recipe() -> Recipe:
    """The recipe of this version of cleanroom. Raises SetupError when the installation is incomplete."""
    try:
        folder = asset("sandbox_image")
        guest = tuple(
            (path.relative_to(folder).as_posix(), path.read_bytes())
            for path in sorted(folder.rglob("*.py"))
            if "rootfs" not in path.relative_to(folder).parts
        )
        return Recipe(
            dockerfile=asset("Dockerfile.sandbox").read_bytes(),
            lock=(folder / "requirements.lock").read_bytes(),
            assemble=(folder / "rootfs" / "assemble.py").read_bytes(),
            guest=guest,
        )
    except OSError as error:
        raise SetupError(
            f"This installation of cleanroom is incomplete: {error}.", advice="Install it again."
        ) from error


def build_context(recipe: Recipe, wheels: Iterable[Path], target: IO[bytes]) -> None:
    """Writes the tar file that the engine builds from. Equal inputs give equal bytes, so the layer cache hits."""
    with tarfile.open(fileobj=target, mode="w") as tar:
        _add(tar, "Dockerfile", recipe.dockerfile)
        _add(tar, "assemble.py", recipe.assemble)
        for path in sorted(wheels):
            with path.open("rb") as wheel:
                tar.addfile(_entry(f"wheels/{path.name}", path.stat().st_size), wheel)
        for name, content in recipe.guest:
            _add(tar, f"guest/{name}", content)


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    tar.addfile(_entry(name, len(content)), io.BytesIO(content))


def _entry(name: str, size: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, 0o644
    return entry
