"""Candidates with a known right verdict, rows to judge them on, and a look at the containers that are left."""

import time
from collections.abc import Callable, Iterator
from functools import partial

import pyarrow as pa
import pytest

from orchestrator.core.ports import Sample
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate.judge.judge_entry import ENTRY
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.owner import RUN

Left = Callable[..., set[str]]

GOOD = '''"""City names carry stray blanks."""
CONTRACT = {"modifies": ["city"]}
def detect(df):
    return df["city"].str.strip() != df["city"]
def trim_city(df):
    """Strip blanks from city."""
    out = df.copy()
    out["city"] = out["city"].str.strip()
    return out
'''
WRONG = GOOD.replace("    return out\n", "    return out.iloc[1:]\n")


@pytest.fixture(scope="session")
def judge() -> Iterator[DisposableProcess]:
    with DisposableProcess(ENTRY) as process:
        yield process


@pytest.fixture(scope="session")
def sample() -> Sample:
    rows = pa.table({"city": [" Rome", "Oslo ", "Lima", "Bonn", " Kiel"] * 8, "n": list(range(40))})
    return Sample(rows.slice(0, 30), rows.slice(30))


def containers_left(engine: Engine, run_id: str, seconds: float = 30.0) -> set[str]:
    """The containers of a run id that are there; those on their way out are given some time."""
    deadline = time.monotonic() + seconds
    while True:
        found = {identity for identity, labels in engine.labelled(RUN) if labels[RUN] == run_id}
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


@pytest.fixture
def left() -> Iterator[Left]:
    """`containers_left` on the real engine."""
    engine = Engine()
    yield partial(containers_left, engine)
    engine.close()
