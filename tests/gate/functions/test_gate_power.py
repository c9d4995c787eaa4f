"""A sample of the bench of the gate, so that its power does not rot. `make bench-gate` measures the whole."""

import warnings
from dataclasses import replace

import pytest

from benchmarks.gate import bench, summary
from benchmarks.gate.corpus import good, wrong_by_hand
from benchmarks.gate.witness import Prover
from benchmarks.gate.wrong_functions import wrong_functions

EVERY = 37  # of more than 800 functions
EVERY_BY_ROW = 8  # of more than 120 trials of functions of records and texts


@pytest.fixture(scope="module")
def results() -> list[bench.Judged]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # escapes in the sources of mutants
        tables = [trial for trial in bench.trials(every=EVERY) if trial.function.shape == "table"]
        return bench.run(tables, local=True, quick=True)


def test_good_functions_pass(results: list[bench.Judged]) -> None:
    """Of the sample's good functions none is rejected."""
    rejected = [(one.name, one.checks, one.detail) for one in results if not one.wrong and one.verdict != "pass"]
    assert not rejected
    assert any(not one.wrong for one in results)


def test_wrong_functions_are_caught(results: list[bench.Judged]) -> None:
    """Most of the sample's wrong functions fail or are held, but for bombs and for those whose `detect` is wrong, too.

    Bombs wait for other rows and days, which the checks that take seconds and the containers bring.
    """
    wrong = [one for one in results if one.wrong and one.same_detect and "bomb" not in one.kind]
    caught = [one for one in wrong if one.verdict in ("fail", "hold")]
    assert len(wrong) >= 15
    assert len(caught) / len(wrong) >= 0.85, summary.report(results)


def test_functions_by_row_are_judged() -> None:
    """Of a sample of functions of records and texts no good one is rejected, and no broken law passes.

    One that adds or drops a key waits for somebody who asked for it.
    """
    chosen = [trial for trial in bench.trials() if trial.function.shape != "table"]
    sampled = bench.run(chosen[::EVERY_BY_ROW], local=True, quick=True)
    good_ones = [one for one in sampled if not one.wrong]
    lawless = [one for one in sampled if one.wrong and one.kind in summary.NO_ORACLE]
    assert good_ones
    assert lawless
    asked_for = [one for one in good_ones if not (one.verdict == "hold" and "nobody asked for" in one.detail)]
    assert [(one.name, one.detail) for one in asked_for if one.verdict != "pass"] == []
    assert len(asked_for) > len(good_ones) / 2
    assert [(one.name, one.verdict) for one in lawless if one.verdict != "fail"] == []


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


def test_wrong_functions_by_row_behave_otherwise() -> None:
    """Each wrong function of records or texts differs on some input from the good one that it was written for."""
    parents = {function.name: function for function in good()}
    chosen = [one for one in wrong_by_hand() if one.of and one.kind not in ("time-bomb", "quadratic")]
    assert {"record", "text"} <= {one.shape for one in chosen}
    with Prover() as prover:
        same = [one.name for one in chosen if not prover.differ(parents[one.of].source, one.source, one.data)]
    assert not same


def test_report_counts_what_it_is_given() -> None:
    """A miss and a false rejection are named, and the targets that they break are called missed."""
    missed = bench.Judged("a~regex-1", "regex", "detect only", True, "pass", (), "", "'x' instead of 'y'", 0.1)
    rejected = bench.Judged("b", "date", "detect only", False, "fail", ("edges",), "it raised", "", 0.2)
    text = summary.report([missed, rejected])
    assert "Missed (1)" in text
    assert "'x' instead of 'y'" in text
    assert "Wrongly rejected (1)" in text
    assert "MISSED  good functions" in text


@pytest.mark.parametrize("name", ["isbn_10_to_13", "page_numbers_out", "r_flags"])
def test_functions_of_meaning_are_judged_in_process(name: str) -> None:
    """The good one passes, with and without examples; a wrong one is held, or fails by an example.

    Of a table, a text and records.
    """
    trials = [one for one in bench.trials_of_meaning(name) if name in (one.function.name, one.function.of)]
    said = [bench.judged_in_process(trial) for trial in trials]
    assert {one.verdict for one in said if not one.wrong} == {"pass"}
    assert "hold" in {one.verdict for one in said if one.wrong}
    assert "examples" in {check for one in said if one.wrong and one.tier == summary.USERS for check in one.checks}
    assert all(one.by_one_check and one.meaning for one in said)


def test_function_of_meaning_that_raises_fails() -> None:
    """What a wrong function raises in the bench's own process is its failure, and ends nothing."""
    trial = bench.trials_of_meaning("isbn_10_to_13")[0]
    broken = replace(
        trial.function, source=trial.function.source.replace("def _one(text):", "def _one(text):\n    1 / 0")
    )
    said = bench.judged_in_process(replace(trial, function=broken))
    assert said.verdict == "fail"
    assert "ZeroDivisionError" in said.detail
