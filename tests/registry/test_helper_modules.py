"""What was proved is what runs, also of the helper modules: in evidence, bundle, export and the sandbox."""

import base64
import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.errors import RegistryError
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.data.helper_modules import helper_names, helper_sha256, helper_signatures, helper_text, helpers_of
from orchestrator.gate.syntax.surface import Surface
from orchestrator.registry.bundle import export_bundle, load_functions
from orchestrator.registry.entries import check_applicable
from orchestrator.registry.export.export import export_functions
from orchestrator.registry.store import SqlRegistry
from tests.registry.people import identity

NAME = "cleanroom_dates_v1"
FROZEN = {
    "cleanroom_dates_v1": "353b2b5587961aef687444a761466fd92dad12e8c156d0e304e63fcc513f8ad1",
    "cleanroom_numbers_v1": "e208c89294fa477d02c62e076ff6cc7955112598aa28605cf8e0f0c0bcf2f986",
    "cleanroom_phones_v1": "146c9d394c285c93a4f661c25dda370c6c6b74435856afdae62c078249183b01",
}
SOURCE = f'''"""Dates are not ISO dates."""
from {NAME} import parse_date
def iso_days(df):
    """ISO dates."""
    return df.assign(day=[parse_date(v, "DMY") or v for v in df["day"]])
'''
MakeEvidence = Callable[..., Evidence]


@pytest.fixture
def promoted(evidence: MakeEvidence) -> Promoted:
    made = Candidate(source=SOURCE, name="iso_days", contract=Contract(modifies=("day",)))
    return Promoted(candidate=made, evidence=proved(evidence(made)), order=1, promoted_at=datetime.now(UTC))


def proved(evidence: Evidence, **helpers: str) -> Evidence:
    verdict = evidence.verdict.model_copy(update={"helpers": helpers or helpers_of(SOURCE)})
    return evidence.model_copy(update={"verdict": verdict})


def test_a_released_helper_module_is_never_changed() -> None:
    """Functions were proved with exactly these texts. Do not change a hash: write a version 2 beside it."""
    assert {name: helper_sha256(name) for name in helper_names()} == FROZEN


@pytest.mark.parametrize("name", FROZEN)
def test_the_screen_knows_exactly_what_a_helper_module_offers(name: str) -> None:
    """The surface list and the signatures that a model is shown are its public functions, no more."""
    space: dict[str, Any] = {"__name__": name}
    exec(compile(helper_text(name), name, "exec"), space)  # noqa: S102 - it is what is tested
    offered = set(space["__all__"])
    surface = Surface({})
    assert {each for each in space if surface.allows(name, each)} == offered
    assert {each.partition("(")[0] for each in helper_signatures(name)} == offered


def test_a_source_names_what_it_imports() -> None:
    """However Python would read the name; a module that is not there is none."""
    assert helpers_of(SOURCE) == {NAME: helper_sha256(NAME)}
    assert helpers_of("from ｃleanroom_dates_v1 import parse_date") == helpers_of(SOURCE)
    assert helpers_of("import cleanroom_dates_v100, re") == {}


@pytest.mark.parametrize("helpers", [{NAME: "0" * 64}, {NAME: helper_sha256(NAME), "cleanroom_dates_v99": "0" * 64}])
def test_another_text_than_the_proved_one_is_not_run(promoted: Promoted, helpers: dict[str, str]) -> None:
    """Neither applied nor exported, and the reason names the module."""
    check_applicable(promoted)
    other = promoted.model_copy(update={"evidence": proved(promoted.evidence, **helpers)})
    with pytest.raises(RegistryError, match="cleanroom_dates_v"):
        check_applicable(other)
    with pytest.raises(RegistryError, match="cleanroom_dates_v"):
        export_functions([other])


def test_evidence_that_says_nothing_of_a_used_helper_is_refused(promoted: Promoted) -> None:
    """A function may not gain a helper after it was proved."""
    verdict = promoted.evidence.verdict.model_copy(update={"helpers": {}})
    bare = promoted.evidence.model_copy(update={"verdict": verdict})
    with pytest.raises(RegistryError, match="not proved with the text"):
        check_applicable(promoted.model_copy(update={"evidence": bare}))


