"""The registry on SQLite: append-only, tamper-evident, whole or nothing, several promoters, clear errors."""

import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import RegistryError
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import Outcome
from orchestrator.registry.check_store import RecordedCheck, checks_in, record_checks
from orchestrator.registry.entries import digest, dumps, now, stored
from orchestrator.registry.store import SqlRegistry

MakeCandidate = Callable[..., Candidate]
MakeEvidence = Callable[..., Evidence]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "registry.db"


@pytest.fixture
def filled(path: Path, candidate: MakeCandidate, evidence: MakeEvidence) -> SqlRegistry:
    registry = SqlRegistry(f"sqlite:///{path}")
    for number in range(3):
        made = candidate(f"f{number}", f"c{number}")
        registry.promote(made, evidence(made))
    return registry


def test_a_reader_that_another_thread_overtakes_finds_no_changed_log(
    filled: SqlRegistry, candidate: MakeCandidate, evidence: MakeEvidence
) -> None:
    """What it looks at is older than what the other thread has proved since: nobody has changed anything."""
    made = candidate("late", "c9")
    other = Thread(target=lambda: (filled.promote(made, evidence(made)), filled.functions()))

    def overtake(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if "FROM functions" in statement and other.ident is None:
            other.start()
            other.join(1)

    event.listen(filled._engine, "after_cursor_execute", overtake)
    assert len(filled.functions()) == 3
    other.join()
    assert len(filled.functions()) == 4


@pytest.mark.parametrize("table", ["functions", "events"])
@pytest.mark.parametrize("change", ["UPDATE {} SET id = id + 10", "DELETE FROM {}"])
def test_rows_cannot_be_changed_through_sql(filled: SqlRegistry, path: Path, table: str, change: str) -> None:
    """The database itself refuses UPDATE and DELETE, whoever asks; adding is still possible."""
    with sqlite3.connect(path) as connection, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(change.format(table))
    connection.close()
    assert len(filled.functions()) == 3


@pytest.mark.parametrize(
    "column", ["source", "contract", "evidence", "promoted_at", "docstring", "sha256", "apply_order"]
)
def test_a_row_edited_by_hand_is_named_and_refused(filled: SqlRegistry, path: Path, column: str) -> None:
    """Whoever drops the triggers and edits a row is found out when the row is read, also where it was read before."""
    assert len(filled.functions()) == 3
    connection = sqlite3.connect(path)
    connection.execute("DROP TRIGGER functions_no_update")
    value = {"promoted_at": "'2020-01-01T00:00:00+00:00'", "apply_order": "77"}.get(
        column, f"replace({column}, 'c1', 'c9')"
    )
    value = {"sha256": "'00'", "evidence": "replace(evidence, 'builtin', 'somebody')"}.get(column, value)
    connection.execute(f"UPDATE functions SET {column} = {value} WHERE name = 'f1'")  # noqa: S608 - a test's constants
    connection.commit()
    connection.close()
    for read in (filled.functions, filled.history, lambda: filled.get("f1")):
        with pytest.raises(RegistryError, match="row of f1, version 1, was changed"):
            read()
    assert filled.get("f0").name == "f0"


def test_a_full_disk_changes_nothing(filled: SqlRegistry, candidate: MakeCandidate, evidence: MakeEvidence) -> None:
    """When SQLite runs out of room, the promotion is refused with a sentence and the registry is as before."""
    event.listen(filled._engine, "connect", lambda raw, _: raw.execute("PRAGMA max_page_count = 1"))
    made = candidate("big", issue="x" * 200_000)
    with pytest.raises(RegistryError, match="disk is full") as caught:
        filled.promote(made, evidence(made))
    assert "Free some space" in caught.value.advice
    assert [p.name for p in filled.functions()] == ["f0", "f1", "f2"]


def test_a_failure_at_any_statement_leaves_nothing_half_done(
    filled: SqlRegistry, candidate: MakeCandidate, evidence: MakeEvidence
) -> None:
    """The k-th statement of a promotion fails, for every k: before and after, the registry holds the same."""
    before = filled.history()
    failing = 0

    def fail_kth(*_: Any) -> None:
        nonlocal failing
        failing -= 1
        if failing == 0:
            raise OperationalError("statement", None, Exception("injected"))

    event.listen(filled._engine, "before_cursor_execute", fail_kth)
    made = candidate("f1", "other")
    statements = 0
    while True:
        statements += 1
        failing = statements
        try:
            filled.promote(made, evidence(made))
        except RegistryError:
            failing = 0
            assert filled.history() == before
        else:
            break
    assert statements >= 5
    failing = 0
    assert [(p.name, p.version) for p in filled.functions()] == [("f0", 1), ("f2", 1), ("f1", 2)]


def test_two_threads_promote_without_treading_on_each_other(
    path: Path, candidate: MakeCandidate, evidence: MakeEvidence
) -> None:
    """Many promotions at once, from several registries: every order and version is given once."""

    def promote(number: int) -> Promoted:
        made = candidate("same" if number % 2 else f"f{number}", f"c{number}")
        with SqlRegistry(f"sqlite:///{path}") as registry:
            return registry.promote(made, evidence(made))

    with ThreadPoolExecutor(8) as pool:
        promoted = list(pool.map(promote, range(24)))
    assert sorted(p.order for p in promoted) == list(range(1, 25))
    assert sorted(p.version for p in promoted if p.name == "same") == list(range(1, 13))
    with SqlRegistry(f"sqlite:///{path}", create=False) as registry:
        assert len(registry.functions()) == 13


def test_two_processes_promote_the_same_function_and_one_wins(path: Path, tmp_path: Path) -> None:
    """Two programs that begin with no file at all: both make the registry, one promotes, one hears of it."""
    script = tmp_path / "promoter.py"
    script.write_text(
        textwrap.dedent(f"""
            import sys
            sys.path.insert(0, {str(Path(__file__).parent)!r})
            from conftest import make_candidate, make_evidence
            from orchestrator.core.errors import RegistryError
            from orchestrator.registry.store import SqlRegistry
            registry = SqlRegistry("sqlite:///{path}")
            candidate = make_candidate()
            try:
                registry.promote(candidate, make_evidence(candidate))
                print("promoted")
            except RegistryError as error:
                print(error)
            own = make_candidate("own" + sys.argv[1], sys.argv[1])
            registry.promote(own, make_evidence(own))
        """)
    )
    started = [
        subprocess.Popen([sys.executable, str(script), str(n)], stdout=subprocess.PIPE, text=True) for n in range(3)
    ]
    said = sorted(process.communicate(timeout=60)[0].strip()[:20] for process in started)
    assert [process.returncode for process in started] == [0, 0, 0]
    assert said == ["The same function is", "The same function is", "promoted"]
    with SqlRegistry(f"sqlite:///{path}", create=False) as registry:
        assert [p.order for p in registry.functions()] == [1, 2, 3, 4]


def test_a_lock_that_does_not_end_is_said_to_be_one(
    filled: SqlRegistry, path: Path, candidate: MakeCandidate, evidence: MakeEvidence
) -> None:
    """A writer that never finishes makes the promotion fail after the wait; reading goes on meanwhile."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    impatient = SqlRegistry(f"sqlite:///{path}", busy_timeout_s=0.05)
    made = candidate("late")
    with pytest.raises(RegistryError, match="locked by another process"):
        impatient.promote(made, evidence(made))
    assert len(impatient.functions()) == 3
    other.close()


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    """Somebody's CSV file given as the registry is refused and not touched."""
    wrong = tmp_path / "data.csv"
    wrong.write_text("a,b\n" * 1000)
    with pytest.raises(RegistryError, match="is not an SQLite database"):
        SqlRegistry(f"sqlite:///{wrong}")
    assert wrong.read_text() == "a,b\n" * 1000


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    """A database without the registry's tables is refused and gets none."""
    wrong = tmp_path / "other.db"
    connection = sqlite3.connect(wrong)
    connection.execute("CREATE TABLE songs (id)")
    connection.close()
    with pytest.raises(RegistryError, match="not a registry"):
        SqlRegistry(f"sqlite:///{wrong}")
    connection = sqlite3.connect(wrong)
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("songs",)]
    connection.close()


