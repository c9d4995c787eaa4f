"""A registry's file whose schema does work by itself is refused before a row of it is read or written."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from orchestrator.core.errors import RegistryError
from orchestrator.registry.functions import functions_in
from orchestrator.registry.store import SqlRegistry
from tests.registry.conftest import MakeCandidate, MakeEvidence

WITHOUT_END = (
    "CREATE VIEW v AS WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT n AS id FROM x WHERE n < 0"
)
WORKING = {
    "a trigger without end": "CREATE TRIGGER t BEFORE INSERT ON events BEGIN "
    "INSERT INTO events (function_id, status, at) WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) "
    "SELECT 1, 'active', '' FROM x; END",
    "a trigger in other letters": "CREATE TRIGGER t AFTER INSERT ON EVENTS BEGIN SELECT hex(zeroblob(400000000)); END",
    "our trigger with another end": "CREATE TRIGGER events_no_x BEFORE INSERT ON events "
    "WHEN EXISTS (SELECT 1 FROM events WHERE (id = NEW.id)) BEGIN DELETE FROM functions; END",
    "our trigger on a view": "CREATE TRIGGER t BEFORE INSERT ON events "
    "WHEN EXISTS (SELECT 1 FROM v WHERE (id = NEW.id)) BEGIN SELECT RAISE(ABORT, 'no'); END",
    "a generated column": "ALTER TABLE functions ADD COLUMN more TEXT AS (hex(zeroblob(400000000)))",
    "a check": "ALTER TABLE events ADD COLUMN more TEXT CHECK (length(hex(zeroblob(400000000))) > 0)",
    "an index on an expression": "CREATE INDEX i ON events (length(hex(zeroblob(4))))",
    "an index on a part": "CREATE INDEX i ON events (id) WHERE length(hex(status)) > 0",
}
IDLE = (
    WITHOUT_END,
    "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT DEFAULT 'x' CHECK (length(text) > 0))",
    "CREATE TRIGGER n AFTER INSERT ON notes BEGIN DELETE FROM notes WHERE id = 1; END",
    "CREATE INDEX i ON functions(name, version)",
)


@pytest.fixture
def path(tmp_path: Path, candidate: MakeCandidate, evidence: MakeEvidence) -> Path:
    made = candidate()
    with SqlRegistry(f"sqlite:///{tmp_path}/registry.db") as registry:
        registry.promote(made, evidence(made))
    return tmp_path / "registry.db"


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as raw, raw:
        for statement in statements:
            raw.execute(statement)


def test_a_value_of_any_size_is_not_taken_into_memory(path: Path) -> None:
    """It was held in memory several times before its function was refused for it: 1.5 GB for 400 MB."""
    change(path, "DROP TRIGGER functions_no_update", "UPDATE functions SET source = hex(zeroblob(40000000))")
    change(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    with pytest.raises(RegistryError, match="takes no value of that size"):
        functions_in(path)


@pytest.mark.parametrize("what", WORKING)
def test_a_schema_that_does_work_is_refused(path: Path, what: str) -> None:
    """A row that is read would take gigabytes, one that is written would never end."""
    change(path, WITHOUT_END, WORKING[what])
    for open_ in (lambda: functions_in(path), lambda: SqlRegistry(f"sqlite:///{path}")):
        with pytest.raises(RegistryError, match=r"in its table \w+ that cleanroom did not make"):
            open_()


def test_what_lies_beside_our_tables_is_nobodys_business(path: Path) -> None:
    """The control: views, tables and plain indexes that somebody made for reports of their own."""
    change(path, *IDLE)
    assert [function.name for function in functions_in(path)] == ["trim_city"]
    with SqlRegistry(f"sqlite:///{path}") as registry:
        registry.revoke("trim_city", "not wanted any more")
