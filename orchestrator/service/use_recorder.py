"""Writes the uses of tokens to the registry's database before their answers leave. Called by the gatekeeper.

Uses that come while others are being written go into the next transaction together: one of these costs a write to the
disk, however many uses are in it.
"""

import asyncio

from fastapi.concurrency import run_in_threadpool

from orchestrator.registry.queue.token_store import TokenStore, TokenUse


class UseRecorder:
    """Belongs to one event loop."""

    def __init__(self, tokens: TokenStore) -> None:
        self._tokens = tokens
        self._waiting: list[tuple[TokenUse, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def record(self, use: TokenUse) -> None:
        """Returns when the use is on disk. Raises RegistryError when it cannot be written: then nothing is answered."""
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((use, written))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        await written

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                await run_in_threadpool(self._tokens.record, [use for use, _ in batch])
            except Exception as error:  # noqa: BLE001 - each of the waiting requests raises it
                for _, written in batch:
                    if not written.done():
                        written.set_exception(error)
            else:
                for _, written in batch:
                    if not written.done():
                        written.set_result(None)
