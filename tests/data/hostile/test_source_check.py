"""Long source texts meet the parser in a disposable process first."""

import resource

import pytest

from orchestrator.core.errors import CandidateError
from orchestrator.data import source_check
from orchestrator.data.source_check import LONG, too_costly
from orchestrator.gate import candidate_file
from orchestrator.propose.replies import code_extraction

GOOD = '"""x"""\ndef f(df):\n    """d"""\n    return df\n'
HOSTILE = {
    "dots": "y = a" + ".a" * 400_000,
    "empty lists": "y = " + "[]," * 300_000,
    "assignments": "\n".join(f"a{number}=1" for number in range(90_000)),
    "decorators": "@a\n" * 200_000 + "def g(): pass",
    "operators": "y = " + "1+" * 300_000 + "1",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_text_that_costs_the_parser_much_is_refused_and_costs_little_here(kind: str) -> None:
    """Up to two seconds and 460 megabytes of the main process before: a sentence now, and neither time nor memory."""
    assert too_costly(HOSTILE["dots"])  # the process is there
    before = resource.getrusage(resource.RUSAGE_SELF)
    with pytest.raises(CandidateError, match="nested too deeply or too large"):
        candidate_file.read(GOOD + HOSTILE[kind])
    after = resource.getrusage(resource.RUSAGE_SELF)
    assert after.ru_utime - before.ru_utime < 0.3
    assert (after.ru_maxrss - before.ru_maxrss) < 32 * 1024


def test_a_long_text_that_is_harmless_is_read() -> None:
    """The control: a table of five thousand entries is a candidate like any other; a syntax error is named as such."""
    table = "WORDS = {" + ", ".join(f'"word {number}": {number}' for number in range(5_000)) + "}\n"
    assert len(table) > 5 * LONG
    assert candidate_file.read('"""x"""\n' + table + GOOD[8:]).name == "f"
    with pytest.raises(CandidateError, match="not valid Python in line"):
        candidate_file.read(GOOD + table + "y = (")


@pytest.mark.parametrize("head", ["2 + 2\n", "2" + "a" * 14 + "\u00e9", "2parses" + "\0" * 16, "s", "n"])
def test_no_beginning_of_a_text_is_taken_for_a_mark_of_the_request(head: str) -> None:
    """A text that begins as a request of two steps does ended the run, or was refused though it is short work."""
    assert not too_costly(head + "# x\n" * LONG)
    assert too_costly(head + HOSTILE["dots"]) is ("\0" not in head and head != "2" + "a" * 14 + "\u00e9")


def test_replies_are_held_to_the_same() -> None:
    """Code in a model's answer, too."""
    said = code_extraction.parse("y = a" + ".a" * 45_000)
    assert isinstance(said, str)
    assert "nested too deeply" in said


def test_short_texts_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """An ordinary function is parsed at once."""
    monkeypatch.setattr(source_check, "kept_process", lambda *_: pytest.fail("a process was started"))
    assert not too_costly(GOOD)
    assert candidate_file.read(GOOD).name == "f"
