"""What can go wrong with a registry in PostgreSQL: one sentence, an exit code, nothing changed, no password shown."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import RegistryError
from orchestrator.core.promoted import Evidence
from orchestrator.registry.database import writing
from orchestrator.registry.sql_errors import mapped
from orchestrator.registry.store import SqlRegistry
from tests.support.command import Call, in_this_process
from tests.support.postgresql import PASSWORD, Server

MakeCandidate = Callable[..., Candidate]
MakeEvidence = Callable[..., Evidence]
DOCUMENT = Path(__file__).parents[2] / "docs" / "registry.md"


@pytest.fixture
def url(postgresql: Server) -> str:
    return postgresql.new_database()


@pytest.fixture
def filled(url: str, candidate: MakeCandidate, evidence: MakeEvidence) -> Iterator[SqlRegistry]:
    with SqlRegistry(url) as registry:
        for number in range(3):
            made = candidate(f"f{number}", f"c{number}")
            registry.promote(made, evidence(made))
        yield registry


@pytest.fixture
def cleanroom(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Call:
    return in_this_process(tmp_path, capfd)


def database(url: str) -> str:
    """The name of the database."""
    return url.rpartition("/test_")[2].partition("?")[0].join(("test_", ""))


def dumped(url: str) -> list[Any]:
    """Everything in the registry's tables, in a form that can be compared."""
    with psycopg.connect(url) as connection:
        tables = ("schema_version", "alembic_version", "functions", "events", "log_entries")
        return [connection.execute(f"TABLE {table} ORDER BY 1".encode()).fetchall() for table in tables]


def check_said(cleanroom: Call, url: str, *parts: str) -> None:
    """`registry list` and `registry migrate` say it in a sentence with advice, exit code 3, without a password."""
    for command in ("list", "migrate"):
        done = cleanroom("registry", command, "--registry", url)
        assert done.returncode == 3, done
        for part in parts:
            assert part in done.stderr, done.stderr
        assert PASSWORD not in done.stderr + done.stdout
        assert "geheim" not in done.stderr + done.stdout
        assert len(done.stderr.splitlines()) == 2, done.stderr


def test_a_wrong_password_is_not_repeated(postgresql: Server, cleanroom: Call) -> None:
    """The sentence says what is refused, and where the password can be kept."""
    url = postgresql.url()
    for wrong in (url.replace(PASSWORD, "geheim-wrong"), url.replace("owner", "nobody")):
        check_said(cleanroom, wrong, "refuses this user or password", ".pgpass")


def test_no_password_is_said_to_be_one(postgresql: Server, cleanroom: Call) -> None:
    """A URL without a password, where nothing else has it either."""
    check_said(cleanroom, postgresql.url().replace(f":{PASSWORD}", ""), "refuses this user or password")


def test_a_database_that_is_not_there_is_named(postgresql: Server, cleanroom: Call) -> None:
    """The server answers, and has no such database."""
    check_said(cleanroom, postgresql.url("nowhere"), "has no database of that name", "/nowhere")


@pytest.mark.parametrize("host", ["/nowhere", "localhost:1", "no-such-host.invalid"])
def test_a_server_that_is_not_there(host: str, cleanroom: Call) -> None:
    """No socket, no listener, no such name."""
    place = f"/db?host={host}" if host.startswith("/") else f"{host}/db"
    check_said(cleanroom, f"postgresql://me:geheim@{place}", "cannot be reached")


