"""Policies that make no sense are refused in one sentence that names the setting; the default is within all bounds."""

from pathlib import Path

import pytest

from orchestrator.core.errors import UsageError
from orchestrator.core.policy import Policy
from orchestrator.data.user_files.policy_file import read_policy

POLICIES = {
    "unknown section": ("contianer:\n  pids: 64\n", "contianer"),
    "unknown key": ("limits:\n  wall: 3\n", "limits.wall"),
    "no memory": ("container:\n  memory_bytes: 0\n", "container.memory_bytes"),
    "ten terabytes": ("container:\n  memory_bytes: 10995116277760\n", "container.memory_bytes"),
    "no processes": ("container:\n  pids: 0\n", "container.pids"),
    "less than no processors": ("container:\n  cpus: -1\n", "container.cpus"),
    "no number of processors": ("container:\n  cpus: .nan\n", "container.cpus"),
    "endless life": ("container:\n  lifetime_s: .inf\n", "container.lifetime_s"),
    "scratch space beyond memory": ("container:\n  tmpfs_bytes: 2147483648\n", "tmpfs_bytes"),
    "no pool": ("container:\n  pool_size: 0\n", "container.pool_size"),
    "a pool of ten thousand": ("container:\n  pool_size: 10000\n", "container.pool_size"),
    "a runtime that is a path": ('container:\n  runtime: "../../bin/sh"\n', "container.runtime"),
    "no time": ("limits:\n  wall_s: 0\n", "limits.wall_s"),
    "time in words": ("limits:\n  wall_s: soon\n", "limits.wall_s"),
    "a share that is none": ("gate:\n  holdout_share: 1.5\n", "gate.holdout_share"),
    "a number of 40 digits": ("gate:\n  infra_retries: " + "9" * 40 + "\n", "gate.infra_retries"),
    "a number of 5000 digits": ("gate:\n  infra_retries: " + "9" * 5000 + "\n", "policy"),
    "half a pattern": ("columns:\n  city:\n    matches: '('\n", "columns.city.matches"),
    "a pattern too deep": ("columns:\n  city:\n    matches: '" + "(" * 990 + "'\n", "columns.city.matches"),
    "a pattern too often": ("columns:\n  city:\n    matches: 'a{99999999999}'\n", "columns.city.matches"),
    "a list": ("- container\n", "policy"),
    "a section that is a list": ("container: [1]\n", "policy"),
    "an empty section": ("container:\n", "policy"),
    "deep": ("[" * 5000, "policy"),
    "code": ("container: !!python/object/apply:os.system ['true']\n", "policy"),
    "an escape sequence": ('"\\e[31mred":\n  pids: 1\n', "red"),
}


@pytest.mark.parametrize("name", POLICIES)
def test_policies_that_make_no_sense(name: str, tmp_path: Path) -> None:
    """A usage error with the setting at fault, short, and fit for a terminal."""
    content, word = POLICIES[name]
    path = tmp_path / "policy.yaml"
    path.write_text(content)
    with pytest.raises(UsageError) as caught:
        read_policy(path)
    assert word in caught.value.message
    assert len(caught.value.message) < 500
    assert "\x1b" not in caught.value.message


def test_a_file_that_is_no_policy(tmp_path: Path) -> None:
    """A policy of many megabytes, or one that is not UTF-8, is refused unread."""
    path = tmp_path / "policy.yaml"
    for content in (b"#" * (2**20 + 1), b"\xff\xfe\x00c"):
        path.write_bytes(content)
        with pytest.raises(UsageError, match="policy"):
            read_policy(path)


def test_a_good_policy_replaces_only_what_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything else stays at the default; a runtime from the environment yields to the file."""
    monkeypatch.setenv("CLEANROOM_RUNTIME", "runsc")
    path = tmp_path / "policy.yaml"
    path.write_text("limits:\n  wall_s: 3\n")
    policy = read_policy(path)
    assert (policy.limits.wall_s, policy.limits.cpu_s, policy.container.runtime) == (3.0, 10.0, "runsc")
    path.write_text("container:\n  runtime: runc\n")
    assert read_policy(path).container.runtime == "runc"
    assert Policy.model_validate(Policy().model_dump()) == Policy()
