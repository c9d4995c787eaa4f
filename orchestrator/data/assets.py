"""Finds the files beside this package that it needs: prompts, Dockerfile.sandbox, sandbox_image.

In a checkout they are at the top level; a wheel has them in the package. Called by propose/, registry/ and sandbox/.
"""

import hashlib
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def prompts_sha256() -> str:
    """The hex SHA-256 over all prompts: which questions a model was asked."""
    files = sorted(path for path in asset("prompts").rglob("*") if path.is_file())
    return hashlib.sha256(b"".join(hashlib.sha256(file.read_bytes()).digest() for file in files)).hexdigest()


def asset(name: str) -> Path:
    """The path of the asset, for example "prompts". Raises FileNotFoundError when the installation is incomplete."""
    for root in (_PACKAGE / "_assets", _PACKAGE.parent):
        path = root / name
        if path.exists():
            return path
    raise FileNotFoundError(f"{name} is missing from this installation of cleanroom; install it again")
