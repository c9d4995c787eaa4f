"""Building: quick after a change of the guest, tagged only when it works, missing is said."""

import contextlib
import time
from collections.abc import Iterator

import docker
import pytest

from orchestrator.core.errors import ImageMissing, SetupError
from orchestrator.sandbox.provision import image_id
from orchestrator.sandbox.provision.engine_client import connect
from orchestrator.sandbox.provision.image_build import build_image
from orchestrator.sandbox.provision.image_id import find_image, sandbox_image
from orchestrator.sandbox.provision.recipe import Recipe, read_recipe
from orchestrator.sandbox.provision.setup import ensure_ready

pytestmark = pytest.mark.docker


@pytest.fixture
def client() -> Iterator[docker.DockerClient]:
    with contextlib.closing(connect(120)) as client:
        yield client


def changed(recipe: Recipe) -> Recipe:
    """The recipe with a guest module that no other run of this test has made."""
    module = ("zz_changed.py", f"# {time.time_ns()}\n".encode())
    return recipe.model_copy(update={"guest": (*recipe.guest, module)})


def test_the_image_of_this_version_is_named_by_its_id(client: docker.DockerClient) -> None:
    """After setup, runs get the id of the image, not a tag that could move."""
    made = ensure_ready(lambda _: None)
    assert made.startswith("sha256:")
    assert sandbox_image() == made == client.images.get(read_recipe().tag).id


def test_a_missing_image_asks_for_setup(monkeypatch: pytest.MonkeyPatch) -> None:
    """An image of another version is no image."""
    other = changed(read_recipe())
    monkeypatch.setattr(image_id, "read_recipe", lambda: other)
    with pytest.raises(ImageMissing) as caught:
        sandbox_image()
    assert caught.value.advice == "Run `cleanroom setup`."


def test_a_moved_tag_is_refused(client: docker.DockerClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tag of this version that names an image of other content is neither run nor taken for one that is there."""
    made = ensure_ready(lambda _: None)
    other = changed(read_recipe())
    client.images.get(made).tag(other.tag)
    try:
        monkeypatch.setattr(image_id, "read_recipe", lambda: other)
        with pytest.raises(SetupError, match="moved to another image"):
            sandbox_image()
    finally:
        client.images.remove(other.tag)


def test_a_changed_guest_is_built_in_seconds(client: docker.DockerClient) -> None:
    """Only the guest's layer is new: Python and the wheels come from the layer cache."""
    before = client.images.get(ensure_ready(lambda _: None)).attrs["RootFS"]["Layers"]
    recipe = changed(read_recipe())
    begin = time.monotonic()
    image = build_image(client, recipe, lambda _: None)
    took = time.monotonic() - begin
    try:
        after = client.images.get(image).attrs["RootFS"]["Layers"]
        assert after[0] == before[0]
        assert after[1] != before[1]
        assert took < 60  # 2 s on a quiet machine; that the cache was used is seen by the layer above
    finally:
        client.images.remove(recipe.tag)


def test_an_image_that_does_not_work_gets_no_tag(client: docker.DockerClient) -> None:
    """A build whose trial fails is an error, and no run can take its result."""
    ensure_ready(lambda _: None)
    broken = changed(read_recipe())
    no_library = b"COPY --from=guest /cleanroom/wire.py /usr/lib/python3/dist-packages/pyarrow/libarrow.so.2600\n"
    broken = broken.model_copy(update={"dockerfile": broken.dockerfile + no_library})
    with pytest.raises(SetupError, match=r"(?s)does not work: .*libarrow"):
        build_image(client, broken, lambda _: None)
    assert find_image(client, broken.tag) is None


def test_a_build_that_fails_says_why(client: docker.DockerClient) -> None:
    """The engine's own words are in the one sentence."""
    ensure_ready(lambda _: None)
    recipe = read_recipe()
    broken = recipe.model_copy(update={"dockerfile": recipe.dockerfile + b"COPY --from=root /not-there /\n"})
    with pytest.raises(SetupError, match=r"Building the sandbox image failed: .*not-there"):
        build_image(client, broken, lambda _: None)
