"""Bundles as archives: what was exported comes back; climbing paths, links, bombs and duplicates are refused."""

import errno
import io
import json
import stat
import zipfile
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

import pytest

from orchestrator.core.errors import NotVerified, OutputError, RegistryError
from orchestrator.core.promoted import LogProof, Promoted
from orchestrator.registry.bundle import export_archive, export_bundle, load_functions, load_stored, vouched_files
from orchestrator.registry.bundle_signature import sign_manifest
from orchestrator.registry.log.checkpoint import Checkpoint
from orchestrator.registry.signing.dsse import seal
from orchestrator.registry.signing.statement import PredicateType, Statement, evidence_of
from orchestrator.registry.store import SqlRegistry
from tests.registry.conftest import make_candidate, make_evidence
from tests.registry.people import KEYS, identity


@pytest.fixture
def registry(tmp_path: Path) -> SqlRegistry:
    """Two functions of Ana's."""
    made = SqlRegistry(f"sqlite:///{tmp_path}/registry.db", identity=identity("ana"))
    for name in ("f", "g"):
        candidate = make_candidate(name)
        made.promote(candidate, make_evidence(candidate))
    return made


@pytest.fixture
def archive(registry: SqlRegistry, tmp_path: Path) -> Path:
    path = tmp_path / "bundle.zip"
    export_archive(registry.functions(), path, log=registry.log_proof(), identity=identity("ana"))
    return path


def test_an_archive_comes_back_whole(archive: Path, registry: SqlRegistry) -> None:
    """Functions and envelopes, by everybody who trusts the exporter; it holds what the documentation says."""
    assert tuple(load_functions(archive, identity("ben"))) == registry.functions()
    with zipfile.ZipFile(archive) as opened:
        names = set(opened.namelist())
    assert {"manifest.json", "manifest.dsse.json", "checkpoint", "sources/001_f.py", "envelopes/002_g.jsonl"} <= names


