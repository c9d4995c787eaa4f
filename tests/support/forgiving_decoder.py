"""A decoder that does not say what a function tried to get at, for spies that look at files and are to be applied."""

import json

from orchestrator.core.ports import Disposable
from orchestrator.data.hostile.byte_parts import join_parts, split_parts
from orchestrator.data.hostile.decode_entry import requests


class ForgivingDecoder:
    """Answers as the real one does, but for what was tried."""

    def __init__(self, real: Disposable) -> None:
        self._real = real

    def call(self, request: bytes) -> bytes:
        answer = self._real.call(request)
        if request.startswith(requests(())):
            return join_parts([_forgiven(bytes(each)) for each in split_parts(answer)])
        return _forgiven(answer)

    def close(self) -> None:
        self._real.close()


def _forgiven(answer: bytes) -> bytes:
    size = int.from_bytes(answer[:4], "big")
    header = json.dumps(json.loads(answer[4 : 4 + size]) | {"tried": ""}).encode()
    return len(header).to_bytes(4, "big") + header + answer[4 + size :]