def test_a_registry_keeps_which_texts_were_proved(promoted: Promoted, tmp_path: Path) -> None:
    """They are part of what is signed."""
    with SqlRegistry(f"sqlite:///{tmp_path / 'registry.db'}", identity=identity("ana")) as registry:
        registry.promote(promoted.candidate, promoted.evidence)
        [found] = registry.functions()
    assert found.evidence.verdict.helpers == {NAME: helper_sha256(NAME)}
    signed = json.loads(base64.b64decode(json.loads(found.envelopes[0])["payload"]))
    assert signed["predicate"]["evidence"]["verdict"]["helpers"] == {NAME: helper_sha256(NAME)}


class TestBundle:
    """The texts lie in the bundle."""

    @pytest.fixture
    def bundle(self, promoted: Promoted, tmp_path: Path) -> Path:
        with SqlRegistry(f"sqlite:///{tmp_path / 'registry.db'}", identity=identity("ana")) as registry:
            registry.promote(promoted.candidate, promoted.evidence)
            export_bundle(registry.functions(), tmp_path / "out", identity=identity("ana"))
        return tmp_path / "out"

    def test_a_bundle_has_the_texts_that_were_proved(self, bundle: Path) -> None:
        """Byte for byte, and only those that are used."""
        assert [path.name for path in (bundle / "helpers").iterdir()] == [f"{NAME}.py"]
        assert (bundle / "helpers" / f"{NAME}.py").read_text(encoding="utf-8") == helper_text(NAME)
        assert [function.name for function in load_functions(bundle, identity("ana"))] == ["iso_days"]

    def test_an_altered_or_missing_text_in_a_bundle_is_refused(self, bundle: Path) -> None:
        """Whoever reads it must be able to believe what lies there."""
        file = bundle / "helpers" / f"{NAME}.py"
        file.write_bytes(file.read_bytes() + b"\n")
        with pytest.raises(RegistryError, match=f"{NAME} in .* is not the text"):
            load_functions(bundle, identity("ana"))
        file.unlink()
        with pytest.raises(RegistryError, match=f"{NAME}, which iso_days imports, is missing"):
            load_functions(bundle, identity("ana"))

    def test_a_bundle_without_helpers_sweeps_those_of_an_earlier_one(self, bundle: Path) -> None:
        """Nothing foreign stays behind."""
        export_bundle([], bundle, identity=identity("ana"))
        assert [*(bundle / "helpers").iterdir()] == []


class TestExport:
    """`cleaning_functions.py` is one file that runs without cleanroom."""

    def test_an_exported_file_brings_its_helpers(self, promoted: Promoted, tmp_path: Path) -> None:
        """In a Python that has no cleanroom: the module has the proved text and cannot be changed by accident."""
        done = imported(export_functions([promoted]), tmp_path, PROGRAM)
        assert done.stdout.split() == ["2024-04-03", "soon", "refused"], done.stderr

    def test_an_altered_helper_in_an_exported_file_is_refused(self, promoted: Promoted, tmp_path: Path) -> None:
        """Its text is held against its hash before it runs."""
        text = export_functions([promoted]).replace("_LONGEST = 64", "_LONGEST = 65")
        done = imported(text, tmp_path, "import cleaning_functions")
        assert f"{NAME} is not the text that was proved" in done.stderr

    def test_functions_without_helpers_bring_none(self, candidate: Any, evidence: MakeEvidence) -> None:
        """The file of functions that need none is as it was."""
        made = candidate()
        plain = Promoted(candidate=made, evidence=evidence(made), order=1, promoted_at=datetime.now(UTC))
        assert "_load_helper" not in export_functions([plain])


PROGRAM = f"""
import pandas as pd
import cleaning_functions
print(*cleaning_functions.clean(pd.DataFrame({{"day": ["3.4.2024", "soon"]}}))["day"])
import {NAME}
try:
    {NAME}.parse_date = None
except AttributeError:
    print("refused")
"""


def imported(text: str, folder: Path, program: str) -> "subprocess.CompletedProcess[str]":
    """A program beside the exported file, where neither cleanroom nor its guest can be imported."""
    (folder / "cleaning_functions.py").write_text(text, encoding="utf-8")
    start = f"import sys; sys.modules['orchestrator'] = None; sys.path.insert(0, {str(folder)!r})\n"
    command = [sys.executable, "-I", "-c", start + program]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
