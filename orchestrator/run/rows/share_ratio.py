"""How many times as frequent something is now as where a function was proved, with its interval. Called by `drifting`.

Given that something was seen `b` times among `n` and is seen `k` times among `m`, the number that fell on the new rows
is binomial; the limits of Clopper and Pearson for it are limits of the ratio of the two shares, exact for any counts.
Source: W. Nelson, "Confidence intervals for the ratio of two Poisson means", Technometrics 12 (1970).
"""

import math
from collections.abc import Callable
from typing import NamedTuple

_STEPS = 60
_TERMS = 2_000
_PRECISION = 1e-12
_TINY = 1e-300


class ShareRatio(NamedTuple):
    """A ratio of two shares. `low`, `high`: its limits; `high` is infinite where it was never seen before."""

    low: float
    ratio: float
    high: float


def share_ratio(before: tuple[int, int], now: tuple[int, int], error: float) -> ShareRatio:
    """`before`, `now`: how many of how many. Each limit is wrong with the probability `error` at most."""
    (known, rows), (seen, new_rows) = before, now
    if not rows or not new_rows:
        return ShareRatio(0.0, 1.0, math.inf)
    scale = rows / new_rows
    whole = seen + known
    low = _limit(lambda share: _at_least(seen, whole, share) < error) if seen else 0.0
    high = _limit(lambda share: _at_least(seen + 1, whole, share) < 1 - error) if known else 1.0
    return ShareRatio(_odds(low) * scale, math.inf if not known else seen / known * scale, _odds(high) * scale)


def chance_of_none(before: int, now: tuple[int, int]) -> float:
    """How likely it is that none of `before` cells had what `now` have (how many of how many), were all of one kind.

    Fisher's exact test: for cells that a function mends one and all, it tells with far fewer than a ratio needs.
    """
    seen, of = now
    chance = 1.0
    for one in range(seen):
        chance *= (of - one) / (before + of - one)
        if chance < _PRECISION:
            return 0.0
    return chance


def _odds(share: float) -> float:
    return share / (1 - share) if share < 1 else math.inf


def _limit(below: Callable[[float], bool]) -> float:
    """The share up to which it is so; it is so of the smallest ones."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) else (low, middle)
    return low


def _at_least(seen: int, of: int, share: float) -> float:
    """The probability of `seen` or more of `of`: the regularised incomplete beta function I(share; a, b)."""
    if seen <= 0 or share >= 1:
        return 1.0
    if seen > of or share <= 0:
        return 0.0
    a, b = seen, of - seen + 1
    if share > (a + 1) / (a + b + 2):
        return 1 - _fraction(b, a, 1 - share)
    return _fraction(a, b, share)


def _fraction(a: float, b: float, x: float) -> float:
    """By its continued fraction, as Lentz evaluates it. Source: Numerical Recipes, section 6.4."""
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    c, d = 1.0, 1 / _apart(1 - (a + b) * x / (a + 1))
    made = d
    for m in range(1, _TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _apart(1 + term * d)
            c = _apart(1 + term / c)
            made *= c * d
        if abs(c * d - 1) < _PRECISION:
            break
    return math.exp(front) * made / a


def _apart(value: float) -> float:
    """Not zero."""
    return value if abs(value) > _TINY else _TINY
