"""The bundle: everything comes back, nothing changed goes unnoticed, and a second export replaces the first."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import OutputError, RegistryError, UsageError
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import Verdict
from orchestrator.registry.bundle import export_bundle, load_functions, load_stored
from orchestrator.registry.bundle_signature import sign_manifest
from orchestrator.registry.entries import digest, stored
from orchestrator.registry.memory_registry import MemoryRegistry
from orchestrator.registry.signing.dsse import seal
from orchestrator.registry.signing.identity import Identity
from orchestrator.registry.signing.statement import evidence_of
from orchestrator.run.outputs import export_all


@pytest.fixture
def functions(candidate: Callable[..., Candidate], evidence: Callable[..., Evidence]) -> list[Promoted]:
    registry = MemoryRegistry()
    for name in ("trim_city", "ünïcode", "x" * 300):
        made = candidate(name, issue=f"Blanks in {name}.\r\n")
        registry.promote(made, evidence(made))
    return list(registry.functions())


def test_what_was_exported_is_loaded(functions: list[Promoted], tmp_path: Path) -> None:
    """Source, contract and evidence come back equal and in order, by the folder or by the one above it."""
    export_bundle(functions, tmp_path / "registry")
    assert load_functions(tmp_path / "registry") == functions
    assert load_functions(tmp_path) == functions


def test_sources_are_plain_files(functions: list[Promoted], tmp_path: Path) -> None:
    """Each source lies there byte for byte, for editors, reviewers and `cleanroom verify`."""
    export_bundle(functions, tmp_path)
    assert (tmp_path / "sources" / "001_trim_city.py").read_bytes() == functions[0].candidate.source.encode()
    evidence = json.loads((tmp_path / "evidence" / "001_trim_city.json").read_text())
    assert evidence["verdict"]["verdict"] == "pass"


def test_a_second_export_replaces_the_first(functions: list[Promoted], tmp_path: Path) -> None:
    """What is no longer promoted is gone, what is not ours stays."""
    export_bundle(functions, tmp_path)
    (tmp_path / "sources" / "notes.txt").write_text("mine")
    export_bundle(functions[1:], tmp_path)
    assert load_functions(tmp_path) == functions[1:]
    assert min(p.name for p in (tmp_path / "sources").iterdir()).startswith("002")
    assert (tmp_path / "sources" / "notes.txt").exists()


@pytest.mark.parametrize("name", ["sources", "evidence", "envelopes", "helpers", "registry"])
def test_nothing_is_written_through_a_link(functions: list[Promoted], tmp_path: Path, name: str) -> None:
    """In a folder that somebody sent it leads to the user's files: ours were written there, and theirs removed."""
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    for file in ("001_holiday.jpg", "cleanroom_notes.py"):
        (theirs / file).write_text("mine")
    run = tmp_path / "run"
    place = run if name == "registry" else run / "registry"
    place.mkdir(parents=True)
    (place / name).symlink_to(theirs)
    with pytest.raises(OutputError, match=f"{name} is a link"):
        export_all(functions, run)
    assert {file.name: file.read_text() for file in theirs.iterdir()} == {
        "001_holiday.jpg": "mine",
        "cleanroom_notes.py": "mine",
    }
    (place / name).unlink()
    export_all(functions, run)
    assert load_functions(run) == functions, "the control: without the link"


def test_no_functions_make_an_empty_bundle(tmp_path: Path) -> None:
    """A run that promoted nothing leaves a bundle that says so."""
    export_bundle([], tmp_path)
    assert load_functions(tmp_path) == []


def test_a_bundle_of_an_earlier_version_is_intact(functions: list[Promoted], tmp_path: Path) -> None:
    """Evidence signed before it had a field is still what was promoted; the field has its default."""
    export_bundle(functions[:1], tmp_path)
    plain = stored(functions[0])
    del plain["evidence"]["after"]
    statement = evidence_of(functions[0])
    predicate = statement.predicate | {"evidence": plain["evidence"]}
    envelope = seal(statement.model_copy(update={"predicate": predicate}).payload(), Identity().key)
    (tmp_path / "evidence" / "001_trim_city.json").write_text(json.dumps(plain["evidence"]))
    (tmp_path / "envelopes" / "001_trim_city.jsonl").write_text(envelope)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest["functions"][0]["content_sha256"] = digest(plain)
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "manifest.dsse.json").write_text(sign_manifest((tmp_path / "manifest.json").read_bytes(), Identity()))
    [found] = load_functions(tmp_path)
    assert found == functions[0].model_copy(update={"envelopes": (envelope,)})


