"""Writes the uses of tokens to the registry's database before their answers leave. Called by the gatekeeper.

Uses that come together, or while others are being written, go into one transaction. In an SQLite file the event loop
writes them by itself, which takes no longer than asking a thread to. Where somebody else has the lock it tries again
soon: SQLite itself, in a thread, would do so after up to a tenth of a second. Only after a while a thread waits.
"""

import asyncio
from collections.abc import Sequence

from fastapi.concurrency import run_in_threadpool

from orchestrator.core.errors import CleanroomError
from orchestrator.registry.queue.fast_path import FastPath, Locked, NotAtOnce
from orchestrator.registry.queue.token_store import TokenStore, TokenUse
from orchestrator.service.problems import say_internal

_AGAIN_S, _TRIES = 0.003, 50
_CHECKPOINT_EVERY = 500  # uses written here, each some pages of the log


class UseRecorder:
    """Belongs to one event loop."""

    def __init__(self, tokens: TokenStore, fast: FastPath | None) -> None:
        self._tokens, self._fast = tokens, fast
        self._waiting: list[tuple[TokenUse, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None
        self._checkpoint: asyncio.Task[None] | None = None
        self._since_checkpoint = self._tries = 0

    async def record(self, use: TokenUse) -> None:
        """Returns when the use is on record. Raises RegistryError when it cannot be: then nothing is answered."""
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        self._waiting.append((use, written))
        if len(self._waiting) == 1 and self._writing is None:
            loop.call_soon(self._write)  # after those who are as far as this in the same turn of the loop
        await written

    def _write(self) -> None:
        try:
            at_once = self._at_once([use for use, _ in self._waiting])
        except Locked:
            self._tries += 1
            if self._tries < _TRIES:
                asyncio.get_running_loop().call_later(_AGAIN_S, self._write)
                return
            at_once = False
        self._tries = 0
        if not at_once:
            self._writing = asyncio.create_task(self._write_in_thread())
            return
        for _, written in self._waiting:
            _settle(written)
        self._waiting = []

    def _at_once(self, uses: Sequence[TokenUse]) -> bool:
        """Whether they are on record now. Raises Locked."""
        if self._fast is None:
            return False
        try:
            self._fast.record(uses)
        except Locked:
            raise
        except NotAtOnce:
            return False
        self._since_checkpoint += len(uses)
        if self._since_checkpoint > _CHECKPOINT_EVERY and (self._checkpoint is None or self._checkpoint.done()):
            self._since_checkpoint, self._checkpoint = 0, asyncio.create_task(self._make_checkpoint())
        return True

    async def _write_in_thread(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                await run_in_threadpool(self._tokens.record, [use for use, _ in batch])
            except Exception as error:  # noqa: BLE001 - each of the waiting requests raises it
                for _, written in batch:
                    _settle(written, error)
            else:
                for _, written in batch:
                    _settle(written)
        self._writing = None

    async def _make_checkpoint(self) -> None:
        try:
            await run_in_threadpool(self._tokens.checkpoint)
        except CleanroomError as error:  # the next one may be made
            say_internal(error)


def _settle(written: "asyncio.Future[None]", error: Exception | None = None) -> None:
    """Let the request go on, unless it has ended meanwhile."""
    if written.done():
        return
    if error is None:
        written.set_result(None)
    else:
        written.set_exception(error)
