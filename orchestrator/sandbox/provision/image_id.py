"""Which image a run uses: the one whose tag is the hash of this version's recipe, by its id. Called by access.py."""

import docker
from docker.errors import ImageNotFound

from orchestrator.core.errors import ImageMissing, SetupError
from orchestrator.sandbox.provision.engine_client import connect, engine_errors
from orchestrator.sandbox.provision.recipe import LABEL, Recipe, read_recipe


def sandbox_image() -> str:
    """The id (sha256:…) of the sandbox image of this version. Raises with advice.

    ImageMissing, EngineUnavailable, or SetupError when the tag was moved to an image of other content.
    """
    client = connect()
    try:
        recipe = read_recipe()
        found = find_image(client, recipe.tag)
        if found is not None:
            _refuse_other_content(client, found, recipe)
    finally:
        client.close()
    if found is None:
        raise ImageMissing(
            "The sandbox image of this version of cleanroom is not there.", advice="Run `cleanroom setup`."
        )
    return found


def _refuse_other_content(client: docker.DockerClient, image: str, recipe: Recipe) -> None:
    with engine_errors("Looking at the image"):
        content = client.images.get(image).labels.get(LABEL)
    if content != recipe.content_hash:
        raise SetupError(
            f"The tag {recipe.tag} was moved to another image ({image[:19]}), which is not run.",
            advice=f"Take it away (`docker rmi {recipe.tag}`), then run `cleanroom setup`.",
        )


def find_image(client: docker.DockerClient, tag: str) -> str | None:
    """The id of the image with this tag, or None."""
    with engine_errors("Looking up the image"):
        try:
            return str(client.images.get(tag).id)
        except ImageNotFound:
            return None
