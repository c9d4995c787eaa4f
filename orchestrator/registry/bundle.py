"""The bundle: promoted functions with their evidence as plain files in a folder.

Written at the end of a run and by `registry export`, read by `cleanroom apply`:

    manifest.json                    order, names, contracts and hashes
    manifest.dsse.json               who exported it: a signature over the manifest
    sources/001_trim_city.py         each function's source, byte for byte
    evidence/001_trim_city.json      why it was promoted
    envelopes/001_trim_city.jsonl    the same, signed, and the approvals, as they stand in the registry's log
    helpers/cleanroom_dates_v1.py    the helper modules that sources import, byte for byte
    checkpoint                       the signed head of that log

The manifest's signature is written last, so a reader never believes half a bundle. Everything read is checked against
the manifest's hashes, and against what the people whom the reader trusts have signed.
"""

import errno
import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

from pydantic import ValidationError

from orchestrator.core.errors import NotVerified, OutputError, RegistryError, UsageError
from orchestrator.core.promoted import LogProof, Promoted
from orchestrator.data.files import private_folder, write_file
from orchestrator.registry.bundle_files import ADVICE, Files, files_of, make_folder, write_zip
from orchestrator.registry.bundle_helpers import check_helpers, write_helpers
from orchestrator.registry.bundle_signature import (
    check_evidence,
    check_in_log,
    check_manifest,
    places_in_log,
    sign_manifest,
)
from orchestrator.registry.entries import check_applicable, digest, stored
from orchestrator.registry.signing.identity import Identity
from orchestrator.registry.signing.json_text import read_json

FORMAT, VERSION = "cleanroom-functions", 2
MANIFEST, SIGNATURE, CHECKPOINT = "manifest.json", "manifest.dsse.json", "checkpoint"
_STEM = re.compile(r"\d{3,}_[A-Za-z0-9_]{1,60}")
_FULL = (errno.ENOSPC, errno.EDQUOT)
_FOLDERS = ("sources", "evidence", "envelopes")


def export_bundle(
    functions: Sequence[Promoted],
    directory: Path,
    *,
    log: LogProof | None = None,
    beside: Mapping[str, str] | None = None,
    identity: Identity | None = None,
) -> None:
    """Write the functions into the directory, which is made when it is missing.

    `log`: the log that they are in. `beside`: hashes of files that were made of them, by name. Raises OutputError, and
    UsageError where the user's key may not promote.
    """
    identity = identity or Identity()
    entries, earlier = [], (directory / MANIFEST).is_file()
    try:
        private_folder(directory)
        for name in _FOLDERS:
            make_folder(directory / name)
        for promoted in functions:
            stem = _stem(promoted)
            write_file(directory / "sources" / f"{stem}.py", promoted.candidate.source.encode("utf-8"))
            write_file(directory / "evidence" / f"{stem}.json", _json(promoted.evidence.model_dump(mode="json")))
            write_file(directory / "envelopes" / f"{stem}.jsonl", _lines(promoted.envelopes))
            place = {"in_log": places_in_log(log, promoted.envelopes)} if log else {}
            entries.append(_entry(promoted, stem) | place)
        write_helpers(directory, functions)
        if log is not None:
            write_file(directory / CHECKPOINT, log.checkpoint.encode())
        manifest = {"format": FORMAT, "version": VERSION, "functions": entries, "files": dict(beside or {})}
        data = _json(manifest | ({"checkpoint": log.checkpoint} if log else {}))
        write_file(directory / MANIFEST, data)
        write_file(directory / SIGNATURE, sign_manifest(data, identity).encode())
        if earlier:
            _sweep(directory, {entry["file"] for entry in entries})
    except OSError as error:
        raise OutputError(
            f"The functions cannot be written to {directory}: {error.strerror}.",
            advice="Free some space." if error.errno in _FULL else "Choose another folder.",
        ) from error


def export_archive(
    functions: Sequence[Promoted], path: Path, *, log: LogProof | None = None, identity: Identity | None = None
) -> None:
    """Write the bundle as one zip archive, whole or not at all. Raises as `export_bundle`."""
    with tempfile.TemporaryDirectory(prefix="cleanroom-bundle-") as folder:
        export_bundle(functions, Path(folder), log=log, identity=identity)
        write_file(path, write_zip(Path(folder)))


def load_functions(
    place: Path, identity: Identity | None = None, *, approved: bool = True, importing: bool = False
) -> list[Promoted]:
    """The functions of a bundle, or of a run's folder that holds one, in the order in which they are applied.

    `identity`: whose signature counts; None for the user's own trust policy. `approved`: whether people must have
    approved each of them. `importing`: whoever signed it must be trusted today. Raises UsageError when there is none;
    RegistryError when anything in it was changed; NotVerified when nobody whom the reader trusts has signed it.
    """
    identity = identity or Identity()
    files, manifest = _signed(place, identity, importing=importing)
    found = []
    for entry in manifest["functions"]:
        promoted, plain = _load(files, entry)
        check_applicable(promoted)
        check_helpers(files, promoted)
        envelopes = _text(files, f"envelopes/{entry['file']}.jsonl").splitlines()
        found.append(check_evidence(promoted, plain, envelopes, identity, approved=approved))
        if "checkpoint" in manifest:
            check_in_log(envelopes, entry.get("in_log"), str(manifest["checkpoint"]), identity)
    return sorted(found, key=lambda promoted: promoted.order)


