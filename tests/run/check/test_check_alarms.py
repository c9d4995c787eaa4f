"""False alarms of `cleanroom check`, and what it finds: rows drawn at random, without containers."""

from math import comb, inf

import pytest

from benchmarks.drift import alarms, generated, power
from orchestrator.run.rows.share_ratio import share_ratio


def test_the_limits_are_those_of_the_binomial() -> None:
    """The lower limit of the ratio is where so many new ones, or more, have the probability of the error."""
    for known, seen in [(0, 5), (3, 20), (40, 90)]:
        found = share_ratio((known, 1_000), (seen, 2_000), 0.01)
        share = 2 * found.low / (1 + 2 * found.low)
        of = known + seen
        tail = sum(comb(of, n) * share**n * (1 - share) ** (of - n) for n in range(seen, of + 1))
        assert tail == pytest.approx(0.01, rel=1e-6)
        assert found.low < (found.ratio if known else inf) <= found.high


def test_the_same_distribution_is_seldom_an_alarm() -> None:
    """None in these trials, over 200 to 12,800 rows, which are all that is looked at of a larger file."""
    counted = list(alarms(generated(20_000, 3), 4, seed=4))
    assert len(counted) == 9
    assert sum(wrong for _, wrong, _ in counted) == 0


@pytest.mark.parametrize("rows", [1_000, 12_800])
def test_a_new_format_in_half_a_percent_is_named(rows: int) -> None:
    """In every one of the trials, from a thousand rows on."""
    assert power(10, seed=2, new=rows, share=0.005) == 10