def test_a_newer_schema_is_refused(filled: SqlRegistry, path: Path) -> None:
    """A registry made by a later version says so instead of being misread."""
    connection = sqlite3.connect(path)
    connection.execute("UPDATE schema_version SET version = 99")
    connection.commit()
    connection.close()
    with pytest.raises(RegistryError, match="newer cleanroom") as caught:
        SqlRegistry(f"sqlite:///{path}")
    assert caught.value.advice == "Upgrade cleanroom."


def test_a_missing_registry_is_not_made_for_reading(tmp_path: Path) -> None:
    """With `create=False` a wrong path is an error and leaves no file."""
    with pytest.raises(RegistryError, match="no registry at"):
        SqlRegistry(f"sqlite:///{tmp_path}/none.db", create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """A file in the place of the folder gives one sentence."""
    (tmp_path / "file").touch()
    with pytest.raises(RegistryError, match="cannot be made"):
        SqlRegistry(f"sqlite:///{tmp_path}/file/registry.db")
    with pytest.raises(RegistryError, match="cannot be opened"):
        SqlRegistry(f"sqlite:///{tmp_path}")


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "sqlite://",
        "sqlite:///:memory:",
        "mysql://u:secret@h/db",
        "postgresql://u:secret@h:port/db",
        "postgresql:u:secret@h",
        "sqlite:///file:x?mode=ro",
    ],
)
def test_other_urls_are_refused_without_their_password(url: str) -> None:
    """Only SQLite files and PostgreSQL are taken; a password in the URL stays out of the message."""
    with pytest.raises(RegistryError) as caught:
        SqlRegistry(url)
    assert "secret" not in caught.value.message
    assert "sqlite:///" in caught.value.advice


