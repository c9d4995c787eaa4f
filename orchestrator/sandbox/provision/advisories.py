"""Known holes in engines and runtimes, by version, as doctor warns about them. Plain data and one comparison.

Sources: the projects' security advisories; CVE-2024-21626 (Leaky Vessels), the three of 2025-11-05, and CVE-2026-41579
for runc; CVE-2025-9074 for Docker Desktop. Distributions backport fixes without a new version number, so a warning here
asks to look, it does not prove a hole.
"""

import re

from orchestrator.core.value import Value

Version = tuple[int, int, int, int]
_FINAL = 10**6  # a final release sorts after all its release candidates


class Hole(Value):
    """One hole, or several with the same fix. `fixed` names the first good release of each branch."""

    component: str
    ids: tuple[str, ...]
    fixed: tuple[str, ...]


HOLES = (
    Hole(component="runc", ids=("CVE-2024-21626",), fixed=("1.1.12",)),
    Hole(
        component="runc",
        ids=("CVE-2025-31133", "CVE-2025-52565", "CVE-2025-52881"),
        fixed=("1.2.8", "1.3.3", "1.4.0-rc.3"),
    ),
    Hole(component="runc", ids=("CVE-2026-41579",), fixed=("1.3.6", "1.4.3", "1.5.0-rc.3")),
    Hole(component="docker desktop", ids=("CVE-2025-9074",), fixed=("4.44.3",)),
)


def open_holes(component: str, version: str) -> tuple[str, ...]:
    """The ids of the holes that this version has, by its number alone. An unreadable version has none."""
    parsed = parse(version)
    if parsed is None:
        return ()
    return tuple(
        i for hole in HOLES if hole.component == component and not _is_fixed(parsed, hole.fixed) for i in hole.ids
    )


def parse(version: str) -> Version | None:
    """`1.1.5+ds1` → (1, 1, 5, final), `1.4.0-rc.3` → (1, 4, 0, 3)."""
    found = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?(?:-rc\.?(\d+))?", version)
    if found is None:
        return None
    major, minor, patch, candidate = found.groups()
    return int(major), int(minor), int(patch or 0), int(candidate) if candidate else _FINAL


def _is_fixed(version: Version, fixed: tuple[str, ...]) -> bool:
    releases = [release for text in fixed if (release := parse(text)) is not None]
    same_branch = [release for release in releases if release[:2] == version[:2]]
    return version >= (same_branch[0] if same_branch else max(releases))
