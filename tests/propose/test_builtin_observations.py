"""What sources see for themselves, each at its place or time, is no dispute that the built-in proposer settles."""

import random

import pandas as pd
import pytest

from benchmarks.reports import make
from tests.propose.builtin_help import ask

SKIES = ["sunny", "cloudy", "rain", "snow", "fog", "hazy"]
WINDS = ["N", "NNE", "NE", "E", "ESE", "SE", "S", "SW", "WSW", "W", "NW"]
SUBJECTS = ["Law", "Medicine", "Physics", "History", "Music", "Dentistry", "Chemistry", "Logic"]
WAVES = ["application", "interview", "enrolment", "survey"]


def settles(frame: pd.DataFrame) -> bool:
    """Whether it is proposed that sources be settled."""
    return any(issue.id in ("settle_reports", "settle_few_values") for issue in ask(frame).issues)


def seen_at_sites(when: list[str]) -> pd.DataFrame:
    """Sky and wind at five places, mostly the same at a time."""
    draw = random.Random(7)  # noqa: S311 - data for a test
    rows = []
    for time in when:
        sky, wind = draw.choice(SKIES), draw.choice(WINDS)
        for site in ("Bay", "Inlet", "Pier", "Outlet", "Marsh"):
            other = draw.random() < 0.15
            rows.append((site, time, draw.choice(SKIES) if other else sky, draw.choice(WINDS) if other else wind))
    return pd.DataFrame(rows, columns=["site", "when", "sky", "wind"], dtype=str)


@pytest.mark.parametrize(
    "form",
    ["2023-{m:02}-{d:02}", "{d}.{m}.2023", "{d} Mar 20{m:02}", "2023-{m:02}-{d:02}T09:00:00Z", "week {m}{d:02}"],
)
def test_a_time_alone_names_no_thing(form: str) -> None:
    """Several places on one day: another wind at one of them is a fact, also where day and sky are taken together."""
    assert not settles(seen_at_sites([form.format(m=m, d=d) for m in (3, 4, 5) for d in range(1, 29)]))


def test_a_thing_and_a_day_name_one_together() -> None:
    """A train runs every day, and each site reports on many trains of a day."""
    dirty, _ = make(seed=4)
    number = dirty["train"].str.split("-").str[1].astype(int)
    dirty["train"], dirty["day"] = "RE " + (number // 28).astype(str), "2024-12-0" + (number // 7 % 4 + 1).astype(str)
    assert settles(dirty)


def test_rows_whose_numbers_have_nothing_to_do_with_the_thing_are_measured() -> None:
    """Where no number of a plot's rows is nearer to another than any two are, each row stands for itself."""
    frame = seen_at_sites([f"plot {n}" for n in range(80)])
    draw = random.Random(8)  # noqa: S311 - data for a test
    assert settles(frame)
    measured = frame.assign(level=[f"{draw.uniform(1, 9):.2f}" for _ in frame.index])
    measured["turbidity"] = [f"{draw.uniform(100, 900):.1f}" for _ in frame.index]
    assert not settles(measured)


def test_numbers_that_go_with_the_thing_are_no_measurements() -> None:
    """Each site has its price of a train, near the others' price; beside it times are reported, as before."""
    dirty, _ = make(seed=4)
    draw = random.Random(9)  # noqa: S311 - data for a test
    price = {train: draw.uniform(10, 90) for train in sorted(set(dirty["train"]))}
    dirty["price"] = [f"{price[train] * draw.uniform(0.98, 1.02):.2f}" for train in dirty["train"]]
    dirty["delay"] = [f"{draw.uniform(1, 90):.1f}" for _ in dirty.index]
    assert settles(dirty)


def asked_again(*, waves: list[str], late: str, years: bool) -> pd.DataFrame:
    """What students said four times; some have changed their mind before one of these times."""
    draw = random.Random(5)  # noqa: S311 - data for a test
    rows = []
    for student in range(120):
        first = {name: draw.choice(SUBJECTS) for name in ("choice", "tutor")}
        for wave in waves:
            said = {n: draw.choice(SUBJECTS) if wave == late and draw.random() < 0.4 else s for n, s in first.items()}
            year = {"year": "2024/25" if wave == late else "2023/24"} if years else {}
            rows.append({"source": wave, "student": f"U{student}", **said, **year})
    return pd.DataFrame(rows, dtype=str)


def test_the_last_source_tells_of_a_change() -> None:
    """Where all the others agree and one dissents that always comes last, minds were changed."""
    assert not settles(asked_again(waves=WAVES, late="survey", years=False))


def test_a_source_of_another_year_tells_of_a_change() -> None:
    """Also where it does not come last."""
    assert not settles(asked_again(waves=WAVES[::-1], late="survey", years=True))


def test_a_source_that_is_merely_careless_is_overruled() -> None:
    """It dissents from the others, and neither comes last nor speaks of another time."""
    assert settles(asked_again(waves=WAVES, late="interview", years=False))
