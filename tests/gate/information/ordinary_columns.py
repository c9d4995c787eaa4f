"""Ordinary columns before and after a good function, as test_gate_spoilt_results.py spoils them. No test of its own."""

import random
from collections.abc import Callable

from orchestrator.gate.information.changes import Change

Make = Callable[[int, int, int], str]
FIRST = "Ada Timothy Kenneth Grace Alan Barbara Edsger Donald Radia Margaret".split()  # noqa: SIM905 - a list of words
LAST = "Kingston Leeson Rowling Hopper Turing Liskov Dijkstra Knuthsen Perlman Hamilton".split()  # noqa: SIM905
MONTHS = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
]  # fmt: skip
PAIRS = list(zip(FIRST, LAST, strict=True))


def drawn(before: Make, after: Make, low: int = 1, high: int = 99) -> list[Change]:
    """Fourteen cells of three drawn numbers each."""
    draw = random.Random(1)  # noqa: S311 - data for a test
    numbers = [[draw.randint(low, high) for _ in range(3)] for _ in range(14)]
    return [(before(*three), after(*three)) for three in numbers]


def stay(*texts: str) -> list[Change]:
    return [(text, text) for text in texts]


COLUMNS: dict[str, list[Change]] = {
    "blanks around": [(f" {one} ", one) for one in FIRST],
    "blanks inside": [(f"{one}   {other}", f"{one} {other}") for one, other in PAIRS],
    "capitals": [(f"{one} {other}".upper(), f"{one} {other}") for one, other in PAIRS],
    "telephones": drawn(lambda a, b, c: f"({a}) {b}-{c}{a % 10}", lambda a, b, c: f"{a}-{b}-{c}{a % 10}", 200, 999),
    "American dates": drawn(
        lambda a, b, c: f"{a % 12 + 1}/{b % 16 + 13}/{2000 + c % 24}",
        lambda a, b, c: f"{2000 + c % 24}-{a % 12 + 1:02}-{b % 16 + 13:02}",
    ),
    "named months": drawn(
        lambda a, b, c: f"{MONTHS[a % 12]} {b % 28 + 1}, {2000 + c % 24}",
        lambda a, b, c: f"{2000 + c % 24}-{a % 12 + 1:02}-{b % 28 + 1:02}",
    ),
    "dollars": drawn(lambda a, b, c: f"${a},{b:03}.{c:02}", lambda a, b, c: f"{a}{b:03}.{c:02}"),
    "euros": drawn(lambda a, b, c: f"{a}.{b:03},{c:02} €", lambda a, b, c: f"{a}{b:03}.{c:02}"),
    "brackets of losses": drawn(lambda a, _, c: f"({a}.{c:02})", lambda a, _, c: f"-{a}.{c:02}"),
    "minus behind": drawn(lambda a, _, c: f"{a}.{c:02}-", lambda a, _, c: f"-{a}.{c:02}"),
    "per cent": drawn(lambda a, b, _: f"{a}.{b}%", lambda a, b, _: f"{a}.{b}"),
    "yes and no": [("Y", "yes"), ("N", "no"), ("Yes", "yes"), ("NO", "no"), *stay("yes", "no")],
    "states": [("california", "CA"), ("Texas", "TX"), ("N.Y.", "NY"), *stay("CA", "TX", "NY")],
    "countries": [("USA", "United States"), ("UK", "United Kingdom"), ("Deutschland", "Germany"), *stay("Germany")],
    "months": [(month, str(number)) for number, month in enumerate(MONTHS, start=1)],
    "post codes": [("2138", "02138"), ("2139.0", "02139"), *stay("10001", "94110", "60601", "73301")],
    "numbers of orders": drawn(lambda a, b, c: f"{a}{b}{c}.0", lambda a, b, c: f"{a}{b}{c}", 10),
    "codes": [(f"ab-{n}", f"AB-{n}") for n in range(10, 20)] + stay("AB-21", "AB-22"),
    "mailboxes": [(f" {one}@EXAMPLE.ORG ", f"{one}@example.org".lower()) for one in FIRST],
    "links": [(f"https://{one}.org/".lower(), f"https://{one}.org".lower()) for one in LAST],
    "markup": [(f"<b>{one}</b> &amp; {other}", f"{one} & {other}") for one, other in PAIRS],
    "quotes": [(f'"{one}"', one) for one in FIRST],
    "lists": [(f"{one};{other}", f"{one}, {other}") for one, other in PAIRS],
    "thousands": drawn(lambda a, *_: f"{a}k", lambda a, *_: f"{a}000"),
    "durations": drawn(lambda a, b, _: f"{a % 9 + 1}h {b % 60}m", lambda a, b, _: f"{(a % 9 + 1) * 60 + b % 60}"),
    "stars": drawn(lambda a, b, _: f"{a % 5}.{b % 10} out of 5 stars", lambda a, b, _: f"{a % 5}.{b % 10}"),
    "power": drawn(lambda a, b, _: f"{a}.{b} bhp", lambda a, b, _: f"{a}.{b}"),
    "areas": drawn(lambda a, b, _: f"{a},{b:03} sq. ft.", lambda a, b, _: f"{a}{b:03}"),
    "coordinates": drawn(lambda a, b, c: f"({a}.{b}, -{b}.{c})", lambda a, b, c: f"{a}.{b}, -{b}.{c}"),
    "last name first": [(f"{other}, {one}", f"{one} {other}") for one, other in PAIRS],
    "titles": [(f"Mr. {one} {other}", f"{one} {other}") for one, other in PAIRS],
    "towns": [("NEW YORK", "New York"), ("los angeles", "Los Angeles"), ("San francisco", "San Francisco")],
    "times": drawn(
        lambda a, b, c: f"{a % 12 + 1}:{b % 60:02} {'AP'[c % 2]}M",
        lambda a, b, c: f"{(a % 12 + 1) % 12 + 12 * (c % 2):02}:{b % 60:02}",
    ),
    "cards": [("4111-1111-1111-1111", "4111111111111111"), ("5500 0000 0000 0004", "5500000000000004")],
    "books": [("978-0-306-40615-7", "9780306406157"), ("0-201-61622-X", "9780201616224")],
    "tax numbers": [("DE 123 456 789", "DE123456789"), ("DE-987654321", "DE987654321")],
    "sizes": drawn(lambda a, b, c: f"{a}x{b}x{c}", lambda a, b, c: f"{a} x {b} x {c}", 10),
    "ranges": drawn(lambda a, b, _: f"{a} to {a + b}", lambda a, b, _: f"{a}-{a + b}"),
    "years": [(f"({year})", f"{year}") for year in range(1990, 2004)],
    "dates in notes": [(f"Paid on {day}/11/2023.", f"Paid on 2023-11-{day}.") for day in range(13, 27)],
    "notes": [(f"  call {one}  about {other} ", f"call {one} about {other}") for one, other in PAIRS],
    "parameters": [(f"https://x.org/{n}?utm_source=a&id={n}", f"https://x.org/{n}?id={n}") for n in range(10, 20)],
    "stamps": drawn(
        lambda a, b, c: f"2024-01-{a % 28 + 1:02} {b % 24:02}:{c % 60:02}",
        lambda a, b, c: f"2024-01-{a % 28 + 1:02}T{b % 24:02}:{c % 60:02}:00",
    ),
    "days of spreadsheets": [(str(44927 + n), f"2023-01-{n + 1:02}") for n in range(0, 30, 3)],
    "shares": drawn(lambda a, b, _: f"{a},{b} %", lambda a, b, _: f"{a}.{b}%"),
    "millions": drawn(lambda a, b, _: f"${a}.{b % 10}M", lambda a, b, _: f"{a}{b % 10}00000"),
    "grades": [("A plus", "A+"), ("B minus", "B-"), ("C Plus", "C+"), *stay("A+", "B", "B-", "A")],
    "sizes of clothes": [("small", "S"), ("Medium", "M"), ("x-large", "XL"), *stay("S", "M", "L", "XL")],
    "accounts": [("DE89 3704 0044 0532 0130 00", "DE89370400440532013000"), *stay("GB29NWBK60161331926819")],
    "plates": [(f"b-ab {n}", f"B-AB {n}") for n in range(1000, 1010)],
    "versions": drawn(lambda a, b, c: f"v{a}.{b}.{c}", lambda a, b, c: f"{a}.{b}.{c}"),
    "counted titles": [(f"{n:02}. {one} {other}", f"{one} {other}") for n, (one, other) in enumerate(PAIRS, start=1)],
    "scores": drawn(lambda a, b, _: f"{a % 9} : {b % 9}", lambda a, b, _: f"{a % 9}-{b % 9}"),
    "hashtags": [(f"#{one} #{other}".lower(), f"{one}, {other}".lower()) for one, other in PAIRS],
    "litres": drawn(lambda a, *_: f"{a} l", lambda a, *_: f"{a}000 ml"),
}
