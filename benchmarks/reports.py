"""Makes a table in which many sources report the same things and disagree, with its truth. Called by `clean`.

Trains that several sites report: each has its own way to write times, leaves some blank, and is wrong now and then.
Some copy another site, and keep what it said before it was corrected; one is wrong more often than right.
"""

import random
from collections.abc import Callable

import pandas as pd

COLUMNS = ("planned_departure", "departure", "planned_arrival", "arrival")
_DAY = 24 * 60


def _usual(minutes: int) -> str:
    return f"{(minutes // 60 + 11) % 12 + 1}:{minutes % 60:02} {'ap'[minutes >= 720]}.m."


_FORMS: tuple[Callable[[int], str], ...] = (
    _usual,
    lambda m: f"12/02/2024 {_usual(m)}",
    lambda m: f"{(m // 60 + 11) % 12 + 1}:{m % 60:02}{'ap'[m >= 720]}Dec 2",
    lambda m: f"{m // 60:02}:{m % 60:02}",
    lambda m: f"{(m // 60 + 11) % 12 + 1}:{m % 60:02} {'AP'[m >= 720]}M",
)


def make(sites: int = 30, trains: int = 80, seed: int = 11) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The reports as they came in, and as they should be: every site has the truth, written in the usual way."""
    draw = random.Random(seed)
    truth = {}
    for number in range(trains):
        start = draw.randrange(_DAY)
        late, ride = draw.choice((0, 0, 1, 4, 12, 35)), draw.randrange(30, 400)
        minutes = (start, start + late, start + ride, start + ride + late + draw.randrange(-5, 20))
        truth[f"RE-{1000 + 7 * number}-{draw.choice(('Ulm', 'Bonn', 'Kiel'))}"] = [one % _DAY for one in minutes]
    wrong = {key: [(one + draw.randrange(3, 90)) % _DAY for one in told] for key, told in truth.items()}
    said: dict[str, dict[str, list[str]]] = {}
    names = [f"site{number:02}" for number in range(sites)]
    for place, name in enumerate(names):
        copied = names[place - 1] if place % 6 == 5 else None
        error = 0.7 if place == 3 else draw.choice((0.05, 0.2, 0.35, 0.5))
        form = _FORMS[0 if draw.random() < 0.5 else draw.randrange(len(_FORMS))]
        blank = draw.choice((0.0, 0.05, 0.3))
        said[name] = {}
        for key, told in truth.items():
            if draw.random() < 0.2:
                continue  # not every site knows every train
            if copied and key in said[copied] and draw.random() < 0.8:
                said[name][key] = said[copied][key]
                continue
            cells = []
            for right, stale in zip(told, wrong[key], strict=True):
                if draw.random() < blank:
                    cells.append(draw.choice(("", "", "Not Available")))
                elif draw.random() < error:
                    cells.append(form(stale if draw.random() < 0.5 else draw.randrange(_DAY)))
                else:
                    cells.append(form(right))
            said[name][key] = cells
    rows = [(name, key) for name in names for key in said[name]]
    dirty = pd.DataFrame([[n, k, *said[n][k]] for n, k in rows], columns=["site", "train", *COLUMNS])
    cleaned = pd.DataFrame([[n, k, *map(_usual, truth[k])] for n, k in rows], columns=dirty.columns)
    return dirty, cleaned
