"""What every request asks of the database: whose token it is, and how a job stands. Called by the routes.

With a registry in an SQLite file the event loop looks by itself; in a thread where that would have to wait, and for a
registry in PostgreSQL.
"""

from fastapi.concurrency import run_in_threadpool

from orchestrator.registry.queue.fast_path import FastPath, NotAtOnce
from orchestrator.registry.queue.job_store import JobStore
from orchestrator.registry.queue.service_job import StoredJob
from orchestrator.registry.queue.token_store import ServiceToken, TokenStore


class Lookups:
    """Belongs to one event loop. Every method raises RegistryError."""

    def __init__(self, tokens: TokenStore, jobs: JobStore, fast: FastPath | None) -> None:
        self._tokens, self._jobs, self._fast = tokens, jobs, fast

    async def token(self, secret: str) -> ServiceToken | None:
        """The token with this secret, usable or not: as it is now, so that one which is revoked is so at once."""
        if self._fast is not None:
            try:
                return self._fast.token(secret)
            except NotAtOnce:
                pass
        return await run_in_threadpool(self._tokens.find, secret)

    async def job(self, job_id: str, token_id: str | None) -> StoredJob | None:
        """The job, if it is this token's (None: anybody's)."""
        if self._fast is not None:
            try:
                return _of(token_id, self._fast.job(job_id))
            except NotAtOnce:
                pass
        return _of(token_id, await run_in_threadpool(self._jobs.stored, job_id))


def _of(token_id: str | None, job: StoredJob | None) -> StoredJob | None:
    return None if job is None or token_id not in {None, job.token_id} else job