def test_a_server_that_never_answers(cleanroom: Call) -> None:
    """Something accepts the connection and is silent: the command ends in time."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        start = time.monotonic()
        check_said(cleanroom, f"postgresql://me:geheim@127.0.0.1:{port}/db?connect_timeout=2", "cannot be reached")
        assert time.monotonic() - start < 60


def test_an_option_that_there_is_not(postgresql: Server, cleanroom: Call) -> None:
    """A misspelt option after the question mark, a value that is none, and TLS where the server has none."""
    for wrong in ("pasword=geheim", "connect_timeout=geheim"):
        check_said(cleanroom, f"{postgresql.url()}&{wrong}", "after the question mark", "libpq")
    tcp = "postgresql://me:geheim@localhost:1/db?sslmode=geheim"
    check_said(cleanroom, tcp, "after the question mark", "libpq")


def test_a_server_without_tls_is_said_to_be_one() -> None:
    """What `sslmode=require` asks for cannot be had: the user and the password are not what is wrong."""
    raised = psycopg.OperationalError("connection failed: server does not support SSL, but SSL was required")
    with pytest.raises(RegistryError, match="has no TLS") as caught, mapped("x"):
        raise DBAPIError.instance("", {}, raised, psycopg.Error)
    assert "sslmode" in caught.value.advice


def test_without_psycopg_it_is_said_how_to_install_it(
    url: str, cleanroom: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package is an extra."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    check_said(cleanroom, url, "pip install 'cleanroom[postgres]'")


def test_psycopg_is_not_imported_for_a_file(tmp_path: Path) -> None:
    """Whoever has no PostgreSQL pays nothing for it."""
    program = (
        "import sys; from orchestrator.registry.store import SqlRegistry; "
        f"SqlRegistry('sqlite:///{tmp_path}/x.db').functions(); sys.exit('psycopg' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_another_programs_tables_are_left_alone(postgresql: Server, url: str, cleanroom: Call) -> None:
    """A database that is used for something else gets no tables of ours."""
    postgresql.execute("CREATE TABLE songs (id int)", database(url))
    check_said(cleanroom, url, "is a database, but not a registry")
    names = postgresql.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", database(url))
    assert names == [("songs",)]


def test_an_empty_database_is_no_registry_to_read(url: str, cleanroom: Call) -> None:
    """Reading makes no tables; `registry migrate` does."""
    done = cleanroom("registry", "list", "--registry", url)
    assert (done.returncode, "There is no registry" in done.stderr) == (3, True)
    assert cleanroom("registry", "migrate", "--registry", url).returncode == 0
    assert cleanroom("registry", "list", "--registry", url).returncode == 0


def test_a_read_only_server_can_be_read(
    postgresql: Server, url: str, filled: SqlRegistry, candidate: MakeCandidate, evidence: MakeEvidence
) -> None:
    """As a standby is: functions are listed; promoting and revoking are refused, and nothing is changed."""
    before = dumped(url)
    postgresql.execute(f"ALTER DATABASE {database(url)} SET default_transaction_read_only = on")
    made = candidate("late")
    with pytest.raises(RegistryError, match="is read-only"):
        filled.promote(made, evidence(made))
    with pytest.raises(RegistryError, match="is read-only"):
        filled.revoke("f0", "x")
    assert len(filled.functions()) == 3
    assert dumped(url) == before


def test_what_is_opened_to_read_cannot_be_written(url: str, filled: SqlRegistry) -> None:
    """Whoever says that nothing will be written is held to it by the server."""
    before = dumped(url)
    assert len(filled.functions()) == 3
    with SqlRegistry(url, read_only=True) as registry:
        assert len(registry.functions()) == 3
        with pytest.raises(RegistryError, match="is read-only"):
            registry.revoke("f0", "x")
    assert dumped(url) == before


def test_a_connection_that_is_lost_at_any_statement(
    postgresql: Server, url: str, filled: SqlRegistry, candidate: MakeCandidate, evidence: MakeEvidence
) -> None:
    """The server ends the connection before the k-th statement of a promotion, for every k: all or nothing is there."""
    left = 0

    def cut(connection: Any, *_: Any) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            driver: Any = connection.connection.dbapi_connection
            pid = driver.info.backend_pid
            postgresql.execute(f"SELECT pg_terminate_backend({pid}, 5000)")

    event.listen(filled._engine, "before_cursor_execute", cut)
    made = candidate("f1", "other")
    before, statements = dumped(url), 0
    while True:
        statements += 1
        left = statements
        try:
            filled.promote(made, evidence(made))
        except RegistryError as error:
            said = error.message
        else:
            break
        left = 0
        assert "cannot be reached any more" in said
        assert dumped(url) == before
        assert len(filled.functions()) == 3
    left = 0
    assert statements >= 8
    assert [(p.name, p.version) for p in filled.functions()] == [("f0", 1), ("f2", 1), ("f1", 2)]


def test_a_lock_that_does_not_end_is_said_to_be_one(
    url: str, filled: SqlRegistry, candidate: MakeCandidate, evidence: MakeEvidence
) -> None:
    """A writer that never finishes makes the promotion fail after the wait; reading goes on meanwhile."""
    impatient, made = SqlRegistry(url, busy_timeout_s=0.2), candidate("late")
    with writing(filled._engine) as session, session.begin():
        session.connection()
        with pytest.raises(RegistryError, match="locked by another process"):
            impatient.promote(made, evidence(made))
        assert len(impatient.functions()) == 3
    impatient.promote(made, evidence(made))


@pytest.mark.parametrize("column", ["docstring", "issue"])
def test_text_with_a_null_character_is_refused(
    filled: SqlRegistry, candidate: MakeCandidate, evidence: MakeEvidence, column: str
) -> None:
    """PostgreSQL holds no such text: one sentence, nothing stored."""
    made = candidate("late").model_copy(update={column: "a\0b"})
    with pytest.raises(RegistryError, match="null character"):
        filled.promote(made, evidence(made))
    with pytest.raises(RegistryError, match="broken Unicode"):
        filled.promote(made.model_copy(update={column: "\ud800"}), evidence(made))
    assert len(filled.functions()) == 3


@pytest.fixture
def small_disk(postgresql: Server) -> Iterator[Path]:
    """A disk of 24 MiB that the server may write to. Needs root to be mounted."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    place = postgresql.folder / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m,uid=postgres,mode=700", "tmpfs", place], check=True)
    yield place
    subprocess.run(["umount", place], check=True)