def rewritten(archive: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    with zipfile.ZipFile(archive) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    change(files)
    with zipfile.ZipFile(archive, "w") as opened:
        for name, data in files.items():
            opened.writestr(name, data)


def test_no_byte_of_any_file_can_be_changed(archive: Path) -> None:
    """A byte in the middle of each file of the archive, and each file missing."""
    data = archive.read_bytes()
    with zipfile.ZipFile(archive) as opened:
        names = opened.namelist()
    for name in names:
        for new in (lambda old: old[: len(old) // 2] + b"~" + old[len(old) // 2 + 1 :], lambda _old: None):

            def change(files: dict[str, bytes], name: str = name, new: Callable[[bytes], bytes | None] = new) -> None:
                made = new(files.pop(name))
                if made is not None:
                    files[name] = made

            archive.write_bytes(data)
            rewritten(archive, change)
            if name == "checkpoint":  # for people: what counts stands in the signed manifest
                continue
            with pytest.raises(RegistryError):
                load_functions(archive, identity("ben"))


def _entry(name: str, mode: int = stat.S_IFREG | 0o644) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = mode << 16
    return entry


HOSTILE: Mapping[str, list[tuple[zipfile.ZipInfo, bytes]]] = {
    "climbs": [(_entry("sources/../../../evil.py"), b"x")],
    "absolute": [(_entry("/etc/evil"), b"x")],
    "backslashes": [(_entry("sources\\..\\evil.py"), b"x")],
    "link": [(_entry("sources/001_f.py", stat.S_IFLNK | 0o777), b"/etc/passwd")],
    "device": [(_entry("checkpoint", stat.S_IFCHR | 0o666), b"")],
    "twice": [(_entry("manifest.json"), b"{}"), (_entry("manifest.json"), b"{}")],
    "too many": [(_entry(f"x{number}"), b"") for number in range(30_001)],
    "hidden": [(_entry(".hidden"), b"x")],
    "null": [(_entry("manifest.json\0.py"), b"{}")],
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_hostile_archive_is_refused(tmp_path: Path, kind: str) -> None:
    """One sentence, nothing unpacked."""
    path = tmp_path / "bundle.zip"
    with zipfile.ZipFile(path, "w") as opened:
        for entry, data in HOSTILE[kind]:
            opened.writestr(entry, data)
    with pytest.raises(RegistryError, match=r"^[^\n]*\.$") as caught:
        load_functions(path, identity("ana"))
    assert caught.value.advice
    with pytest.raises(RegistryError, match=r"^[^\n]*\.$"):
        load_stored(path)
    assert [file.name for file in tmp_path.iterdir()] == ["bundle.zip"]


@pytest.mark.parametrize("lies", [False, True])
def test_a_bomb_is_refused(tmp_path: Path, lies: bool) -> None:
    """Gigabytes of blanks in a few kilobytes; also where the archive says that they are few."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as opened, opened.open("manifest.json", "w") as file:
        for _ in range(80 if lies else 600):
            file.write(b" " * 2**20)
    data = made.getvalue()
    if lies:
        size = (80 * 2**20).to_bytes(4, "little")
        assert data.count(size) == 1 or data.count(size) == 2
        data = data.replace(size, (10).to_bytes(4, "little"))
    path = tmp_path / "bundle.zip"
    path.write_bytes(data)
    assert len(data) < 2**20
    with pytest.raises(RegistryError):
        load_functions(path, identity("ana"))


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x03\x04" + b"\x00" * 100, b"not a zip" * 100])
def test_what_is_no_archive_is_refused(tmp_path: Path, data: bytes) -> None:
    """One sentence."""
    path = tmp_path / "bundle.zip"
    path.write_bytes(data)
    with pytest.raises(RegistryError, match=r"not a bundle|neither a registry nor a bundle"):
        load_functions(path, identity("ana"))


def test_a_manifest_is_bounded_before_it_is_read(tmp_path: Path) -> None:
    """No signature is looked at before it: 98 kB of an archive took a gigabyte and a quarter of a minute."""
    path = tmp_path / "large.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("manifest.json", b'{"functions":[' + b'{"":0},' * (17 * 2**20 // 7))
    with pytest.raises(RegistryError, match=r"manifest\.json in .* is too large for a file of a bundle"):
        load_functions(path)


@pytest.mark.parametrize("where", ["manifest.json", "sources", "sources/001_f.py", "envelopes/001_f.jsonl"])
def test_a_link_in_a_folder_is_not_followed(registry: SqlRegistry, tmp_path: Path, where: str) -> None:
    """Not even to the very same content."""
    folder = tmp_path / "bundle"
    export_bundle(registry.functions(), folder, identity=identity("ana"))
    assert load_functions(folder, identity("ana"))
    (folder / where).rename(tmp_path / "moved")
    (folder / where).symlink_to(tmp_path / "moved")
    with pytest.raises(RegistryError):
        load_functions(folder, identity("ana"))


def test_a_bundle_of_a_stranger_is_refused_with_her_key(tmp_path: Path) -> None:
    """The advice says how to trust it, should one know whose key it is."""
    made = SqlRegistry(f"sqlite:///{tmp_path}/eve.db", identity=identity("eve"))
    candidate = make_candidate("f")
    made.promote(candidate, make_evidence(candidate))
    export_archive(made.functions(), tmp_path / "eve.zip", log=made.log_proof(), identity=identity("eve"))
    with pytest.raises(NotVerified, match="not signed by anybody whom you trust") as caught:
        load_functions(tmp_path / "eve.zip", identity("ana"))
    assert KEYS["eve"].public.text in caught.value.message
    assert "keys trust" in caught.value.advice


def test_a_trusted_exporter_cannot_vouch_for_a_strangers_function(registry: SqlRegistry, tmp_path: Path) -> None:
    """The manifest's signature counts for the manifest; each function needs evidence of its own."""
    first: Promoted = registry.functions()[0]
    forged = first.model_copy(update={"envelopes": (seal(evidence_of(first).payload(), KEYS["eve"]),)})
    export_bundle([forged], tmp_path / "bundle", identity=identity("ana"))
    with pytest.raises(NotVerified, match="not signed by anybody who may promote"):
        load_functions(tmp_path / "bundle", identity("ben"))
    export_bundle([first.model_copy(update={"envelopes": ()})], tmp_path / "bundle", identity=identity("ana"))
    with pytest.raises(NotVerified, match="is not signed"):
        load_functions(tmp_path / "bundle", identity("ben"))


def test_an_expired_exporter_is_refused_on_import_only(registry: SqlRegistry, tmp_path: Path) -> None:
    """What he signed while his key was good is still applied; taken over it is not."""
    folder = tmp_path / "bundle"
    export_bundle(registry.functions(), folder, identity=identity("ana"))
    data = (folder / "manifest.json").read_bytes()
    early = {"at": "2019-06-01T00:00:00+00:00"}

    statement = Statement(
        name="manifest.json", sha256=sha256(data).hexdigest(), kind=PredicateType.MANIFEST, predicate=early
    )
    (folder / "manifest.dsse.json").write_text(seal(statement.payload(), KEYS["old"]))
    assert load_functions(folder, identity("ben"))
    with pytest.raises(NotVerified, match="not signed by anybody whom you trust"):
        load_functions(folder, identity("ben"), importing=True)


def test_evidence_that_is_not_in_the_log_is_refused(registry: SqlRegistry, tmp_path: Path) -> None:
    """The proofs of another log, and a head that a stranger signed."""
    functions, log = registry.functions(), registry.log_proof()
    assert log is not None
    folder = tmp_path / "bundle"
    head = Checkpoint(log.checkpoint.split("\n")[0], 2, b"\0" * 32)
    for checkpoint, word in ((head.signed(KEYS["ana"]), "not in the log"), (head.signed(KEYS["eve"]), "checkpoint")):
        export_bundle(functions, folder, log=LogProof(checkpoint, log.leaves), identity=identity("ana"))
        with pytest.raises(NotVerified, match=word):
            load_functions(folder, identity("ben"))
    export_bundle(functions, folder, log=log, identity=identity("ana"))
    manifest = json.loads((folder / "manifest.json").read_bytes())
    manifest["functions"][0]["in_log"][0]["position"] = "x"
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "manifest.dsse.json").write_text(sign_manifest((folder / "manifest.json").read_bytes(), identity("ana")))
    with pytest.raises(NotVerified, match="not in the log"):
        load_functions(folder, identity("ben"))


def test_files_beside_a_bundle_are_vouched_for_by_its_signature(registry: SqlRegistry, tmp_path: Path) -> None:
    """Asked by itself: a manifest that is exchanged after the functions were read names other files."""
    place, hashes = tmp_path / "bundle", {"cleaning_functions.py": "0" * 64}
    export_bundle(registry.functions(), place, log=registry.log_proof(), beside=hashes, identity=identity("ana"))
    assert vouched_files(place, identity("ben")) == hashes
    manifest = place / "manifest.json"
    manifest.write_text(manifest.read_text().replace("0" * 64, "1" * 64))
    with pytest.raises(NotVerified, match="changed after it was signed"):
        vouched_files(place, identity("ben"))


@pytest.mark.parametrize(("number", "said"), [(errno.EACCES, "Choose another folder."), (errno.ENOSPC, "Free some")])
def test_a_bundle_that_cannot_be_written_gets_advice_that_helps(
    registry: SqlRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    """Without the right to write there, free space changes nothing."""

    def refused(_path: Path, _data: bytes) -> None:
        raise OSError(number, "no")

    monkeypatch.setattr("orchestrator.registry.bundle.write_file", refused)
    with pytest.raises(OutputError) as caught:
        export_bundle(registry.functions(), tmp_path / "out", identity=identity("ana"))
    assert caught.value.advice.startswith(said)
