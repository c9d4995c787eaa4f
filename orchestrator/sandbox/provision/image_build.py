"""Builds the sandbox image without network, tries it once, and only then gives it its tag. Called by setup.py.

So a tag that exists names an image that has worked, and a build that was cut off leaves nothing that a run could take.
"""

import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import docker

from orchestrator.core.errors import SetupError
from orchestrator.sandbox.provision import paths
from orchestrator.sandbox.provision.base_image import Way, ensure_base
from orchestrator.sandbox.provision.builder import build
from orchestrator.sandbox.provision.engine_client import engine_errors
from orchestrator.sandbox.provision.recipe import LABEL, NAME, Recipe, build_context
from orchestrator.sandbox.provision.smoke_test import run_in_image
from orchestrator.sandbox.provision.wheels import ensure_wheels

PROGRAM = "import pandas, pyarrow; print(pandas.DataFrame({'a': [1]}).a.sum(), pandas.__version__, pyarrow.__version__)"


def build_image(
    client: docker.DockerClient, recipe: Recipe, report: Callable[[str], None], way: Way = "auto", fresh: bool = False
) -> str:
    """Makes what is missing and returns the id of the sandbox image. Raises SetupError."""
    with engine_errors("Asking the engine for its version"):
        architecture = str(client.version().get("Arch", ""))
    with ThreadPoolExecutor(1) as beside:  # both mostly wait for the network
        fetched = beside.submit(ensure_wheels, recipe.lock, architecture, paths.cache_folder(), report)
        base = ensure_base(client, report, way, fresh=fresh)
        wheels = fetched.result()
    report("building the sandbox image (no network)")
    with engine_errors("Building the sandbox image"), tempfile.TemporaryFile(dir=paths.cache_folder()) as context:
        build_context(recipe, wheels, context)
        context.seek(0)
        image = build(client, context, {"BASE": base}, "none", {LABEL: recipe.content_hash})
    report("trying the sandbox image")
    with engine_errors("Trying the sandbox image"):
        ended = run_in_image(client, image, PROGRAM)
        if ended.code != 0 or not ended.output.startswith("1 "):
            raise SetupError(
                f"The sandbox image does not work: {ended.output.strip()[-300:]}",
                advice="See `cleanroom doctor`; `cleanroom setup --fresh` rebuilds everything.",
            )
        client.images.get(image).tag(NAME, tag=recipe.tag.partition(":")[2])
    return image
