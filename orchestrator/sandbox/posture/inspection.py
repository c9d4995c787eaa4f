"""What the engine says it made, compared with what was asked: whatever differs, lacks or was added is named.

Called by launcher.py for the first container of every posture, and by proof/.
"""

from typing import Any

_NEUTRAL: dict[str, tuple[Any, ...]] = {
    "ShmSize": (64 * 2**20,),  # of no effect: there is no /dev/shm without IPC
    "ConsoleSize": ([0, 0],),
    "Isolation": ("default",),
    "MemorySwappiness": (-1,),
}
"""Settings that nobody asked for and that are not empty, with the values that grant nothing."""
_CONFIG = (
    "User", "WorkingDir", "Entrypoint", "Cmd", "Tty", "OpenStdin", "StdinOnce", "NetworkDisabled", "AttachStdin",
    "AttachStdout", "AttachStderr", "StopSignal", "Hostname", "Image",
)  # fmt: skip
_EMPTY = ("Volumes", "ExposedPorts", "Healthcheck", "OnBuild", "Domainname", "MacAddress", "Shell")


def differences(asked: dict[str, Any], observed: dict[str, Any]) -> list[str]:
    """What `inspect` says otherwise than the create request did, or has though nobody asked."""
    host: dict[str, Any] = observed.get("HostConfig") or {}
    wanted: dict[str, Any] = asked["HostConfig"]
    found = [
        f"{name} is {_short(host.get(name))} instead of {_short(value)}"
        for name, value in wanted.items()
        if _normal(name, host.get(name)) != _normal(name, value)
    ]
    found += [
        f"{name} grants {_short(value)}"
        for name, value in host.items()
        if name not in wanted and not _empty(value) and value not in _NEUTRAL.get(name, ())
    ]
    return found + _config_differences(asked, observed)


def _config_differences(asked: dict[str, Any], observed: dict[str, Any]) -> list[str]:
    config: dict[str, Any] = observed.get("Config") or {}
    found = [
        f"{name} is {_short(config.get(name))} instead of {_short(asked[name])}"
        for name in _CONFIG
        if (config.get(name) or None) != (asked[name] or None)
    ]
    found += [f"{name} is {_short(config[name])}" for name in _EMPTY if config.get(name)]
    if sorted(config.get("Env") or ()) != sorted(asked["Env"]):
        found.append(f"Env is {_short(config.get('Env'))} instead of {_short(asked['Env'])}")
    if not asked["Labels"].items() <= (config.get("Labels") or {}).items():
        found.append("Labels are missing")
    if observed.get("Image", asked["Image"]) != asked["Image"]:
        found.append(f"the image is {_short(observed['Image'])} instead of {_short(asked['Image'])}")
    if observed.get("Mounts"):
        found.append(f"Mounts grants {_short(observed['Mounts'])}")
    return found


def _empty(value: Any) -> bool:
    return not value or (isinstance(value, list | tuple) and not any(value))


def _normal(name: str, value: Any) -> Any:
    if name == "Ulimits" and isinstance(value, list):
        return sorted((limit["Name"], limit["Soft"], limit["Hard"]) for limit in value)
    if name == "OomKillDisable":
        return bool(value)
    return value


def _short(value: Any) -> str:
    return f"{value!r:.80}"
