"""Answers of model servers that come packed: read where they are packed as was asked, refused before they grow."""

import gzip
import tracemalloc
import zlib
from collections.abc import Callable

import pytest

from orchestrator.core.errors import ModelRefused, ModelUnavailable
from orchestrator.propose.llm.chat import Message
from orchestrator.propose.llm.litellm_chat import LiteLLMChat
from orchestrator.propose.llm.retrying import RetryingChat
from tests.support.scripted_server import Answer, ScriptedServer, text

HELLO = [Message("user", "hello")]
CLEAN = "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"
MB = 1_000_000
LARGE = gzip.compress(bytes(200 * MB), 9)  # 200 KB
TWICE = gzip.compress(LARGE, 9)  # 700 bytes


def chat_of(server: ScriptedServer, *, in_pieces: bool = False) -> LiteLLMChat:
    on_progress = (lambda _: None) if in_pieces else None
    return LiteLLMChat("m", api_base=server.base_url, api_key="any", on_progress=on_progress)


def packed(body: bytes, coding: str, status: int = 200) -> Answer:
    return Answer(status, body, {"Content-Type": "application/json", "Content-Encoding": coding})


def bare(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()


@pytest.mark.parametrize(
    ("pack", "coding"),
    [
        (gzip.compress, "gzip"),
        (gzip.compress, "GZIP, identity"),
        (zlib.compress, "deflate"),
        (bare, "deflate"),
        (bytes, "utf-8"),
        (bytes, "identity"),
    ],
)
@pytest.mark.parametrize("fill", ["", "a" * 300_000])
def test_an_answer_that_is_packed_once_is_read(pack: Callable[[bytes], bytes], coding: str, fill: str) -> None:
    """The two methods that servers are asked for, and words in the head that name none."""
    words = CLEAN + fill
    with ScriptedServer([packed(pack(text(words).body), coding)]) as server:
        assert chat_of(server).complete(HELLO).text == words
        assert server.requests[0].headers["accept-encoding"] == "gzip, deflate"


@pytest.mark.parametrize("in_pieces", [True, False])
@pytest.mark.parametrize("status", [200, 400, 503])
@pytest.mark.parametrize(
    ("body", "coding", "told"),
    [
        (LARGE, "gzip", "sent more than 32 MB in one answer"),
        (zlib.compress(bytes(200 * MB), 9), "deflate", "sent more than 32 MB in one answer"),
        (TWICE, "gzip, gzip", "packed its answer more than once"),
        (gzip.compress(TWICE, 9), "gzip,gzip,gzip", "packed its answer more than once"),
        (b"any", "br", "packed its answer as br, for which it was not asked"),
        (b"any", "zstd", "packed its answer as zstd, for which it was not asked"),
    ],
    ids=["gzip", "deflate", "twice", "three-times", "br", "zstd"],
)
def test_a_small_body_does_not_become_a_large_one(
    body: bytes, coding: str, told: str, status: int, in_pieces: bool
) -> None:
    """The attack: a kilobyte that unpacks to gigabytes, as an answer, as a stream and as an error; asked once."""
    with ScriptedServer([packed(body, coding, status)], repeat_last=True) as server:
        chat = RetryingChat(chat_of(server, in_pieces=in_pieces))
        tracemalloc.start()
        try:
            with pytest.raises(ModelRefused, match=f"^m {told}.$"):
                chat.complete(HELLO)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert len(server.requests) == 1
    assert most < 60 * MB


@pytest.mark.parametrize("body", [b"no gzip at all", gzip.compress(b"{" * 999)[:-12]])
def test_an_answer_that_does_not_unpack_is_one_that_may_be_asked_for_again(body: bytes) -> None:
    """Broken in the middle, or never packed: one sentence, of the kind that is tried again."""
    with ScriptedServer([packed(body, "gzip")]) as server, pytest.raises(ModelUnavailable) as caught:
        chat_of(server).complete(HELLO)
    assert "\n" not in caught.value.message


def test_what_stands_behind_the_packed_part_is_counted() -> None:
    """The attack: the packed part ends at once, and what follows it without an end is kept by the unpacker."""
    endless = packed(gzip.compress(text(CLEAN).body), "gzip")._replace(close=True, drip=bytes(4 * MB))
    with (
        ScriptedServer([endless], repeat_last=True) as server,
        pytest.raises(ModelRefused, match="sent more than 32 MB"),
    ):
        chat_of(server).complete(HELLO)
