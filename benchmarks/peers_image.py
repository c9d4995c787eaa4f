"""The image in which the peers run: Debian's Python with a shell, and the very pandas of the sandbox image.

Made without network from what `cleanroom setup` has fetched, once; it is removed by `docker image rm`. Called by
sandbox.py.
"""

import hashlib
import io
import tarfile
import tempfile
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import IO

from orchestrator.sandbox.provision import paths
from orchestrator.sandbox.provision.base_image import ensure_base
from orchestrator.sandbox.provision.builder import build
from orchestrator.sandbox.provision.engine_client import connect, engine_errors
from orchestrator.sandbox.provision.image_id import find_image
from orchestrator.sandbox.provision.recipe import base_tag, read_recipe
from orchestrator.sandbox.provision.wheels import ensure_wheels

NAME = "cleanroom-peers"
PACKAGES = "/usr/lib/python3/dist-packages"
# llm-sandbox wants a virtual environment in its folder; its own way to make one needs a network.
DOCKERFILE = f"""ARG BASE
FROM ${{BASE}}
COPY wheels/ /wheels/
RUN for wheel in /wheels/*; do python3.11 -m zipfile -e $wheel {PACKAGES}; done \\
 && python3.11 -m compileall -q {PACKAGES} && rm -r /wheels && mkdir -p /sandbox/.sandbox-venv/bin \\
 && ln -sf python3.11 /usr/bin/python && ln -sf /usr/bin/python3.11 /sandbox/.sandbox-venv/bin/python
CMD ["/bin/sh"]
"""


def peers_image(report: Callable[[str], None]) -> str:
    """Its tag; made when it is not there. Raises SetupError."""
    recipe = read_recipe()
    content = hashlib.sha256(DOCKERFILE.encode() + recipe.lock + base_tag().encode()).hexdigest()[:16]
    tag = f"{NAME}:{content}"
    with closing(connect(600)) as client:
        if find_image(client, tag) is not None:
            return tag
        base = ensure_base(client, report)
        architecture = str(client.version().get("Arch", ""))
        wheels = ensure_wheels(recipe.lock, architecture, paths.cache_folder(), report)
        report("building the image of the peers (no network)")
        with engine_errors("Building the image of the peers"), tempfile.TemporaryFile() as context:
            _pack(wheels, context)
            context.seek(0)
            image = build(client, context, {"BASE": base}, "none", {})
            client.images.get(image).tag(NAME, tag=content)
    return tag


def _pack(wheels: Iterable[Path], target: IO[bytes]) -> None:
    with tarfile.open(fileobj=target, mode="w") as tar:
        entry = tarfile.TarInfo("Dockerfile")
        entry.size = len(DOCKERFILE)
        tar.addfile(entry, io.BytesIO(DOCKERFILE.encode()))
        for wheel in wheels:
            tar.add(wheel, f"wheels/{wheel.name}")
