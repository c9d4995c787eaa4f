"""The image is named by what goes into it."""

import io
import tarfile
from pathlib import Path

import pytest

from orchestrator.core.errors import SetupError
from orchestrator.sandbox.provision import recipe as recipe_module
from orchestrator.sandbox.provision.recipe import Recipe, build_context, read_recipe

RECIPE = Recipe(dockerfile=b"FROM x", lock=b"six", assemble=b"pass", guest=(("guest.py", b"1"), ("wire.py", b"2")))


@pytest.mark.parametrize(
    "change",
    [
        {"dockerfile": b"FROM y"},
        {"lock": b"seven"},
        {"assemble": b"fail"},
        {"guest": (("guest.py", b"1"),)},
        {"guest": (("guest.py", b"1"), ("wire.py", b"3"))},
        {"guest": (("guest.py", b"1"), ("wires.py", b"2"))},
        {"guest": (("guest.py", b"1w"), ("ire.py", b"2"))},
    ],
)
def test_every_part_counts(change: dict[str, object]) -> None:
    """A change of any input, in name or content, gives another tag."""
    assert RECIPE.model_copy(update=change).tag != RECIPE.tag


def test_the_libraries_are_told_apart_from_the_rest() -> None:
    """Another pandas is another hash, in every verdict; another guest, or another way to build the image, is not."""
    others = [RECIPE.model_copy(update={name: b"other"}) for name in ("dockerfile", "assemble", "lock")]
    assert [other.libraries == RECIPE.libraries for other in others] == [True, True, False]


def test_the_same_inputs_give_the_same_bytes(tmp_path: Path) -> None:
    """The build context does not depend on times or order, so that the engine's layer cache hits."""
    wheels = [tmp_path / "b.whl", tmp_path / "a.whl"]
    for wheel in wheels:
        wheel.write_bytes(b"w")
    first, second = io.BytesIO(), io.BytesIO()
    build_context(RECIPE, wheels, first)
    wheels[0].touch()
    build_context(RECIPE, reversed(wheels), second)
    assert first.getvalue() == second.getvalue()


def test_the_context_holds_what_the_dockerfile_copies() -> None:
    """Guest modules go below guest/, the assembling script beside the Dockerfile."""
    target = io.BytesIO()
    build_context(RECIPE, (), target)
    target.seek(0)
    with tarfile.open(fileobj=target) as tar:
        assert tar.getnames() == ["Dockerfile", "assemble.py", "guest/guest.py", "guest/wire.py"]


def test_the_script_of_the_first_stage_is_no_guest() -> None:
    """What assembles the image does not travel into it."""
    names = [name for name, _ in read_recipe().guest]
    assert "guest.py" in names
    assert not [name for name in names if "assemble" in name or "rootfs" in name]


def test_an_incomplete_installation_is_an_error_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing package data is said in one sentence."""

    def missing(name: str) -> Path:
        raise FileNotFoundError(f"{name} is missing from this installation")

    monkeypatch.setattr(recipe_module, "asset", missing)
    with pytest.raises(SetupError, match="incomplete: sandbox_image is missing"):
        read_recipe()
