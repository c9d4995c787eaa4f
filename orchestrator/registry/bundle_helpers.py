"""The helper modules in a bundle: what its functions import, as the texts that they were proved with.

They are there to be read, and so that a bundle holds all that its functions are; what runs is the same text in the
sandbox image, by its hash. Called by `bundle`.
"""

from collections.abc import Sequence
from pathlib import Path

from orchestrator.core.errors import RegistryError
from orchestrator.core.promoted import Promoted
from orchestrator.data.files import write_file
from orchestrator.data.helper_modules import helper_text, helpers_of, text_sha256
from orchestrator.registry.bundle_files import ADVICE, Files, make_folder

_FOLDER = "helpers"


def write_helpers(directory: Path, functions: Sequence[Promoted]) -> None:
    """Write those that the functions import, and remove others, of an earlier bundle. Raises OSError, OutputError."""
    folder = directory / _FOLDER
    texts = {f"{name}.py": helper_text(name) for each in functions for name in helpers_of(each.candidate.source)}
    if texts or folder.is_symlink():
        make_folder(folder)
    for file, text in texts.items():
        write_file(folder / file, text.encode())
    for path in folder.glob("cleanroom_*.py"):
        if path.name not in texts:
            path.unlink()


def check_helpers(files: Files, promoted: Promoted) -> None:
    """Raises RegistryError unless the bundle has the texts that the function was proved with, as they were."""
    for name, sha256 in promoted.evidence.verdict.helpers.items():
        data = files.read(f"{_FOLDER}/{name}.py")
        if data is None:
            raise RegistryError(f"{name}, which {promoted.name} imports, is missing in {files.place}.", advice=ADVICE)
        if text_sha256(data.decode("utf-8", "replace")) != sha256:
            raise RegistryError(
                f"{name} in {files.place} is not the text that {promoted.name} was proved with.", advice=ADVICE
            )
