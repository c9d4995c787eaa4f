"""The built-in proposer leaves what it cannot tell from a slip: two things of one name, and what has changed since."""

import random

import pandas as pd

from tests.propose.builtin_help import ask

SOURCES = ("eatfinder", "dinewell", "tablebook", "yumlist", "oldpages")
MANAGERS = ("Ann Holt", "Bo Lund", "Cy Marsh", "Di Rowe", "Ed Poole", "Flo Hart", "Gus Penn", "Hal Moss")


def settled(frame: pd.DataFrame) -> set[str]:
    """The columns in which it is proposed that sources be settled."""
    issues = [issue for issue in ask(frame).issues if issue.id in ("settle_reports", "settle_few_values")]
    return {column for issue in issues for column in issue.columns}


def restaurants(branches: int) -> pd.DataFrame:
    """Sixty places, mostly reported alike; of the first ones each source lists one of two branches."""
    draw = random.Random(3)  # noqa: S311 - data for a test

    def place() -> list[str]:
        street = f"{draw.randrange(1, 300)} {draw.choice(('High', 'Mill', 'Queen', 'Park'))} St"
        at = f"{draw.choice(('one', 'two', 'three', 'four', 'five'))} {draw.choice(('hill', 'dale', 'moor', 'gate'))}"
        chef = f"{draw.choice(('Ann', 'Bo', 'Cy', 'Di'))} {draw.choice(('Abel', 'Bond', 'Cole', 'Dunn', 'Earl'))}"
        return [street, at, chef, f"{draw.randrange(7, 13):02}:{draw.choice(('00', '15', '30', '45'))}"]

    rows = []
    for number in range(60):
        one, other = place(), place()
        for source in SOURCES:
            cells = [*(other if number < branches and source in SOURCES[:2] else one)]
            cells = [place()[at] if draw.random() < 0.15 else cell for at, cell in enumerate(cells)]
            rows.append([source, f"Place {number}", *cells])
    return pd.DataFrame(rows, columns=["source", "name", "address", "area", "chef", "opens"], dtype=str)


def test_two_branches_of_one_name_are_not_made_one() -> None:
    """Two sources agree on another address, area and hours than the others: that is no slip of theirs.

    What is reported of one address is settled nevertheless.
    """
    assert "address" in settled(restaurants(0))
    assert "address" not in settled(restaurants(12))


def hotels(*, changed: bool) -> pd.DataFrame:
    """Sixty hotels, each reported on six days; of every fifth the last two reports name a new manager."""
    draw = random.Random(4)  # noqa: S311 - data for a test
    rows = []
    for number in range(60):
        first, second = draw.sample(MANAGERS, 2)
        phone = f"ext {draw.randrange(1000, 9999)} of {draw.choice(('day', 'night', 'house', 'desk'))}"
        days = sorted(draw.sample(range(1, 180), 6))
        for place, (site, day) in enumerate(zip((*SOURCES, "hostelia"), days, strict=True)):
            later = number % 5 == 0 and (place >= 4 if changed else place in (1, 3))
            said = draw.choice(MANAGERS) if draw.random() < 0.1 else second if later else first
            told = f"ext {draw.randrange(1000, 9999)} of day" if draw.random() < 0.2 else phone
            rows.append([site, f"Hotel {number}", said, told, f"2026-{1 + day // 28:02}-{1 + day % 28:02}"])
    return pd.DataFrame(rows, columns=["site", "hotel", "manager", "extension", "updated"], dtype=str)


def test_what_all_later_reports_say_is_not_undone() -> None:
    """Where those who dissent report last, the thing has changed; where they stand anywhere, they are wrong."""
    assert settled(hotels(changed=False)) >= {"manager", "extension"}
    assert settled(hotels(changed=True)) == {"extension"}
