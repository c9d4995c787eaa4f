"""A PostgreSQL server of the tests themselves, from Debian's package: temporary folder, Unix socket, one test session.

Where it is not installed the tests that need it are skipped, and fail where CLEANROOM_TEST_REQUIRED names `postgresql`.
"""

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.support.required import skip_without

PASSWORD = "Pass-wort-geheim"  # noqa: S105 - of a server that only this process can reach
SECONDS = 60.0


class Server:
    """A running server. Its superuser is `owner`, with `PASSWORD`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def url(self, database: str = "postgres", user: str = "owner", password: str = PASSWORD) -> str:
        return f"postgresql://{user}:{password}@/{database}?host={self.folder}"

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Run SQL as the superuser; the rows of its answer."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return list(cursor) if cursor.description else []

    def new_database(self) -> str:
        """The URL of an empty database."""
        name = f"test_{secrets.token_hex(6)}"
        self.execute(f"CREATE DATABASE {name}")
        return self.url(name)


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def _as_postgres(*command: object, root: bool) -> list[str]:
    """The command by a user that the server accepts, which root is not; it ends with this process.

    Its System V objects are its own, where root can have that: the red team watches the host's, and may run beside it.
    """
    alone = (
        ("unshare", "--ipc")
        if root and not subprocess.run(["unshare", "--ipc", "true"], check=False).returncode
        else ()
    )
    who = ("--reuid=postgres", "--regid=postgres", "--init-groups") if root else ()
    return [*alone, "setpriv", *who, "--pdeathsig=INT", "--", *map(str, command)]


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """One server for all tests of the session."""
    programs = _programs()
    if programs is None:
        skip_without("postgresql", "no PostgreSQL here: `apt-get install --no-install-recommends postgresql` brings it")
    root = os.geteuid() == 0
    folder = Path(tempfile.mkdtemp(prefix="cleanroom-postgresql-"))
    secret = folder / "password"
    secret.write_text(PASSWORD)
    if root:
        shutil.chown(folder, "postgres", "postgres")
        shutil.chown(secret, "postgres", "postgres")
    options = ("--auth=scram-sha-256", "--username=owner", f"--pwfile={secret}", "--encoding=UTF8", "--locale=C")
    init = _as_postgres(programs / "initdb", "-D", folder / "data", *options, root=root)
    subprocess.run(init, check=True, capture_output=True, timeout=SECONDS, cwd="/")
    settings = ("listen_addresses=", "max_connections=80", "unix_socket_permissions=0777", "fsync=off")
    words = [word for setting in settings for word in ("-c", setting)]
    command = _as_postgres(programs / "postgres", "-D", folder / "data", "-k", folder, *words, root=root)
    with (folder / "log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log, cwd="/") as process:
        try:
            server = Server(folder)
            _wait(server, process, folder / "log")
            yield server
        finally:
            process.send_signal(signal.SIGINT)  # ends all connections, then the server
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
    shutil.rmtree(folder)


def _wait(server: Server, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            server.execute("SELECT 1")
        except psycopg.OperationalError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"PostgreSQL did not start: {error}\n{log.read_text()}")
            time.sleep(0.05)
        else:
            return
