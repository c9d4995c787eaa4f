"""A policy cannot take a layer away in silence: whatever is weaker than the default is named, and nothing else."""

from typing import Any

import pytest

from orchestrator.core.errors import UsageError
from orchestrator.core.policy import Policy
from orchestrator.core.weakened import refuse_weakened, weakened_layers

WEAKER: dict[str, tuple[Any, ...]] = {
    "container": (
        {"memory_bytes": 2**33}, {"pids": 128}, {"cpus": 2.0}, {"open_files": 512}, {"file_bytes": 2**30},
        {"tmpfs_bytes": 2**26}, {"tmpfs_inodes": 2048}, {"lifetime_s": 601.0}, {"job_s": 121.0},
        {"child_filter": "off"}, {"landlock": "off"},
    ),
    "limits": (
        {"wall_s": 11.0}, {"cpu_s": 60.0}, {"memory_bytes": 2**30}, {"output_bytes": 2**27}, {"file_bytes": 2**27},
        {"open_files": 128},
    ),
    "screen": (
        {"imports": ("pandas", "os")}, {"imports": ("*",)}, {"surface": {"os": ("system",)}},
        {"max_source_bytes": 10**6}, {"max_lines": 10**5}, {"max_nodes": 10**6},
    ),
    "gate": (
        {"case_rows": 1}, {"max_new_null_share": 0.5}, {"max_distinct_loss": 1.0}, {"holdout_share": 0.0},
        {"drawn_cells": 1}, {"max_growth": 4.0},
    ),
    "audit": ({"share": 0.0}, {"rows": 1}),
}  # fmt: skip
NEUTRAL = {"container.runtime", "container.pool_size", "gate.infra_retries", "gate.shrink_s", "model.egress"} | {
    "model.functions_per_answer"
}
"""The verdict names the runtime itself; the others decide how fast a verdict is, not what it is, or only take away."""
CHANGES = [(section, change) for section, changes in WEAKER.items() for change in changes]


@pytest.mark.parametrize(("section", "change"), CHANGES)
def test_what_is_weaker_is_named_and_strict_refuses_it(section: str, change: dict[str, Any]) -> None:
    """Alone, with its value; a strict policy that does it is refused with the setting's name."""
    policy = Policy.model_validate({section: change})
    (name,) = change
    assert [layer.partition(":")[0] for layer in weakened_layers(policy)] == [f"{section}.{name}"]
    refuse_weakened(policy)
    with pytest.raises(UsageError, match=f"{section}.{name}"):
        refuse_weakened(policy.model_copy(update={"strict": True}))


def test_every_setting_of_the_policy_is_looked_at() -> None:
    """A setting that is added later must be added here: as one that can weaken a layer, or as one that cannot."""
    settings = {
        f"{section}.{name}"
        for section in Policy.model_fields
        if section not in {"strict", "columns"}
        for name in type(getattr(Policy(), section)).model_fields
    }
    assert settings == {f"{section}.{name}" for section, change in CHANGES for name in change} | NEUTRAL


@pytest.mark.parametrize(
    "stricter",
    [
        {},
        {"strict": True},
        {"container": {"runtime": "runsc"}},
        {"container": {"landlock": "required", "memory_bytes": 2**29}},
        {"limits": {"wall_s": 1.0}},
        {"screen": {"imports": ["pandas", "numpy.linalg"]}},
        {"gate": {"case_rows": 400, "max_growth": 1.0}},
        {"audit": {"share": 1.0}},
        {"columns": {"city": {"never_changes": True}}},
    ],
)
def test_what_is_stricter_is_not_named(stricter: dict[str, Any]) -> None:
    """gVisor's larger limits are its defaults."""
    policy = Policy.model_validate(stricter)
    assert weakened_layers(policy) == ()
    refuse_weakened(policy.model_copy(update={"strict": True}))


def test_a_screen_that_the_caller_switched_off_is_named() -> None:
    """It is no setting of the policy, and as much a layer."""
    assert weakened_layers(Policy(), screened=False) == ("screen: switched off by the caller",)


def test_long_lists_are_cut() -> None:
    """A policy with thousands of imports still makes a line that can be read."""
    (layer,) = weakened_layers(Policy.model_validate({"screen": {"imports": ["x" * 10_000] * 1000}}))
    assert len(layer) < 3_000
    assert "and 990 more" in layer
