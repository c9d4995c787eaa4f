"""The built-in proposer on real dirty tables and on injected errors, against a truth that only the scoring reads."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pandas as pd
import pytest

from benchmarks.clean import injected, pairs
from benchmarks.cleaning import Pair, clean_quickly
from examples.score import read, score
from tests.support.shared_data import DATA, needs_shared_data


def the(name: str) -> Pair:
    return next(pair for pair in pairs() if pair.name == name)


class TestRealTables:
    """The sets whose truth is known."""

    pytestmark = needs_shared_data

    @pytest.mark.parametrize(
        ("name", "f1", "broken"),
        [
            ("hospital", 0.96, 0),
            ("beers", 0.97, 0),
            ("autodcw_chi", 0.98, 0),
            ("autodcw_ppp", 0.97, 0),
            ("rayyan", 0.85, 3),  # its truth keeps blanks around three texts
        ],
    )
    def test_real_tables_are_cleaned_without_breaking_a_cell(self, name: str, f1: float, broken: int) -> None:
        """Precision of at least 0.97, no right cell made wrong, and the F1 that was reached."""
        pair = the(name)
        result = score(pair.dirty, clean_quickly(pair), pair.truth)
        assert len(result.broken) == broken
        assert result.precision >= 0.97
        assert result.f1 >= f1

    @pytest.mark.parametrize("name", ["hospital", "beers", "movies_1_part", "autodcw_chi"])
    def test_clean_tables_stay_as_they_are(self, name: str) -> None:
        """A truth has nothing to be repaired."""
        truth = the(name).truth
        assert clean_quickly(Pair(name, truth, truth)).equals(truth)

    def test_injected_errors_are_repaired_and_nothing_else(self) -> None:
        """Errors that no rule was made for, on a real table: most are repaired, hardly a right cell is touched."""
        pair = next(injected(iter([the("hospital")]), seed=5))
        result = score(pair.dirty, clean_quickly(pair), pair.truth)
        assert result.precision >= 0.97
        assert result.recall >= 0.8
        assert not result.broken

    def test_no_truth_is_opened(self, opened: list[str]) -> None:
        """While a table is cleaned no file of its folder is opened, not even the dirty one."""
        pair = the("rayyan")
        read(DATA / "rayyan" / "clean.csv")
        assert any("clean.csv" in path for path in opened), "the hook sees what is opened"
        opened.clear()
        clean_quickly(pair)
        assert [path for path in opened if str(DATA) in path or path.endswith(".csv")] == []


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """Every path that is opened in this process, by an audit hook; hooks cannot be removed, so it is switched off."""
    with _watching() as paths:
        yield paths


_LISTENERS: list[list[str]] = []


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _LISTENERS:
        for paths in _LISTENERS:
            paths.append(str(arguments[0]))


sys.addaudithook(_hear)


@contextmanager
def _watching() -> Iterator[list[str]]:
    paths: list[str] = []
    _LISTENERS.append(paths)
    try:
        yield paths
    finally:
        _LISTENERS.remove(paths)


def test_injected_errors_are_reproducible_and_as_told() -> None:
    """The same seed spoils the same cells, and each cell that is listed differs from the clean one, no other does."""
    truth = the("orders").truth.head(400)
    first, again = (next(injected(iter([Pair("orders", truth, truth)]), seed=3)) for _ in range(2))
    assert first.errors is not None
    pd.testing.assert_frame_equal(first.dirty, again.dirty)
    spoilt = {(int(row), str(column)) for row, column, _ in first.errors.itertuples(index=False)}
    found = {
        (row, str(column))
        for column in truth
        for row, differs in enumerate(first.dirty[column] != truth[column])
        if differs
    }
    assert spoilt == found
    assert {"typo", "letter x", "blanks", "unit", "case", "other date format"} <= set(first.errors["kind"])
