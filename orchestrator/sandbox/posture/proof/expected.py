"""What a candidate must see, as frozen data, by runtime. Used by deviations.py.

Whatever is not listed here must not be there. gVisor draws its own picture of a machine, so it has its own table.
"""

from dataclasses import dataclass, field

KERNEL_TUNNELS = frozenset({"tunl0", "sit0", "ip6tnl0", "gre0", "gretap0", "erspan0", "ip_vti0", "ip6_vti0", "ip6gre0"})
"""Interfaces that some kernels put into every network namespace, down and without an address."""

_DEVICES = {
    "fd": "l", "full": "c1:7", "null": "c1:3", "ptmx": "l", "pts": "d", "random": "c1:8", "stderr": "l", "stdin": "l",
    "stdout": "l", "tty": "c5:0", "urandom": "c1:9", "zero": "c1:5",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Picture:
    """One runtime's picture. Mounts: place → (kind or "" for any, options that must be there)."""

    status: dict[str, str]
    mounts: dict[str, tuple[str, frozenset[str]]]
    optional_mounts: dict[str, frozenset[str]]
    devices: dict[str, str]
    optional_devices: dict[str, str] = field(default_factory=dict)
    own_seccomp_profile: bool = True  # whether the container's profile holds without the child's filter
    landlock: bool = True  # whether the kernel under the child may have it


def _options(text: str) -> frozenset[str]:
    return frozenset(text.split(","))


_NOBODY = "65534 65534 65534 65534"
_NONE = "0000000000000000"
_LOCKED = _options("nosuid,nodev,noexec")
_FILES = ("/etc/hostname", "/etc/hosts", "/etc/resolv.conf")

RUNC = Picture(
    status={
        "Uid": _NOBODY, "Gid": _NOBODY, "CapInh": _NONE, "CapPrm": _NONE, "CapEff": _NONE, "CapBnd": _NONE,
        "CapAmb": _NONE, "NoNewPrivs": "1", "PPid": "1", "TracerPid": "0", "Threads": "1",
    },
    mounts={
        "/": ("", _options("ro")),
        "/proc": ("proc", _LOCKED),
        "/dev": ("tmpfs", _options("nosuid,mode=755")),
        "/dev/pts": ("devpts", _options("nosuid,noexec")),
        "/dev/mqueue": ("mqueue", _LOCKED),
        "/sys": ("sysfs", _LOCKED | {"ro"}),
        "/tmp": ("tmpfs", _LOCKED),  # noqa: S108 - in the guest
    },
    optional_mounts={
        "/sys/fs/cgroup": _LOCKED,
        **dict.fromkeys(_FILES, _options("ro")),
    },
    devices=_DEVICES,
    optional_devices={"core": "l", "mqueue": "d", "console": "c5:1"},
)  # fmt: skip

RUNSC = Picture(
    status={
        "Uid": _NOBODY, "Gid": _NOBODY, "CapInh": _NONE, "CapPrm": _NONE, "CapEff": _NONE, "CapBnd": _NONE,
        "PPid": "1", "TracerPid": "0", "Threads": "1",
    },
    mounts={
        "/": ("", _options("ro")),
        "/proc": ("proc", _options("noexec")),
        "/dev": ("tmpfs", _options("mode=0755")),
        "/dev/pts": ("devpts", _options("noexec")),
        "/sys": ("sysfs", _options("ro,noexec")),
        "/tmp": ("tmpfs", _options("noexec")),  # noqa: S108 - in the guest
    },
    optional_mounts={"/dev/mqueue": frozenset(), **dict.fromkeys(_FILES, _options("ro"))},
    devices=_DEVICES | {"shm": "d"},
    optional_devices={"fuse": "c10:229", "net": "d", "mqueue": "d"},  # gVisor's own, none of them the machine's
    own_seccomp_profile=False,
    landlock=False,
)  # fmt: skip


def picture(runtime: str) -> Picture:
    """By the name under which the engine knows the runtime."""
    return RUNSC if runtime.startswith("runsc") else RUNC