def test_a_source_with_broken_unicode_is_refused(
    filled: SqlRegistry, candidate: MakeCandidate, evidence: MakeEvidence
) -> None:
    """A lone surrogate in the source cannot be stored as text: one sentence, nothing stored."""
    made = candidate("f9", source="x = '\ud800'")
    with pytest.raises(RegistryError, match="broken Unicode"):
        filled.promote(made, evidence(made))
    assert len(filled.functions()) == 3


@pytest.mark.parametrize("status", ["active", "superseded", "ACTIVE", ""])
def test_a_revoked_function_stays_revoked(filled: SqlRegistry, path: Path, status: str) -> None:
    """An event that somebody adds to the table by hand does not bring a revoked function back."""
    name = filled.functions()[0].name
    filled.revoke(name, "wrong")
    with closing(sqlite3.connect(path)) as raw, raw:
        (number,) = raw.execute("SELECT max(function_id) FROM events WHERE status = 'revoked'").fetchone()
        raw.execute(
            "INSERT INTO events (function_id, status, reason, at) VALUES (?, ?, '', '2026-01-01')", (number, status)
        )
    assert name not in {promoted.name for promoted in filled.functions()}
    if status in {"active", "superseded"}:
        assert filled.history(name)[-1].status == "revoked"


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("events", "status", "nonsense"),
        ("events", "at", "2026-11-25 14:55:33.538581+00"),
        ("events", "reason", b"\xff"),
        ("functions", "contract", "[" * 100_000),
        ("functions", "sha256", b"\xff"),
        ("functions", "source", b"\xff"),
        ("log_entries", "envelope", b"\xff"),
        ("log_entries", "checkpoint", b"\xff"),
        ("checks", "findings", "[" * 100_000),
    ],
)
def test_values_that_cleanroom_never_wrote_are_refused_in_a_sentence(
    filled: SqlRegistry, path: Path, table: str, column: str, value: object
) -> None:
    """Whoever may write to the database, or made the file, puts what they like into it: bytes, nonsense, deep nests."""
    check = RecordedCheck(name="f1", version=1, state="valid", data="a.csv", data_sha256="", rows=1, at=now())
    record_checks(path, [check])
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute(f"DROP TRIGGER {table}_no_update")
        raw.execute(f"UPDATE {table} SET {column} = ?", (value,))  # noqa: S608 - a test's constants
    filled.close()
    said = []
    for read in (filled.functions, filled.history, filled.held, filled.log_proof, lambda: checks_in(path)):
        with suppress(RegistryError):
            read()
            continue
        said.append(read)
    assert said


def test_a_row_whose_evidence_is_no_pass_is_not_used(filled: SqlRegistry, path: Path) -> None:
    """A row with digests that fit, made by hand, is refused for what its evidence says."""
    promoted = filled.functions()[0]
    failed = promoted.evidence.verdict.model_copy(update={"verdict": Outcome.FAIL})
    forged = promoted.model_copy(update={"evidence": promoted.evidence.model_copy(update={"verdict": failed})})
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("DROP TRIGGER functions_no_update")
        raw.execute(
            "UPDATE functions SET evidence = ?, content_sha256 = ? WHERE name = ?",
            (dumps(forged.evidence), digest(stored(forged)), forged.name),
        )
    with pytest.raises(RegistryError, match="its evidence says 'fail'"):
        filled.functions()