@pytest.mark.parametrize("file", ["sources/001_trim_city.py", "evidence/001_trim_city.json", "manifest.json"])
@pytest.mark.parametrize("how", ["change", "cut", "remove", "empty", "binary", "deep"])
def test_whatever_was_changed_is_refused(functions: list[Promoted], tmp_path: Path, file: str, how: str) -> None:
    """Source, evidence or manifest edited, cut, replaced or removed: an error with advice, never another function."""
    export_bundle(functions, tmp_path)
    path = tmp_path / file
    data = path.read_bytes()
    if how == "remove":
        path.unlink()
    else:
        changed = data.replace(b"builtin", b"anybody").replace(b"strip", b"lower").replace(b"trim_city", b"trim_cite")
        new = {
            "change": changed,
            "cut": data[: len(data) // 2],
            "empty": b"",
            "binary": b"\xff\x00",
            "deep": b"[" * 200_000,
        }
        path.write_bytes(new[how])
    with pytest.raises((RegistryError, UsageError)) as caught:
        load_functions(tmp_path)
    assert caught.value.advice


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("file", "../../etc/passwd"),
        ("file", "/etc/passwd"),
        ("file", None),
        ("order", 9),
        ("order", "x"),
        ("version", 7),
        ("promoted_at", "2020-01-01T00:00:00+00:00"),
        ("candidate", {}),
        ("candidate", {"name": "other"}),
        ("sha256", "00"),
        ("content_sha256", "00"),
    ],
)
def test_a_manifest_that_lies_is_refused(functions: list[Promoted], tmp_path: Path, key: str, value: Any) -> None:
    """No entry of the manifest can be changed by itself, and none can name a file outside the bundle."""
    export_bundle(functions, tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest["functions"][0][key] = value
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(RegistryError):
        load_functions(tmp_path)


@pytest.mark.parametrize("file", ["evidence/001_trim_city.json", "manifest.json", "manifest.dsse.json"])
def test_a_name_that_stands_twice_is_refused(functions: list[Promoted], tmp_path: Path, file: str) -> None:
    """Readers that take the first of two values would see something else than those that take the last."""
    export_bundle(functions, tmp_path)
    text = (tmp_path / file).read_text().strip()
    name = json.dumps(next(iter(json.loads(text))))
    (tmp_path / file).write_text(f"{{{name}: 0, {text[1:]}")
    with pytest.raises(RegistryError):
        load_functions(tmp_path)


def test_a_function_is_in_a_bundle_once(functions: list[Promoted], tmp_path: Path) -> None:
    """A list that names one file many times is refused before that is read, also where nobody has to have signed it."""
    export_bundle(functions, tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest["functions"] *= 2
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(RegistryError, match="names a function twice"):
        load_stored(tmp_path)


@pytest.mark.parametrize(
    "content", [b"[]", b"{}", b'{"format": "cleanroom-functions", "version": 99, "functions": []}']
)
def test_other_files_are_no_bundle(content: bytes, tmp_path: Path) -> None:
    """Another program's manifest, or a later version's, is refused in words."""
    (tmp_path / "manifest.json").write_bytes(content)
    with pytest.raises(RegistryError):
        load_functions(tmp_path)


def test_a_folder_without_functions_is_named(tmp_path: Path) -> None:
    """The message says where there is nothing, and what to name instead."""
    with pytest.raises(UsageError, match="no functions in") as caught:
        load_functions(tmp_path)
    assert "--out" in caught.value.advice


def test_a_folder_that_cannot_be_written_is_an_output_error(functions: list[Promoted], tmp_path: Path) -> None:
    """A file in the place of the folder gives one sentence."""
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="cannot be written"):
        export_bundle(functions, tmp_path / "file")


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"verdict": "fail"}, "says 'fail'"),
        ({"verdict": "infra"}, "says 'infra'"),
        ({"candidate": {"name": "trim_city", "sha256": "0" * 64}}, "another source"),
        ({"checks": [{"id": "idempotent", "outcome": "fail"}]}, "'idempotent' did not pass"),
    ],
)
def test_evidence_that_is_no_pass_of_this_source_is_refused(
    functions: list[Promoted], tmp_path: Path, change: dict[str, Any], word: str
) -> None:
    """A bundle whose digests all fit is refused for what its evidence says."""
    first, *rest = functions
    verdict = Verdict.model_validate(first.evidence.verdict.model_dump() | change)
    forged = first.model_copy(update={"evidence": first.evidence.model_copy(update={"verdict": verdict})})
    export_bundle(functions, tmp_path)
    assert len(load_functions(tmp_path)) == len(functions)
    export_bundle([forged, *rest], tmp_path)
    with pytest.raises(RegistryError, match=word):
        load_functions(tmp_path)
