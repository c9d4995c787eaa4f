"""A model that writes parsers: what it is shown of the file, and what of its answer is taken."""

import re

import pytest

from orchestrator.core.errors import ReplyError, UsageError
from orchestrator.core.verdict import CheckResult, Outcome
from orchestrator.propose.llm.budget import Budget, BudgetLimits
from orchestrator.propose.privacy.masking import Masker
from orchestrator.propose.roles.parser_writer import MAX_LINES, ParserWriter
from orchestrator.propose.roles.role_client import RoleClient
from orchestrator.propose.scripted_models import ScriptedChat
from orchestrator.propose.wiring import ModelAccess, parser_side

SOURCE = 'def parse(data, state, last):\n    """Rows."""\n    return [], state\n'
HEAD = b"2026-03-01 Ada Lovelace 7\r\n" + b"2026-03-02 Ken \xff 9\n" * 100
FAILED = CheckResult(id="loses-nothing", outcome=Outcome.FAIL, detail="in line 1, 'Ada' can be 'Adb'")


def writer(chat: ScriptedChat, *, masked: bool = False) -> ParserWriter:
    mask = Masker(b"key").text if masked else None
    return ParserWriter(RoleClient(chat, "proposer", Budget()), imports=("re", "json"), mask=mask)


def asked(chat: ScriptedChat) -> str:
    return "\n".join(message.content for message in chat.asked[-1].messages)


def test_the_model_sees_the_first_lines_and_the_user_s_words() -> None:
    """Bytes that are no text show as escapes; more lines than a few dozen do not help."""
    chat = ScriptedChat([f"```python\n{SOURCE}```"])
    assert writer(chat).write(HEAD, "Times, names, counts.") == SOURCE
    text = asked(chat)
    for shown in ("Times, names, counts.", '"2026-03-01 Ada Lovelace 7\\r\\n"', "Ken \\\\xff 9", "re, json"):
        assert shown in text
    assert text.count("Ken") == MAX_LINES - 1
    assert "was rejected" not in text


def test_blank_lines_are_shown() -> None:
    """They part the records of many formats, and a model that was not shown them wrote a parser that broke on them."""
    chat = ScriptedChat([f"```python\n{SOURCE}```"])
    writer(chat).write(b"id: 1\n\nid: 2\r\n\r\nend", "")
    assert '"id: 1\\n",\n"\\n",\n"id: 2\\r\\n",\n"\\r\\n",\n"end"\n' in asked(chat)


def test_a_repair_shows_the_source_and_the_law() -> None:
    """What was wrong is said with the line where it shows."""
    chat = ScriptedChat([f"Here it is:\n```python\n{SOURCE}```\nDone."])
    writer(chat).write(HEAD, "", attempt=2, rejected="def parse(): OLD", failed=FAILED)
    for shown in ("attempt 2", "def parse(): OLD", "loses-nothing: in line 1"):
        assert shown in asked(chat)


def test_masked_lines_keep_their_form_only() -> None:
    """No word or number of the file reaches the model, also not in the reason of a repair."""
    chat = ScriptedChat([f"```python\n{SOURCE}```"])
    writer(chat, masked=True).write(HEAD, "", attempt=1, rejected=SOURCE, failed=FAILED)
    text = asked(chat)
    for hidden in ("Lovelace", "Ada", "2026-03-01", "Adb"):
        assert hidden not in text
    assert "loses-nothing" in text
    assert "replaced by others" in text


@pytest.mark.parametrize("encoding", ["cp1251", "iso8859-7", "cp273", "latin-1"])
def test_masked_bytes_of_another_encoding_are_no_cipher(encoding: str) -> None:
    """A fake for each byte, always the same one, showed names to whoever solves a puzzle of a newspaper."""
    name = {"cp1251": "Иванов", "iso8859-7": "Παπαδό", "cp273": "kleine"}.get(encoding, "äöüßéè")
    chat = ScriptedChat([f"```python\n{SOURCE}```"])
    writer(chat, masked=True).write(b"7 " + name.encode(encoding) + b"\n" + (name.encode(encoding) + b" 8\n") * 30, "")
    shown = re.findall(r"(?:\\\\x[89a-f][0-9a-f]){6}", asked(chat))
    assert len(shown) == 31, "each is six bytes still"
    assert len(set(shown)) > 25


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32", "iso2022_jp"])
def test_masked_lines_with_bytes_that_are_no_letters_are_refused(encoding: str) -> None:
    """Half of each Cyrillic letter in UTF-16 is a control character, a digit or punctuation, and stood there."""
    text = "ИВАНОВ" * 70 + " 1\n2 ПЕТРОВ\n"  # no byte beside its letters among the first 400
    with pytest.raises(UsageError, match="UTF-16") as caught:
        writer(ScriptedChat([]), masked=True).write(text.encode(encoding), "")
    assert "UTF-8" in caught.value.advice
    chat = ScriptedChat([f"```python\n{SOURCE}```"])
    writer(chat).write(text.encode(encoding), "")  # raw, as before


def test_a_model_cannot_write_a_parser_unseen() -> None:
    """Patterns without lines would leave nothing to look at."""
    with pytest.raises(UsageError, match="without seeing lines"):
        parser_side("scripted", ModelAccess(), BudgetLimits(), privacy="profile")


def test_an_answer_without_code_is_asked_for_again_and_then_given_up() -> None:
    """The last answer's fault is in the error."""
    chat = ScriptedChat(["I cannot.", f"```\n{SOURCE}```"])
    assert writer(chat).write(HEAD, "") == SOURCE
    with pytest.raises(ReplyError, match="holds no Python"):
        writer(ScriptedChat(["no"] * 3)).write(HEAD, "")
