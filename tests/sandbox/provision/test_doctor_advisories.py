"""Which versions have known holes."""

import pytest

from orchestrator.sandbox.provision.advisories import open_holes, parse

LEAKY = "CVE-2024-21626"
NOVEMBER_2025 = ("CVE-2025-31133", "CVE-2025-52565", "CVE-2025-52881")
DEV_LINK = "CVE-2026-41579"


@pytest.mark.parametrize(
    ("version", "holes"),
    [
        ("1.1.5+ds1", (LEAKY, *NOVEMBER_2025, DEV_LINK)),
        ("1.1.11", (LEAKY, *NOVEMBER_2025, DEV_LINK)),
        ("1.1.12", (*NOVEMBER_2025, DEV_LINK)),
        ("1.2.7", (*NOVEMBER_2025, DEV_LINK)),
        ("1.2.8", (DEV_LINK,)),
        ("1.3.0", (*NOVEMBER_2025, DEV_LINK)),
        ("1.3.3", (DEV_LINK,)),
        ("1.3.6", ()),
        ("1.4.0-rc.2", (*NOVEMBER_2025, DEV_LINK)),
        ("1.4.0-rc.3", (DEV_LINK,)),
        ("1.4.0", (DEV_LINK,)),
        ("1.4.3", ()),
        ("1.5.0-rc.2", (DEV_LINK,)),
        ("1.5.0-rc.3", ()),
        ("1.5.0", ()),
        ("2.0.0", ()),
        ("unknown", ()),
    ],
)
def test_runc_is_judged_by_its_branch(version: str, holes: tuple[str, ...]) -> None:
    """A fix on one branch says nothing about an older release of another; later branches have every fix."""
    assert open_holes("runc", version) == holes


def test_docker_desktop_is_judged_by_its_name() -> None:
    """The engine's platform name carries the version of Docker Desktop."""
    assert open_holes("docker desktop", "Docker Desktop 4.44.2 (199162)") == ("CVE-2025-9074",)
    assert open_holes("docker desktop", "Docker Desktop 4.44.3 (202357)") == ()


def test_a_release_candidate_comes_before_its_release() -> None:
    """1.4.0-rc.3 sorts before 1.4.0."""
    candidate, release = parse("1.4.0-rc.3"), parse("1.4.0")
    assert candidate is not None
    assert release is not None
    assert candidate < release