def vouched_files(place: Path, identity: Identity | None = None) -> dict[str, str]:
    """Hashes of the files that were exported with the bundle, by name. Raises as `load_functions`."""
    named = _signed(place, identity or Identity())[1].get("files")
    return {str(name): str(sha256) for name, sha256 in named.items()} if isinstance(named, dict) else {}


def load_stored(place: Path) -> list[Promoted]:
    """The functions of a bundle as they are stored, whether signed or not: to be judged again. Raises RegistryError."""
    files = _bundle_in(place)
    found = [_load(files, entry)[0] for entry in _manifest(files)[1]["functions"]]
    return sorted(found, key=lambda promoted: promoted.order)


def _signed(place: Path, identity: Identity, *, importing: bool = False) -> tuple[Files, dict[str, Any]]:
    """The bundle and its manifest, signed by somebody whom the reader trusts. Raises RegistryError, NotVerified."""
    files = _bundle_in(place)
    data, manifest = _manifest(files)
    signature = files.read(SIGNATURE)
    if manifest["version"] == 1 or signature is None:
        raise NotVerified(
            f"The functions in {files.place} are not signed.",
            advice=f"Judge them again on your data: `cleanroom registry adopt {quote(str(place))} --data FILE`.",
        )
    check_manifest(data, signature, identity, today=importing)
    return files, manifest


def _bundle_in(place: Path) -> Files:
    """The bundle's files: an archive, the folder, or the registry folder in that of a run. Raises UsageError."""
    for folder in (place, place / "registry"):
        if place.is_file() or (folder / MANIFEST).is_file():
            return files_of(folder)
    raise UsageError(
        f"There are no functions in {place}.", advice="Name the --out folder of a run, or its registry folder."
    )


def _manifest(files: Files) -> tuple[bytes, dict[str, Any]]:
    data = _read(files, MANIFEST)
    manifest = _parsed(files, MANIFEST, data)
    if (
        not isinstance(manifest, dict)
        or manifest.get("format") != FORMAT
        or not isinstance(manifest.get("functions"), list)
    ):
        raise RegistryError(f"{files.place / MANIFEST} is not a manifest of cleanroom.", advice=ADVICE)
    stems = [str(entry.get("file")) for entry in manifest["functions"] if isinstance(entry, dict)]
    if len(set(stems)) != len(manifest["functions"]):
        raise RegistryError(f"{files.place / MANIFEST} names a function twice, or none.", advice=ADVICE)
    if manifest.get("version") not in (1, VERSION):
        raise RegistryError(
            f"The functions in {files.place} were written by another version of cleanroom.", advice="Upgrade cleanroom."
        )
    return data, manifest


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


def _load(files: Files, entry: Any) -> tuple[Promoted, dict[str, Any]]:
    """A function and the JSON that is stored of it. Raises RegistryError where it was changed."""
    stem = entry.get("file") if isinstance(entry, dict) else None
    if not isinstance(stem, str) or not _STEM.fullmatch(stem):
        raise RegistryError(f"{files.place / MANIFEST} names a file that a bundle cannot have.", advice=ADVICE)
    source = _text(files, f"sources/{stem}.py")
    evidence = f"evidence/{stem}.json"
    try:
        plain = {
            "candidate": entry["candidate"] | {"source": source},
            "evidence": _parsed(files, evidence, _read(files, evidence)),
            "order": entry["order"],
            "version": entry["version"],
            "promoted_at": entry["promoted_at"],
        }
        promoted = Promoted.model_validate(plain)
        intact = promoted.candidate.sha256 == entry.get("sha256") and digest(plain) == entry.get("content_sha256")
    except (ValidationError, KeyError, TypeError, ValueError):
        intact = False
    if not intact:
        raise _changed(files, stem)
    return promoted, plain


def _changed(files: Files, what: str) -> RegistryError:
    return RegistryError(f"The function {what} in {files.place} was changed after it was promoted.", advice=ADVICE)


def _read(files: Files, name: str) -> bytes:
    data = files.read(name)
    if data is None:
        raise RegistryError(f"{files.place / name} is missing.", advice=ADVICE)
    return data


def _text(files: Files, name: str) -> str:
    try:
        return _read(files, name).decode("utf-8")
    except UnicodeDecodeError as error:
        raise _changed(files, name) from error


def _parsed(files: Files, name: str, data: bytes) -> Any:
    try:
        return read_json(data)
    except (ValueError, RecursionError) as error:
        raise RegistryError(f"{files.place / name} is not JSON.", advice=ADVICE) from error


def _lines(envelopes: Sequence[str]) -> bytes:
    return "".join(f"{envelope}\n" for envelope in envelopes).encode()


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=1, sort_keys=True, allow_nan=False).encode("ascii") + b"\n"


def _sweep(directory: Path, stems: set[str]) -> None:
    """Remove the files of an earlier bundle from the folders; where there was none, they are somebody else's."""
    for folder in _FOLDERS:
        for path in (directory / folder).iterdir():
            if _STEM.fullmatch(path.stem) and path.stem not in stems:
                path.unlink()
