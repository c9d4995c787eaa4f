"""What sources report on may be named by two or three columns together; what each source has for itself stays."""

import random
from collections.abc import Callable, Iterable
from itertools import product

import pandas as pd
import pytest

from tests.propose.builtin_help import settle

SITES = ["noaa", "msn", "yahoo", "wunderground", "intellicast"]
CITIES = ["Albany", "Boston", "Chicago", "Denver", "Fresno", "Miami", "Omaha"]
DAYS = [f"2010-03-{day:02}" for day in range(1, 9)]
SKIES = [
    f"{much} {sky}".strip() for much in ("", "Light", "Heavy", "Partly") for sky in ("Rain", "Snow", "Fog", "Hail")
]
Key = tuple[str, ...]


def reported(
    names: list[str], keys: Iterable[Key], answers: Callable[[random.Random], list[str]], seed: int = 3
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What five sites say of each key, and the truth: one of six reports of an answer is any other answer."""
    rng = random.Random(seed)  # noqa: S311 - data for a test
    told, truth = [], []
    for key in keys:
        right = answers(rng)
        for site in SITES:
            said = [other if rng.random() < 1 / 6 else one for one, other in zip(right, answers(rng), strict=True)]
            told.append([site, *key, *said])
            truth.append([site, *key, *right])
    return pd.DataFrame(told, columns=names), pd.DataFrame(truth, columns=names)


def mends(told: pd.DataFrame, truth: pd.DataFrame) -> tuple[float, int]:
    """The share of the wrong cells that become right, and how many right ones are changed."""
    made, _ = settle(told)
    wrong = told != truth
    return float((wrong & (made == truth)).sum().sum() / wrong.sum().sum()), int((~wrong & (made != told)).sum().sum())


@pytest.mark.parametrize("hours", [["6", "12", "18"], ["06:00", "12:00", "18:00"]])
def test_a_city_a_day_and_an_hour_name_a_thing_together(hours: list[str]) -> None:
    """Each site reports each city three times a day, so no two of these columns name what it reports."""
    names = ["site", "city", "date", "hour", "condition", "station"]
    told, truth = reported(
        names, product(CITIES, DAYS, hours), lambda rng: [rng.choice(SKIES), f"K{rng.randrange(100, 200)}"]
    )
    share, broken = mends(told, truth)
    assert share > 0.9
    assert broken <= 2


def test_what_is_told_of_a_district_and_a_party() -> None:
    """Neither alone says who stands for election, and a number of votes, the same in several reports, names nobody."""
    parties = ["Left", "Greens", "Labour", "Liberals"]
    told, truth = reported(
        ["source", "district", "party", "candidate", "votes"],
        product([f"District {number}" for number in range(1, 40)], parties),
        lambda rng: [f"N{rng.randrange(90)}", str(rng.randrange(500, 60_000))],
    )
    share, broken = mends(told, truth.assign(votes=told["votes"]))
    assert share > 0.85
    assert broken <= 2


def test_a_price_names_nothing() -> None:
    """A shop, a product and a day name what is on offer, and not one of them with the price that is told of it."""
    shops, products = ["Aldi", "Lidl", "Rewe", "Edeka"], ["Milk", "Bread", "Tea", "Rice", "Eggs"]
    told, truth = reported(
        ["source", "shop", "product", "day", "price", "aisle"],
        product(shops, products, DAYS[:6]),
        lambda rng: [f"{rng.randrange(50, 90) / 10}", f"A{rng.randrange(60)}"],
    )
    made, _ = settle(told)
    assert list(made["price"]) == list(told["price"])
    wrong = told["aisle"] != truth["aisle"]
    assert (made["aisle"] == truth["aisle"])[wrong].mean() > 0.9
    assert (made["aisle"] != told["aisle"])[~wrong].sum() <= 2


def test_who_delivers_to_an_agency_is_a_fact_of_its_own() -> None:
    """Each agency has its own vendor of a thing in a state, year after year: the others do not say who it is."""
    rng = random.Random(5)  # noqa: S311 - data for a test
    local = {key: [f"V{rng.randrange(900)}" for _ in range(3)] for key in product("ABCDEF", "123")}
    own = {(site, *key): rng.choice(local[key]) for site in SITES for key in local}
    rows = [[site, str(year), *key, own[site, *key]] for site in SITES for year in range(2010, 2020) for key in local]
    stay(pd.DataFrame(rows, columns=["agency", "year", "state", "kind", "vendor"]))


def test_a_unit_that_goes_with_the_commodity_is_not_settled_by_year_and_partner() -> None:
    """Where one of three columns tells as much as all, they name nothing that is reported of them together."""
    rng = random.Random(6)  # noqa: S311 - data for a test
    units = {f"{number}": rng.choice(["kg", "l", "m2", "t", "kWh", "pcs", "ct"]) for number in range(1001, 1013)}
    keys = product(SITES, ["DE", "FR", "US", "JP", "BR", "IN"], ["2018", "2019", "2020"], units)
    rows = [[*key, rng.choice([*units.values()]) if rng.random() < 0.15 else units[key[-1]]] for key in keys]
    stay(pd.DataFrame(rows, columns=["reporter", "partner", "year", "commodity_code", "unit"]))


def test_what_each_station_measures_every_hour_stays() -> None:
    """The temperature, which says much of the hour, is no name of what the stations see."""
    rng = random.Random(7)  # noqa: S311 - data for a test
    rows = [
        [f"S{site}", day, f"{hour:02}:00", str(round(hour / 2 + rng.gauss(0, 1))), SKIES[hour * 2 // 3]]
        for site, day, hour in product(range(12), DAYS[:5], range(24))
    ]
    stay(pd.DataFrame(rows, columns=["site", "date", "hour", "temperature", "sky"]))


def test_what_each_source_chooses_of_four_for_a_place_and_a_week_stays() -> None:
    """That two of them say the same now and then is no answer to one question."""
    rng = random.Random(8)  # noqa: S311 - data for a test
    few = {key: rng.sample(range(100), 4) for key in product(CITIES, [f"2021-W{week}" for week in range(10, 40)])}
    rows = [[site, *key, f"Ad {rng.choice(few[key])}"] for site in SITES for key in few]
    stay(pd.DataFrame(rows, columns=["source", "city", "week", "best_ad"]))


def stay(frame: pd.DataFrame) -> None:
    made, emitted = settle(frame)
    assert [each.candidate.name for each in emitted if each.candidate.name.startswith("settle_")] == []
    assert made.equals(frame)
