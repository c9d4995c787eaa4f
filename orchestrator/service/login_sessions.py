"""Browsers that have logged in with a token, and codes with which one can log in once. Called by the pages.

Kept in memory: whoever restarts the service logs everybody out. A session ends with its token.
"""

import secrets
import threading
import time

from orchestrator.registry.queue.token_store import ServiceToken, TokenScope, TokenStore

_SESSION_S = 12 * 3600.0
_CODE_S = 600.0
_MOST, _MOST_OF_ONE = 1000, 50  # sessions, and those of one token, whose holder logs nobody else out


class LoginSessions:
    """Safe for threads. Times are those of the monotonic clock: one that jumps logs nobody in."""

    def __init__(self, tokens: TokenStore) -> None:
        self._tokens = tokens
        self._lock = threading.Lock()
        self._sessions: dict[str, tuple[str | ServiceToken, float]] = {}
        self._codes: dict[str, float] = {}

    def log_in(self, secret: str) -> str | None:
        """A new session for the token with this secret, or for a code; None where neither is known."""
        if (session := self.log_in_by_code(secret)) is not None:
            return session
        token = self._tokens.find(secret)
        return self._add(secret) if token is not None and token.usable else None

    def log_in_by_code(self, code: str) -> str | None:
        """A new session of the operator, or None: no token counts here."""
        with self._lock:
            expires = self._codes.pop(code, 0.0)
        return self._add(_operator()) if expires > time.monotonic() else None

    def held_by(self, session: str) -> str | ServiceToken | None:
        """The secret of the session's token, which may have been revoked since; or the operator's, who has none."""
        with self._lock:
            held, expires = self._sessions.get(session, ("", 0.0))
        return None if expires < time.monotonic() else held

    def log_out(self, session: str) -> None:
        with self._lock:
            self._sessions.pop(session, None)

    def one_time_code(self) -> str:
        """A code for the person who started the service, on the machine itself: it opens one session, soon."""
        code = secrets.token_urlsafe(24)
        with self._lock:
            self._codes[code] = time.monotonic() + _CODE_S
        return code

    def _add(self, held: "str | ServiceToken") -> str:
        session = secrets.token_urlsafe(32)
        with self._lock:
            now = time.monotonic()
            self._sessions = {one: kept for one, kept in self._sessions.items() if kept[1] > now}
            own = [one for one, (whose, _) in self._sessions.items() if _whose(whose) == _whose(held)]
            if len(own) >= _MOST_OF_ONE:
                self._sessions.pop(own[0])
            elif len(self._sessions) >= _MOST:
                self._sessions.pop(next(iter(self._sessions)))
            self._sessions[session] = (held, now + _SESSION_S)
        return session


def _whose(held: str | ServiceToken) -> str:
    return held if isinstance(held, str) else held.id


def _operator() -> ServiceToken:
    """Who has started the service with --open may do there what they may do with its files anyway."""
    return ServiceToken("operator", "operator", frozenset(TokenScope), "", int(time.time() + _SESSION_S))
