"""A run on what many sites report of the same trains: the built-in proposer's fitted functions, the real gate."""

import json
import random
from pathlib import Path

import pandas as pd
import pytest

from benchmarks.reports import make
from tests.end_to_end.conftest import Call


@pytest.mark.docker
def test_what_sites_disagree_on_is_settled(cleanroom: Call, tmp_path: Path) -> None:
    """The gate promotes what is proposed without a person, and what is applied is nearly all right."""
    dirty, truth = make(sites=10, trains=16, seed=4)
    draw = random.Random(5)  # noqa: S311 - data for a test
    right = {train: f"{draw.choice('NSW')}{draw.randrange(1, 60)}" for train in sorted(set(dirty["train"]))}
    truth["track"] = [right[train] for train in dirty["train"]]
    dirty["track"] = [track if draw.random() < 0.8 else "" for track in truth["track"]]
    dirty.to_csv(tmp_path / "reports.csv", index=False)
    done = cleanroom("run", "reports.csv", "--out", "out", "--json")
    summary = json.loads(done.stdout)
    assert (done.returncode, summary["rejected"], summary["held"]) == (0, 0, []), done.stdout
    cleaned = pd.read_csv(tmp_path / "out" / "cleaned.csv", dtype=str, keep_default_na=False)
    wrong_before, wrong_after = (int((frame != truth).to_numpy().sum()) for frame in (dirty, cleaned))
    assert wrong_after < 0.1 * wrong_before
    assert list(cleaned["track"]) == list(truth["track"])
