"""One call of the engine's plain builder (old engines have no BuildKit). Called by base_image.py and image_build.py."""

from typing import IO

import docker
from docker.errors import DockerException

from orchestrator.sandbox.provision.debian_packages import last_line


def build(
    client: docker.DockerClient,
    context: IO[bytes],
    arguments: dict[str, str],
    network: str | None,
    labels: dict[str, str],
) -> str:
    """Builds the image of a context (a tar file) and returns its id, untagged. Call it inside `engine_errors`."""
    lines = client.api.build(
        fileobj=context, custom_context=True, buildargs=arguments, network_mode=network, labels=labels,
        rm=True, forcerm=True, decode=True,
    )  # fmt: skip
    image, said = "", ""
    for line in lines:
        if "error" in line:
            raise DockerException(f"{line['error']} ({last_line(said[-2000:])})")
        said += str(line.get("stream", ""))
        image = line.get("aux", {}).get("ID", image)
    if not image:
        raise DockerException("the engine named no image at the end of the build")
    return str(image)
