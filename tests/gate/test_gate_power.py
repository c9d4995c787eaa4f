"""A sample of the bench of the gate, so that its power does not rot. `make bench-gate` measures the whole."""

import warnings

import pytest

from benchmarks.gate import bench, summary
from benchmarks.gate.corpus import good
from benchmarks.gate.witness import Prover
from benchmarks.gate.wrong_functions import wrong_functions

EVERY = 37  # of more than 800 functions


@pytest.fixture(scope="module")
def results() -> list[bench.Judged]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # escapes in the sources of mutants
        return bench.run(bench.trials(every=EVERY), local=True, quick=True)


def test_good_functions_pass(results: list[bench.Judged]) -> None:
    """Of the sample's good functions none is rejected."""
    rejected = [(one.name, one.checks, one.detail) for one in results if not one.wrong and one.verdict != "pass"]
    assert not rejected
    assert any(not one.wrong for one in results)


def test_wrong_functions_are_caught(results: list[bench.Judged]) -> None:
    """Most of the sample's wrong functions are caught, but for bombs and for those whose `detect` is wrong as well.

    Bombs wait for other rows and days, which the checks that take seconds and the containers bring.
    """
    wrong = [one for one in results if one.wrong and one.same_detect and "bomb" not in one.kind]
    caught = [one for one in wrong if one.verdict == "fail"]
    assert len(wrong) >= 15
    assert len(caught) / len(wrong) >= 0.85, summary.report(results)


def test_corpus_is_large_and_proved() -> None:
    """There are as many functions as the targets speak of, and proofs that still hold."""
    wrong = wrong_functions()
    assert len(good()) >= 80
    assert len(wrong) >= 400
    parents = {function.name: function for function in good()}
    mutants = [
        one.function for one in wrong if one.function.of and one.function.kind not in ("time-bomb", "hidden-state")
    ]
    with Prover() as prover:
        for mutant in mutants[:: len(mutants) // 3]:
            assert prover.differ(parents[mutant.of].source, mutant.source, mutant.data), mutant.name


def test_report_counts_what_it_is_given() -> None:
    """A miss and a false rejection are named, and the targets that they break are called missed."""
    missed = bench.Judged("a~regex-1", "regex", "detect only", True, "pass", (), "", "'x' instead of 'y'", 0.1)
    rejected = bench.Judged("b", "date", "detect only", False, "fail", ("edges",), "it raised", "", 0.2)
    text = summary.report([missed, rejected])
    assert "Missed (1)" in text
    assert "'x' instead of 'y'" in text
    assert "Wrongly rejected (1)" in text
    assert "MISSED  good functions" in text
