"""The bundle: promoted functions with their evidence as plain files in a folder.

Written at the end of a run and by `registry export`, read by `cleanroom apply`:

    manifest.json                    order, names, contracts and hashes
    sources/001_trim_city.py         each function's source, byte for byte
    evidence/001_trim_city.json      why it was promoted

The manifest is written last and replaces the old one in one step, so a reader never sees half a bundle. Everything
read is checked against the manifest's hashes.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from orchestrator.core.errors import OutputError, RegistryError
from orchestrator.core.promoted import Promoted
from orchestrator.data.files import private_folder, write_file
from orchestrator.registry.entries import check_applicable, digest, stored

FORMAT, VERSION = "cleanroom-functions", 1
MANIFEST = "manifest.json"
_STEM = re.compile(r"\d{3,}_[A-Za-z0-9_]{1,60}")
_MAX_BYTES = 64 * 2**20
_TAMPERED = "Do not use it: export it again from the registry it came from."


def export_bundle(functions: Sequence[Promoted], directory: Path) -> None:
    """Write the functions into the directory, which is made when it is missing. Raises OutputError."""
    entries = []
    try:
        for folder in (directory, directory / "sources", directory / "evidence"):
            private_folder(folder)
        for promoted in functions:
            stem = _stem(promoted)
            write_file(directory / "sources" / f"{stem}.py", promoted.candidate.source.encode("utf-8"))
            write_file(directory / "evidence" / f"{stem}.json", _json(promoted.evidence.model_dump(mode="json")))
            entries.append(_entry(promoted, stem))
        write_file(directory / MANIFEST, _json({"format": FORMAT, "version": VERSION, "functions": entries}))
        _sweep(directory, {entry["file"] for entry in entries})
    except OSError as error:
        raise OutputError(
            f"The functions cannot be written to {directory}: {error.strerror}.",
            advice="Free some space or choose another folder.",
        ) from error


def load_functions(directory: Path) -> list[Promoted]:
    """The functions of a bundle, or of a run's folder that holds one, in the order in which they are applied.

    Raises RegistryError when there is none, when anything in it was changed, or when the evidence is not a pass.
    """
    for folder in (directory, directory / "registry"):
        if (folder / MANIFEST).is_file():
            break
    else:
        raise RegistryError(
            f"There are no functions in {directory}.", advice="Name the --out folder of a run, or its registry folder."
        )
    manifest = _read_json(folder / MANIFEST)
    if (
        not isinstance(manifest, dict)
        or manifest.get("format") != FORMAT
        or not isinstance(manifest.get("functions"), list)
    ):
        raise RegistryError(f"{folder / MANIFEST} is not a manifest of cleanroom.", advice=_TAMPERED)
    if manifest.get("version") != VERSION:
        raise RegistryError(
            f"The functions in {folder} were written by another version of cleanroom.", advice="Upgrade cleanroom."
        )
    functions = [_load(folder, entry) for entry in manifest["functions"]]
    return sorted(functions, key=lambda promoted: promoted.order)


def _stem(promoted: Promoted) -> str:
    return f"{promoted.order:03d}_{re.sub(r'[^A-Za-z0-9_]', '_', promoted.name)[:60]}"


def _entry(promoted: Promoted, stem: str) -> dict[str, Any]:
    candidate = promoted.candidate
    return {
        "file": stem,
        "order": promoted.order,
        "version": promoted.version,
        "promoted_at": promoted.promoted_at.isoformat(),
        "candidate": candidate.model_dump(mode="json", exclude={"source"}),
        "sha256": candidate.sha256,
        "content_sha256": digest(stored(promoted)),
    }


def _load(folder: Path, entry: Any) -> Promoted:
    stem = entry.get("file") if isinstance(entry, dict) else None
    if not isinstance(stem, str) or not _STEM.fullmatch(stem):
        raise RegistryError(f"{folder / MANIFEST} names a file that a bundle cannot have.", advice=_TAMPERED)
    source = _read(folder / "sources" / f"{stem}.py")
    try:
        plain = {
            "candidate": entry["candidate"] | {"source": source.decode("utf-8")},
            "evidence": _read_json(folder / "evidence" / f"{stem}.json"),
            "order": entry["order"],
            "version": entry["version"],
            "promoted_at": entry["promoted_at"],
        }
        promoted = Promoted.model_validate(plain)
        intact = promoted.candidate.sha256 == entry.get("sha256") and digest(plain) == entry.get("content_sha256")
    except (ValidationError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        raise _changed(folder, stem) from error
    if not intact:
        raise _changed(folder, stem)
    check_applicable(promoted)
    return promoted


def _changed(folder: Path, stem: str) -> RegistryError:
    return RegistryError(f"The function {stem} in {folder} was changed after it was promoted.", advice=_TAMPERED)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise RegistryError(f"{path} cannot be read: {error.strerror}.", advice=_TAMPERED) from error
    if len(data) > _MAX_BYTES:
        raise RegistryError(f"{path} is too large for a file of a bundle.", advice=_TAMPERED)
    return data


def _read_json(path: Path) -> Any:
    try:
        return json.loads(_read(path))
    except (ValueError, RecursionError) as error:
        raise RegistryError(f"{path} is not JSON.", advice=_TAMPERED) from error


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=1, sort_keys=True, allow_nan=False).encode("ascii") + b"\n"


def _sweep(directory: Path, stems: set[str]) -> None:
    """Remove the files of an earlier bundle from the two folders."""
    for folder in ("sources", "evidence"):
        for path in (directory / folder).iterdir():
            if _STEM.fullmatch(path.stem) and path.stem not in stems:
                path.unlink()
