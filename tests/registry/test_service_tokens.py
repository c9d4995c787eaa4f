"""Tokens of the service: made by the command, kept as a hash, usable until they expire or are revoked."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from orchestrator.core.errors import RegistryError, UsageError
from orchestrator.registry.queue import token_store
from orchestrator.registry.queue.token_store import TokenScope, TokenStore, TokenUse
from tests.support.command import Call, in_this_process


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TokenStore]:
    with TokenStore(f"sqlite:///{tmp_path}/registry.db", create=True) as made:
        yield made


@pytest.fixture
def cleanroom(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Call:
    return in_this_process(tmp_path, capfd)


def test_the_secret_is_shown_once_and_kept_nowhere(store: TokenStore, tmp_path: Path) -> None:
    """It has 256 bits, finds its token, and stands in no file of the registry."""
    token, secret = store.create("etl", {TokenScope.VERIFY}, 1)
    assert len(secret.removeprefix(token_store.PREFIX)) == 43
    assert store.find(secret) == token
    assert token.usable
    assert store.find(secret[:-1]) is None
    for file in tmp_path.iterdir():
        assert secret.encode() not in file.read_bytes()


def test_a_revoked_or_expired_token_is_not_usable(store: TokenStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are still known, so that their use can be told from that of a wrong token."""
    _, first = store.create("one", {TokenScope.READ}, 1)
    token, second = store.create("two", {TokenScope.READ}, 1)
    assert store.revoke("one").state == "revoked"
    found = store.find(first)
    assert found is not None
    assert not found.usable
    monkeypatch.setattr(token_store, "time", SimpleNamespace(time=lambda: token.expires + 1.0))
    expired = store.find(second)
    assert expired is not None
    assert expired.state == "expired"


def test_an_open_store_sees_what_others_revoke_and_record(store: TokenStore, tmp_path: Path) -> None:
    """Its connections stay open between two looks, and what it has seen before is never an answer."""
    _, secret = store.create("one", {TokenScope.READ}, 1)
    assert store.find(secret) is not None
    with TokenStore(f"sqlite:///{tmp_path}/registry.db") as other:
        other.revoke("one")
        store.record([TokenUse("x", "GET /", 200)])
        assert other.uses("x")[0][1] == TokenUse("x", "GET /", 200)
    found = store.find(secret)
    assert found is not None
    assert found.state == "revoked"


def test_a_file_that_was_replaced_is_not_used_on(store: TokenStore, tmp_path: Path) -> None:
    """What is in another file of that name counts from the next look; where there is none, that is an error."""
    _, old = store.create("one", {TokenScope.READ}, 1)
    with TokenStore(f"sqlite:///{tmp_path}/other.db", create=True) as other:
        _, new = other.create("two", {TokenScope.READ}, 1)
    for file in tmp_path.glob("registry.db*"):
        file.unlink()
    with pytest.raises(RegistryError):
        store.find(old)
    (tmp_path / "other.db").rename(tmp_path / "registry.db")
    assert store.find(old) is None
    assert store.find(new) is not None


@pytest.mark.parametrize(
    ("name", "scopes", "days"),
    [("", {TokenScope.READ}, 1), ("a\nb", {TokenScope.READ}, 1), ("x" * 81, {TokenScope.READ}, 1), ("a", set(), 1),
     ("a", {TokenScope.READ}, 0), ("a", {TokenScope.READ}, 367)],
)  # fmt: skip
def test_a_token_that_cannot_be_is_refused(store: TokenStore, name: str, scopes: set[TokenScope], days: int) -> None:
    """No name, several lines, no scope, no end."""
    with pytest.raises(UsageError):
        store.create(name, scopes, days)
    assert store.tokens() == ()


def test_uses_can_be_added_and_not_changed(store: TokenStore) -> None:
    """What a token was used for stays, whoever writes to the database through its triggers."""
    token, _ = store.create("etl", {TokenScope.VERIFY}, 1)
    store.record([TokenUse(token.id, "GET /api/v1/jobs", 200), TokenUse(token.id, "POST /api/v1/verifications", 429)])
    assert [use.action for _, use in store.uses(token.id)] == [
        "POST /api/v1/verifications", "GET /api/v1/jobs", "created",
    ]  # fmt: skip
    for attempt in ("UPDATE service_token_uses SET status = 0", "DELETE FROM service_token_uses"):
        with pytest.raises(DBAPIError, match="append-only"), store._engine.begin() as connection:
            connection.execute(text(attempt))


@pytest.mark.parametrize("change", ["scopes = 'read x'", "expires = 99999999999999999", "expires = -1"])
def test_a_token_that_cleanroom_never_wrote_is_refused(store: TokenStore, cleanroom: Call, change: str) -> None:
    """A registry may come from anywhere: one sentence, also where it is only listed."""
    _, secret = store.create("etl", {TokenScope.READ}, 1)
    with store._engine.begin() as connection:
        connection.execute(text(f"UPDATE service_tokens SET {change}"))  # noqa: S608 - a test's constants
    with pytest.raises(RegistryError, match="cannot be read"):
        store.find(secret)
    listed = cleanroom("tokens", "list", "--registry", ".")
    assert (listed.returncode, "A token in the registry cannot be read" in listed.stderr) == (3, True)


def test_the_command_makes_lists_and_revokes(cleanroom: Call, tmp_path: Path) -> None:
    """The secret alone is on stdout; a second token of the name is refused until the first is revoked."""
    made = cleanroom("tokens", "create", "etl", "--scope", "verify", "--scope", "read", "--registry", "r")
    secret = made.stdout.strip()
    assert made.returncode == 0
    with TokenStore(f"sqlite:///{tmp_path}/r/registry.db") as store:
        found = store.find(secret)
        assert found is not None
        assert found.scopes == {TokenScope.READ, TokenScope.VERIFY}
    again = cleanroom("tokens", "create", "etl", "--scope", "admin", "--registry", "r")
    assert again.returncode == 2
    listed = cleanroom("tokens", "list", "--registry", "r")
    assert "etl" in listed.stdout
    assert secret not in listed.stdout
    assert cleanroom("tokens", "revoke", "etl", "--registry", "r").returncode == 0
    assert '"state": "revoked"' in cleanroom("tokens", "list", "--registry", "r", "--json").stdout
    assert cleanroom("tokens", "revoke", "etl", "--registry", "r").returncode == 2
    assert cleanroom("tokens", "create", "x", "--registry", "r").returncode == 2
