"""How users name a registry, as far as no SQL is needed: whoever reads a bundle does not pay for it.

Called by `location` and `functions`.
"""

from pathlib import Path

DATABASE = "registry.db"


def is_url(place: str) -> bool:
    """Whether it is meant as a URL, well-formed or not."""
    return "://" in place or place.startswith(("postgres:", "postgresql:", "sqlite:"))


def places_in(folder: Path) -> tuple[Path, Path]:
    """Where a folder can have a registry: a folder of its own, and the folder of a run."""
    return folder / DATABASE, folder / "registry" / DATABASE


def databases_in(folder: Path) -> list[Path]:
    """The registries that are in the folder: at most one, but for what older releases left."""
    return [path for path in places_in(folder) if path.is_file()]
