"""Fifty processes promote at once, into SQLite and into PostgreSQL: one chain of events, nothing lost, nobody stuck."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from orchestrator.registry.entries import Status
from orchestrator.registry.store import SqlRegistry

PROCESSES = 50
SECONDS = 900.0  # far more than a busy machine takes: only who waits for ever is stuck


@pytest.mark.timeout(1000)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_fifty_promoters_leave_one_chain(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """They also make the registry: every order and version is given once, and the log proves what all of them did."""
    sqlite = f"sqlite:///{tmp_path}/registry.db"
    url = sqlite if kind == "sqlite" else request.getfixturevalue("postgresql").new_database()
    command = [sys.executable, str(Path(__file__).with_name("crowd.py")), url, str(PROCESSES)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(said) == PROCESSES
    assert [one["error"] for one in said if one["error"]] == []
    with SqlRegistry(url, create=False) as registry:
        functions, history = registry.functions(), registry.history()
    assert sorted(entry.promoted.order for entry in history) == list(range(1, 2 * PROCESSES + 1))
    same = [entry for entry in history if entry.promoted.name == "same"]
    assert [entry.promoted.version for entry in same] == list(range(1, PROCESSES + 1))
    assert [entry.status for entry in same] == [Status.SUPERSEDED] * (PROCESSES - 1) + [Status.ACTIVE]
    revoked = {entry.promoted.name for entry in history if entry.status is Status.REVOKED}
    assert revoked == {f"own_{number}" for number in range(0, PROCESSES, 10)}
    kept = {f"own_{number}" for number in range(PROCESSES)} - revoked
    assert {function.name for function in functions} == kept | {"same"}
