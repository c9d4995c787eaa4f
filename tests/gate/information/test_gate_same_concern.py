"""Which cell a concern shows does not depend on the process that judges: a recorded run is replayed exactly."""

import os
import subprocess
import sys

SCRIPT = """
from orchestrator.gate.information.suspicions import suspicions
stay = [(one, one) for one in ("Cardiology", "Surgery", "Radiology", "Neurology")]
columns = [
    [("cardio", "Surgery"), ("surg.", "Cardiology"), ("radio", "Neurology"), ("neuro", "Radiology"), *stay],
    [(f"red ward {n} or blue ward", f"ward {n} ward") for n in range(9)] + [("red or blue", "red or blue"), *stay],
    [("Ada Hopper", "Ada, Hopper"), ("Ken King", "Ken, King"), ("Tim Wei", "Tim, Wei")]
    + [(one, one) for one in ("Hopper, Ada", "King, Ken", "Wei, Tim", "Roe, Zoe")],
]
print([suspicions(cells) for cells in columns])
"""


def test_each_process_shows_the_same_cell() -> None:
    """Python's hashes of texts differ between processes, and with them the order of a set."""
    said = {_said(seed) for seed in range(6)}
    assert len(said) == 1
    assert said.pop().count("Suspicion(") >= 3


def _said(seed: int) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-W", "ignore", "-c", SCRIPT]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
