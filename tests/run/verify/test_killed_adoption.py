"""kill -9 while functions of an old release are adopted, and while a bundle is imported where there is no registry yet.

Verdicts are left out: all are there before the first function is entered. Statements of a registry that grows are
counted in tests/registry/test_killed_registry.py.
"""

import shutil
from pathlib import Path

import pytest

from orchestrator.bootstrap import open_registry
from orchestrator.registry.bundle import export_bundle, load_functions
from orchestrator.run.verify.adoption import functions_to_adopt, write_bundle
from orchestrator.run.verify.import_functions import import_trusted
from tests.registry.conftest import make_candidate, make_evidence
from tests.registry.test_killed_registry import killed_at

pytestmark = pytest.mark.slow
RELEASE = Path(__file__).resolve().parents[2] / "golden" / "release-0.1.0"
STORED = ["trim_blanks", "plain_numbers_in_amount", "iso_dates_in_day", "correct_spelling_in_city"]


def adopt(place: Path) -> None:
    """What `registry adopt PLACE` does once all have passed."""
    found = functions_to_adopt(str(place), elsewhere=False)
    with open_registry(place) as registry:
        import_trusted(found, registry, after=registry.unsigned())
        write_bundle(str(place), registry.signed(), registry.log_proof())


def test_a_killed_adoption_is_completed_by_the_next_one(tmp_path: Path) -> None:
    """At every seventh moment: what was signed is a beginning of the list, and the next adoption signs the rest."""
    clean, place, moment = tmp_path / "clean", tmp_path / "run", 1
    shutil.copytree(RELEASE / "run", clean)
    open_registry(clean).close()  # brings the schema up to date: test_registry_killed_migration.py has kills in that
    signed = set()
    while True:
        shutil.copytree(clean, place)
        if not killed_at(moment, lambda: adopt(place)):
            break
        left = [function.name for function in functions_to_adopt(str(place), elsewhere=False)]
        signed.add(len(STORED) - len(left))
        assert left == STORED[len(STORED) - len(left) :]
        adopt(place)
        with open_registry(place) as registry:
            assert [function.name for function in registry.functions()] == STORED
            assert [event.what for event in registry.audit().events].count("promoted") == len(STORED)
        assert [function.name for function in load_functions(place)] == STORED
        shutil.rmtree(place)
        moment += 7
    assert {0, len(STORED)} < signed


def test_a_killed_import_into_a_new_registry_is_completed_by_the_next_one(tmp_path: Path) -> None:
    """At every fifteenth moment, also while the database is made: what is there is whole, and the next completes it."""
    with open_registry(tmp_path / "source") as source:
        for name in ("f", "g"):
            made = make_candidate(name)
            source.promote(made, make_evidence(made))
        export_bundle(source.functions(), tmp_path / "bundle", log=source.log_proof())
    place, moment, seen = tmp_path / "new", 1, set()

    def take() -> None:
        with open_registry(place) as registry:
            known = {function.candidate.sha256 for function in registry.functions()}
            functions = load_functions(tmp_path / "bundle", importing=True)
            import_trusted([function for function in functions if function.candidate.sha256 not in known], registry)

    while killed_at(moment, take):
        with open_registry(place) as registry:
            there = [function.name for function in registry.functions()]
            seen.add(len(there))
            assert there == ["f", "g"][: len(there)]
        take()
        with open_registry(place) as registry:
            assert [function.name for function in registry.functions()] == ["f", "g"]
            assert [event.what for event in registry.audit().events].count("promoted") == 2
        shutil.rmtree(place)
        moment += 15
    assert {0, 1} <= seen
