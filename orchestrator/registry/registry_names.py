"""How users name a registry, as far as no SQL is needed: whoever reads a bundle does not pay for it.

Called by `location` and `functions`, and by `apply` before it reads either.
"""

import os
from pathlib import Path
from urllib.parse import quote

from orchestrator.core.errors import RegistryError

DATABASE = "registry.db"
_KEPT = (DATABASE, "run.jsonl", "manifest.json", "manifest.dsse.json", "checkpoint")
_MOST = 1_000_000  # characters of all sources together: more are not looked at for a guess


def is_url(place: str) -> bool:
    """Whether it is meant as a URL, well-formed or not."""
    return "://" in place or place.startswith(("postgres:", "postgresql:", "sqlite:"))


def places_in(folder: Path) -> tuple[Path, Path]:
    """Where a folder can have a registry: a folder of its own, and the folder of a run."""
    return folder / DATABASE, folder / "registry" / DATABASE


def databases_in(folder: Path) -> list[Path]:
    """The registries that are in the folder: at most one, but for what older releases left."""
    return [path for path in places_in(folder) if path.is_file()]


def kept_files(place: str) -> list[Path]:
    """What no result may be written over in a registry, a bundle or the folder of a run, whether it is there or not."""
    folder = Path(place.removeprefix("sqlite:///"))
    if is_url(str(folder)):
        return []
    homes = {path.parent: None for path in places_in(folder)}
    return [folder, *(home / name for home in homes for name in _KEPT)]


def has_lost_registry(folder: Path) -> bool:
    """Whether the folder of a run has the bundle that it wrote, and no registry that would know what was revoked."""
    bundles = (place.parent / "manifest.json" for place in places_in(folder))
    return (folder / "run.jsonl").is_file() and not databases_in(folder) and any(map(Path.is_file, bundles))


def sqlite_address(path: Path) -> str:
    """The file as a URI, to which SQLite's options can be added; a name need not be valid Unicode."""
    return f"file:{quote(os.fsencode(path.absolute()))}"


def sources_beside(place: str | Path) -> list[str]:
    """The source texts in the folder of a bundle, unverified: to guess by which containers will be needed, no more.

    Empty where there are none, or too many.
    """
    texts: list[str] = []
    if is_url(str(place)):
        return texts
    from orchestrator.registry.bundle_files import FolderFiles  # which follows no link and waits for no pipe

    for folder in (Path(place), Path(place) / "registry"):
        try:
            files = sorted((folder / "sources").glob("*.py"))
            if sum(file.lstat().st_size for file in files) <= _MOST:
                read = (FolderFiles(folder).read(f"sources/{file.name}") for file in files)
                texts += [text.decode("utf-8") for text in read if text is not None]
        except (OSError, ValueError, RegistryError):
            return []
    return texts
