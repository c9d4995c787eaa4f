"""Which image a run uses: the one whose tag is the hash of this version's recipe, by its id. Called by bootstrap."""

import docker
from docker.errors import ImageNotFound

from orchestrator.core.errors import ImageMissing
from orchestrator.sandbox.provision.client import connect, engine_errors
from orchestrator.sandbox.provision.recipe import read_recipe


def sandbox_image(client: docker.DockerClient | None = None) -> str:
    """The id (sha256:…) of the sandbox image of this version. Raises ImageMissing or EngineUnavailable, with advice."""
    own = client or connect()
    try:
        found = find_image(own, read_recipe().tag)
    finally:
        if client is None:
            own.close()
    if found is None:
        raise ImageMissing(
            "The sandbox image of this version of cleanroom is not there.", advice="Run `cleanroom setup`."
        )
    return found


def find_image(client: docker.DockerClient, tag: str) -> str | None:
    """The id of the image with this tag, or None."""
    with engine_errors("Looking up the image"):
        try:
            return str(client.images.get(tag).id)
        except ImageNotFound:
            return None
