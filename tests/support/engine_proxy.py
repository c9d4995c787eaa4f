"""A socket between cleanroom and the real engine that can be cut: an engine that dies, without killing the real one."""

import socket
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

REAL = "/var/run/docker.sock"


class EngineProxy:
    """Forwards every connection; after `cut` all are gone and none is taken any more."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._listener = socket.socket(socket.AF_UNIX)
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)

    @property
    def address(self) -> str:
        return f"unix://{self._path}"

    def __enter__(self) -> Self:
        self._listener.bind(str(self._path))
        self._listener.listen(64)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.cut()

    def cut(self) -> None:
        """The engine is dead from now on."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._path.unlink(missing_ok=True)
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        while True:
            try:
                theirs, _ = self._listener.accept()
            except OSError:
                return
            real = socket.socket(socket.AF_UNIX)
            real.connect(REAL)
            self._open += [theirs, real]
            for source, target in ((theirs, real), (real, theirs)):
                threading.Thread(target=_pump, args=(source, target), daemon=True).start()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
