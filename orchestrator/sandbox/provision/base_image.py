"""Makes the base image: Debian 12 with Python 3.11, time zones and libfaketime. Only first stages of builds use it.

Two ways give the same packages (docs/decisions/0002-base-image.md): `debian:bookworm-slim`, pulled by digest, plus the
packages from inside; or, where no registry answers, `mmdebstrap` on this machine plus an import. Called by
image_build.py.
"""

import io
import os
import tarfile
from pathlib import Path
from typing import Literal

import docker
from docker.errors import DockerException
from requests.exceptions import RequestException

from orchestrator.core.errors import SetupError
from orchestrator.sandbox.provision import debian_packages, paths
from orchestrator.sandbox.provision.builder import build
from orchestrator.sandbox.provision.engine_client import NO_SPACE, OnProgress, connect, engine_errors, no_space, reason
from orchestrator.sandbox.provision.image_id import find_image
from orchestrator.sandbox.provision.machine import Machine, ThisMachine
from orchestrator.sandbox.provision.recipe import BASE_NAME, PACKAGES, SUITE, base_tag

Way = Literal["auto", "registry", "packages"]

PINNED = "debian@sha256:96e378d7e6531ac9a15ad505478fcc2e69f371b10f5cdf87857c4b8188404716"
"""`debian:bookworm-slim`, all architectures. CLEANROOM_BASE_IMAGE replaces it, say by a private registry's copy."""

REGISTRY_S = 10.0
ORIGIN_LABEL = "io.cleanroom.base-origin"
PULLED_DOCKERFILE = f"""ARG BASE
FROM ${{BASE}}
RUN apt-get update -q && apt-get upgrade -y -q && apt-get install -y -q --no-install-recommends {" ".join(PACKAGES)}
"""


def ensure_base(
    client: docker.DockerClient,
    report: OnProgress,
    way: Way = "auto",
    machine: Machine | None = None,
    fresh: bool = False,
) -> str:
    """The tag of the base image, made when it is not there. Raises SetupError when neither way works."""
    tag = base_tag()
    if not fresh and find_image(client, tag) is not None:
        return tag
    why_not = ""
    if way != "packages":
        reference = os.environ.get("CLEANROOM_BASE_IMAGE") or PINNED
        try:
            _from_registry(client, reference, tag, report)
        except SetupError as error:
            if way == "registry" or NO_SPACE in error.message.lower():
                raise
            why_not = error.message
            report(f"{why_not.rstrip('.')}: making it from Debian's packages instead")
        else:
            return tag
    try:
        _from_packages(client, tag, report, machine or ThisMachine())
    except SetupError as error:
        raise SetupError(f"{error.message} {why_not}".strip(), advice=error.advice) from error
    return tag


def _from_registry(client: docker.DockerClient, reference: str, tag: str, report: OnProgress) -> None:
    if "@sha256:" not in reference:
        raise SetupError(
            f"The base image {reference} is not named by its digest.",
            advice="Write CLEANROOM_BASE_IMAGE as name@sha256:…",
        )
    report(f"asking the registry for {reference[:40]}… (at most {REGISTRY_S:.0f} s)")
    quick = connect(REGISTRY_S)
    try:
        quick.api.inspect_distribution(reference)  # type: ignore[no-untyped-call]  # the stubs leave it out
    except (DockerException, RequestException) as error:
        raise SetupError(f"No registry gives the base image ({_short(error)}).") from error
    finally:
        quick.close()
    with engine_errors("Pulling the base image"):
        report("pulling the base image")
        name, _, digest = reference.partition("@")
        client.images.pull(name, tag=digest)
        report(f"installing {', '.join(PACKAGES)} into it")
        arguments = {"BASE": reference, **_proxies()}
        image = build(client, _context(PULLED_DOCKERFILE), arguments, _network(client), {ORIGIN_LABEL: reference})
        client.images.get(image).tag(*tag.split(":"))


def _short(error: Exception) -> str:
    explanation = getattr(error, "explanation", None)
    return str(explanation).strip().rpartition(": ")[2] if explanation else reason(error)


def _network(client: docker.DockerClient) -> str | None:
    """The engine's default network, or the host's where the engine has no bridge (as those that we start)."""
    return None if client.networks.list(names=["bridge"]) else "host"


def _proxies() -> dict[str, str]:
    return {name: os.environ[name] for name in ("http_proxy", "https_proxy", "no_proxy") if os.environ.get(name)}


def _context(dockerfile: str) -> io.BytesIO:
    context = io.BytesIO()
    with tarfile.open(fileobj=context, mode="w") as tar:
        entry = tarfile.TarInfo("Dockerfile")
        entry.size = len(dockerfile.encode())
        tar.addfile(entry, io.BytesIO(dockerfile.encode()))
    context.seek(0)
    return context


def _from_packages(client: docker.DockerClient, tag: str, report: OnProgress, machine: Machine) -> None:
    program = machine.find("mmdebstrap")
    if program is None:
        if not (machine.is_root() and machine.is_debian_like()):
            raise SetupError(
                "The base image cannot be made here: mmdebstrap is missing.",
                advice="Install mmdebstrap (Debian, Ubuntu), or name a reachable image in CLEANROOM_BASE_IMAGE.",
            )
        debian_packages.install(("mmdebstrap", "debian-archive-keyring"), machine, paths.setup_log(), report)
        program = "mmdebstrap"
    report("making the base image from Debian's packages (mmdebstrap, about 20 s)")
    target = paths.cache_folder() / "base.tar.part"
    try:
        _mmdebstrap(program, target, machine)
        with engine_errors("Importing the base image"):
            client.api.import_image_from_file(
                str(target),
                repository=BASE_NAME,
                tag=tag.partition(":")[2],
                changes=[f"LABEL {ORIGIN_LABEL}=mmdebstrap"],
            )
            if find_image(client, tag) is None:
                raise SetupError(
                    "The engine did not keep the base image.", advice="See `cleanroom doctor` for the engine's log."
                )
    finally:
        target.unlink(missing_ok=True)


def _mmdebstrap(program: str, target: Path, machine: Machine) -> None:
    log = paths.setup_log()
    mirror = os.environ.get("CLEANROOM_DEBIAN_MIRROR")
    command = [
        program, "--variant=minbase", f"--include={','.join(PACKAGES)}", '--aptopt=Acquire::Languages "none"',
        "--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/locale/*", "--format=tar",
        SUITE, str(target), *([mirror] if mirror else []),
    ]  # fmt: skip
    with log.open("ab") as out:
        start = out.tell()
        code = machine.run(command, out, {"LC_ALL": "C.UTF-8"})
    if code != 0:
        said = debian_packages.tail(log, start, lines=30)
        if NO_SPACE in said.lower():
            raise no_space("Making the base image")
        raise SetupError(
            f"Making the base image failed: {debian_packages.last_line(said)}",
            advice=f"See {log}; it needs a Debian mirror (CLEANROOM_DEBIAN_MIRROR names another than deb.debian.org).",
        )
