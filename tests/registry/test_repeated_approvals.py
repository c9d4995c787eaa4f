"""An approval in the log counts once: whoever may write there cannot repeat somebody else's."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from orchestrator.core.errors import NotVerified
from orchestrator.registry.log.checkpoint import Checkpoint
from orchestrator.registry.log.merkle import Frontier, leaf_hash
from orchestrator.registry.store import SqlRegistry
from tests.registry.people import KEYS, identity
from tests.registry.test_log_registry import promote


@pytest.mark.parametrize("written", [lambda text: text, lambda text: text.replace('{"payload"', '{ "payload"')])
def test_an_old_approval_is_no_new_one(tmp_path: Path, written: Callable[[str], str]) -> None:
    """Ana takes Ben's approval out of the log and puts it behind the suspension: the function stays out of use."""
    path = tmp_path / "registry.db"

    def as_person(name: str = "ana") -> SqlRegistry:
        return SqlRegistry(f"sqlite:///{path}", identity=identity(name, approvals=1))

    registry = as_person()
    promote(registry, "f")
    as_person("ben").approve("f", "read it")
    registry.suspend("f", "the audit found that it acts up")
    with closing(sqlite3.connect(path)) as raw, raw:
        rows = raw.execute("SELECT envelope, checkpoint FROM log_entries ORDER BY position").fetchall()
        frontier = Frontier()
        again = written(rows[1][0])
        for text in (*(envelope for envelope, _ in rows), again):
            frontier.append(leaf_hash(text.encode()))
        head = Checkpoint(rows[0][1].split("\n")[0], 4, frontier.root()).signed(KEYS["ana"])
        raw.execute("INSERT INTO log_entries VALUES (3, ?, ?)", (again, head))
        raw.execute("INSERT INTO events (function_id, status, reason, at) VALUES (1, 'active', '', '2026')")
    with pytest.raises(NotVerified, match=r"f, version 1: active\. Its log says suspended"):
        as_person().applicable()
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("DROP TRIGGER events_no_delete")
        raw.execute("DELETE FROM events WHERE id = (SELECT max(id) FROM events)")
    as_person("ben").approve("f", "looked at it once more")
    assert as_person().applicable(), "the control: one that Ben gives now counts"
