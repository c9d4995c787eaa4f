"""The sessions of browsers: how many one token may have."""

from pathlib import Path

from orchestrator.registry.queue.token_store import TokenScope, TokenStore
from orchestrator.service.login_sessions import LoginSessions


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
