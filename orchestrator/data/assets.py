"""Finds the files beside this package that it needs: prompts, Dockerfile.sandbox, sandbox_image.

In a checkout they are at the top level; a wheel has them in the package. Called by propose/, registry/ and sandbox/.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def asset(name: str) -> Path:
    """The path of the asset, for example "prompts". Raises FileNotFoundError when the installation is incomplete."""
    for root in (_PACKAGE / "_assets", _PACKAGE.parent):
        path = root / name
        if path.exists():
            return path
    raise FileNotFoundError(f"{name} is missing from this installation of cleanroom; install it again")
