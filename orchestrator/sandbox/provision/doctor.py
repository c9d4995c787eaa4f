"""What this machine gives, line by line, each with one line of advice. Called by `cleanroom doctor`.

Asks the engine, the kernel and a container of our own; changes nothing. Without an engine it still says what it can.
"""

import time
from datetime import UTC, datetime
from typing import Any

import docker
from docker.errors import DockerException
from requests.exceptions import RequestException

from orchestrator.core.errors import CleanroomError, EngineUnavailable
from orchestrator.sandbox.broker.broker_client import running_broker
from orchestrator.sandbox.containers import owner
from orchestrator.sandbox.provision import host_probes, smoke_test
from orchestrator.sandbox.provision.advisories import open_holes, parse
from orchestrator.sandbox.provision.engine_client import address, connect, engine_errors
from orchestrator.sandbox.provision.finding import Diagnosis, DoctorFinding, State
from orchestrator.sandbox.provision.helper_findings import helper_findings
from orchestrator.sandbox.provision.image_id import find_image
from orchestrator.sandbox.provision.limits_probe import probe_limits
from orchestrator.sandbox.provision.machine import Machine, ThisMachine
from orchestrator.sandbox.provision.proof_findings import proof_findings
from orchestrator.sandbox.provision.recipe import NAME, base_tag, read_recipe

OLD_BASE_DAYS = 60
LEFTOVER_S = 900


def examine() -> Diagnosis:
    """Looks at this machine and its engine. Never raises for what it finds."""
    machine = ThisMachine()
    try:
        client = connect(timeout_s=60)
    except EngineUnavailable as error:
        broker = _broker()
        needed: State = "info" if broker.state == "ok" else "bad"  # commands use the broker where it runs
        missing = DoctorFinding(name="engine", value=error.message, state=needed, advice=error.advice)
        rest = (host_probes.engine_log(), host_probes.kernel(), host_probes.landlock(host_probes.landlock_version()))
        gvisor = host_probes.gvisor(registered=False, machine=machine)
        return Diagnosis(findings=(missing, broker, *rest, gvisor, *helper_findings()))
    try:
        with engine_errors("Asking the engine"):
            findings = (*_engine(client, machine), *_image(client), *helper_findings(), *_leftovers(client))
            return Diagnosis(findings=findings)
    except CleanroomError as error:
        return Diagnosis(
            findings=(DoctorFinding(name="engine", value=error.message, state="bad", advice=error.advice),)
        )
    finally:
        client.close()


def _broker() -> DoctorFinding:
    """`ok` where one answers with this version's image, `warn` where it does not, `info` where there is none."""
    name = "broker"
    try:
        broker = running_broker()
        if broker is None:
            advice = "`cleanroom broker` makes containers for users without rights on the engine (docs/engines.md)."
            return DoctorFinding(name=name, value="none runs", state="info", advice=advice)
        image = broker.image(read_recipe().tag)
    except CleanroomError as error:
        return DoctorFinding(name=name, value=error.message, state="warn", advice=error.advice)
    return DoctorFinding(name=name, value=f"answers, image {image[:19]}", advice="Commands use it; it has the rights.")


def _engine(client: docker.DockerClient, machine: Machine) -> tuple[DoctorFinding, ...]:
    version: dict[str, Any] = client.version()
    info: dict[str, Any] = client.info()
    socket = address()
    local = socket.startswith("unix://")
    components = {str(c["Name"]).lower(): c for c in version.get("Components") or ()}
    found = [
        DoctorFinding(name="engine", value=f"{version.get('Version')} on {socket}", advice="Answers."),
        *((host_probes.engine_process(),) if local else ()),
        _runc(str(components.get("runc", {}).get("Version", ""))),
        *_desktop(str((version.get("Platform") or {}).get("Name", ""))),
        *_authorisation(info),
        _users(info),
        _broker(),
        host_probes.gvisor(registered="runsc" in (info.get("Runtimes") or {}), machine=machine),
        _cgroup(info),
        _storage(info),
    ]
    if local:
        found += [
            host_probes.kernel(),
            host_probes.landlock(host_probes.landlock_version()),
            host_probes.free_disk(str(info.get("DockerRootDir", "/"))),
        ]
    else:
        found.append(
            DoctorFinding(
                name="kernel", value=f"{info.get('KernelVersion')} (remote)", state="info", advice="Keep it patched."
            )
        )
    return tuple(found)


def _runc(version: str) -> DoctorFinding:
    if parse(version) is None:
        advice = "Its known holes go by version numbers, and the engine names none: look at `runc --version` yourself."
        return DoctorFinding(name="runc", value=version or "unknown version", state="warn", advice=advice)
    holes = open_holes("runc", version)
    if not holes:
        return DoctorFinding(name="runc", value=version, advice="No hole known to this version of cleanroom.")
    advice = f"Known holes by version number: {', '.join(holes)}. Update runc to ≥ 1.3.6; Debian backports some fixes."
    return DoctorFinding(name="runc", value=version, state="warn", advice=advice)


def _desktop(platform: str) -> tuple[DoctorFinding, ...]:
    if "docker desktop" not in platform.lower():
        return ()
    holes = open_holes("docker desktop", platform)
    advice = f"Update it: {', '.join(holes)}." if holes else "No hole known to this version of cleanroom."
    return (DoctorFinding(name="Docker Desktop", value=platform, state="warn" if holes else "ok", advice=advice),)


