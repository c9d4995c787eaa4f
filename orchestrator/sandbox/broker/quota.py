"""How many connections, and so containers, each user and all users together may have. Called by server.py."""

import threading
from collections import Counter


class Quota:
    """Safe for threads."""

    def __init__(self, per_user: int, most: int) -> None:
        self._per_user = per_user
        self._most = most
        self._lock = threading.Lock()
        self._held: Counter[int] = Counter()

    def take(self, user: int) -> str:
        """Count one more connection of the user; why not, where a limit is reached (and nothing is counted)."""
        with self._lock:
            if self._held.total() >= self._most:
                return f"its limit of {self._most} containers for all users is reached"
            if self._held[user] >= self._per_user:
                return f"the limit of {self._per_user} containers for user {user} is reached"
            self._held[user] += 1
            return ""

    def give_back(self, user: int) -> None:
        with self._lock:
            self._held[user] -= 1
            if not self._held[user]:
                del self._held[user]
