"""The built-in proposer on real dirty tables, against their truth, which only the benchmark reads."""

import pytest

from benchmarks.clean import DATA, INSTRUCTIONS, Score, clean, pairs, score

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not DATA.is_dir(), reason="the real data sets are not beside the checkout"),
]


@pytest.mark.parametrize(
    ("name", "recall"), [("hospital", 0.9), ("beers", 0.95), ("autodcw_chi", 0.97), ("autodcw_ppp", 0.95)]
)
def test_real_tables_are_cleaned_without_breaking_a_cell(name: str, recall: float) -> None:
    """Precision of at least 0.97, no right cell made wrong, and the recall that was reached."""
    _, dirty, truth = next(pair for pair in pairs([name]))
    cleaned, _ = clean(dirty, INSTRUCTIONS.get(name, ""))
    total = Score()
    for column in dirty.columns:
        total.add(score(dirty[column], cleaned[column], truth[column]))
    assert total.broken == 0
    assert total.precision >= 0.97
    assert total.recall >= recall


@pytest.mark.parametrize("name", ["hospital", "beers", "movies_1_part", "autodcw_chi"])
def test_clean_tables_stay_as_they_are(name: str) -> None:
    """A truth has nothing to be repaired."""
    _, _, truth = next(pair for pair in pairs([name]))
    cleaned, sources = clean(truth)
    assert sources == []
    assert cleaned.equals(truth)