def test_a_full_disk_changes_nothing(
    postgresql: Server, small_disk: Path, candidate: MakeCandidate, evidence: MakeEvidence
) -> None:
    """The promotion is refused with a sentence; with space it succeeds."""
    postgresql.execute(f"CREATE TABLESPACE small LOCATION '{small_disk}'")
    postgresql.execute("CREATE DATABASE test_small TABLESPACE small")
    url = postgresql.url("test_small")
    with SqlRegistry(url) as registry:
        made = candidate("first")
        registry.promote(made, evidence(made))
        before = dumped(url)
        filler = small_disk / "filler"
        with filler.open("wb", buffering=0) as file:
            try:
                while file.write(b"x" * 4096):
                    pass
            except OSError:
                pass
        big = candidate("big", issue=os.urandom(400_000).hex())
        with pytest.raises(RegistryError, match="disk is full"):
            registry.promote(big, evidence(big))
        filler.unlink()
        assert dumped(url) == before
        registry.promote(big, evidence(big))
        assert len(registry.functions()) == 2
    postgresql.execute("DROP DATABASE test_small")
    postgresql.execute("DROP TABLESPACE small")


def test_the_documented_role_can_promote_and_change_nothing(
    postgresql: Server, url: str, cleanroom: Call, candidate: MakeCandidate, evidence: MakeEvidence
) -> None:
    """docs/registry.md: the owner migrates; the other role adds, and has no right to change, remove or migrate."""
    name = database(url)
    [sql] = re.findall(r"```sql\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    for statement in sql.replace("registry_db", name).replace("'…'", f"'{PASSWORD}'").split(";"):
        postgresql.execute(statement, name)
    owner, member = (postgresql.url(name, role) for role in ("registry_owner", "registry_member"))
    assert cleanroom("registry", "migrate", "--registry", owner).returncode == 0
    with SqlRegistry(member) as registry:
        for each in ("f", "g"):
            made = candidate(each, each)
            registry.promote(made, evidence(made))
        registry.revoke("g", "wrong")
        assert [function.name for function in registry.functions()] == ["f"]
    before = dumped(owner)
    for table in ("functions", "events", "log_entries"):
        key = "position" if table == "log_entries" else "id"
        for attempt in (
            f"UPDATE {table} SET {key} = 77",  # noqa: S608 - a test's constants
            f"DELETE FROM {table}",  # noqa: S608
            f"TRUNCATE {table} CASCADE",
            f"DROP TABLE {table} CASCADE",
            f"DROP TRIGGER {table}_append_only ON {table}",
            f"ALTER TABLE {table} DISABLE TRIGGER ALL",
        ):
            with psycopg.connect(member) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(attempt.encode())
        for attempt in (f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE"):  # noqa: S608
            with psycopg.connect(owner) as connection, pytest.raises(psycopg.errors.RestrictViolation):
                connection.execute(attempt.encode())
    for attempt in ("UPDATE alembic_version SET version_num = '9'", "CREATE TABLE other (id int)"):
        with psycopg.connect(member) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(attempt.encode())
    assert dumped(owner) == before
