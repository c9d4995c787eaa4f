"""Functions that come from elsewhere: all of them go into a registry, or none."""

from pathlib import Path

import pytest

from orchestrator.bootstrap import open_registry
from orchestrator.core.errors import RegistryError
from orchestrator.run.verify.import_functions import import_trusted
from tests.registry.conftest import make_candidate, make_evidence


def test_a_source_that_comes_twice_is_named_before_anything_is_promoted(tmp_path: Path) -> None:
    """A registry takes a source once: the first functions were in use when the second one was refused."""
    made = make_candidate("f")
    with open_registry(tmp_path / "source") as source:
        once = source.promote(made, make_evidence(made))
        other = make_candidate("g")
        second = source.promote(other, make_evidence(other))
    again = once.model_copy(update={"order": 3})
    with open_registry(tmp_path / "mine") as registry:
        with pytest.raises(RegistryError, match=r"Functions 1 \(f\) and 3 \(f\) have the same source") as refused:
            import_trusted([once, second, again], registry)
        assert "export again" in refused.value.advice
        assert not registry.functions()