def _authorisation(info: dict[str, Any]) -> tuple[DoctorFinding, ...]:
    plugins = (info.get("Plugins") or {}).get("Authorization")
    if not plugins:
        return ()
    advice = "Do not rely on it: CVE-2024-41110 bypassed such plugins."
    return (DoctorFinding(name="authorisation plugin", value=", ".join(plugins), state="info", advice=advice),)


def _users(info: dict[str, Any]) -> DoctorFinding:
    options = " ".join(info.get("SecurityOptions") or ())
    if "name=rootless" in options:
        return DoctorFinding(
            name="user namespace", value="rootless engine", advice="Root in a container is nobody on the host."
        )
    if "name=userns" in options:
        return DoctorFinding(
            name="user namespace", value="remapped", advice="Root in a container is nobody on the host."
        )
    advice = "Sandboxes run as nobody anyway; `userns-remap` or a rootless engine is one more wall."
    return DoctorFinding(name="user namespace", value="the host's", state="info", advice=advice)


def _cgroup(info: dict[str, Any]) -> DoctorFinding:
    known = {name: info.get(name) for name in ("MemoryLimit", "SwapLimit", "PidsLimit", "CpuCfsQuota")}
    missing = [name for name, there in known.items() if there is False]
    unsaid = [name for name, there in known.items() if not isinstance(there, bool)]
    text = f"version {info.get('CgroupVersion', '1')}, driver {info.get('CgroupDriver')}"
    if missing:
        return DoctorFinding(
            name="cgroup", value=f"{text}, without {', '.join(missing)}", state="warn", advice="See the limits below."
        )
    if unsaid:
        advice = f"The engine does not say whether it has {', '.join(unsaid)}: the limits below are what counts."
        return DoctorFinding(name="cgroup", value=text, state="warn", advice=advice)
    return DoctorFinding(
        name="cgroup", value=text, advice="All four controllers are there; the limits below are tried."
    )


def _storage(info: dict[str, Any]) -> DoctorFinding:
    driver = str(info.get("Driver"))
    slow = driver == "vfs"
    advice = (
        "Copies the whole image for each container: use a file system that overlay2 can live on." if slow else "Good."
    )
    return DoctorFinding(name="storage driver", value=driver, state="warn" if slow else "ok", advice=advice)


def _image(client: docker.DockerClient) -> tuple[DoctorFinding, ...]:
    tag = read_recipe().tag
    image = find_image(client, tag)
    if image is None:
        advice = "Run `cleanroom setup`."
        absent = DoctorFinding(name="sandbox image", value=f"{tag} is absent", state="bad", advice=advice)
        return (
            absent,
            DoctorFinding(name="limits", value="not tried", state="info", advice="They are tried in the image."),
        )
    present = DoctorFinding(name="sandbox image", value=image, advice=f"Fits this version ({tag}).")
    try:
        limits = probe_limits(client, image)
    except CleanroomError as error:
        limits = (DoctorFinding(name="limits", value=error.message, state="bad", advice=error.advice),)
    known = (client.info().get("Runtimes") or {}).keys()
    runtimes = tuple(name for name in ("runc", "runsc") if name in known)
    return (present, *_other_images(client, tag), *_base_age(client), *limits, *proof_findings(runtimes, image))


def _other_images(client: docker.DockerClient, tag: str) -> tuple[DoctorFinding, ...]:
    others = [t for image in client.images.list(name=NAME) for t in image.tags if t.startswith(f"{NAME}:") and t != tag]
    if not others:
        return ()
    advice = "No longer needed, unless another version of cleanroom is in use: docker rmi " + " ".join(others[:3])
    return (DoctorFinding(name="older images", value=str(len(others)), state="info", advice=advice),)


def _base_age(client: docker.DockerClient) -> tuple[DoctorFinding, ...]:
    try:
        created = str(client.images.get(base_tag()).attrs["Created"])
        days = (datetime.now(UTC) - datetime.fromisoformat(created[:19]).replace(tzinfo=UTC)).days
    except (DockerException, RequestException, KeyError, ValueError):  # pruned: only the next build needs it
        return ()
    old = days > OLD_BASE_DAYS
    state: State = "warn" if old else "ok"
    advice = "Run `cleanroom setup --fresh` to take in Debian's fixes." if old else "Fresh enough."
    return (DoctorFinding(name="base image", value=f"{days} days old", state=state, advice=advice),)


def _leftovers(client: docker.DockerClient) -> tuple[DoctorFinding, ...]:
    now = time.time()
    sandboxes = client.api.containers(all=True, filters={"label": owner.RUN})
    trials = client.api.containers(all=True, filters={"label": smoke_test.LABEL})
    left = [c for c in sandboxes if owner.orphaned(c.get("Labels") or {}, now)]
    left += [c for c in trials if now - float(c.get("Created", now)) > LEFTOVER_S]
    if not left:
        return (
            DoctorFinding(name="containers", value=f"{len(sandboxes)} in use, none left over", advice="Nothing to do."),
        )
    advice = "The next run removes them; or: docker rm -f " + " ".join(str(c["Id"])[:12] for c in left[:4])
    return (DoctorFinding(name="containers", value=f"{len(left)} left over", state="warn", advice=advice),)
