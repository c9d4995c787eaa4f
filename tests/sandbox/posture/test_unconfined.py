"""A child that cannot be locked as the host wants does not run its candidate."""

import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

SANDBOX_IMAGE = str(Path(__file__).parents[3] / "sandbox_image")


@pytest.fixture(scope="module")
def confine() -> Iterator[ModuleType]:
    """The guest's module, imported as the guest imports it, and forgotten afterwards."""
    before = set(sys.modules)
    sys.path.insert(0, SANDBOX_IMAGE)
    try:
        import confine

        yield confine
    finally:
        sys.path.remove(SANDBOX_IMAGE)
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(SANDBOX_IMAGE):
                del sys.modules[name]


def test_without_a_word_the_strictest_is_meant(confine: ModuleType) -> None:
    """A guest that is told nothing wants both locks."""
    assert "CLEANROOM_LAYERS" not in os.environ
    assert confine._WANTED == {"filter": "required", "landlock": "required"}


def test_a_kernel_without_landlock_is_refused_where_it_is_required(
    confine: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Required and absent: Unconfined, before anything is locked."""
    monkeypatch.setattr(confine, "_LANDLOCK", 0)
    with pytest.raises(confine.Unconfined, match="landlock"):
        confine.lock()


def test_an_unknown_architecture_is_refused(confine: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the numbers of the calls are not known, no filter can be made."""
    monkeypatch.setattr(confine, "_WANTED", {"filter": "required", "landlock": "off"})
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    with pytest.raises(confine.Unconfined, match="filter"):
        confine.lock()
