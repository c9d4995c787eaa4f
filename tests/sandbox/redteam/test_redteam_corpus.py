"""The corpus as data: complete, distinct, every attack with a control, every source a program."""

import ast
import difflib
import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from pydantic import ValidationError

from orchestrator.core.jobs import Ended
from orchestrator.sandbox.redteam import corpus
from orchestrator.sandbox.redteam.attack import BROKE, Form
from orchestrator.sandbox.redteam.attack_source import attack_source, control_source
from tests.sandbox.redteam.redteam_target import attack

ATTACKS = corpus.load()


def test_there_are_enough_of_every_class() -> None:
    """At least 130 programs; every class of attack has several."""
    assert len(ATTACKS) >= 130
    counts = Counter(one.kind for one in ATTACKS)
    assert set(counts) == set(corpus.KINDS)
    assert min(counts.values()) >= 10


def test_names_and_titles_are_unique() -> None:
    """No attack is there twice."""
    assert len({one.key for one in ATTACKS}) == len(ATTACKS)
    titles = Counter(one.title for one in ATTACKS)
    assert [title for title, count in titles.items() if count > 1] == []


def test_no_program_is_another_one_renamed() -> None:
    """No two programs are the same once names and blanks are taken away; system calls differ in their numbers."""
    plain = {one.key: re.sub(r"\s+", " ", f"{one.source} {one.dose!r}") for one in ATTACKS}
    assert len(set(plain.values())) == len(plain)


def test_long_programs_are_not_copies() -> None:
    """Programs of some length differ in more than a word."""
    long = {one.key: one.source.split() for one in ATTACKS if len(one.source) > 400 and one.form is not Form.CANDIDATE}
    close = [
        (a, b)
        for a, b in combinations(long, 2)
        if abs(len(long[a]) - len(long[b])) < 6
        and difflib.SequenceMatcher(None, long[a], long[b], autojunk=False).ratio() > 0.95
    ]
    assert close == []


def test_attack_and_control_are_programs_that_differ() -> None:
    """Both compile, no dose is left over, and the control is another program or runs where a lock is lifted."""
    for one in ATTACKS:
        sources = attack_source(one), control_source(one)
        for source in sources:
            compile(source, one.key, "exec")
            assert not re.search(r"\bDOSE\b", source), one.key
        assert sources[0] != sources[1], one.key


def _missing(source: str) -> Iterator[str]:
    """What a program imports from the package and what is not there."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "orchestrator":
            for name in node.names:
                try:
                    exec(f"from {node.module} import {name.name}", {})  # noqa: S102 - a name of our own
                except ImportError:
                    yield f"{node.module}.{name.name}"


def test_scripts_import_what_is_there() -> None:
    """A script runs with the package, and is no module of it: mypy sees no name in it that has been changed."""
    scripts = [one for one in ATTACKS if one.form is Form.SCRIPT]
    assert {one.key: list(_missing(attack_source(one))) for one in scripts} == {one.key: [] for one in scripts}
    assert list(_missing("from orchestrator.core import errors, nowhere")) == ["orchestrator.core.nowhere"]


def test_what_is_expected_can_be_seen() -> None:
    """Under every runtime something definite must happen, and no pattern matches everything."""
    for one in ATTACKS:
        for runtime in ("runc", "runsc"):
            expect = one.expected(runtime)
            assert expect.ended or expect.says or expect.verdict, one.key
            assert set(expect.ended) <= {*Ended, BROKE}, one.key
            for pattern in filter(None, (expect.says, one.control.says)):
                assert not re.fullmatch(pattern, "an answer that nobody expects"), one.key


def test_an_attack_that_expects_nothing_is_refused() -> None:
    """What cannot fail is no test."""
    with pytest.raises(ValidationError, match="nothing is expected"):
        attack("vague", form="function", end="B")
    with pytest.raises(ValidationError, match="checks"):
        attack("vague", form="candidate", end="F", expect={"verdict": "fail"})
    with pytest.raises(ValidationError, match="verdict"):
        attack("vague", form="candidate", end="J")
