"""Exchanges with models written to a file, and played again from it without any model. Wired by `bootstrap`.

One line of JSON per exchange. A prompt is known by the hash of its messages and of the tool that was offered: the same
prompt gets the answers that were recorded for it, in their order; any other prompt is an error and not a guess. The
file holds prompts and answers as they were sent, under the privacy of the run, and no key.
"""

import hashlib
import json
import threading
from collections import defaultdict, deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from orchestrator.core.errors import ModelRefused, ModelUnavailable, OutputError, ProposalError, UsageError
from orchestrator.core.exchanges import ModelRole, TokenUsage
from orchestrator.data.files import append_text
from orchestrator.data.kept_file import refuse_kept
from orchestrator.propose.llm.chat import (
    ChatModel,
    ChatReply,
    ContentFiltered,
    ContextTooLong,
    Message,
    RateLimited,
    ReplySchema,
)

_ERRORS: Final[dict[str, type[ProposalError]]] = {
    cls.__name__: cls for cls in (ContentFiltered, ContextTooLong, RateLimited, ModelRefused, ModelUnavailable)
}


class Recording:
    """The file that is written. Safe to use from several threads; readable by its owner alone."""

    def __init__(self, path: Path, *, go_on: bool = False, gate_secret: str = "") -> None:
        """`go_on`: a run that is resumed adds to its file. `gate_secret`: the run's, so that the gate can say the same.

        Raises UsageError where another run's would be mixed up.
        """
        self._path = path
        self._more = {"gate_secret": gate_secret} if gate_secret else {}
        self._lock = threading.Lock()
        if path.exists() and not go_on:
            raise UsageError(f"The recording {path} exists already.", advice="Give --record another name.")
        refuse_kept(path)
        self.add({})  # a file that cannot be written is found before anything is paid for

    def add(self, entry: dict[str, Any]) -> None:
        """Append one entry. Raises OutputError."""
        line = json.dumps({**entry, **self._more}) + "\n" if entry else ""
        try:
            with self._lock:
                append_text(self._path, line)
        except OSError as error:
            raise OutputError(
                f"The recording {self._path} cannot be written: {error.strerror}.",
                advice="Give --record another place.",
            ) from error


class RecordingChat:
    """A ChatModel whose exchanges are recorded; errors that a proposer reacts to are answers too."""

    def __init__(self, chat: ChatModel, role: ModelRole, recording: Recording) -> None:
        self._chat = chat
        self._role = role
        self._recording = recording

    @property
    def name(self) -> str:
        return self._chat.name

    @property
    def structured(self) -> bool:
        return self._chat.structured

    def complete(self, messages: Sequence[Message], schema: ReplySchema | None = None) -> ChatReply:
        """The model's answer, recorded."""
        entry: dict[str, Any] = {
            "role": self._role,
            "model": self.name,
            "structured": self.structured,
            "prompt": prompt_hash(messages, schema),
            "messages": [message._asdict() for message in messages],
        }
        try:
            reply = self._chat.complete(messages, schema)
        except ProposalError as error:
            known = next((name for name, cls in _ERRORS.items() if type(error) is cls), None)
            if known:
                paid = {"usage": error.usage.model_dump()} if error.usage else {}
                told = {"error": known, "message": error.message, "advice": error.advice}
                self._recording.add({**entry, **told, **paid})
            raise
        answer: dict[str, Any] = {**reply._asdict(), "usage": reply.usage.model_dump()}
        if not reply.more_arguments:
            del answer["more_arguments"]
        self._recording.add({**entry, "reply": answer})
        return reply


class ReplayChat:
    """A ChatModel that answers from a recording alone, in the role in which it was recorded."""

    def __init__(self, path: Path, role: ModelRole) -> None:
        """Raises UsageError where the file is no recording. A role that was never asked has no answers, that is all."""
        self._path = path
        self._answers: dict[str, deque[dict[str, Any]]] = defaultdict(deque)
        self._lock = threading.Lock()
        everything = _entries(path)
        if not everything:
            raise UsageError(f"The recording {path} is empty.", advice="Name another recording.")
        entries = [entry for entry in everything if entry["role"] == role]
        for entry in entries:
            self._answers[entry["prompt"]].append(entry)
        like = (entries or everything)[0]
        self.name = str(like["model"])
        self.structured = bool(like["structured"])

    def complete(self, messages: Sequence[Message], schema: ReplySchema | None = None) -> ChatReply:
        """The recorded answer to exactly this prompt. Raises ModelRefused where there is none, or none left."""
        with self._lock:
            waiting = self._answers.get(prompt_hash(messages, schema))
            entry = waiting.popleft() if waiting else None
        if entry is None:
            raise ModelRefused(
                f"The recording {self._path} has no answer to this prompt: data, instruction or options differ.",
                advice="Run with the data, the options and the version with which it was recorded, or with a model.",
            )
        if "error" in entry:
            failure = _ERRORS[entry["error"]](entry["message"], advice=entry["advice"])
            failure.usage = TokenUsage(**entry["usage"]) if "usage" in entry else None
            raise failure
        reply = dict(entry["reply"])
        more = tuple(reply.get("more_arguments", ()))
        return ChatReply(**{**reply, "usage": TokenUsage(**reply["usage"]), "more_arguments": more})


def recorded_gate_secret(path: Path) -> str:
    """The secret of the run that was recorded; empty where an older version recorded it. Raises UsageError."""
    return next((str(entry["gate_secret"]) for entry in _entries(path) if entry.get("gate_secret")), "")


def prompt_hash(messages: Sequence[Message], schema: ReplySchema | None) -> str:
    """What a prompt is known by."""
    text = json.dumps([[m.role, m.content] for m in messages] + [schema.name if schema else None], ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _entries(path: Path) -> list[dict[str, Any]]:
    advice = "Name a file that was made with --record."
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        entries = [json.loads(line) for line in lines if line.strip()]
    except OSError as error:
        raise UsageError(f"The recording {path} cannot be read: {error.strerror}.", advice=advice) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is no recording.", advice=advice) from error
    for entry in entries:
        answered = isinstance(entry, dict) and ("reply" in entry or entry.get("error") in _ERRORS)
        if not answered or {"role", "model", "structured", "prompt"} - set(entry):
            raise UsageError(f"{path} is no recording.", advice=advice)
    return entries
