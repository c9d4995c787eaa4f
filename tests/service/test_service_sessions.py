"""The sessions of browsers: how many one token may have."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from orchestrator.registry.queue.token_store import TokenScope, TokenStore
from orchestrator.service.login_sessions import LoginSessions
from tests.service.conftest import listening

HOUR_S = 3600.0


@pytest.fixture
def tokens(tmp_path: Path) -> Iterator[TokenStore]:
    with TokenStore(f"sqlite:///{tmp_path}/registry.db", create=True) as store:
        yield store


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let so much time have passed by the clock of the sessions."""
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + seconds)


def test_a_session_ends_after_twelve_hours(tokens: TokenStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that was left open logs nobody in for ever."""
    sessions, secret = LoginSessions(tokens), tokens.create("ann", [TokenScope.VERIFY], 30)[1]
    session = sessions.log_in(secret)
    assert session is not None
    later(monkeypatch, 11.9 * HOUR_S)
    assert sessions.held_by(session) == secret
    later(monkeypatch, 0.2 * HOUR_S)
    assert sessions.held_by(session) is None


@pytest.mark.parametrize("how", ["revoked", "expired", "unknown"])
def test_a_token_that_is_no_use_gets_no_session(tokens: TokenStore, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """What the API would refuse, the pages refuse as well."""
    token, secret = tokens.create("ann", [TokenScope.VERIFY], 1)
    sessions = LoginSessions(tokens)
    assert sessions.log_in(secret) is not None
    if how == "revoked":
        tokens.revoke(token.id)
    elif how == "expired":
        now = time.time()
        monkeypatch.setattr(time, "time", lambda: now + 25 * HOUR_S)
    assert sessions.log_in(secret if how != "unknown" else secret + "x") is None


def test_a_code_opens_one_session_and_soon(tokens: TokenStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads it off the terminal later gets in with it no more, and neither does anybody after ten minutes."""
    sessions = LoginSessions(tokens)
    code, late = sessions.one_time_code(), sessions.one_time_code()
    session = sessions.log_in(code)
    assert session is not None
    assert sessions.held_by(session) is not None
    assert sessions.log_in(code) is None
    later(monkeypatch, 601.0)
    assert sessions.log_in(late) is None


def test_whoever_logs_in_again_and_again_ends_own_sessions_alone(tmp_path: Path) -> None:
    """The sessions of all are limited: one token's holder could have logged everybody else out."""
    with TokenStore(f"sqlite:///{tmp_path}/registry.db", create=True) as tokens:
        secrets = [tokens.create(name, [TokenScope.VERIFY], 1)[1] for name in ("ann", "ben")]
        sessions = LoginSessions(tokens)
        ann = sessions.log_in(secrets[0])
        bens = [sessions.log_in(secrets[1]) for _ in range(60)]
        assert ann is not None
        assert sessions.held_by(ann) == secrets[0]
        assert [one for one in bens if one is not None and sessions.held_by(one)] == bens[10:]


def test_two_services_on_one_machine_have_a_session_each(tmp_path: Path) -> None:
    """A browser sends the cookies of one port to the other, and each login took the place of the other one."""
    with ExitStack() as both:
        browser = both.enter_context(httpx.Client())
        lives = [both.enter_context(listening(tmp_path / name)) for name in ("one", "two")]
        for live in lives:
            sent, own = {"token": live.token()}, {"Origin": live.address}
            assert browser.post(f"{live.address}/login", data=sent, headers=own).status_code == 303
        assert [browser.get(f"{live.address}/").status_code for live in lives] == [200, 200]
        assert browser.post(f"{lives[1].address}/logout", headers=own).status_code == 303
        assert [browser.get(f"{live.address}/").status_code for live in lives] == [200, 401]
