"""The demo's orders: reproducible, aligned with their truth, messy in many ways, and fair to a careful cleaner."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from examples.make_orders import Orders, make, make_orders
from examples.orders.clean import COLUMNS
from examples.orders.mess import NULL_TOKENS, PLAN

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def orders() -> Orders:
    return make_orders(5000, seed=7)


def test_the_same_seed_makes_the_same_table(orders: Orders) -> None:
    """Two calls with one seed agree in every cell; another seed does not."""
    again, other = make_orders(5000, seed=7), make_orders(5000, seed=8)
    pd.testing.assert_frame_equal(orders.dirty, again.dirty)
    pd.testing.assert_frame_equal(orders.errors, again.errors)
    assert not orders.dirty.equals(other.dirty)


def test_make_gives_dirty_and_clean() -> None:
    """The short form returns the two tables."""
    dirty, clean = make(50, seed=1)
    assert dirty.shape == clean.shape == (50, len(COLUMNS))


def test_the_listed_errors_are_exactly_the_cells_that_differ(orders: Orders) -> None:
    """errors.csv names every spoilt cell and no other."""
    rows, columns = (orders.dirty != orders.clean).to_numpy().nonzero()
    differ = {(int(row), orders.dirty.columns[int(column)]) for row, column in zip(rows, columns, strict=True)}
    assert differ == set(zip(orders.errors["row"], orders.errors["column"], strict=True))


def test_many_kinds_of_mess_occur_often_enough_to_matter(orders: Orders) -> None:
    """At least 12 kinds, each in at least 20 cells, so that a cleaner can see every one of them."""
    counts = orders.errors["kind"].value_counts()
    assert len(counts) >= 12
    assert counts.min() >= 20
    assert set(counts.index) == {kind for plan in PLAN.values() for kind, _, _ in plan}


def test_the_share_of_errors_is_realistic(orders: Orders) -> None:
    """5 to 12 % of all cells are spoilt, and every column keeps a clean majority of at least 85 %."""
    spoilt = orders.dirty != orders.clean
    assert 0.05 <= spoilt.to_numpy().mean() <= 0.12
    assert spoilt.mean().max() <= 0.15


def test_spoilt_missing_cells_stand_beside_blanks(orders: Orders) -> None:
    """Where null tokens are used, the blank is the more frequent way to say nothing."""
    for column in ("phone", "weight", "notes"):
        assert (orders.dirty[column] == "").sum() > orders.dirty[column].isin(NULL_TOKENS).sum() > 0


def test_slash_dates_are_day_first_beyond_doubt(orders: Orders) -> None:
    """No d/m/y date needs a month above 12, and many have a day above 12."""
    parts = orders.dirty["order_date"].str.extract(r"^(\d\d)/(\d\d)/\d{4}$").dropna().astype(int)
    assert (parts[0] > 12).sum() > 20
    assert (parts[1] <= 12).all()


def test_look_alikes_of_dirt_are_in_the_truth(orders: Orders) -> None:
    """Cities, names, codes and notes that look like dirt, and are right, wait for a careless cleaner."""
    assert {"Nice", "Normal", "Cortland", "Portland"} <= set(orders.clean["city"])
    assert {"Nothing", "The Null Hypothesis", "USB Hub", "e-Bike"} <= set(orders.clean["product"])
    assert any(name.endswith(" Null") for name in orders.clean["customer_name"])
    assert any("McDonald" in name for name in orders.clean["customer_name"])
    assert any("N/A" in note for note in orders.clean["notes"])
    assert orders.clean["sku"].str.startswith("NULL-").any()


def test_the_script_writes_three_files_from_any_folder(tmp_path: Path) -> None:
    """Run as a program it writes messy.csv, truth.csv and errors.csv that read back as they were made."""
    command = [
        sys.executable,
        str(ROOT / "examples" / "make_orders.py"),
        "--rows",
        "40",
        "--seed",
        "3",
        "--out",
        "made",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    made = make_orders(40, seed=3)
    for name, table in (("messy", made.dirty), ("truth", made.clean), ("errors", made.errors.astype(str))):
        back = pd.read_csv(tmp_path / "made" / f"{name}.csv", dtype=str, keep_default_na=False)
        assert back.to_numpy().tolist() == table.to_numpy().tolist()
    assert "40 rows" in done.stdout
