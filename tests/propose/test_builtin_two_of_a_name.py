"""The built-in proposer leaves what it cannot tell from a slip: two things of one name, and what has changed since."""

import random
from collections.abc import Callable

import pandas as pd
import pytest

from tests.propose.builtin_help import ask

SOURCES = ("eatfinder", "dinewell", "tablebook", "yumlist", "oldpages")
MANAGERS = ("Ann Holt", "Bo Lund", "Cy Marsh", "Di Rowe", "Ed Poole", "Flo Hart", "Gus Penn", "Hal Moss")


def settled(frame: pd.DataFrame) -> set[str]:
    """The columns in which it is proposed that sources be settled."""
    issues = [issue for issue in ask(frame).issues if issue.id in ("settle_reports", "settle_few_values")]
    return {column for issue in issues for column in issue.columns}


def settled_by_name(frame: pd.DataFrame) -> bool:
    """Whether rows are settled that have one name, and not only those of one address or code."""
    return any(issue.id == "settle_reports" and "of the same name." in issue.description for issue in ask(frame).issues)


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


def flights(*, mirrors: int, seed: int) -> pd.DataFrame:
    """Eighty flights in rows with a number of their own. Each of a few careless sources has a mirror."""
    draw = random.Random(seed)  # noqa: S311 - data for a test
    names = ("gate", "mill", "dale", "moor")
    rows: list[list[str]] = []
    for number in range(80):
        right = [f"{name} {draw.randrange(1, 60)}" for name in names]
        for source in range(5):
            error = 0.55 if source < mirrors else 0.1
            cells = [f"{cell}{draw.randrange(60)}" if draw.random() < error else cell for cell in right]
            told = [f"site{source}", *([f"mirror{source}"] if source < mirrors else [])]
            rows += [[f"row {len(rows) + place}", name, f"F{number}", *cells] for place, name in enumerate(told)]
    return pd.DataFrame(rows, columns=["row", "source", "flight", *names], dtype=str)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_mirrors_of_careless_sources_are_no_two_things(seed: int) -> None:
    """What a source and its mirror have wrong they have in common, and the numbers of the rows never agree."""
    assert settled(flights(mirrors=2, seed=seed)) == {"gate", "mill", "dale", "moor"}


TOWNS = ("Ulm", "Bonn", "Kiel", "Mainz", "Worms", "Fulda", "Hagen", "Trier", "Essen", "Celle", "Hamm", "Jena")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
Draw = random.Random


def a_branch(draw: Draw) -> list[str]:
    """A place that others of its name are not at."""
    street = f"{draw.randrange(1, 300)} {draw.choice(('High', 'Mill', 'Queen', 'Park'))} St"
    return [street, draw.choice(TOWNS), f"ext {draw.randrange(1000, 9999)} of desk", draw.choice(MANAGERS)]


def a_person(draw: Draw) -> list[str]:
    """Who is called like others."""
    mail = f"{draw.choice(LETTERS)}{draw.randrange(999)}@{draw.choice(TOWNS).lower()}.example"
    born = f"in {draw.choice(TOWNS)}, {draw.randrange(1, 29)} May {draw.randrange(1930, 1999)}"
    return [f"University of {draw.choice(TOWNS)}", mail, born, draw.choice(("logic", "optics", "soil", "law", "art"))]


def a_product(draw: Draw) -> list[str]:
    """A kind of a product, as its sellers list it."""
    size = f"{draw.randrange(90, 140)} x {draw.randrange(60, 110)} mm"
    code = f"{draw.choice(LETTERS)}-{draw.randrange(10**5)}-{draw.choice(LETTERS)}"
    return [code, draw.choice(("black", "white", "red", "blue", "green")), size, f"made in {draw.choice(TOWNS)}"]


def a_town(draw: Draw) -> list[str]:
    """One of those of a name, in several states."""
    at = f"{draw.randrange(25, 48)} N {draw.randrange(70, 120)} W"
    return [
        draw.choice(("Ohio", "Utah", "Iowa", "Maine", "Texas")),
        f"{draw.choice(TOWNS)} County",
        at,
        a_branch(draw)[3],
    ]


def a_film(draw: Draw) -> list[str]:
    """A film, or a new one under its title."""
    when = f"{draw.randrange(1, 29)} May {draw.randrange(1940, 2020)}"
    return [draw.choice(MANAGERS), f"{draw.choice(LETTERS)}. {draw.choice(TOWNS)}", f"out on {when}", a_branch(draw)[1]]


def a_gene(draw: Draw) -> list[str]:
    """What a short name of a gene means to one field, and to another."""
    long = f"{draw.choice(TOWNS).lower()} protein {draw.choice(LETTERS)}{draw.randrange(99)}"
    return [long, f"arm {draw.choice(LETTERS)}{draw.randrange(40)}", f"acc {draw.randrange(10**6)}", draw.choice(TOWNS)]


KINDS = (a_branch, a_person, a_product, a_town, a_film, a_gene)


def homonyms(make: Callable[[Draw], list[str]], two: int) -> pd.DataFrame:
    """What six sources say of a hundred names, the first of which stand for two things each, by chance."""
    draw = random.Random(7)  # noqa: S311 - data for a test
    rows = []
    for number in range(100):
        one, other = make(draw), make(draw)
        for place in range(6):
            of = other if number < two and (number + place) % 2 else one
            cells = [make(draw)[at] if draw.random() < 0.1 else cell for at, cell in enumerate(of)]
            rows.append([f"site{place}", f"name {number}", *cells])
    return pd.DataFrame(rows, columns=["source", "name", "first", "second", "third", "fourth"], dtype=str)


@pytest.mark.parametrize("two", [0, 6, 30])
@pytest.mark.parametrize("make", KINDS)
def test_names_of_two_things_are_not_settled(make: Callable[[Draw], list[str]], two: int) -> None:
    """Branches, persons, products, towns, films, genes: few of many are enough; without them the table is settled."""
    assert settled_by_name(homonyms(make, two)) == (two == 0)


def test_that_names_of_two_things_are_left_is_said() -> None:
    """Nothing was, and such tables stayed as they were."""
    notes = ask(homonyms(a_branch, 30), promoted=("settle_reports",)).notes
    assert any(note.startswith("Several things seem to share one name,") for note in notes)
    assert not any("share one name" in note for note in ask(homonyms(a_branch, 0), promoted=("settle_reports",)).notes)


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
